// @ts-check
// Saves a picture of a component, as SVG, PNG or PDF, by a small menu that keys reach.

import { domPicture } from "./dom_picture.js";
import { markup, put } from "./markup.js";
import { around } from "./page.js";
import { pdfPage } from "./pdf_page.js";

/** @import { How, Picture } from "./dom_picture.js" */

const SHARP = 2; // pixels of a PNG a unit of the picture
const PRINTED = 4; // the same in a PDF: 384 to the inch
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
<div class="kinds">${entry("SVG")}${entry("PNG")}${entry("PDF")}</div>`,
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
 * @param {string} kind svg, png or pdf
 */
async function save(picture, name, kind) {
  const vector = new Blob([picture.svg], { type: "image/svg+xml" });
  const blob =
    kind === "svg" ? vector : kind === "png" ? await rastered(picture, vector) : await paged(picture, vector);
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
async function paged(picture, vector) {
  const jpeg = new Uint8Array(await (await rastered(picture, vector, PRINTED, "image/jpeg")).arrayBuffer());
  const own = { width: picture.width * PRINTED, height: picture.height * PRINTED };
  return new Blob([pdfPage(jpeg, picture, own)], { type: "application/pdf" });
}

/**
 * @param {Picture} picture
 * @param {Blob} vector
 * @param {number} sharp pixels a unit of the picture
 * @param {string} type
 * @returns {Promise<Blob>}
 */
async function rastered({ width, height }, vector, sharp = SHARP, type = "image/png") {
  const address = URL.createObjectURL(vector);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((found, failed) =>
    canvas.toBlob((blob) => (blob ? found(blob) : failed(new Error("The browser makes no picture."))), type, 0.95),
  );
}
