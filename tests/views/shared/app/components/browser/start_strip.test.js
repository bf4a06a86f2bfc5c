import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, PALETTE } from "./fakes.js";

LOOKS.start_strip = { markup: '<div class="ss"></div>', style: "", palette: PALETTE };
let page = fakePage();
const { default: show } = await import("#browser/start_strip.js");

const STEPS = ["one", "<b>two</b>", "three"];
let place;
let told;
let lit;

/** Show the strip; return its root and what ends it. */
function send(data = {}) {
  const component = fakeComponent({ steps: STEPS, done: 0, said: "look", nBits: 3, ...data }, place);
  component.setTriggerValue = (name, value) => told.push([name, value]);
  const end = show(component);
  return { root: place.children[0].children[0], end };
}

function click(root, step) {
  const button = new FakeElement("button");
  button.dataset.step = String(step);
  button.closest = () => button;
  root.happen("click", { target: button });
  page.wait(0);
}

beforeEach(() => {
  page = fakePage();
  place = new FakeElement();
  told = [];
  lit = [];
  globalThis.window.addEventListener("ecocviz-column", (e) => lit.push(e.detail.bit));
});

test("the steps are buttons, a title is text, and the one that was done is pressed", () => {
  const { root } = send({ done: 2, said: "<i>look</i>" });
  const buttons = root.querySelector(".steps");
  assert.equal(buttons.children.length, 4);
  assert.match(buttons.markup, /data-step="2" aria-pressed="true"/);
  assert.match(buttons.markup, /&#60;b&#62;two/);
  assert.equal(root.querySelector(".said").textContent, "<i>look</i>");
});

test("a step is told each time it is asked for", () => {
  const { root } = send();
  click(root, 3);
  click(root, 3);
  click(root, 0);
  assert.deepEqual(told, [
    ["step", { step: 3, n: 1 }],
    ["step", { step: 3, n: 2 }],
    ["step", { step: 0, n: 3 }],
  ]);
  assert.deepEqual(lit, []);
});

test("the first step shows one machine after the other, and then the regions again", () => {
  const { root } = send();
  click(root, 1);
  page.wait(1100);
  page.wait(1100);
  page.wait(1100);
  assert.deepEqual(lit, [0, 1, 2, -1]);
  assert.deepEqual(told, [["step", { step: 1, n: 1 }]]);
});

test("another click, and the end of the strip, stop the machines", () => {
  const { root, end } = send();
  click(root, 1);
  click(root, 1);
  assert.deepEqual(lit, [0, -1]);
  click(root, 1);
  end();
  page.wait(5000);
  assert.deepEqual(lit, [0, -1, 0, -1]);
});
