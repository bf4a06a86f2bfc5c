// @ts-check
// What is known of the cells of a grid over the plane. Hard bits come as one plane a bit, eight cells to a byte.

/**
 * @param {Uint8Array} planes
 * @param {number} nCells
 * @param {number} bit
 * @param {number} cell
 * @returns {1 | -1}
 */
export function bitAt(planes, nCells, bit, cell) {
  const stride = (nCells + 7) >> 3;
  return (planes[bit * stride + (cell >> 3)] >> (7 - (cell & 7))) & 1 ? 1 : -1;
}

/**
 * 1 where not all decoders name the same class.
 * @param {Uint8Array[]} planes
 */
export function disagreement(planes) {
  const mask = new Uint8Array(planes[0].length);
  for (let i = 0; i < mask.length; i++) {
    for (let k = 1; k < planes.length; k++) if (planes[k][i] !== planes[0][i]) mask[i] = 1;
  }
  return mask;
}

/**
 * Confidence bytes hold the square root of the margin in so many steps, fine where decisions are close.
 * @param {number} byte
 * @param {number} levels
 */
export function confidence(byte, levels) {
  return (byte / levels) * (byte / levels);
}

/**
 * The class at a place between four cells: each class counts its winner's margin for it and the
 * margins of the others against it, blended bilinearly. Boundaries come out smooth, not as stairs.
 * @param {ArrayLike<number>} labels of the corners (0,0), (1,0), (0,1), (1,1)
 * @param {ArrayLike<number>} margins
 * @param {number} u in [0, 1]
 * @param {number} v in [0, 1]
 * @returns {[number, number]} the class, and how sure it is
 */
export function blend(labels, margins, u, v) {
  const w0 = (1 - u) * (1 - v);
  const w1 = u * (1 - v);
  const w2 = (1 - u) * v;
  const w3 = u * v;
  let best = labels[0];
  let bestSum = -Infinity;
  for (let k = 0; k < 4; k++) {
    const c = labels[k];
    const sum =
      w0 * (labels[0] === c ? margins[0] : -margins[0]) +
      w1 * (labels[1] === c ? margins[1] : -margins[1]) +
      w2 * (labels[2] === c ? margins[2] : -margins[2]) +
      w3 * (labels[3] === c ? margins[3] : -margins[3]);
    if (sum > bestSum || (sum === bestSum && c < best)) {
      bestSum = sum;
      best = c;
    }
  }
  return [best, Math.max(0, bestSum)];
}
