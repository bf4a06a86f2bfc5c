// @ts-check
// What the marks mean: those on the regions, and those that the picked point leaves in the code and its table.

import { markup } from "./markup.js";

/** @import { Colours } from "./colours.js" */
/** @import { Value } from "./markup.js" */
/** @import { Records } from "./region_records.js" */

/**
 * @param {Records} records
 * @param {Colours} colours
 */
export function marksOf({ header, isTest, undecided }, colours) {
  const tested = isTest.includes(1);
  const both = tested && isTest.includes(0);
  const marks = [
    both && mark(disc(5, colours.dim), "test point"),
    both && mark(disc(3.2, colours.dim), "training point"),
    mark(outlined(colours), "misclassified"),
    undecided && mark(hatched(colours), "not decided"),
    mark(ring(colours), "picked"),
  ];
  const picked = [
    mark(markup`<span class="cell p hit">+</span>`, "picked point agrees"),
    mark(markup`<b class="dot">\u2022</b>`, "flipping it changes the class"),
    mark(markup`<u>A</u>`, "wrong class"),
  ];
  const shown = [...marks, ...(header.nBits ? picked : [])];
  return markup`${shown.flatMap((one) => one || [])}`;
}

/**
 * @param {Value} sign
 * @param {string} meaning
 */
function mark(sign, meaning) {
  return markup`<span>${sign}<i>${meaning}</i></span>`;
}

/** @param {Value} shape */
function drawn(shape) {
  return markup`<svg class="sym" width="1.2em" height="1.2em" viewBox="-9 -9 18 18" aria-hidden="true">${shape}</svg>`;
}

/**
 * @param {number} radius
 * @param {string} colour
 */
function disc(radius, colour) {
  return drawn(markup`<circle r="${radius}" fill="${colour}"/>`);
}

/** @param {Colours} colours */
function outlined({ dim, halo, ink }) {
  const ringed = markup`<circle r="7.2" fill="${halo}" stroke="${ink}" stroke-width="1.9"/>`;
  return drawn(markup`${ringed}<circle r="4.6" fill="${dim}"/>`);
}

/** @param {Colours} colours */
function hatched({ ink, line }) {
  const lines = [-7, 0, 7].map(
    (at) => markup`<path d="M${at - 8} -8L${at + 8} 8" stroke="${ink}" stroke-width="1.8"/>`,
  );
  const box = markup`x="-8" y="-8" width="16" height="16" rx="2"`;
  return drawn(markup`<svg x="-8" y="-8" width="16" height="16" viewBox="-8 -8 16 16">${lines}</svg>
<rect ${box} fill="none" stroke="${line}" stroke-width="1.6"/>`);
}

/** @param {Colours} colours */
function ring({ accent }) {
  return drawn(markup`<circle r="7" fill="none" stroke="${accent}" stroke-width="2.2"/>`);
}
