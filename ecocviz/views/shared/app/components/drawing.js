// Drawing points on a sheet over the decision regions. All of it is local until "Train on these".

const STORE = "ecocviz.drawing", STEP = 0.02, TAP = 4;

class Drawing {
  // `view` is the region view: its component, its sizes and its colours are used.
  constructor(view) {
    this.view = view;
    const at = (s) => view.root.querySelector(s);
    this.sheet = at(".sheet"); this.bar = at(".drawbar");
    this.on = false; this.brush = 0; this.rubber = false; this.shown = 3; this.cursor = null; this.stroke = null; this.said = "";
    this.random = randomFrom(Date.now());
    this.history = newHistory(readDrawing(this.stored()));
    this.shown = Math.max(3, ...this.history.points.map((p) => p[2] + 1));
    this.bar.addEventListener("click", (e) => { const b = e.target.closest("[data-draw]"); if (b) this.act(b.dataset.draw); });
    const { sheet } = this;
    sheet.addEventListener("pointerdown", (e) => this.pressed(e));
    sheet.addEventListener("pointermove", (e) => this.moved(e));
    sheet.addEventListener("pointerup", (e) => this.released(e));
    sheet.addEventListener("pointercancel", () => this.released(null));
    sheet.addEventListener("pointerleave", () => { if (!this.stroke) { this.cursor = null; this.paint(); } });
    sheet.addEventListener("keydown", (e) => this.key(e));
    this.bar.addEventListener("keydown", (e) => { if (e.key === "Escape") this.show(false); else this.undoKey(e); });
  }

  stored() { try { return sessionStorage.getItem(STORE) || "[]"; } catch { return "[]"; } }

  show(on) {
    this.on = on; this.stroke = null; this.cursor = null; this.said = "";
    this.view.player.halt(); this.view.controls.draw(); this.view.paint();
    this.controls();
    (on ? this.sheet : this.view.root.querySelector("[data-act=draw]")).focus({ preventScroll: true });
  }

  // ---- what a button or key does ----
  act(name) {
    const [what, k] = name.split(":");
    if (what === "brush") { this.brush = Number(k); this.rubber = false; }
    else if (what === "add") { this.shown = Math.min(MOST_CLASSES, this.shown + 1); this.brush = this.shown - 1; this.rubber = false; }
    else if (what === "erase") this.rubber = !this.rubber;
    else if (what === "undo") this.put(undone(this.history));
    else if (what === "redo") this.put(redone(this.history));
    else if (what === "clear") this.put(commit(this.history, []));
    else if (what === "copy") this.copy();
    else if (what === "train") { this.train(); return; }
    else if (what === "close") { this.show(false); return; }
    this.controls(); this.paint();
  }

  put(history) {
    this.history = history; this.said = "";
    this.shown = Math.max(this.shown, ...history.points.map((p) => p[2] + 1));
    try { sessionStorage.setItem(STORE, JSON.stringify(history.points)); } catch { /* private windows keep nothing */ }
    this.controls(); this.paint();
  }

  // The points that the regions show, where they are seen.
  copy() {
    const { view } = this, [x0, x1, y0, y1] = view.camera.home;
    const points = Array.from(view.xs, (x, i) => pointAt((x - x0) / (x1 - x0), (view.ys[i] - y0) / (y1 - y0), view.pointClass[i]));
    this.put(commit(this.history, added([], points)));
  }

  train() {
    this.said = obstacle(this.history.points);
    if (this.said) { this.controls(); return; }
    const points = compacted(this.history.points);
    this.put(commit(this.history, points));
    whenQuiet(this.view.root, () => this.view.component.setTriggerValue("drawn", { points }));
    this.show(false);
  }

