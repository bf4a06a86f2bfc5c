import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";
import { askedBy, isTaken, isTyped } from "#browser/presenter_keys.js";
import { askedBy as askedOfRegions } from "#browser/region_keys.js";
import { FakeElement, fakePage } from "./fakes.js";

const HERE = { presenting: true, typing: false, taken: false };
const press = (key, where = {}, more = {}) => askedBy({ key, ...more }, { ...HERE, ...where });

beforeEach(() => fakePage());

test("P leads into presenter mode, and Escape out of it", () => {
  assert.equal(press("p", { presenting: false }), "present");
  assert.equal(press("P", { presenting: false }), "present");
  assert.equal(press("Escape"), "leave");
  assert.equal(press("Escape", { presenting: false }), null);
});

test("a remote's keys go from scene to scene, in a field too", () => {
  assert.equal(press("PageDown"), "next");
  assert.equal(press("PageUp", { typing: true }), "back");
  assert.equal(press("."), "next");
  assert.equal(press(","), "back");
  assert.equal(press("PageDown", { presenting: false }), null);
});

test("every key that does something is in the list of keys", async () => {
  const list = await readFile(new URL(import.meta.resolve("#browser/presenter.html")), "utf-8");
  const regions = ["ArrowLeft", "1", " ", "d", "c", "+", "-", "0"];
  for (const key of regions) assert.ok(askedOfRegions({ key }), key);
  const names = { ArrowLeft: "←", " ": "Space", "-": "−" };
  for (const key of [...regions, "p", ".", ",", "r", "q", "?"]) {
    assert.ok(list.includes(`<kbd>${names[key] ?? key.toUpperCase()}</kbd>`), key);
  }
});

test("letters that are typed ask for nothing", () => {
  for (const key of ["p", "r", "q", ".", ","]) assert.equal(press(key, { typing: true }), null);
  assert.equal(press("p", { presenting: false, typing: true }), null);
});

test("what is open keeps its keys, and shortcuts are left alone", () => {
  assert.equal(press("Escape", { taken: true }), null);
  assert.equal(press("p", { presenting: false }, { ctrlKey: true }), null);
  assert.equal(press("r", {}, { repeat: true }), null);
});

function eventIn(...path) {
  return { composedPath: () => path };
}

function element(matching, ...classes) {
  const made = new FakeElement();
  made.matches = () => matching;
  made.classList.add(...classes);
  return made;
}

test("a field is what letters go into", () => {
  assert.equal(isTyped(eventIn(element(true))), true);
  assert.equal(isTyped(eventIn(element(false))), false);
  assert.equal(isTyped(eventIn(globalThis.document)), false);
});

test("a dialog, a whole figure and the sheet to draw on take the keys", () => {
  const page = globalThis.document;
  page.querySelectorAll = () => [];
  page.fullscreenElement = null;
  page.querySelector = () => null;
  assert.equal(isTaken(eventIn(element(false))), false);
  assert.equal(isTaken(eventIn(element(false), element(false, "sheet"))), true);
  page.querySelectorAll = () => [new FakeElement()];
  globalThis.getComputedStyle = () => ({ position: "fixed" });
  assert.equal(isTaken(eventIn(element(false))), true);
  page.querySelectorAll = () => [];
  page.querySelector = () => new FakeElement();
  assert.equal(isTaken(eventIn(element(false))), true);
});
