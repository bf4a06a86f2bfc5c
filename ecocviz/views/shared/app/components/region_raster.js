// The pixels of the regions: arrays in, arrays out, so that node can test it. A pixel is one number,
// alpha, blue, green, red from its highest byte to its lowest, as the canvas keeps it.

const SHADES = 64, FLAT = 0.75, LEAST = 0.4, STRIPE = 5;

export function packed([r, g, b]) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// Every class's colour in `SHADES` strengths, the strongest of them the theme's own for regions.
export function tones(hexes, colours) {
  const surface = rgb(colours.surface), low = LEAST * colours.region, span = colours.region - low;
  const found = new Uint32Array(hexes.length * SHADES);
  hexes.forEach((hex, c) => {
    for (let q = 0; q < SHADES; q++) {
      found[c * SHADES + q] = packed(mix(rgb(hex), surface, low + span * (q / (SHADES - 1))));
    }
  });
  return found;
}

// For every pixel along one side from `start` to `end`: the two of the n cells between `low` and `high`
// that it lies between, its share of the second, and the nearer one.
export function neighbours(size, n, start, end, low, high) {
  const first = new Int32Array(size), second = new Int32Array(size), nearest = new Int32Array(size);
  const share = new Float32Array(size), within = (k) => Math.min(n - 1, Math.max(0, k));
  for (let p = 0; p < size; p++) {
    const value = start + ((p + 0.5) / size) * (end - start), g = ((value - low) / (high - low)) * n - 0.5;
    first[p] = within(Math.floor(g)); second[p] = Math.min(n - 1, first[p] + 1);
    share[p] = Math.min(1, Math.max(0, g - first[p])); nearest[p] = within(Math.round(g));
  }
  return { first, second, share, nearest };
}

// The class of every pixel and how sure it is, blended between the four cells around it.
export function blended({ labels, margins }, nx, across, down) {
  const W = across.first.length, H = down.first.length, who = new Uint8Array(W * H), sure = new Float32Array(W * H);
  const l = [0, 0, 0, 0], m = [1, 1, 1, 1];
  for (let y = 0, k = 0; y < H; y++) {
    const a = down.first[y] * nx, b = down.second[y] * nx, v = down.share[y];
    for (let x = 0; x < W; x++, k++) {
      const i = across.first[x], j = across.second[x], u = across.share[x];
      const p = a + i, q = a + j, s = b + i, t = b + j;
      if (labels[p] === labels[q] && labels[p] === labels[s] && labels[p] === labels[t]) {
        who[k] = labels[p];
        if (margins) sure[k] = (margins[p] * (1 - u) + margins[q] * u) * (1 - v) + (margins[s] * (1 - u) + margins[t] * u) * v;
        continue;
      }
      l[0] = labels[p]; l[1] = labels[q]; l[2] = labels[s]; l[3] = labels[t];
      if (margins) { m[0] = margins[p]; m[1] = margins[q]; m[2] = margins[s]; m[3] = margins[t]; }
      [who[k], sure[k]] = blend(l, m, u, v);
    }
  }
  return { who, sure };
}

// Give every pixel its class's colour, the stronger the surer it is; one strength where `sure` is null.
export function shade(out, who, sure, lut) {
  const flat = Math.round((SHADES - 1) * FLAT);
  for (let k = 0; k < out.length; k++) out[k] = lut[who[k] * SHADES + (sure ? (sure[k] * (SHADES - 1)) | 0 : flat)];
}

// Where all decoders agree the colour retreats; where they differ, the winner's colour in stripes.
export function stripe(out, who, mask, nx, across, down, hexes, colours, ratio) {
  const surface = rgb(colours.surface), ink = rgb(colours.ink), width = STRIPE * ratio, W = across.first.length;
  const strong = hexes.map((hex) => mix(rgb(hex), surface, 0.62));
  const pale = hexes.map((hex) => packed(mix(rgb(hex), surface, 0.08)));
  const full = strong.map(packed), dark = strong.map((colour) => packed(mix(ink, colour, 0.28)));
  for (let k = 0; k < out.length; k++) {
    const x = k % W, y = (k - x) / W, differs = mask[down.nearest[y] * nx + across.nearest[x]];
    out[k] = (!differs ? pale : Math.floor((x + y) / width) % 2 ? full : dark)[who[k]];
  }
}

// Draw half-strong lines of ink between classes, two pixels wide where pixels are small.
export function border(out, who, W, ink, thick) {
  const [r, g, b] = rgb(ink), half = (old, value) => (old + value) >> 1;
  const H = out.length / W;
  for (let y = 0, k = 0; y < H; y++) for (let x = 0; x < W; x++, k++) {
    const c = who[k], after = (x + 1 < W && who[k + 1] !== c) || (y + 1 < H && who[k + W] !== c);
    if (!after && !(thick && ((x > 0 && who[k - 1] !== c) || (y > 0 && who[k - W] !== c)))) continue;
    const old = out[k];
    out[k] = packed([half(old & 255, r), half((old >> 8) & 255, g), half((old >> 16) & 255, b)]);
  }
}
