// Mouse, finger and wheel on the regions: pick, drag, pinch, zoom, and the tip beside the pointer.

const REACH = 12, NEAR = 8, DRAG = 4, MOST_BITS = 120;

class Pointer {
  constructor(view) {
    this.view = view; this.down = new Map(); this.dragged = false; this.from = null;
    const { over } = view;
    over.addEventListener("pointermove", (e) => this.moved(e));
    over.addEventListener("pointerdown", (e) => this.pressed(e));
    over.addEventListener("pointerup", (e) => this.released(e));
    over.addEventListener("pointercancel", (e) => this.down.delete(e.pointerId));
    over.addEventListener("pointerleave", () => view.tip.show(null));
    over.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
  }

  local(e) { const r = this.view.over.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; }

  pressed(e) {
    const { over } = this.view;
    over.setPointerCapture(e.pointerId); over.focus({ preventScroll: true });
    this.from = this.local(e);
    this.down.set(e.pointerId, this.from); this.dragged = this.down.size > 1;
  }

  moved(e) {
    const { view } = this, at = this.local(e), before = this.down.get(e.pointerId);
    if (!view.data) return;
    if (!before) { view.tip.show(at); return; }
    if (this.down.size === 2) this.pinch(e.pointerId, at);
    else if (this.dragged || Math.hypot(at[0] - this.from[0], at[1] - this.from[1]) > DRAG) {
      this.dragged = true;
      view.camera.pan(at[0] - before[0], at[1] - before[1]);
      view.tip.show(null); view.paint();
    }
    this.down.set(e.pointerId, at);
  }

  pinch(id, at) {
    const { camera } = this.view, was = this.down.get(id), [, other] = [...this.down].find(([key]) => key !== id);
    const before = Math.hypot(was[0] - other[0], was[1] - other[1]), after = Math.hypot(at[0] - other[0], at[1] - other[1]);
    if (!(before > 0 && after > 0)) return;
    camera.zoom(before / after, camera.place((at[0] + other[0]) / 2, (at[1] + other[1]) / 2));
    this.view.paint();
  }

  released(e) {
    const at = this.local(e);
    this.down.delete(e.pointerId);
    if (this.view.data && !this.dragged && !this.down.size) this.choose(at);
  }

  choose([px, py]) {
    const { view } = this, { camera } = view;
    if (px < camera.box.x || py > camera.box.h) return;
    const i = nearestPoint(...view.pixels(), px, py, REACH);
    if (i >= 0) view.send({ point: view.ids[i] });
    else view.send({ place: camera.place(px, py).map((v) => Number(v.toPrecision(6))) });
  }

  wheel(e) {
    const { view } = this;
    if (!view.data || (!e.ctrlKey && !view.over.matches(":focus"))) return; // else the page scrolls
    e.preventDefault();
    const turned = Math.max(-100, Math.min(100, e.deltaY));
    view.camera.zoom(Math.exp(turned * 0.003), view.camera.place(...this.local(e)));
    view.tip.show(null); view.paint();
  }
}

// What stands beside the pointer: the point under it, the bits there, and every decoder's winner.
class Tip {
  constructor(view) { this.view = view; this.box = view.at(".tip"); }

  show(at) {
    const started = performance.now(), { view, box } = this, { camera, data } = view;
    const { nx, ny } = data?.header || {};
    const cell = data && at && camera.holds(...at) ? camera.cell(...camera.place(...at), nx, ny) : -1;
    box.hidden = cell < 0;
    if (cell < 0) return;
    box.innerHTML = this.point(at) + this.bits(cell) + this.winners(cell);
    const w = box.offsetWidth, h = box.offsetHeight, right = at[0] + 16;
    const left = right + w > view.width ? Math.max(0, at[0] - 16 - w) : right;
    const top = Math.min(Math.max(0, at[1] + 16), Math.max(0, view.height - h));
    box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    view.root.dataset.hoverMs = (performance.now() - started).toFixed(2);
  }

  chip(c) {
    const { data, colours } = this.view, kind = data.header.classes[c];
    return symbolSvg(kind, colours, 13) + escapeText(kind.name);
  }

  point(at) {
    const { view } = this, i = nearestPoint(...view.pixels(), ...at, NEAR);
    if (i < 0) return "";
    const part = view.isTest[i] ? "test" : "training", wrong = view.wrong[view.decoder][i] ? ", wrong" : "";
    return `<div class="who">${this.chip(view.pointClass[i])} <span class="cap">point ${view.ids[i]}, ${part}${wrong}</span></div>`;
  }

  bits(cell) {
    const { header, bits } = this.view.data, said = bitsAt(bits, header.nx * header.ny, header.nBits, cell);
    const shown = Array.from(said.slice(0, MOST_BITS), (b) => `<span class="${b > 0 ? "p" : "n"}">${sign(b)}</span>`);
    return `<div class="bits">${shown.join("")}${header.nBits > MOST_BITS ? " \u2026" : ""}</div>`;
  }

  winners(cell) {
    const { view } = this, rows = view.data.header.decoders.map((d, k) =>
      `<tr class="${k === view.decoder ? "now" : ""}"><td>${escapeText(d.title)}</td><td>${this.chip(view.labels[k][cell])}</td></tr>`);
    return `<table>${rows.join("")}</table>`;
  }
}
