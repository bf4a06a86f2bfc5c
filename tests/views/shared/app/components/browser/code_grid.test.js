import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, kindOf, PALETTE, rootOf, within } from "./fakes.js";

LOOKS.code_grid = { markup: '<div class="cg"></div>', style: "", palette: PALETTE };
let page = fakePage();
const { default: show } = await import("#browser/code_grid.js");

const CODE = ["+-0", "-++"];

let place;
let component;
let end;
let lit;

function data(changes = {}) {
  return {
    title: "Code matrix",
    code: CODE,
    classes: [kindOf("a"), kindOf("b")],
    faults: {},
    rowFaults: {},
    bits: null,
    costs: null,
    winner: -1,
    wrong: [],
    tipping: [],
    steps: [],
    costTitle: "",
    draft: false,
    editable: true,
    ...changes,
  };
}

function send(changes) {
  component = fakeComponent(data(changes), place);
  end = show(component);
}

beforeEach(() => {
  page = fakePage();
  place = new FakeElement();
  lit = [];
  globalThis.window.addEventListener("ecocviz-column", (e) => lit.push(e.detail.bit));
  send();
});

function table() {
  return rootOf(place).querySelector("table");
}

function tool(name) {
  return rootOf(place).querySelector(".tools").querySelector(`[data-act=${name}]`);
}

function click(c, b, more = {}) {
  table().happen("click", { target: within(["[data-b]", ".cell"], { c: String(c), b: String(b) }), ...more });
}

function press(key, more = {}) {
  return table().happen("keydown", { key, ...more });
}

function act(name) {
  rootOf(place)
    .querySelector(".tools")
    .happen("click", { target: within(["[data-act]"], { act: name }) });
}

function told() {
  page.wait(250);
  return component.told.splice(0).map(([, name, value]) => [name, value]);
}

test("a click changes an entry, with shift the other way; quick clicks are one message", () => {
  click(0, 2);
  assert.match(table().innerHTML, /data-c="0" data-b="2" role="gridcell" tabindex="0">\+/);
  click(0, 0, { shiftKey: true });
  assert.deepEqual(told(), [["matrix", "0-+\n-++"]]);
});

test("keys move, write and undo", () => {
  press("ArrowRight");
  press("ArrowDown");
  assert.equal(rootOf(place).querySelector(".tools").querySelector(".which").textContent, "column 2");
  for (let k = 0; k < 3; k++) press("ArrowDown"); // not out of the matrix
  assert.equal(press("0").prevented, true);
  assert.deepEqual(told(), [["matrix", "+-0\n-0+"]]);
  press(" ");
  press("z", { ctrlKey: true });
  assert.deepEqual(told(), [["matrix", "+-0\n-0+"]]);
  assert.equal(press("x").prevented, false);
  assert.equal(press("+", { metaKey: true }).prevented, false);
  assert.deepEqual(told(), []);
});

test("tools change columns; undo takes back step by step", () => {
  assert.equal(tool("undo").disabled, true);
  act("add");
  assert.deepEqual(told(), [["matrix", "+-0+\n-++-"]]);
  click(0, 3); // now this column is meant
  act("complement");
  act("duplicate");
  act("remove");
  assert.deepEqual(told(), [["matrix", "+-0+\n-+++"]]);
  assert.equal(tool("undo").disabled, false);
  for (let k = 0; k < 5; k++) act("undo");
  assert.deepEqual(told(), [["matrix", "+-0\n-++"]]);
});

test("the last column stays", () => {
  send({ code: ["+", "-"] });
  click(0, 0);
  assert.equal(tool("remove").disabled, true);
  told();
  act("remove");
  assert.deepEqual(told(), []);
});

test("without a marked column only adding is offered", () => {
  assert.deepEqual(
    ["duplicate", "complement", "remove"].map((name) => tool(name).style.display),
    ["none", "none", "none"],
  );
  const head = within(["[data-b]"], { b: "1" });
  head.classList.add("col");
  table().happen("click", { target: head });
  assert.deepEqual(
    ["duplicate", "complement", "remove"].map((name) => tool(name).style.display),
    ["", "", ""],
  );
});

test("a grid that is only shown changes nothing", () => {
  send({ editable: false });
  click(0, 0);
  press("+");
  assert.deepEqual(told(), []);
  assert.equal(table().className, "still");
  assert.equal(rootOf(place).querySelector(".tools").hidden, true);
});

