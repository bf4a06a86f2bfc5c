import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Controls, noteOn } from "#browser/region_controls.js";
import { COLOURS, FakeElement, fakePage, within } from "./fakes.js";
import { header } from "./region_message.js";

const NOW = { decoder: 0, differences: false, shading: true, playing: false, played: false, drawing: false };

let root;
let acts;
let controls;

beforeEach(() => {
  fakePage();
  root = new FakeElement();
  root.querySelector(".bar").append(new FakeElement());
  acts = [];
  controls = new Controls(root, (name) => acts.push(name));
});

function draw(now = {}, head = {}) {
  controls.draw(header(head), COLOURS, { ...NOW, ...now });
}

function button(name) {
  return root.querySelector(`[data-act=${name}]`);
}

test("a click says what its button asks for", () => {
  root.happen("click", { target: within(["[data-act]"], { act: "in" }) });
  root.happen("click", { target: within([]) });
  assert.deepEqual(acts, ["in"]);
});

test("buttons show what is on, and are there where they can do something", () => {
  draw({ differences: true, playing: true });
  assert.deepEqual(
    ["differences", "shading", "play", "draw"].map((name) => button(name).getAttribute("aria-pressed")),
    ["true", "true", "true", "false"],
  );
  assert.equal(button("play").textContent, "Pause");
  draw({}, { canPlay: false, decoders: header().decoders.slice(0, 1), brushes: [] });
  const hidden = ["differences", "shading", "play", "draw"].filter((name) => button(name).style.display === "none");
  assert.deepEqual(hidden, ["differences", "play", "draw"]);
  assert.equal(button("play").textContent, "Play bits");
});

test("while points are drawn only the way back is left", () => {
  draw({ drawing: true });
  assert.deepEqual(
    ["differences", "shading", "play"].map((name) => button(name).style.display),
    ["none", "none", "none"],
  );
  assert.equal(button("draw").style.display, "");
  assert.equal(button("draw").getAttribute("aria-label"), "Back to the regions");
  assert.equal(root.querySelector(".zoom").style.visibility, "hidden");
  assert.equal(root.querySelector(".legend").style.display, "none");
  assert.equal(root.querySelector(".marks").style.display, "none");
  draw();
  assert.equal(root.querySelector(".zoom").style.visibility, "");
  assert.equal(root.querySelector("[data-act=draw] span").hidden, true);
});

test("decoders stand side by side where they fit, else in a list", () => {
  draw({ decoder: 1 });
  const chooser = root.querySelector(".decoders");
  assert.match(chooser.innerHTML, /data-act="decoder:1" aria-checked="true" title="Adds\.">Linear/);
  root.querySelector(".bar").children[0].offsetTop = 30; // what stands last has slipped to a second line
  draw({ decoder: 1 });
  assert.match(chooser.innerHTML, /^<select .*<option value="1" selected>Linear/);
  const list = chooser.querySelector("select");
  list.value = "0";
  list.happen("change");
  assert.deepEqual(acts, ["decoder:0"]);
});

test("who chose a decoder with the keys has the focus on it afterwards", () => {
  draw();
  const chooser = root.querySelector(".decoders");
  const again = chooser.querySelector('[aria-checked="true"], select');
  draw({ decoder: 1 });
  assert.equal(again.focused, 0);
  const held = new FakeElement();
  held.parent = chooser;
  globalThis.document.activeElement = held;
  draw({ decoder: 1 });
  assert.equal(again.focused, 1);
});

test("a decoder alone is only named", () => {
  draw({}, { decoders: [{ key: "k", title: "<b>", summary: "" }] });
  assert.equal(root.querySelector(".decoders").innerHTML, '<span class="only">&#60;b&#62;</span>');
});

test("the legend lists the classes, where it is wanted", () => {
  draw();
  assert.match(root.querySelector(".legend").innerHTML, /<span title="a &#38; b"><svg .*<i>a &#38; b<\/i>/);
  draw({}, { nLegend: 0 });
  assert.equal(root.querySelector(".legend").innerHTML, "");
});

test("the note says what is shown in place of the plain regions", () => {
  const records = { mask: Uint8Array.of(1, 0, 0, 0) };
  const note = (column, differences, waiting) => noteOn(records, { column, differences }, waiting);
  assert.match(
    note(2, true, true),
    /^Bit 3 alone: one colour where its machine says \+, the other where it says \u2212\.$/,
  );
  assert.equal(note(-1, true, true), "They disagree on 25.0 % of the plane (striped).");
  assert.equal(note(-1, false, true), "Decoding with 1, 2, 3 \u2026 bits");
  controls.report(records, { column: -1, differences: false }, false);
  assert.equal(root.querySelector(".note").textContent, "");
  controls.report(records, { column: 0, differences: false }, false);
  assert.match(root.querySelector(".note").textContent, /^Bit 1 alone/);
});