  controls() {
    const { on, bar, view } = this;
    this.sheet.hidden = bar.hidden = !on;
    if (!on || !view.data) return;
    const counts = counted(this.history.points), brushes = view.data.header.brushes;
    const button = (act, text, more = "") => `<button type="button" data-draw="${act}" ${more}>${text}</button>`;
    const focused = bar.getRootNode().activeElement?.dataset.draw;
    const chips = brushes.slice(0, this.shown).map((b, c) => button(`brush:${c}`, `${symbolSvg(b, view.colours, 14)}${letter(c)} <span class="n">${counts[c]}</span>`, `role="radio" class="brush" aria-checked="${!this.rubber && c === this.brush}" aria-label="Class ${letter(c)}, ${counts[c]} points" title="Draw class ${letter(c)} (${(c + 1) % 10})"`)).join("");
    const copyable = view.data.header.classes.length <= MOST_CLASSES;
    bar.innerHTML = `<div class="tools"><div class="brushes" role="radiogroup" aria-label="Class to draw">${chips}</div>` +
      (this.shown < brushes.length ? button("add", "+", 'title="One more class" aria-label="One more class"') : "") +
      button("erase", "Erase", `aria-pressed="${this.rubber}" title="Rub points out (e)"`) +
      button("undo", "Undo", `title="Ctrl+Z" ${this.history.past.length ? "" : "disabled"}`) +
      button("redo", "Redo", `title="Ctrl+Shift+Z" ${this.history.future.length ? "" : "disabled"}`) +
      button("clear", "Clear", this.history.points.length ? "" : "disabled") +
      (copyable ? button("copy", "Copy shown points", 'title="Replace the drawing by the points of the present data"') : "") +
      `<span class="gap"></span>${button("train", "Train on these", 'class="main"')}</div>` +
      `<div class="cap" role="status">${escapeText(this.said || this.told())}</div>`;
    if (focused) bar.querySelector(`[data-draw="${focused}"]:not(:disabled)`)?.focus();
    this.sheet.setAttribute("aria-label", `Sheet to draw on. ${this.told()} Arrow keys move the cross, Enter adds a point, Delete rubs out, digits choose the class.`);
  }

  told() {
    const n = this.history.points.length;
    if (!n) return "Drag to spray points of a class, click to set a single one.";
    return n >= MOST_POINTS ? `${n} points, which is as many as a drawing takes.` : `${n} point${n === 1 ? "" : "s"} drawn.`;
  }

  // ---- pointer and keys; places are in [0, 1] ----
  place(e) {
    const r = this.sheet.getBoundingClientRect(), { box } = this.view.camera;
    return [(e.clientX - r.left - box.x) / box.w, (box.y + box.h - (e.clientY - r.top)) / box.h];
  }

  reach() { return (this.rubber ? 16 : 22) / this.view.camera.box.w * this.view.scale; }

  pressed(e) {
    if (this.stroke || e.button > 0) return;
    this.sheet.setPointerCapture(e.pointerId); this.sheet.focus({ preventScroll: true });
    const at = this.place(e);
    if (Math.max(Math.abs(at[0] - 0.5), Math.abs(at[1] - 0.5)) > 0.53) return;
    this.stroke = { id: e.pointerId, from: at, start: [e.clientX, e.clientY], dragged: false, left: 0, points: this.history.points };
    if (this.rubber) this.rub(at, at);
  }

  moved(e) {
    const at = this.place(e), { stroke } = this;
    this.cursor = at;
    if (stroke && e.pointerId === stroke.id) {
      if (!stroke.dragged && Math.hypot(e.clientX - stroke.start[0], e.clientY - stroke.start[1]) <= TAP) return;
      stroke.dragged = true;
      if (this.rubber) this.rub(stroke.from, at);
      else {
        const way = sprayed(stroke.from, at, this.brush, { spacing: 9 / this.view.camera.box.w * this.view.scale, radius: this.reach(), left: stroke.left, random: this.random });
        stroke.points = added(stroke.points, way.points); stroke.left = way.left;
      }
      stroke.from = at;
    }
    this.paint();
  }

  rub(from, to) { this.stroke.points = erased(this.stroke.points, from, to, this.reach()); }

