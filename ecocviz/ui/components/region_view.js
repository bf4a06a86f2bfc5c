// Decision regions on a canvas. Everything but a pick and a decoder switch stays in the browser.

const SHADES = 64, PLAY_MS = 650, REACH = 12, LIGHT_MS = 90;

class RegionView {
  constructor(root) {
    this.root = root.querySelector(".rv");
    const at = (s) => this.root.querySelector(s);
    this.base = at(".base"); this.over = at(".over"); this.tip = at(".tip"); this.stage = at(".stage");
    this.player = at(".player"); this.note = at(".note"); this.legend = at(".legend"); this.chooser = at(".decoders");
    this.decoder = 0; this.shading = true; this.differences = false; this.playing = 0; this.step = 0;
    this.column = -1; this.pick = null; this.pickSerial = null; this.sent = 0; this.hover = null;
    this.view = null; this.pointers = new Map(); this.turn = 0; this.plane = null; this.stats = { paint: 0, hover: 0 };
    this.listen();
    this.drawing = new Drawing(this);
  }

  listen() {
    this.root.addEventListener("click", (e) => { const b = e.target.closest("[data-act]"); if (b) this.act(b.dataset.act); });
    const over = this.over;
    over.addEventListener("pointermove", (e) => this.moved(e));
    over.addEventListener("pointerdown", (e) => this.pressed(e));
    over.addEventListener("pointerup", (e) => this.released(e));
    over.addEventListener("pointercancel", (e) => this.pointers.delete(e.pointerId));
    over.addEventListener("pointerleave", () => this.hoverAt(null));
    over.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    over.addEventListener("keydown", (e) => this.key(e));
    this.player.querySelector("input").addEventListener("input", (e) => { this.stop(); this.step = Number(e.target.value); this.paint(); });
    this.onColumn = (e) => { clearTimeout(this.lighting); this.lighting = setTimeout(() => this.lightColumn(e.detail.bit), LIGHT_MS); };
    window.addEventListener("ecocviz-column", this.onColumn);
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(this.stage);
  }

  // One machine's own boundary, while its column or its row in the inspector is pointed at.
  lightColumn(bit) {
    if (!this.data || bit === this.column) return;
    this.column = bit < this.data.header.nBits ? bit : -1;
    this.paint();
  }

