import assert from "node:assert/strict";
import { test } from "node:test";
import { around, focusedIn, part, pen } from "#browser/page.js";
import { FakeElement, fakePage, within } from "./fakes.js";

test("a part that is missing is named", () => {
  const root = new FakeElement();
  assert.equal(part(root, ".a"), root.querySelector(".a"));
  assert.throws(() => part({ querySelector: () => null }, ".b"), /The component has no \.b\./);
});

test("a browser without canvases is said to be one", () => {
  assert.throws(() => pen({ getContext: () => null }), /no canvas to draw on/);
});

test("where an event began is looked for outwards", () => {
  const cell = within([".cell"]);
  assert.equal(around({ target: cell }, ".cell"), cell);
  assert.equal(around({ target: cell }, ".head"), null);
});

test("the focus is told where it lies within", () => {
  fakePage();
  const [holder, inside] = [new FakeElement(), new FakeElement()];
  holder.append(inside);
  assert.equal(focusedIn(holder), null);
  globalThis.document.activeElement = inside;
  assert.equal(focusedIn(holder), inside);
  globalThis.document.activeElement = new FakeElement();
  assert.equal(focusedIn(holder), null);
});