  released(e) {
    const { stroke } = this;
    if (!stroke || (e && e.pointerId !== stroke.id)) return;
    this.stroke = null;
    if (e && !stroke.dragged && !this.rubber) stroke.points = added(stroke.points, [pointAt(...stroke.from, this.brush)]);
    this.put(commit(this.history, stroke.points));
  }

  undoKey(e) {
    const name = e.key.toLowerCase();
    if (!(e.ctrlKey || e.metaKey) || !["z", "y"].includes(name)) return false;
    e.preventDefault(); e.stopPropagation();
    this.act(name === "y" || e.shiftKey ? "redo" : "undo");
    return true;
  }

  key(e) {
    if (this.undoKey(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    const step = STEP * (e.shiftKey ? 5 : 1), arrows = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const at = this.cursor || [0.5, 0.5];
    if (arrows[e.key]) { this.cursor = pointAt(at[0] + arrows[e.key][0], at[1] + arrows[e.key][1], 0).slice(0, 2); this.paint(); }
    else if (e.key === "Enter" || e.key === " ") { this.cursor = at; this.put(commit(this.history, this.rubber ? erased(this.history.points, at, at, this.reach()) : added(this.history.points, [pointAt(...at, this.brush)]))); }
    else if (e.key === "Delete" || e.key === "Backspace") this.put(commit(this.history, erased(this.history.points, at, at, this.reach())));
    else if (e.key === "e") this.act("erase");
    else if (e.key === "Escape") this.show(false);
    else if (/^[0-9]$/.test(e.key) && (Number(e.key) + 9) % 10 < this.shown) this.act("brush:" + (Number(e.key) + 9) % 10);
    else return;
    e.preventDefault();
  }

  // ---- painting ----
  paint() {
    const { view, sheet } = this;
    if (!this.on || !view.width) return;
    const { ratio, colours, camera: { box } } = view, context = sheet.getContext("2d");
    if (sheet.width !== view.over.width || sheet.height !== view.over.height) { sheet.width = view.over.width; sheet.height = view.over.height; sheet.style.height = view.over.style.height; }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.surface; context.fillRect(0, 0, sheet.width, sheet.height);
    context.strokeStyle = colours.line; context.lineWidth = 1; context.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
    context.setLineDash([2, 5]);
    for (const share of [0.25, 0.5, 0.75]) {
      const x = Math.round(box.x + share * box.w) + 0.5, y = Math.round(box.y + share * box.h) + 0.5;
      context.beginPath(); context.moveTo(x, box.y); context.lineTo(x, box.y + box.h); context.moveTo(box.x, y); context.lineTo(box.x + box.w, y); context.stroke();
    }
    context.setLineDash([]);
    const points = this.stroke ? this.stroke.points : this.history.points, brushes = view.data.header.brushes;
    for (const [x, y, c] of points) {
      tracePath(context, brushes[c].symbol, box.x + x * box.w, box.y + (1 - y) * box.h, 4.6);
      context.fillStyle = brushes[c].colour; context.fill();
      context.lineWidth = 0.9; context.strokeStyle = edgeOf(brushes[c], colours); context.stroke();
    }
    if (this.cursor) this.paintCursor(context, brushes);
    view.root.dataset.drawn = points.length;
  }

  paintCursor(context, brushes) {
    const { colours, camera: { box } } = this.view, x = box.x + this.cursor[0] * box.w, y = box.y + (1 - this.cursor[1]) * box.h;
    context.beginPath(); context.arc(x, y, this.reach() * box.w, 0, 2 * Math.PI);
    context.lineWidth = 1.5; context.strokeStyle = this.rubber ? colours.wrong : edgeOf(brushes[this.brush], colours); context.stroke();
    context.beginPath(); context.moveTo(x - 5, y); context.lineTo(x + 5, y); context.moveTo(x, y - 5); context.lineTo(x, y + 5);
    context.lineWidth = 1; context.strokeStyle = colours.ink; context.stroke();
  }
}