test("an edit made here is newer than an answer that comes meanwhile", () => {
  click(0, 2);
  send();
  assert.match(table().innerHTML, /data-c="0" data-b="2" role="gridcell" tabindex="0">\+/);
  assert.deepEqual(told(), [["matrix", "+-+\n-++"]]);
  send({ code: ["-", "+"] });
  assert.match(table().innerHTML, /data-c="0" data-b="0" role="gridcell" tabindex="0">\u2212/);
  assert.equal(tool("undo").disabled, true); // another matrix, not an answer
});

test("an answer to a draft leaves its steps to be undone", () => {
  click(0, 2);
  told();
  send({ code: ["+++", "+++"], draft: true });
  assert.equal(tool("undo").disabled, false);
});

test("an edit that waits for a run is not sent when another is on its way", () => {
  page.script = "running";
  click(0, 2);
  page.wait(260);
  click(0, 2);
  page.wait(200);
  page.script = "notRunning";
  page.wait(40);
  assert.deepEqual(component.told, []);
  assert.deepEqual(told(), [["matrix", "+--\n-++"]]);
});

test("an edit that was not sent when its page was left is sent by the next grid of the same matrix", () => {
  click(0, 2);
  end();
  page.wait(500);
  assert.deepEqual(component.told, []);
  place = new FakeElement();
  send();
  assert.deepEqual(told(), [["matrix", "+-+\n-++"]]);
  click(0, 2);
  end();
  place = new FakeElement();
  send({ code: ["+", "-"] });
  assert.deepEqual(told(), []);
});

test("columns light up, and their heads show the boundary in the regions", () => {
  const over = (classes) => {
    const cell = within(["[data-b]"], { b: "1" });
    cell.classList.add(classes);
    table().happen("pointerover", { target: cell });
  };
  over("cell");
  over("col");
  over("col");
  table().happen("pointerleave");
  assert.deepEqual(lit, [-1, 1, -1]);
});

test("arrow keys read a grid that cannot be changed", () => {
  send({ editable: false });
  press("ArrowRight");
  assert.equal(table().querySelector('.cell[data-c="0"][data-b="1"]').focused, 1);
  assert.equal(table().getAttribute("aria-readonly"), "true");
});

test("the entry that has the focus has it when the answer is drawn", () => {
  const held = within([], { c: "1", b: "2" });
  held.parent = table();
  globalThis.document.activeElement = held;
  send({ code: ["+-0", "-+0"] });
  assert.equal(table().querySelector('.cell[data-c="1"][data-b="2"]').focused, 1);
  globalThis.document.activeElement = null;
  send();
  assert.equal(table().querySelector('.cell[data-c="1"][data-b="2"]').focused, 1);
});

test("matrices with many columns are dense", () => {
  send({ code: ["+".repeat(15), "-".repeat(15)] });
  assert.equal(table().className, "dense ");
  assert.equal(rootOf(place).querySelector(".hint").textContent, "click an entry to change it");
  assert.equal(rootOf(place).querySelector(".overview").hidden, true);
});

const first = () => Number(/data-b="(\d+)"/.exec(table().innerHTML)[1]);

test("of very many columns the table shows a window, which follows the keys", () => {
  send({ code: ["+".repeat(100), "-".repeat(100)] });
  assert.equal(rootOf(place).querySelector(".overview").hidden, false);
  assert.equal(table().innerHTML.match(/class="col"/g).length, 4);
  for (let k = 0; k < 12; k++) press("ArrowRight");
  assert.equal(first(), 9);
  press("0");
  assert.deepEqual(told(), [["matrix", `${"+".repeat(12)}0${"+".repeat(87)}\n${"-".repeat(100)}`]]);
  rootOf(place).querySelector(".slide").happen("keydown", { key: "End" });
  assert.equal(first(), 96);
  act("add");
  assert.equal(first(), 97);
});

test("a window of another width shows another number of columns", () => {
  send({ code: ["+".repeat(100), "-".repeat(100)] });
  rootOf(place).clientWidth = 630;
  page.observers[0].act();
  assert.equal(table().innerHTML.match(/class="col"/g).length, 20);
  end();
  assert.equal(page.observers.length, 0);
});
