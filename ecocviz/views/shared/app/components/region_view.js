// Decision regions on a canvas. Everything but a pick and a decoder switch stays in the browser.
// Its topics have files of their own: camera, raster, marks, player, controls, pointer, keys; and drawing.

const LIGHT_MS = 90, HELD_MS = 40;

class RegionView {
  constructor(root) {
    this.root = root.querySelector(".rv");
    this.base = this.at(".base"); this.over = this.at(".over"); this.stage = this.at(".stage");
    this.decoder = 0; this.shading = true; this.differences = false; this.column = -1;
    this.pick = null; this.pickSerial = null; this.sent = 0; this.turn = 0; this.planeName = null;
    this.camera = new Camera(); this.marks = new Marks(this); this.player = new Player(this);
    this.controls = new Controls(this); this.tip = new Tip(this); this.pointer = new Pointer(this);
    this.over.addEventListener("keydown", (e) => pressedKey(this, e));
    this.onColumn = (e) => { clearTimeout(this.lighting); this.lighting = setTimeout(() => this.lightColumn(e.detail.bit), LIGHT_MS); };
    window.addEventListener("ecocviz-column", this.onColumn);
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(this.stage);
    this.drawing = new Drawing(this);
  }

  at(selector) { return this.root.querySelector(selector); }

  close() {
    this.player.stop(); clearTimeout(this.lighting);
    this.resizer.disconnect(); window.removeEventListener("ecocviz-column", this.onColumn);
  }

  // ---- what Python sends ----
  async receive(component) {
    this.component = component;
    if (!component.data) return;
    const turn = ++this.turn;
    if (component.data !== this.raw) {
      const data = await readPayload(component.data);
      if (turn !== this.turn) return; // a newer message overtook this one
      this.raw = component.data;
      this.adopt(data);
    }
    this.colours = themeOf(this.root, this.data.header.palette);
    setColours(this.root, this.colours);
    this.marks.forget();
    this.controls.draw();
    this.resize(true);
    this.drawing.controls();
  }

  adopt({ header, blocks }) {
    const n = header.decoders.length;
    this.data = { header, bits: blocks.bits };
    this.labels = undoDifferences(blocks.labels, n);
    this.margins = this.labels.map(({ length }, k) =>
      Float32Array.from(blocks.confidence.subarray(k * length, (k + 1) * length), (q) => Math.max(1e-4, confidence(q))));
    this.mask = disagreement(this.labels);
    const xy = new Float32Array(blocks.xy.buffer);
    this.xs = xy.subarray(0, header.nPoints); this.ys = xy.subarray(header.nPoints);
    this.ids = new Uint32Array(blocks.ids.buffer);
    this.pointClass = blocks.classes; this.isTest = blocks.test;
    this.wrong = undoDifferences(blocks.wrong, n);
    this.settle(header);
    this.player.adopt(header.prefix ? undoDifferences(blocks.prefix, header.prefix.lengths.length) : null);
  }

  // Keep what the user does here - decoder, pick, zoom, lit column - unless Python has changed it.
  settle(header) {
    this.camera.home = [...header.xRange, ...header.yRange];
    if (header.plane !== this.planeName) { this.camera.reset(); this.planeName = header.plane; this.column = -1; }
    if (header.decoder !== this.sentDecoder) this.decoder = header.decoder;
    this.sentDecoder = undefined;
    this.decoder = Math.min(this.decoder, header.decoders.length - 1);
    if (this.column >= header.nBits) this.column = -1;
    const { serial, point, place } = header.pick;
    if (serial === this.pickSerial) return;
    this.pickSerial = serial;
    this.pick = point >= 0 ? { point } : place ? { place } : null;
  }

  // ---- what the user does ----
  switchTo(k) {
    if (k === this.decoder || !this.data.header.decoders[k]) return;
    this.decoder = k; this.player.halt(); this.sentDecoder = k;
    const { key } = this.data.header.decoders[k];
    whenQuiet(this.root, () => this.component.setStateValue("decoder", key));
  }

  // One machine's own boundary, while its column or its row in the inspector is pointed at.
  lightColumn(bit) {
    if (!this.data || bit === this.column) return;
    this.column = bit < this.data.header.nBits ? bit : -1;
    this.paint();
  }

  send(pick) {
    this.pick = pick; this.paintOver();
    clearTimeout(this.sending); // keys held down send the last pick only
    const serial = ++this.sent;
    const tell = () => { if (serial === this.sent) this.component.setStateValue("pick", { ...pick, n: serial }); };
    this.sending = setTimeout(() => whenQuiet(this.root, tell), HELD_MS);
  }

