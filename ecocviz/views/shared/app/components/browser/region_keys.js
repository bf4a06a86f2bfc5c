// @ts-check
// Keys on the regions: arrows go from point to point, the others do what a button does.

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Record<string, string>} */
const KEYS = { "+": "in", "=": "in", "-": "out", 0: "home", " ": "play", d: "differences", c: "shading" };

/**
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">} event
 * @returns {{ step: [number, number] } | { act: string } | null} what the key asks for, if anything
 */
export function askedBy({ key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null;
  if (ARROWS[key]) return { step: ARROWS[key] };
  if (KEYS[key]) return { act: KEYS[key] };
  if (/^[1-9]$/.test(key)) return { act: `decoder:${Number(key) - 1}` };
  return null;
}
