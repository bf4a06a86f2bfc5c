// @ts-check
// Saves a picture of a component, as SVG or PNG, by a small menu that keys reach.

import { domPicture } from "./dom_picture.js";
import { markup, put } from "./markup.js";
import { around } from "./page.js";

/** @import { How, Picture } from "./dom_picture.js" */

const SHARP = 2; // pixels of a PNG a unit of the picture
const LATER_MS = 10_000; // by then the browser has read what it saves

const ICON = markup`<svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round" aria-hidden="true"><path d="M7 1.500v7M4 6l3 3 3-3M1.500 11.500h11"/></svg>`;

/**
 * Put the menu at the end of a place.
 * @param {HTMLElement} root what is saved
 * @param {Element} place
 * @param {string} name of the picture, for its readers and for the file
 * @param {() => How} how it is drawn
 */
export function offerSaving(root, place, name, how) {
  const menu = document.createElement("details");
  menu.className = "save";
  const entry = (/** @type {string} */ kind) =>
    markup`<button type="button" data-save="${kind.toLowerCase()}">${kind}</button>`;
  const title = `Save ${name} as a picture`;
  put(
    menu,
    markup`<summary aria-label="${title}" title="${title}">${ICON}</summary>
<div class="kinds">${entry("SVG")}${entry("PNG")}</div>`,
  );
  menu.addEventListener("click", (e) => {
    const kind = around(e, "[data-save]")?.dataset.save;
    if (!kind) return;
    menu.removeAttribute("open");
    void save(domPicture(root, how()), name.replaceAll(" ", "_"), kind);
  });
  menu.addEventListener("keydown", (e) => {
    if (e.key === "Escape") menu.removeAttribute("open");
  });
  place.append(menu);
}

/**
 * @param {Picture} picture
 * @param {string} name
 * @param {string} kind svg or png
 */
async function save(picture, name, kind) {
  const vector = new Blob([picture.svg], { type: "image/svg+xml" });
  const blob = kind === "png" ? await rastered(picture, vector) : vector;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `ecocviz_${name}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LATER_MS);
}

/**
 * @param {Picture} picture
 * @param {Blob} vector
 * @returns {Promise<Blob>}
 */
async function rastered({ width, height }, vector) {
  const address = URL.createObjectURL(vector);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARP;
  canvas.height = height * SHARP;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((found, failed) =>
    canvas.toBlob((blob) => (blob ? found(blob) : failed(new Error("The browser makes no PNG."))), "image/png"),
  );
}
