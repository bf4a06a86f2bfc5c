import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, PALETTE, rootOf, within } from "./fakes.js";
import { inspection, longInspection } from "./inspection.js";

LOOKS.inspector = { markup: '<div class="in"></div>', style: "", palette: PALETTE };
fakePage();
const { default: show } = await import("#browser/inspector.js");

let place;
let component;
let lit;
let end;

function send(changes) {
  component = fakeComponent(changes === null ? null : inspection(changes), place);
  end = show(component);
}

beforeEach(() => {
  fakePage();
  place = new FakeElement();
  lit = [];
  globalThis.window.addEventListener("ecocviz-column", (e) => lit.push(e.detail.bit));
  send();
});

function at(selector) {
  return rootOf(place).querySelector(selector);
}

function click(selector, dataset) {
  rootOf(place).happen("click", { target: within([selector], dataset) });
}

test("it shows what it is sent", () => {
  assert.match(at("h3").innerHTML, /^<svg.*<span>Point &#60;7&#62;<\/span>$/);
  assert.equal(at(".said").textContent, "It is wrong.");
  assert.equal(at(".tips").textContent, "One flip would do.");
  assert.equal(at(".read").textContent, "It reads signs.");
  assert.equal(at("[data-act=restore]").style.display, "");
  assert.ok(at(".bits").innerHTML && at(".verdicts").innerHTML && at(".costs").innerHTML);
  send({ truth: -1, flips: [], nextText: "" });
  assert.ok(at("h3").innerHTML.startsWith("<span>"));
  assert.deepEqual(
    [at("[data-act=restore]"), at("[data-act=next]")].map((b) => b.style.display),
    ["none", "none"],
  );
});

test("while bits are played the others are faint, and what follows is called that of all", () => {
  globalThis.window.happen("ecocviz-used", { detail: { bits: 1 } });
  assert.deepEqual([at(".said").textContent, at(".all").textContent], ["With the first bit.", "With all 2 bits:"]);
  assert.equal(at(".bits").innerHTML.match(/data-number="1" class="unused"/g).length, 1);
  globalThis.window.happen("ecocviz-used", { detail: { bits: 0 } });
  assert.deepEqual([at(".said").textContent, at(".all").textContent], ["It is wrong.", ""]);
  assert.ok(!at(".bits").innerHTML.includes("unused"));
});

test("flips are sent in order, with the point they are of", () => {
  click("[data-flip]", { flip: "1" });
  click("[data-flip]", { flip: "0" });
  click("[data-act]", { act: "restore" });
  assert.deepEqual(component.told, [
    ["state", "flips", { bits: [0, 1], of: "7", n: 1 }],
    ["state", "flips", { bits: [1], of: "7", n: 2 }],
    ["state", "flips", { bits: [], of: "7", n: 3 }],
  ]);
});

test("another point can be asked for", () => {
  click("[data-act]", { act: "next" });
  click("p", {});
  assert.deepEqual(component.told, [["trigger", "next", true]]);
});

test("a bit's row shows its boundary in the regions, as long as it is pointed at", () => {
  at(".bits").happen("pointerover", { target: within(["[data-number]"], { number: "1" }) });
  at(".bits").happen("pointerover", { target: within(["[data-number]"], { number: "1" }) });
  at(".bits").happen("pointerover", { target: within([]) });
  at(".bits").happen("pointerover", { target: within(["[data-number]"], { number: "0" }) });
  end();
  assert.deepEqual(lit, [1, -1, 0, -1]);
});

test("keys show a bit's boundary as the pointer does; a click's focus does not", () => {
  at(".bits").happen("focusin", { target: within(["[data-number]", ":focus-visible"], { number: "1" }) });
  at(".bits").happen("focusout");
  at(".bits").happen("focusin", { target: within(["[data-number]"], { number: "0" }) });
  assert.deepEqual(lit, [1, -1]);
});

test("what has the focus among the bits has it when they are drawn again", () => {
  const held = within([], { flip: "1" });
  held.parent = at(".bits");
  globalThis.document.activeElement = held;
  send({ flips: [0, 1] });
  assert.equal(at(".bits").querySelector('[data-flip="1"]').focused, 1);
  held.dataset = { act: "fold" };
  send();
  assert.equal(at(".bits").querySelector("[data-act=fold]").focused, 1);
  globalThis.document.activeElement = new FakeElement();
  send();
  assert.equal(at(".bits").querySelector('[data-flip="1"]').focused, 1);
});

test("bits of other classes are folded until they are asked for, and a point keeps its order", () => {
  const numbers = () => [...at(".bits").innerHTML.matchAll(/data-number="(\d+)"/g)].map(([, bit]) => Number(bit));
  const sent = (changes) => {
    component = fakeComponent(longInspection(30, { matter: [4, 5], ...changes }), place);
    show(component);
  };
  sent({ wrong: [5] });
  assert.deepEqual(numbers(), [5, 4]);
  sent({ wrong: [4] });
  assert.deepEqual(numbers(), [5, 4]);
  sent({ wrong: [4], of: "8" });
  assert.deepEqual(numbers(), [4, 5]);
  click("[data-act]", { act: "fold" });
  assert.equal(numbers().length, 30);
  click("[data-act]", { act: "fold" });
  assert.equal(numbers().length, 2);
});

test("a message without data changes nothing", () => {
  send(null);
  assert.equal(at(".said").textContent, "It is wrong.");
});
