// @ts-check
// The axes beside the regions: round numbers and names.

/** @import { Camera } from "./region_camera.js" */

/**
 * Round tick positions, about `most` of them.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 */
export function ticks(low, high, most) {
  const span = high - low;
  if (!(span > 0) || !isFinite(span)) return [];
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999999) || raw;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

/** @param {number} value */
export function format(value) {
  return String(Number(value.toPrecision(6))).replace("-", "\u2212");
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Camera} camera
 * @param {{ xName: string, yName: string }} names
 * @param {{ width: number, height: number, scale: number }} surface
 * @param {{ colour: string, font: string }} type
 */
export function drawAxes(context, camera, names, { width, height, scale }, { colour, font }) {
  const { box, view } = camera;
  const bottom = box.y + box.h;
  context.fillStyle = colour;
  context.font = `${11.5 * scale}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const t of ticks(view[0], view[1], 5)) {
    const x = camera.px(t);
    if (x > box.x + 8 && x < width - 14) context.fillText(format(t), x, bottom + 5);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const t of ticks(view[2], view[3], 5)) {
    const y = camera.py(t);
    if (y > 10 && y < bottom - 4) context.fillText(format(t), box.x - 6, y);
  }
  context.font = `${12.5 * scale}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(names.xName, box.x + box.w / 2, height - 1, box.w);
  context.save();
  context.translate(11 * scale, box.h / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "middle";
  context.fillText(names.yName, 0, -3, box.h);
  context.restore();
}
