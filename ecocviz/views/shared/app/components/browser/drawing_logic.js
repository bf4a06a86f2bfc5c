// @ts-check
// Points drawn by hand: what a stroke leaves, what is erased, undo and redo. Nothing here changes its arguments.

/** @typedef {[number, number, number]} Point x and y in [0, 1], class */
/** @typedef {[number, number]} Place */
/** @typedef {{ points: number, classes: number }} Limits how many there may be, as Python says */
/** @typedef {{ past: Point[][], points: Point[], future: Point[][] }} History what was, what is, what was undone */

const MOST_STEPS = 200;

/**
 * Numbers in [0, 1) that repeat for a seed (the generator known as mulberry32).
 * @param {number} seed
 */
export function randomFrom(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} c
 * @returns {Point}
 */
export function pointAt(x, y, c) {
  const inside = (/** @type {number} */ v) => Number(Math.min(1, Math.max(0, v)).toFixed(4));
  return [inside(x), inside(y), c];
}

/**
 * Points along the way between two places, one every `spacing`, each scattered over a disc. `left` is
 * how far it is to the next point; what is returned as `left` goes into the next piece of the stroke.
 * @param {Place} from
 * @param {Place} to
 * @param {number} c
 * @param {{ spacing: number, radius: number, left: number, random: () => number }} spray
 */
export function sprayed(from, to, c, { spacing, radius, left, random }) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const points = [];
  let at = left;
  for (; at <= length; at += spacing) {
    const share = length ? at / length : 0;
    const angle = 2 * Math.PI * random();
    const r = radius * Math.sqrt(random());
    const x = from[0] + share * (to[0] - from[0]) + r * Math.cos(angle);
    const y = from[1] + share * (to[1] - from[1]) + r * Math.sin(angle);
    points.push(pointAt(x, y, c));
  }
  return { points, left: at - length };
}

/**
 * What is left after a rubber of this radius went from one place to another.
 * @param {Point[]} points
 * @param {Place} from
 * @param {Place} to
 * @param {number} radius
 */
export function erased(points, from, to, radius) {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const square = dx * dx + dy * dy;
  return points.filter(([x, y]) => {
    const along = square ? ((x - from[0]) * dx + (y - from[1]) * dy) / square : 0;
    const share = Math.min(1, Math.max(0, along));
    return Math.hypot(x - from[0] - share * dx, y - from[1] - share * dy) > radius;
  });
}

/**
 * @param {Point[]} points
 * @param {Point[]} more
 * @param {Limits} limits
 */
export function added(points, more, limits) {
  return [...points, ...more].slice(0, limits.points);
}

// ---- undo and redo ----

/**
 * @param {Point[]} points
 * @returns {History}
 */
export function newHistory(points) {
  return { past: [], points, future: [] };
}

/**
 * @param {History} history
 * @param {Point[]} points
 * @returns {History}
 */
export function commit(history, points) {
  const same = points.length === history.points.length && points.every((p, i) => p === history.points[i]);
  return same ? history : { past: [...history.past, history.points].slice(-MOST_STEPS), points, future: [] };
}

/**
 * @param {History} history
 * @returns {History}
 */
export function undone(history) {
  const { past, points, future } = history;
  if (!past.length) return history;
  return { past: past.slice(0, -1), points: past[past.length - 1], future: [points, ...future] };
}

/**
 * @param {History} history
 * @returns {History}
 */
export function redone(history) {
  const { past, points, future } = history;
  return future.length ? { past: [...past, points], points: future[0], future: future.slice(1) } : history;
}

// ---- classes ----

/**
 * How many points each class has.
 * @param {Point[]} points
 * @param {number} n classes
 * @returns {number[]}
 */
export function counted(points, n) {
  const counts = new Array(n).fill(0);
  for (const point of points) counts[point[2]] += 1;
  return counts;
}

/**
 * The classes that have points, in order.
 * @param {Point[]} points
 */
function usedBy(points) {
  return [...new Set(points.map((point) => point[2]))].sort((a, b) => a - b);
}

/** @param {number} c */
export function letter(c) {
  return String.fromCharCode(65 + c);
}

/**
 * The points of the classes numbered without gaps, so that a class keeps its colour when trained on.
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function compacted(points) {
  const used = usedBy(points);
  return used.every((c, k) => c === k) ? points : points.map(([x, y, c]) => [x, y, used.indexOf(c)]);
}

/**
 * The sentence that says why these points cannot be trained on, or "" if they can.
 * @param {Point[]} points
 */
export function obstacle(points) {
  const used = usedBy(points);
  if (!used.length) return "Nothing is drawn yet; draw points of at least two classes.";
  if (used.length === 1) {
    const only = `Only class ${letter(used[0])} has points`;
    return `${only}, but two are needed; choose another class and draw some of it.`;
  }
  const apart = [0, 1].some((axis) => points.some((p) => p[axis] !== points[0][axis]));
  return apart ? "" : "All points lie in the same place, so there is nothing to tell apart; draw some elsewhere.";
}

/**
 * What is kept by the browser over a change of page, read back only as far as it makes sense.
 * @param {string} text
 * @param {Limits} limits
 * @returns {Point[]}
 */
export function readDrawing(text, limits) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(found) ? found.filter((p) => isPoint(p, limits.classes)).slice(0, limits.points) : [];
}

/**
 * @param {unknown} p
 * @param {number} nClasses
 */
function isPoint(p, nClasses) {
  if (!Array.isArray(p) || p.length !== 3 || !p.every((v) => Number.isFinite(v) && v >= 0)) return false;
  return p[0] <= 1 && p[1] <= 1 && Number.isInteger(p[2]) && p[2] < nClasses;
}
