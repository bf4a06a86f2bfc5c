// What is drawn over the regions: points, axes, the ring around the picked place.

const SPRITE = 20, MANY = 600, CROWDED = 1200;

class Marks {
  constructor(view) { this.view = view; this.forget(); }

  // Draw every mark anew: the colours or the sharpness of the canvas have changed.
  forget() { this.sprites = new Map(); }

  // Points decided wrongly come last, on top of the others.
  points(context) {
    const { view } = this, { camera, wrong } = view, { header } = view.data, { box } = camera, n = header.nPoints;
    const size = n > CROWDED ? 0.62 : n > MANY ? 0.8 : 1, judged = !view.player.partial && view.column < 0;
    context.save();
    context.beginPath(); context.rect(box.x, box.y, box.w, box.h); context.clip();
    for (const late of [0, 1]) for (let i = 0; i < n; i++) {
      const bad = wrong[view.decoder][i] && judged ? 1 : 0, x = camera.px(view.xs[i]), y = camera.py(view.ys[i]);
      if (bad !== late || x < box.x - 12 || y < -12 || x > view.width + 12 || y > box.h + 12) continue;
      const sprite = this.sprite(view.pointClass[i], view.isTest[i], bad, size);
      context.drawImage(sprite, x - SPRITE / 2, y - SPRITE / 2, SPRITE, SPRITE);
    }
    context.restore();
  }

  sprite(c, test, bad, size) {
    const key = `${c} ${test} ${bad} ${size}`;
    if (!this.sprites.has(key)) this.sprites.set(key, this.drawn(this.view.data.header.classes[c], test, bad, size));
    return this.sprites.get(key);
  }

  // A mark in its class's colour with an outline that can be seen on its region, in a halo; a wrong one in ink.
  drawn(kind, test, bad, size) {
    const { colours, ratio } = this.view, canvas = document.createElement("canvas"), middle = SPRITE / 2;
    canvas.width = canvas.height = Math.ceil(SPRITE * ratio);
    const context = canvas.getContext("2d"), radius = (test ? 5 : 3.6) * size;
    context.scale(canvas.width / SPRITE, canvas.height / SPRITE); context.lineJoin = "round";
    const ring = (extra, width, colour) => {
      tracePath(context, kind.symbol, middle, middle, radius + extra);
      context.lineWidth = width; context.strokeStyle = colour; context.stroke();
    };
    if (bad) ring(1.8 * size, 3.4 * size, colours.ink);
    ring(0, (bad ? 2.2 : 2.4) * size, colours.halo);
    context.fillStyle = kind.colour; context.fill();
    if (!bad) ring(0, 0.9 * size, edgeOf(kind, colours));
    return canvas;
  }

  axes(context) {
    const { view } = this, { camera, scale, colours } = view, { box } = camera, bottom = box.y + box.h;
    if (!view.data.header.axes) return;
    const { fontFamily } = getComputedStyle(view.root), [x0, x1, y0, y1] = camera.view;
    context.fillStyle = colours.dim; context.font = `${11.5 * scale}px ${fontFamily}`;
    context.textAlign = "center"; context.textBaseline = "top";
    for (const t of ticks(x0, x1, 5)) {
      const x = camera.px(t);
      if (x > box.x + 8 && x < view.width - 14) context.fillText(format(t), x, bottom + 5);
    }
    context.textAlign = "right"; context.textBaseline = "middle";
    for (const t of ticks(y0, y1, 5)) {
      const y = camera.py(t);
      if (y > 10 && y < bottom - 4) context.fillText(format(t), box.x - 6, y);
    }
    context.font = `${12.5 * scale}px ${fontFamily}`;
    this.names(context);
  }

  names(context) {
    const { view } = this, { header } = view.data, { box } = view.camera;
    context.textAlign = "center"; context.textBaseline = "bottom";
    context.fillText(header.xName, box.x + box.w / 2, view.height - 1, box.w);
    context.save();
    context.translate(11 * view.scale, box.h / 2); context.rotate(-Math.PI / 2); context.textBaseline = "middle";
    context.fillText(header.yName, 0, -3, box.h);
    context.restore();
  }

  ring(context, [x, y], cross) {
    const { colours } = this.view;
    context.beginPath(); context.arc(x, y, 12, 0, 2 * Math.PI);
    context.lineWidth = 4.5; context.strokeStyle = colours.halo; context.stroke();
    context.lineWidth = 2.4; context.strokeStyle = colours.accent; context.stroke();
    if (!cross) return;
    context.beginPath();
    context.moveTo(x - 5, y); context.lineTo(x + 5, y); context.moveTo(x, y - 5); context.lineTo(x, y + 5);
    context.lineWidth = 2; context.stroke();
  }
}

function format(value) {
  return String(Number(value.toPrecision(6))).replace("-", "\u2212");
}
