// @ts-check
// Finding points on the screen.

/**
 * The point nearest in a direction: least distance among points within 60 degrees of it, where
 * moving sideways costs double. -1 if there is none.
 * @param {ArrayLike<number>} xs
 * @param {ArrayLike<number>} ys
 * @param {[number, number]} from
 * @param {number} dx
 * @param {number} dy
 */
export function nextPoint(xs, ys, from, dx, dy) {
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < xs.length; i++) {
    const ax = xs[i] - from[0];
    const ay = ys[i] - from[1];
    const along = ax * dx + ay * dy;
    const across = Math.abs(ax * dy - ay * dx);
    if (along <= 1e-12 || across > 1.7320508 * along) continue;
    const cost = along + 2 * across;
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

/**
 * The point nearest to a place, -1 if none lies within the radius.
 * @param {ArrayLike<number>} xs
 * @param {ArrayLike<number>} ys
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
export function nearestPoint(xs, ys, x, y, radius) {
  let best = -1;
  let least = radius * radius;
  for (let i = 0; i < xs.length; i++) {
    const d = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
    if (d <= least) {
      least = d;
      best = i;
    }
  }
  return best;
}
