// Points drawn by hand: what a stroke leaves, what is erased, undo and redo. Free of the page, so that
// node can test it. A point is [x, y, class] with x and y in [0, 1]; nothing here changes its arguments.

export const MOST_POINTS = 2000, MOST_CLASSES = 10, MOST_STEPS = 200;

// Numbers in [0, 1) that repeat for a seed (the generator known as mulberry32).
export function randomFrom(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pointAt(x, y, c) {
  const inside = (v) => Number(Math.min(1, Math.max(0, v)).toFixed(4));
  return [inside(x), inside(y), c];
}

// Points along the way between two places, one every `spacing`, each scattered over a disc. `left` is
// how far it is to the next point; what is returned as `left` goes into the next piece of the stroke.
export function sprayed(from, to, c, { spacing, radius, left, random }) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]), points = [];
  let at = left;
  for (; at <= length; at += spacing) {
    const share = length ? at / length : 0, angle = 2 * Math.PI * random(), r = radius * Math.sqrt(random());
    points.push(pointAt(from[0] + share * (to[0] - from[0]) + r * Math.cos(angle), from[1] + share * (to[1] - from[1]) + r * Math.sin(angle), c));
  }
  return { points, left: at - length };
}

// What is left after a rubber of this radius went from one place to another.
export function erased(points, from, to, radius) {
  const dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
  return points.filter(([x, y]) => {
    const share = square ? Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / square)) : 0;
    return Math.hypot(x - from[0] - share * dx, y - from[1] - share * dy) > radius;
  });
}

export function added(points, more) {
  return [...points, ...more].slice(0, MOST_POINTS);
}

// ---- undo and redo: a history is what was, what is, and what was undone ----
export function newHistory(points) {
  return { past: [], points, future: [] };
}

export function commit(history, points) {
  const same = points.length === history.points.length && points.every((p, i) => p === history.points[i]);
  return same ? history : { past: [...history.past, history.points].slice(-MOST_STEPS), points, future: [] };
}

export function undone(history) {
  const { past, points, future } = history;
  return past.length ? { past: past.slice(0, -1), points: past[past.length - 1], future: [points, ...future] } : history;
}

export function redone(history) {
  const { past, points, future } = history;
  return future.length ? { past: [...past, points], points: future[0], future: future.slice(1) } : history;
}

// ---- classes ----
export function counted(points) {
  const counts = new Array(MOST_CLASSES).fill(0);
  for (const point of points) counts[point[2]] += 1;
  return counts;
}

export function letter(c) {
  return String.fromCharCode(65 + c);
}

// The classes that have points, numbered without gaps, so that a class keeps its colour when trained on.
export function compacted(points) {
  const used = counted(points).map((n, c) => (n ? c : -1)).filter((c) => c >= 0);
  return used.every((c, k) => c === k) ? points : points.map(([x, y, c]) => [x, y, used.indexOf(c)]);
}

// The sentence that says why these points cannot be trained on, or "" if they can.
export function obstacle(points) {
  const counts = counted(points), used = counts.map((n, c) => (n ? c : -1)).filter((c) => c >= 0);
  if (!used.length) return "Nothing is drawn yet; draw points of at least two classes.";
  if (used.length === 1) return `Only class ${letter(used[0])} has points, but two are needed; choose another class and draw some of it.`;
  for (const axis of [0, 1]) if (points.some((p) => p[axis] !== points[0][axis])) return "";
  return "All points lie at one place, so there is nothing to tell apart; draw some elsewhere.";
}

// What is kept by the browser over a change of page, read back only as far as it makes sense.
export function readDrawing(text) {
  let found;
  try { found = JSON.parse(text); } catch { return []; }
  const whole = (p) => Array.isArray(p) && p.length === 3 && p.every((v) => Number.isFinite(v) && v >= 0) && p[0] <= 1 && p[1] <= 1 && Number.isInteger(p[2]) && p[2] < MOST_CLASSES;
  return Array.isArray(found) ? found.filter(whole).slice(0, MOST_POINTS) : [];
}