  pickPlace() {
    if (!this.pick || this.pick.place) return this.pick && this.pick.place;
    const i = this.ids.indexOf(this.pick.point);
    return i < 0 ? null : [this.xs[i], this.ys[i]];
  }

  // Where the points lie on the screen.
  pixels() { return [Array.from(this.xs, (x) => this.camera.px(x)), Array.from(this.ys, (y) => this.camera.py(y))]; }

  // ---- size and painting ----
  resize(force) {
    const width = Math.floor(this.stage.clientWidth);
    if (!this.data || !width || (!force && width === this.width)) return;
    this.width = width; this.ratio = Math.min(3, window.devicePixelRatio || 1);
    this.scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 15; // presenters type larger
    const { axes } = this.data.header, x = axes ? Math.round(40 * this.scale) : 0;
    this.camera.box = { x, y: 0, w: width - x, h: width - x };
    this.height = width - x + (axes ? Math.round(36 * this.scale) : 0);
    for (const canvas of [this.base, this.over]) {
      canvas.width = Math.round(width * this.ratio); canvas.height = Math.round(this.height * this.ratio);
      canvas.style.height = this.height + "px";
    }
    this.controls.draw(); this.paint();
  }

  paint() {
    if (!this.data || this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      if (this.data && this.width) this.paintAll();
    });
  }

  paintAll() {
    const started = performance.now(), { base, camera, ratio, root } = this, context = base.getContext("2d");
    root.classList.toggle("zoomed", camera.zoomed);
    this.over.style.touchAction = camera.zoomed ? "none" : "pan-y";
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.colours.surface; context.fillRect(0, 0, base.width, base.height);
    this.paintRegions(context);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.marks.points(context); this.marks.axes(context);
    this.paintOver();
    this.player.report(); this.controls.report(); this.drawing.paint();
    root.dataset.paintMs = (performance.now() - started).toFixed(1);
    root.dataset.view = camera.view.map((v) => Number(v.toPrecision(6))).join(",");
  }

  // Which labels and margins to draw, and the colour of each label.
  shown() {
    const { header, bits } = this.data, hexes = header.classes.map((kind) => kind.colour);
    if (this.column >= 0) {
      const n = header.nx * header.ny, labels = Uint8Array.from({ length: n }, (_, i) => (bitAt(bits, n, this.column, i) > 0 ? 1 : 0));
      return { labels, margins: null, hexes: [this.colours.negative, this.colours.positive] };
    }
    if (this.player.partial) return { labels: this.player.labels, margins: null, hexes };
    return { labels: this.labels[this.decoder], margins: this.margins[this.decoder], hexes };
  }

  paintRegions(context) {
    const { header } = this.data, { box, view, home } = this.camera, { ratio, colours } = this;
    const W = Math.round(box.w * ratio), H = Math.round(box.h * ratio);
    if (W < 2 || H < 2) return;
    const found = this.shown(), image = context.createImageData(W, H), out = new Uint32Array(image.data.buffer);
    const across = neighbours(W, header.nx, view[0], view[1], home[0], home[1]);
    const down = neighbours(H, header.ny, view[3], view[2], home[2], home[3]);
    const { who, sure } = blended(found, header.nx, across, down);
    if (this.differences && this.column < 0 && !this.player.step) stripe(out, who, this.mask, header.nx, across, down, found.hexes, colours, ratio);
    else shade(out, who, found.margins && this.shading ? sure : null, tones(found.hexes, colours));
    border(out, who, W, colours.ink, ratio >= 1.5);
    context.putImageData(image, Math.round(box.x * ratio), 0);
  }

  paintOver() {
    const context = this.over.getContext("2d"), spot = this.pickPlace();
    context.setTransform(1, 0, 0, 1, 0, 0); context.clearRect(0, 0, this.over.width, this.over.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    if (!spot) return;
    const at = [this.camera.px(spot[0]), this.camera.py(spot[1])];
    if (this.camera.holds(...at)) this.marks.ring(context, at, Boolean(this.pick.place));
  }
}

const VIEWS = new WeakMap();

export default function (component) {
  const key = component.parentElement;
  let view = VIEWS.get(key);
  if (!view || !key.contains(view.root)) { view?.close(); view = new RegionView(key); VIEWS.set(key, view); }
  view.receive(component);
  return () => { VIEWS.get(key)?.close(); VIEWS.delete(key); };
}
