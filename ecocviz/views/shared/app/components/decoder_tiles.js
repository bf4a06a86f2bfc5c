// Small pictures of the same plane, one a decoder, and one of where they disagree.

class DecoderTiles {
  constructor(root) {
    this.root = root.querySelector(".dt");
    this.tiles = this.root.querySelector(".tiles");
    this.turn = 0;
    this.tiles.addEventListener("click", (e) => {
      const tile = e.target.closest("[data-key]");
      if (tile && !tile.hasAttribute("aria-disabled")) whenQuiet(this.root, () => this.component.setTriggerValue("decoder", tile.dataset.key));
    });
    this.resizer = new ResizeObserver(() => { if (this.data && this.sizeOf() !== this.size) this.paint(); });
    this.resizer.observe(this.tiles);
  }

  async receive(component) {
    this.component = component;
    if (!component.data) return;
    const turn = ++this.turn;
    if (component.data !== this.raw) {
      const data = await readPayload(component.data);
      if (turn !== this.turn) return; // a newer message overtook this one
      this.raw = component.data; this.adopt(data);
    }
    this.colours = themeOf(this.root, this.data.header.palette);
    setColours(this.root, this.colours);
    this.write(); this.paint();
  }

  adopt({ header, blocks }) {
    const n = header.decoders.length;
    this.labels = undoDifferences(blocks.labels, n);
    this.wrong = undoDifferences(blocks.wrong, n);
    this.mask = disagreement(this.labels);
    const xy = new Float32Array(blocks.xy.buffer);
    this.xs = xy.subarray(0, header.nPoints); this.ys = xy.subarray(header.nPoints);
    this.data = { header, classes: blocks.classes };
  }

  write() {
    const { header } = this.data;
    this.root.querySelector(".said").textContent = header.said;
    if (header.group) this.tiles.setAttribute("aria-label", header.group);
    this.root.querySelector(".classes").innerHTML = header.classes.slice(0, header.classes.length <= 12 ? 12 : 0).map((c) =>
      `<span title="${escapeText(c.name)}">${symbolSvg(c, this.colours, 13)}<i>${escapeText(c.name)}</i></span>`).join("");
    const inside = (title, note) => `<canvas></canvas><b>${escapeText(title)}</b><small>${escapeText(note)}</small>`;
    const parts = header.decoders.map((d, k) =>
      `<button type="button" class="tile" data-key="${escapeText(d.key)}" title="${escapeText(d.summary)}" ${header.choosable ? `aria-pressed="${k === header.own}"` : 'aria-disabled="true"'}>${inside(d.title, d.note)}</button>`);
    if (header.decoders.length > 1) parts.unshift(`<div class="tile mask">${inside("Where they disagree", header.differ)}</div>`);
    const focused = this.tiles.querySelector(":focus")?.dataset?.key ?? this.root.getRootNode().activeElement?.dataset?.key;
    this.tiles.innerHTML = parts.join("");
    if (focused) [...this.tiles.children].find((tile) => tile.dataset.key === focused)?.focus();
  }

  sizeOf() { return Math.round((this.tiles.firstElementChild?.clientWidth || 132) * Math.min(window.devicePixelRatio || 1, 2)); }

  paint() {
    const started = performance.now(), { header } = this.data, size = this.size = this.sizeOf();
    const masked = header.decoders.length > 1 ? 1 : 0;
    [...this.tiles.children].forEach((tile, k) => {
      const canvas = tile.firstElementChild, context = canvas.getContext("2d");
      canvas.width = canvas.height = size;
      if (k < masked) this.paintMask(context, size);
      else { this.paintLabels(context, size, this.labels[k - masked]); this.paintPoints(context, size, this.wrong[k - masked]); }
    });
    this.root.dataset.paintMs = (performance.now() - started).toFixed(1);
  }

  cells(context, size, colourOf) {
    const n = this.data.header.n, small = document.createElement("canvas"), at = small.getContext("2d");
    small.width = small.height = n;
    const image = at.createImageData(n, n);
    for (let i = 0; i < n * n; i++) {
      const [r, g, b] = colourOf(i), place = 4 * ((n - 1 - Math.floor(i / n)) * n + (i % n));
      image.data[place] = r; image.data[place + 1] = g; image.data[place + 2] = b; image.data[place + 3] = 255;
    }
    at.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, size, size);
  }

  paintLabels(context, size, labels) {
    const surface = rgb(this.colours.surface);
    const tints = this.data.header.classes.map((kind) => mix(rgb(kind.colour), surface, this.colours.region));
    this.cells(context, size, (i) => tints[labels[i]]);
  }

  paintMask(context, size) {
    const same = rgb(this.colours.zero), differs = rgb(this.colours.dim);
    this.cells(context, size, (i) => (this.mask[i] ? differs : same));
  }

  // All points where they are few, else those decided wrongly.
  paintPoints(context, size, wrong) {
    const { header, classes } = this.data, unit = size / Math.max(120, this.tiles.firstElementChild.clientWidth);
    const [x0, x1] = header.xRange, [y0, y1] = header.yRange;
    for (const wanted of [0, 1]) {
      for (let i = 0; i < header.nPoints; i++) {
        if (wrong[i] !== wanted || (!wanted && header.nPoints > 250)) continue;
        const c = header.classes[classes[i]];
        tracePath(context, c.symbol, ((this.xs[i] - x0) / (x1 - x0)) * size, size - ((this.ys[i] - y0) / (y1 - y0)) * size, (wanted ? 3 : 1.8) * unit);
        context.fillStyle = c.colour; context.fill();
        context.lineWidth = (wanted ? 1.2 : 0.5) * unit; context.strokeStyle = wanted ? this.colours.ink : edgeOf(c, this.colours);
        context.stroke();
      }
    }
  }
}

const TILES = new WeakMap();

export default function (component) {
  const key = component.parentElement;
  let view = TILES.get(key);
  if (!view || !key.contains(view.root)) { view?.resizer.disconnect(); view = new DecoderTiles(key); TILES.set(key, view); }
  view.receive(component);
  return () => { TILES.get(key)?.resizer.disconnect(); TILES.delete(key); };
}
