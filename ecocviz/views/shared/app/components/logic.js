// What the components decide themselves, free of the page, so that node can test it.
// Codes are +1/-1/0; a grid cell's hard bits come as one plane per bit, eight cells to a byte.

export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A payload is: header length (4 bytes, little endian), JSON header, deflated body; the header
// names the body's blocks with their offsets.
export async function readPayload(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const body = await inflate(bytes.subarray(4 + size));
  const blocks = {};
  for (const [name, start, end] of header.blocks) blocks[name] = body.slice(start, end);
  return { header, blocks };
}

// Planes are sent as differences (exclusive or) to the plane before, because they are nearly equal.
export function undoDifferences(bytes, nPlanes) {
  const size = nPlanes ? bytes.length / nPlanes : 0;
  const planes = [];
  for (let k = 0; k < nPlanes; k++) {
    const plane = bytes.slice(k * size, (k + 1) * size);
    if (k) for (let i = 0; i < size; i++) plane[i] ^= planes[k - 1][i];
    planes.push(plane);
  }
  return planes;
}

export function bitAt(planes, nCells, bit, cell) {
  const stride = (nCells + 7) >> 3;
  return (planes[bit * stride + (cell >> 3)] >> (7 - (cell & 7))) & 1 ? 1 : -1;
}

export function bitsAt(planes, nCells, nBits, cell) {
  const bits = new Int8Array(nBits);
  for (let b = 0; b < nBits; b++) bits[b] = bitAt(planes, nCells, b, cell);
  return bits;
}

// 1 where not all decoders name the same class.
export function disagreement(planes) {
  const mask = new Uint8Array(planes[0].length);
  for (let i = 0; i < mask.length; i++) {
    for (let k = 1; k < planes.length; k++) if (planes[k][i] !== planes[0][i]) mask[i] = 1;
  }
  return mask;
}

// Twice the smallest distance between two codewords over the first `length` bits; an entry against
// a 0 counts one half, so the doubled distance is a whole number.
export function doubledRowDistance(code, length) {
  let least = Infinity;
  for (let c = 0; c < code.length; c++) {
    for (let d = c + 1; d < code.length; d++) {
      let sum = 0;
      for (let b = 0; b < length; b++) sum += 1 - code[c][b] * code[d][b];
      least = Math.min(least, sum);
    }
  }
  return least;
}

// Confidence bytes hold the square root of the margin in 63 steps, fine where decisions are close.
export function confidence(byte) {
  return (byte / 63) * (byte / 63);
}

// The class at a place between four cells: each class counts its winner's margin for it and the
// margins of the others against it, blended bilinearly. Boundaries come out smooth, not as stairs.
// corner order: (0,0), (1,0), (0,1), (1,1); u, v in [0, 1].
export function blend(labels, margins, u, v) {
  const w0 = (1 - u) * (1 - v), w1 = u * (1 - v), w2 = (1 - u) * v, w3 = u * v;
  let best = labels[0], bestSum = -Infinity, confident = 0;
  for (let k = 0; k < 4; k++) {
    const c = labels[k];
    const sum =
      w0 * (labels[0] === c ? margins[0] : -margins[0]) + w1 * (labels[1] === c ? margins[1] : -margins[1]) +
      w2 * (labels[2] === c ? margins[2] : -margins[2]) + w3 * (labels[3] === c ? margins[3] : -margins[3]);
    if (sum > bestSum || (sum === bestSum && c < best)) { bestSum = sum; best = c; }
  }
  confident = Math.max(0, bestSum);
  return [best, confident];
}

// The point nearest in a direction: least distance among points within 60 degrees of it, where
// moving sideways costs double.
export function nextPoint(xs, ys, from, dx, dy) {
  let best = -1, least = Infinity;
  for (let i = 0; i < xs.length; i++) {
    const ax = xs[i] - from[0], ay = ys[i] - from[1];
    const along = ax * dx + ay * dy, across = Math.abs(ax * dy - ay * dx);
    if (along <= 1e-12 || across > 1.7320508 * along) continue;
    const cost = along + 2 * across;
    if (cost < least) { least = cost; best = i; }
  }
  return best;
}

export function nearestPoint(xs, ys, x, y, radius) {
  let best = -1, least = radius * radius;
  for (let i = 0; i < xs.length; i++) {
    const d = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
    if (d <= least) { least = d; best = i; }
  }
  return best;
}

// Round tick positions, at most `most` of them.
export function ticks(low, high, most) {
  const span = high - low;
  if (!(span > 0) || !isFinite(span)) return [];
  const raw = span / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

export function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

export function mix(a, b, share) {
  return a.map((x, i) => Math.round(x * share + b[i] * (1 - share)));
}

export function sign(value) {
  return value > 0 ? "+" : value < 0 ? "\u2212" : "0";
}

export function escapeText(text) {
  return String(text).replace(/[&<>"']/g, (ch) => "&#" + ch.charCodeAt(0) + ";");
}

// ---- the code grid's edits: each returns a new matrix (rows of entries) ----
export function cycle(code, row, column, step) {
  return code.map((r, c) => (c === row ? r.map((v, b) => (b === column ? ((v + 1 + step + 3) % 3) - 1 : v)) : r));
}

export function setEntry(code, row, column, value) {
  return code.map((r, c) => (c === row ? r.map((v, b) => (b === column ? value : v)) : r));
}

export function addColumn(code, at) {
  return code.map((r, c) => [...r.slice(0, at), c % 2 ? -1 : 1, ...r.slice(at)]);
}

export function duplicateColumn(code, at) {
  return code.map((r) => [...r.slice(0, at + 1), r[at], ...r.slice(at + 1)]);
}

export function removeColumn(code, at) {
  return code.map((r) => r.filter((_, b) => b !== at));
}

export function complementColumn(code, at) {
  return code.map((r) => r.map((v, b) => (b === at ? 0 - v : v)));
}

// Rows of +, -, 0, one line a class; what Python reads back.
export function writeCode(code) {
  return code.map((r) => r.map((v) => (v > 0 ? "+" : v < 0 ? "-" : "0")).join("")).join("\n");
}

// An event that the server hears of only after it has changed the page asks for a part of a page that is gone,
// and the browser then clears the new one. So events wait while a run is under way, and while what was touched
// elsewhere may start one; they die with their page.
const HELD_LONGEST_MS = 3000, LOOK_MS = 25, TOUCH_MS = 150;
let touched = { at: -Infinity, path: [] };
for (const kind of ["pointerdown", "click", "keydown"]) {
  globalThis.window?.addEventListener(kind, (e) => { touched = { at: performance.now(), path: e.composedPath() }; }, true);
}
export function whenQuiet(root, send, waited = 0) {
  if (!root.isConnected) return;
  const state = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
  const elsewhere = performance.now() - touched.at < TOUCH_MS && !touched.path.includes(root);
  const quiet = state !== "running" && state !== "rerunRequested" && !elsewhere;
  if (quiet || waited >= HELD_LONGEST_MS) send();
  else setTimeout(() => whenQuiet(root, send, waited + LOOK_MS), LOOK_MS);
}
