import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { offerSaving } from "#browser/saving.js";
import { FakeElement, fakePage } from "./fakes.js";

let page;
let menu;
let saved;

/** A root that has nothing in it but its size. */
function emptyRoot() {
  const root = new FakeElement();
  root.getBoundingClientRect = () => ({ left: 0, top: 0, width: 76, height: 26 });
  return Object.assign(root, { matches: () => false, checkVisibility: () => true, childNodes: [] });
}

beforeEach(() => {
  page = fakePage();
  saved = [];
  const nothing = class {};
  Object.assign(globalThis, { SVGElement: nothing, HTMLSelectElement: nothing, HTMLCanvasElement: nothing });
  globalThis.getComputedStyle = () => ({ backgroundColor: "transparent", boxShadow: "none" });
  globalThis.document.createElement = (name) => {
    const element = new FakeElement(name);
    element.click = () => saved.push([element.download, element.blob]);
    element.removeAttribute = (key) => element.attributes.delete(key);
    element.toBlob = (found) => found(new Blob([`${element.width} x ${element.height}`]));
    return element;
  };
  globalThis.Image = class {
    async decode() {}
  };
  const place = new FakeElement();
  offerSaving(emptyRoot(), place, 'code "matrix"', () => ({ paper: "#ffffff" }));
  [menu] = place.children;
});

async function choose(kind) {
  const entry = new FakeElement("button");
  entry.dataset.save = kind;
  entry.closest = () => entry;
  menu.setAttribute("open", "");
  menu.happen("click", { target: entry });
  for (let k = 0; k < 20 && !saved.length; k++) await new Promise(setImmediate);
  return saved[0];
}

test("the menu says what it saves, and has three entries", () => {
  assert.equal(menu.className, "save");
  assert.match(menu.innerHTML, /<summary aria-label="Save code &#34;matrix&#34; as a picture"/);
  assert.deepEqual(
    [...menu.innerHTML.matchAll(/data-save="(\w+)"/g)].map(([, kind]) => kind),
    ["svg", "png", "pdf"],
  );
});

test("an SVG is saved as it is, a PNG twice as fine, and the menu closes", async () => {
  assert.equal((await choose("svg"))[0], 'ecocviz_code_"matrix".svg');
  assert.equal(menu.hasAttribute("open"), false);
  saved = [];
  const sizes = [];
  const make = globalThis.document.createElement;
  globalThis.document.createElement = (name) => {
    const made = make(name);
    if (name === "canvas") sizes.push(made);
    return made;
  };
  assert.equal((await choose("png"))[0], 'ecocviz_code_"matrix".png');
  assert.deepEqual([sizes[0].width, sizes[0].height], [200, 100]);
});

test("a PDF holds the picture four times as fine, on a page of its size", async () => {
  const blobs = [];
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    blobs.push(blob);
    return make(blob);
  };
  assert.equal((await choose("pdf"))[0], 'ecocviz_code_"matrix".pdf');
  URL.createObjectURL = make;
  const text = await blobs.at(-1).text();
  assert.match(text, /\/MediaBox \[0 0 75 37\.5\]/);
  assert.match(text, /stream\n400 x 200\nendstream/);
});

test("the menu closes by Escape", () => {
  menu.setAttribute("open", "");
  menu.happen("keydown", { key: "a" });
  assert.equal(menu.hasAttribute("open"), true);
  menu.happen("keydown", { key: "Escape" });
  assert.equal(menu.hasAttribute("open"), false);
  page.wait(0);
});