  close() {
    this.stop(); clearTimeout(this.lighting); this.resizer.disconnect(); window.removeEventListener("ecocviz-column", this.onColumn);
  }

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
    this.sprites = new Map();
    this.controls();
    this.resize(true);
    this.drawing.controls();
  }

  adopt({ header, blocks }) {
    const nD = header.decoders.length;
    this.data = { header, bits: blocks.bits };
    this.labels = undoDifferences(blocks.labels, nD);
    this.margins = [];
    for (let k = 0; k < nD; k++) {
      const n = this.labels[k].length;
      this.margins.push(Float32Array.from(blocks.confidence.subarray(k * n, (k + 1) * n), (q) => Math.max(1e-4, confidence(q))));
    }
    this.frames = header.prefix ? undoDifferences(blocks.prefix, header.prefix.lengths.length) : null;
    const xy = new Float32Array(blocks.xy.buffer);
    this.xs = xy.subarray(0, header.nPoints); this.ys = xy.subarray(header.nPoints);
    this.ids = new Uint32Array(blocks.ids.buffer);
    this.pointClass = blocks.classes; this.isTest = blocks.test;
    this.wrong = undoDifferences(blocks.wrong, nD);
    this.mask = disagreement(this.labels);
    const home = [...header.xRange, ...header.yRange];
    if (header.plane !== this.plane) { this.view = home; this.plane = header.plane; this.column = -1; }
    this.home = home;
    if (header.decoder !== this.sentDecoder) this.decoder = header.decoder;
    this.sentDecoder = undefined;
    this.decoder = Math.min(this.decoder, nD - 1);
    if (header.pick.serial !== this.pickSerial) { this.pickSerial = header.pick.serial; this.pick = header.pick.point >= 0 ? { point: header.pick.point } : header.pick.place ? { place: header.pick.place } : null; }
    if (this.column >= header.nBits) this.column = -1;
    if (!this.frames && !this.waiting) this.halt();
    if (this.frames && this.waiting) { this.waiting = false; this.start(); }
    if (this.frames) this.step = Math.min(this.step, this.frames.length);
  }

  controls() {
    const { header } = this.data, { chooser } = this;
    for (const [act, on, shown] of [["differences", this.differences, header.decoders.length > 1], ["shading", this.shading, true], ["play", this.playing || this.frames && this.step, header.canPlay], ["draw", this.drawing.on, header.brushes.length > 0]]) {
      const button = this.root.querySelector(`[data-act=${act}]`);
      button.setAttribute("aria-pressed", Boolean(on)); button.style.display = shown && (act === "draw" || !this.drawing.on) ? "" : "none";
    }
    const draw = this.root.querySelector("[data-act=draw]");
    draw.firstElementChild.style.display = this.drawing.on ? "none" : ""; draw.lastElementChild.hidden = !this.drawing.on;
    draw.setAttribute("aria-label", this.drawing.on ? "Back to the regions" : "Draw");
    for (const part of [chooser, this.legend, this.root.querySelector(".zoom")]) part.style.visibility = this.drawing.on ? "hidden" : "";
    this.legend.style.display = this.drawing.on ? "none" : "";
    this.root.querySelector("[data-act=play]").textContent = this.playing ? "Pause" : "Play bits";
    // Side by side where they fit on one line, else a list.
    chooser.innerHTML = '<div class="seg" role="radiogroup" aria-label="Decoder">' + header.decoders.map((d, k) =>
      `<button type="button" role="radio" data-act="decoder:${k}" aria-checked="${k === this.decoder}" title="${escapeText(d.summary)}">${escapeText(d.title)}</button>`).join("") + "</div>";
    const bar = chooser.parentElement;
    if (header.decoders.length < 2) chooser.innerHTML = `<span class="only">${escapeText(header.decoders[0].title)}</span>`;
    else if (bar.lastElementChild.offsetTop > chooser.offsetTop + 8 || chooser.firstChild.scrollWidth > bar.clientWidth) {
      chooser.innerHTML = '<select aria-label="Decoder">' + header.decoders.map((d, k) => `<option value="${k}" ${k === this.decoder ? "selected" : ""}>${escapeText(d.title)}</option>`).join("") + "</select>";
      chooser.firstChild.addEventListener("change", (e) => this.act("decoder:" + e.target.value));
    }
    this.legend.innerHTML = header.nLegend ? header.classes.map((c) => `<span title="${escapeText(c.name)}">${symbolSvg(c.symbol, c.colour, 14)}<i>${escapeText(c.name)}</i></span>`).join("") : "";
    this.over.setAttribute("aria-label", header.alt);
  }

  // ---- what a button or key does ----
  act(name) {
    if (!this.data) return;
    const [what, k] = name.split(":");
    if (what === "decoder") this.switchTo(Number(k));
    else if (what === "differences") { this.differences = !this.differences; this.halt(); }
    else if (what === "shading") this.shading = !this.shading;
    else if (what === "play") this.togglePlay();
    else if (what === "draw") { this.drawing.show(!this.drawing.on); return; }
    else if (what === "done") this.halt();
    else if (what === "in") this.zoom(1 / 1.5);
    else if (what === "out") this.zoom(1.5);
    else if (what === "home") this.view = [...this.home];
    this.controls(); this.paint();
  }

  switchTo(k) {
    if (k === this.decoder || !this.data.header.decoders[k]) return;
    this.decoder = k; this.halt(); this.sentDecoder = k;
    this.component.setStateValue("decoder", this.data.header.decoders[k].key);
  }

  togglePlay() {
    if (this.playing) { this.stop(); return; }
    this.differences = false;
    if (this.frames && this.data.header.prefix.decoder === this.decoder) this.start();
    else { this.waiting = true; this.component.setTriggerValue("frames", this.data.header.decoders[this.decoder].key); }
  }

  start() {
    if (!this.step || this.step >= this.frames.length) this.step = 1;
    this.stop();
    this.playing = setInterval(() => {
      if (this.step >= this.frames.length) { this.stop(); this.controls(); return; }
      this.step += 1; this.paint();
    }, PLAY_MS);
  }

  stop() { clearInterval(this.playing); this.playing = 0; }

  halt() { this.stop(); this.step = 0; this.waiting = false; }

  // ---- geometry: plot rectangle in CSS pixels, view = [x0, x1, y0, y1] in data units ----
  resize(force) {
    const width = Math.floor(this.stage.clientWidth);
    if (!this.data || !width || (!force && width === this.width)) return;
    this.width = width; this.ratio = Math.min(3, window.devicePixelRatio || 1);
    const axes = this.data.header.axes;
    this.scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 15; // presenters type larger
    this.box = { x: axes ? Math.round(40 * this.scale) : 0, y: 0, w: 0, h: 0 };
    this.box.w = this.box.h = width - this.box.x;
    this.height = this.box.h + (axes ? Math.round(36 * this.scale) : 0);
    for (const canvas of [this.base, this.over]) {
      canvas.width = Math.round(width * this.ratio); canvas.height = Math.round(this.height * this.ratio);
      canvas.style.height = this.height + "px";
    }
    this.controls(); this.paint();
  }

  px(x) { return this.box.x + ((x - this.view[0]) / (this.view[1] - this.view[0])) * this.box.w; }
  py(y) { return this.box.y + this.box.h - ((y - this.view[2]) / (this.view[3] - this.view[2])) * this.box.h; }
  place(px, py) {
    return [this.view[0] + ((px - this.box.x) / this.box.w) * (this.view[1] - this.view[0]), this.view[2] + ((this.box.y + this.box.h - py) / this.box.h) * (this.view[3] - this.view[2])];
  }
  cell(x, y) {
    const { header } = this.data, [x0, x1, y0, y1] = this.home;
    const i = Math.floor(((x - x0) / (x1 - x0)) * header.nx), j = Math.floor(((y - y0) / (y1 - y0)) * header.ny);
    return i < 0 || j < 0 || i >= header.nx || j >= header.ny ? -1 : j * header.nx + i;
  }

  zoom(factor, at) {
    const [x, y] = at || [(this.view[0] + this.view[1]) / 2, (this.view[2] + this.view[3]) / 2];
    const [hx0, hx1, hy0, hy1] = this.home, now = (this.view[1] - this.view[0]) / (hx1 - hx0);
    const f = Math.min(1, Math.max(1 / 60, now * factor)) / now;
    this.view = this.clamp([x + (this.view[0] - x) * f, x + (this.view[1] - x) * f, y + (this.view[2] - y) * f, y + (this.view[3] - y) * f]);
  }

  clamp([x0, x1, y0, y1]) {
    const [hx0, hx1, hy0, hy1] = this.home;
    const w = Math.min(x1 - x0, hx1 - hx0), h = Math.min(y1 - y0, hy1 - hy0);
    const nx = Math.min(Math.max(x0, hx0), hx1 - w), ny = Math.min(Math.max(y0, hy0), hy1 - h);
    return [nx, nx + w, ny, ny + h];
  }

  // ---- painting ----
  paint() {
    if (!this.data || this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      if (!this.data || !this.box) return;
      const started = performance.now();
      const zoomed = this.view[1] - this.view[0] < (this.home[1] - this.home[0]) * 0.999;
      this.root.classList.toggle("zoomed", zoomed);
      this.over.style.touchAction = zoomed ? "none" : "pan-y";
      const context = this.base.getContext("2d");
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = this.colours.surface; context.fillRect(0, 0, this.base.width, this.base.height);
      this.paintRegions(context, this.source());
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      this.paintPoints(context);
      this.paintAxes(context);
      this.paintOver();
      this.report();
      this.stats.paint = performance.now() - started;
      this.drawing.paint();
      this.root.dataset.paintMs = this.stats.paint.toFixed(1);
      this.root.dataset.view = this.view.map((v) => Number(v.toPrecision(6))).join(",");
    });
  }

  // Which labels and margins to draw, and the colour of each label.
  source() {
    const { header, bits } = this.data, n = header.nx * header.ny;
    if (this.column >= 0) {
      const labels = new Uint8Array(n);
      for (let i = 0; i < n; i++) labels[i] = bitAt(bits, n, this.column, i) > 0 ? 1 : 0;
      return { labels, margins: null, hexes: [this.colours.negative, this.colours.positive] };
    }
    const hexes = header.classes.map((c) => c.colour);
    if (this.partial()) return { labels: this.frames[this.step - 1], margins: null, hexes };
    return { labels: this.labels[this.decoder], margins: this.margins[this.decoder], hexes };
  }

  // Whether fewer than all bits are shown.
  partial() { return Boolean(this.frames && this.step && this.step < this.frames.length); }

  tones(hexes) {
    const surface = rgb(this.colours.surface), low = this.colours.dark ? 0.2 : 0.16, span = this.colours.dark ? 0.28 : 0.26;
    const lut = new Uint32Array(hexes.length * SHADES);
    hexes.forEach((hex, c) => {
      for (let q = 0; q < SHADES; q++) {
        const [r, g, b] = mix(rgb(hex), surface, low + span * (q / (SHADES - 1)));
        lut[c * SHADES + q] = (255 << 24) | (b << 16) | (g << 8) | r;
      }
    });
    return lut;
  }

  paintRegions(context, { labels, margins, hexes }) {
    const { header } = this.data, { nx, ny } = header, r = this.ratio;
    const W = Math.round(this.box.w * r), H = Math.round(this.box.h * r), X = Math.round(this.box.x * r);
    if (W < 2 || H < 2) return;
    const image = context.createImageData(W, H), out = new Uint32Array(image.data.buffer), who = new Uint8Array(W * H);
    const lut = this.tones(hexes), flat = Math.round((SHADES - 1) * 0.75), shaded = margins && this.shading;
    const column = this.columns(W, nx, this.view[0], this.view[1], this.home[0], this.home[1]);
    const row = this.columns(H, ny, this.view[3], this.view[2], this.home[2], this.home[3]);
    const l = [0, 0, 0, 0], m = [1, 1, 1, 1];
    for (let y = 0, k = 0; y < H; y++) {
      const a = row.low[y] * nx, b = row.high[y] * nx, v = row.share[y];
      for (let x = 0; x < W; x++, k++) {
        const i = column.low[x], j = column.high[x], u = column.share[x];
        const p = a + i, q = a + j, s = b + i, t = b + j;
        let c = labels[p], sure;
        if (c === labels[q] && c === labels[s] && c === labels[t]) {
          sure = shaded ? (margins[p] * (1 - u) + margins[q] * u) * (1 - v) + (margins[s] * (1 - u) + margins[t] * u) * v : 0;
        } else {
          l[0] = c; l[1] = labels[q]; l[2] = labels[s]; l[3] = labels[t];
          if (margins) { m[0] = margins[p]; m[1] = margins[q]; m[2] = margins[s]; m[3] = margins[t]; }
          [c, sure] = blend(l, m, u, v);
        }
        who[k] = c;
        out[k] = lut[c * SHADES + (shaded ? (sure * (SHADES - 1)) | 0 : flat)];
      }
    }
    if (this.differences && this.column < 0 && !this.step) this.hatch(out, who, lut, W, H, column, row);
    this.paintBorders(out, who, W, H);
    context.putImageData(image, X, 0);
  }

  // For every pixel along one side: the two cells around it and its share of the second.
  columns(size, n, start, end, low, high) {
    const first = new Int32Array(size), second = new Int32Array(size), share = new Float32Array(size), nearest = new Int32Array(size);
    for (let p = 0; p < size; p++) {
      const value = start + ((p + 0.5) / size) * (end - start), g = ((value - low) / (high - low)) * n - 0.5;
      const floor = Math.min(n - 1, Math.max(0, Math.floor(g)));
      first[p] = floor; second[p] = Math.min(n - 1, floor + 1); share[p] = Math.min(1, Math.max(0, g - floor));
      nearest[p] = Math.min(n - 1, Math.max(0, Math.round(g)));
    }
    return { low: first, high: second, share, nearest };
  }

  // Where all decoders agree the colour retreats; where they differ, the winner's colour in stripes.
  hatch(out, who, lut, W, H, column, row) {
    const nx = this.data.header.nx, surface = rgb(this.colours.surface), ink = rgb(this.colours.ink), width = 5 * this.ratio;
    const hexes = this.data.header.classes.map((c) => c.colour);
    const pack = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    const pale = hexes.map((h) => pack(mix(rgb(h), surface, 0.08))), full = hexes.map((h) => pack(mix(rgb(h), surface, 0.62)));
    const stripe = hexes.map((h) => pack(mix(ink, mix(rgb(h), surface, 0.62), 0.28)));
    for (let y = 0, k = 0; y < H; y++) for (let x = 0; x < W; x++, k++) {
      const c = who[k];
      out[k] = !this.mask[row.nearest[y] * nx + column.nearest[x]] ? pale[c] : Math.floor((x + y) / width) % 2 ? full[c] : stripe[c];
    }
  }

  paintBorders(out, who, W, H) {
    const [r, g, b] = rgb(this.colours.ink), share = 0.5, thick = this.ratio >= 1.5;
    const shade = (k) => {
      const old = out[k];
      out[k] = (255 << 24) | (((b * share + ((old >> 16) & 255) * (1 - share)) | 0) << 16) | (((g * share + ((old >> 8) & 255) * (1 - share)) | 0) << 8) | ((r * share + (old & 255) * (1 - share)) | 0);
    };
    for (let y = 0, k = 0; y < H; y++) for (let x = 0; x < W; x++, k++) {
      const c = who[k];
      const edge = (x + 1 < W && who[k + 1] !== c) || (y + 1 < H && who[k + W] !== c) || (thick && ((x > 0 && who[k - 1] !== c) || (y > 0 && who[k - W] !== c)));
      if (edge) shade(k);
    }
  }

  paintPoints(context) {
    const { header } = this.data, wrong = this.wrong[this.decoder], size = header.nPoints > 1200 ? 0.62 : header.nPoints > 600 ? 0.8 : 1;
    context.save();
    context.beginPath(); context.rect(this.box.x, this.box.y, this.box.w, this.box.h); context.clip();
    for (const late of [0, 1]) for (let i = 0; i < header.nPoints; i++) {
      const bad = wrong[i] && !this.partial() && this.column < 0 ? 1 : 0;
      if (bad !== late) continue;
      const sprite = this.sprite(this.pointClass[i], this.isTest[i], bad, size), x = this.px(this.xs[i]), y = this.py(this.ys[i]);
      if (x < this.box.x - 12 || y < -12 || x > this.width + 12 || y > this.box.h + 12) continue;
      context.drawImage(sprite, x - 10, y - 10, 20, 20);
    }
    context.restore();
  }

  sprite(c, test, bad, size) {
    const key = `${c} ${test} ${bad} ${size}`;
    let made = this.sprites.get(key);
    if (made) return made;
    made = document.createElement("canvas");
    made.width = made.height = Math.ceil(20 * this.ratio);
    const context = made.getContext("2d"), { colour, symbol } = this.data.header.classes[c], radius = (test ? 5 : 3.6) * size;
    context.scale(made.width / 20, made.height / 20); context.lineJoin = "round";
    if (bad) { tracePath(context, symbol, 10, 10, radius + 1.8 * size); context.lineWidth = 3.4 * size; context.strokeStyle = this.colours.ink; context.stroke(); }
    tracePath(context, symbol, 10, 10, radius);
    context.lineWidth = (bad ? 2.2 : 1.8) * size; context.strokeStyle = this.colours.halo; context.stroke();
    context.fillStyle = colour; context.fill();
    if (this.colours.dark && !bad) { context.lineWidth = 0.7; context.strokeStyle = "rgb(255 255 255 / .55)"; context.stroke(); }
    this.sprites.set(key, made);
    return made;
  }

  paintAxes(context) {
    const { header } = this.data;
    if (!header.axes) return;
    const bottom = this.box.y + this.box.h;
    context.font = 11.5 * this.scale + "px " + getComputedStyle(this.root).fontFamily; context.fillStyle = this.colours.dim; context.textBaseline = "top"; context.textAlign = "center";
    const xt = ticks(this.view[0], this.view[1], 5), yt = ticks(this.view[2], this.view[3], 5);
    for (const t of xt) { const x = this.px(t); if (x > this.box.x + 8 && x < this.width - 14) context.fillText(format(t), x, bottom + 5); }
    context.textAlign = "right"; context.textBaseline = "middle";
    for (const t of yt) { const y = this.py(t); if (y > 10 && y < bottom - 4) context.fillText(format(t), this.box.x - 6, y); }
    context.font = 12.5 * this.scale + "px " + getComputedStyle(this.root).fontFamily;
    context.textAlign = "center"; context.textBaseline = "bottom";
    context.fillText(header.xName, this.box.x + this.box.w / 2, this.height - 1, this.box.w);
    context.save(); context.translate(11 * this.scale, this.box.h / 2); context.rotate(-Math.PI / 2); context.textBaseline = "middle"; context.fillText(header.yName, 0, -3, this.box.h); context.restore();
  }

  paintOver() {
    const context = this.over.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0); context.clearRect(0, 0, this.over.width, this.over.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const spot = this.pickPlace();
    if (!spot) return;
    const x = this.px(spot[0]), y = this.py(spot[1]);
    if (x < this.box.x || y < 0 || x > this.width || y > this.box.h) return;
    context.beginPath(); context.arc(x, y, 12, 0, 2 * Math.PI);
    context.lineWidth = 4.5; context.strokeStyle = this.colours.halo; context.stroke();
    context.lineWidth = 2.4; context.strokeStyle = this.colours.accent; context.stroke();
    if (this.pick.place) { context.beginPath(); context.moveTo(x - 5, y); context.lineTo(x + 5, y); context.moveTo(x, y - 5); context.lineTo(x, y + 5); context.lineWidth = 2; context.stroke(); }
  }

  pickPlace() {
    if (!this.pick) return null;
    if (this.pick.place) return this.pick.place;
    const i = this.ids.indexOf(this.pick.point);
    return i < 0 ? null : [this.xs[i], this.ys[i]];
  }

  report() {
    const { header } = this.data, playing = this.frames && this.step && header.prefix.decoder === this.decoder;
    this.player.hidden = !playing;
    if (playing) {
      const k = this.step - 1, length = header.prefix.lengths[k], wrong = header.prefix.errors[k];
      const slider = this.player.querySelector("input");
      slider.max = this.frames.length; slider.value = this.step;
      const distance = doubledRowDistance(header.code, length) / 2;
      this.player.querySelector(".played").textContent = `${length} of ${header.nBits} bits: row distance ${distance}, error ${((100 * wrong) / header.prefix.of).toFixed(1)} % (${wrong} of ${header.prefix.of})`;
    }
    let note = "";
    if (this.column >= 0) note = `Bit ${this.column + 1} alone: one colour where its machine says +, the other where it says \u2212.`;
    else if (this.differences) note = `The ${header.decoders.length} decoders shown differ on ${((100 * this.mask.reduce((s, v) => s + v, 0)) / this.mask.length).toFixed(1)} % of this plane (striped).`;
    else if (this.waiting) note = "Decoding with 1, 2, 3 \u2026 bits";
    this.note.textContent = note; this.note.hidden = !note;
  }

  // ---- pointer, wheel, keys ----
  local(e) { const r = this.over.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; }

  pressed(e) {
    this.over.setPointerCapture(e.pointerId); this.over.focus({ preventScroll: true });
    this.pointers.set(e.pointerId, this.local(e)); this.dragged = this.pointers.size > 1; this.from = this.local(e);
  }

  moved(e) {
    const at = this.local(e), before = this.pointers.get(e.pointerId);
    if (!this.data) return;
    if (!before) { this.hoverAt(at); return; }
    if (this.pointers.size === 2) this.pinch(e.pointerId, at);
    else if (this.dragged || Math.hypot(at[0] - this.from[0], at[1] - this.from[1]) > 4) {
      this.dragged = true;
      const dx = ((before[0] - at[0]) / this.box.w) * (this.view[1] - this.view[0]), dy = ((at[1] - before[1]) / this.box.h) * (this.view[3] - this.view[2]);
      this.view = this.clamp([this.view[0] + dx, this.view[1] + dx, this.view[2] + dy, this.view[3] + dy]);
      this.hoverAt(null); this.paint();
    }
    this.pointers.set(e.pointerId, at);
  }

  pinch(id, at) {
    const other = [...this.pointers].find(([key]) => key !== id)[1], was = this.pointers.get(id);
    const before = Math.hypot(was[0] - other[0], was[1] - other[1]), after = Math.hypot(at[0] - other[0], at[1] - other[1]);
    if (before > 0 && after > 0) { this.zoom(before / after, this.place((at[0] + other[0]) / 2, (at[1] + other[1]) / 2)); this.paint(); }
  }

  released(e) {
    const at = this.local(e);
    this.pointers.delete(e.pointerId);
    if (this.data && !this.dragged && !this.pointers.size) this.choose(at);
  }

  choose([px, py]) {
    if (px < this.box.x || py > this.box.h) return;
    const xs = Array.from(this.xs, (x) => this.px(x)), ys = Array.from(this.ys, (y) => this.py(y)), i = nearestPoint(xs, ys, px, py, REACH);
    if (i >= 0) this.send({ point: this.ids[i] });
    else { const [x, y] = this.place(px, py); this.send({ place: [Number(x.toPrecision(6)), Number(y.toPrecision(6))] }); }
  }

  send(pick) {
    this.pick = pick; this.paintOver();
    clearTimeout(this.sending); // keys held down send the last pick only
    this.sending = setTimeout(() => this.component.setStateValue("pick", { ...pick, n: ++this.sent }), 40);
  }

  wheel(e) {
    if (!this.data || (!e.ctrlKey && !this.over.matches(":focus"))) return; // else the page scrolls
    e.preventDefault();
    this.zoom(Math.exp(Math.max(-100, Math.min(100, e.deltaY)) * 0.003), this.place(...this.local(e)));
    this.hoverAt(null); this.paint();
  }

  key(e) {
    if (!this.data || e.ctrlKey || e.metaKey || e.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, keys = { "+": "in", "=": "in", "-": "out", "0": "home", " ": "play", d: "differences", c: "shading" };
    if (arrows[e.key]) this.stepPick(...arrows[e.key]);
    else if (keys[e.key]) this.act(keys[e.key]);
    else if (/^[1-9]$/.test(e.key)) this.act("decoder:" + (Number(e.key) - 1));
    else return;
    e.preventDefault();
  }

  stepPick(dx, dy) {
    const xs = Array.from(this.xs, (x) => this.px(x)), ys = Array.from(this.ys, (y) => this.py(y)), spot = this.pickPlace();
    const from = spot ? [this.px(spot[0]), this.py(spot[1])] : [this.box.x + this.box.w / 2, this.box.h / 2];
    const i = nextPoint(xs, ys, from, dx, dy);
    if (i >= 0) this.send({ point: this.ids[i] });
  }

  hoverAt(at) {
    const started = performance.now();
    if (!this.data || !at || at[0] < this.box.x || at[1] > this.box.h || at[0] > this.width || at[1] < 0) { this.tip.hidden = true; return; }
    const { header, bits } = this.data, [x, y] = this.place(...at), cell = this.cell(x, y);
    if (cell < 0) { this.tip.hidden = true; return; }
    const said = bitsAt(bits, header.nx * header.ny, header.nBits, cell), chip = (c) => symbolSvg(header.classes[c].symbol, header.classes[c].colour, 13) + escapeText(header.classes[c].name);
    let who = "";
    const i = nearestPoint(Array.from(this.xs, (v) => this.px(v)), Array.from(this.ys, (v) => this.py(v)), at[0], at[1], 8);
    if (i >= 0) who = `<div class="who">${chip(this.pointClass[i])} <span class="cap">point ${this.ids[i]}, ${this.isTest[i] ? "test" : "training"}${this.wrong[this.decoder][i] ? ", wrong" : ""}</span></div>`;
    const shown = said.slice(0, 120), more = header.nBits > 120 ? " \u2026" : "";
    const rows = header.decoders.map((d, k) => `<tr class="${k === this.decoder ? "now" : ""}"><td>${escapeText(d.title)}</td><td>${chip(this.labels[k][cell])}</td></tr>`).join("");
    this.tip.innerHTML = `${who}<div class="bits">${Array.from(shown, (b) => `<span class="${b > 0 ? "p" : "n"}">${sign(b)}</span>`).join("")}${more}</div><table>${rows}</table>`;
    this.tip.hidden = false;
    const w = this.tip.offsetWidth, h = this.tip.offsetHeight;
    const left = at[0] + 16 + w > this.width ? Math.max(0, at[0] - 16 - w) : at[0] + 16, top = Math.min(Math.max(0, at[1] + 16), Math.max(0, this.height - h));
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    this.root.dataset.hoverMs = (performance.now() - started).toFixed(2);
  }
}

function format(value) {
  return String(Number(value.toPrecision(6))).replace("-", "\u2212");
}

const VIEWS = new WeakMap();

export default function (component) {
  const key = component.parentElement;
  let view = VIEWS.get(key);
  if (!view || !key.contains(view.root)) { view?.close(); view = new RegionView(key); VIEWS.set(key, view); }
  view.receive(component);
  return () => { VIEWS.get(key)?.close(); VIEWS.delete(key); };
}
