// Where things lie: the plotted square in CSS pixels, and the part of the plane that it shows, as
// [x0, x1, y0, y1] in units of the data. Free of the page, so that node can test it.

const CLOSEST = 60; // how many times the plane can be magnified

export class Camera {
  constructor() {
    this.home = this.view = [0, 1, 0, 1];
    this.box = { x: 0, y: 0, w: 1, h: 1 };
  }

  px(x) { return this.box.x + ((x - this.view[0]) / (this.view[1] - this.view[0])) * this.box.w; }

  py(y) { return this.box.y + this.box.h - ((y - this.view[2]) / (this.view[3] - this.view[2])) * this.box.h; }

  // The place of the plane under a pixel.
  place(px, py) {
    const { box, view: [x0, x1, y0, y1] } = this;
    return [x0 + ((px - box.x) / box.w) * (x1 - x0), y0 + ((box.y + box.h - py) / box.h) * (y1 - y0)];
  }

  holds(px, py) {
    const { box } = this;
    return px >= box.x && py >= box.y && px <= box.x + box.w && py <= box.y + box.h;
  }

  // The number of the grid's cell at a place, -1 outside.
  cell(x, y, nx, ny) {
    const [x0, x1, y0, y1] = this.home;
    const i = Math.floor(((x - x0) / (x1 - x0)) * nx), j = Math.floor(((y - y0) / (y1 - y0)) * ny);
    return i < 0 || j < 0 || i >= nx || j >= ny ? -1 : j * nx + i;
  }

  get zoomed() { return this.view[1] - this.view[0] < (this.home[1] - this.home[0]) * 0.999; }

  reset() { this.view = [...this.home]; }

  // Show `factor` times as much around a place, which stays where it is; never more than the whole plane.
  zoom(factor, at) {
    const [x0, x1, y0, y1] = this.view, now = (x1 - x0) / (this.home[1] - this.home[0]);
    const [x, y] = at || [(x0 + x1) / 2, (y0 + y1) / 2];
    const f = Math.min(1, Math.max(1 / CLOSEST, now * factor)) / now;
    this.show([x + (x0 - x) * f, x + (x1 - x) * f, y + (y0 - y) * f, y + (y1 - y) * f]);
  }

  // Move the plane by so many pixels, as if it were dragged.
  pan(right, down) {
    const [x0, x1, y0, y1] = this.view;
    const dx = (-right / this.box.w) * (x1 - x0), dy = (down / this.box.h) * (y1 - y0);
    this.show([x0 + dx, x1 + dx, y0 + dy, y1 + dy]);
  }

  show([x0, x1, y0, y1]) {
    const [hx0, hx1, hy0, hy1] = this.home;
    const w = Math.min(x1 - x0, hx1 - hx0), h = Math.min(y1 - y0, hy1 - hy0);
    const nx = Math.min(Math.max(x0, hx0), hx1 - w), ny = Math.min(Math.max(y0, hy0), hy1 - h);
    this.view = [nx, nx + w, ny, ny + h];
  }
}
