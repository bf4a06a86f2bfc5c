import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, PALETTE, rootOf, within } from "./fakes.js";

LOOKS.presenter = { markup: '<div class="pr"></div>', style: "", palette: PALETTE };
let page = fakePage();
const { default: show } = await import("#browser/presenter.js");

let place;
let told;

function send(data) {
  const component = fakeComponent({ presenting: true, scene: "", scenes: 0, undo: false, ...data }, place);
  component.setTriggerValue = (name, value) => told.push([name, value.act]);
  const end = show(component);
  globalThis.document.querySelector = (selector) => (selector.includes("stApp") ? { dataset: {} } : null);
  globalThis.document.querySelectorAll = () => [];
  globalThis.document.fullscreenElement = null;
  return end;
}

function press(key) {
  const event = page.window.happen("keydown", { key, composedPath: () => [new FakeElement()] });
  page.wait(5_000);
  return event.prevented;
}

beforeEach(() => {
  page = fakePage();
  place = new FakeElement();
  told = [];
});

test("the bar is there in presenter mode only", () => {
  send({ presenting: false });
  const tools = rootOf(place).querySelector(".lecture");
  assert.equal(tools.hidden, true);
  send({ scene: "2 of 7: <b>", scenes: 7, undo: true });
  assert.equal(tools.hidden, false);
  assert.equal(rootOf(place).querySelector(".scene").textContent, "2 of 7: <b>");
  assert.equal(rootOf(place).querySelector("[data-act=undo]").disabled, false);
});

test("keys and buttons ask Python for the same", () => {
  send({ scenes: 2 });
  assert.equal(press("PageDown"), true);
  rootOf(place).happen("click", { target: within(["[data-act]"], { act: "next" }) });
  page.wait(5_000);
  assert.deepEqual(told, [
    ["act", "next"],
    ["act", "next"],
  ]);
});

test("a question mark lists the keys, in any mode, and while the list is open it has them", () => {
  send({ presenting: false });
  const list = rootOf(place).querySelector(".keys");
  list.showModal = () => (list.open = true);
  assert.equal(press("?"), true);
  assert.equal(list.open, true);
  assert.equal(press("p"), false);
  assert.deepEqual(told, []);
});

test("without scenes the paging keys scroll", () => {
  send({});
  assert.equal(press("PageDown"), false);
  assert.deepEqual(told, []);
});

test("the ring follows the pointer, and asks nobody", () => {
  send({});
  const ring = rootOf(place).querySelector(".ring");
  assert.equal(ring.hidden, true);
  press("r");
  assert.equal(ring.hidden, false);
  page.window.happen("pointermove", { clientX: 30, clientY: 40 });
  assert.equal(ring.style.transform, "translate(30px, 40px)");
  send({ presenting: false });
  assert.equal(ring.hidden, true);
  send({});
  press("r");
  assert.equal(ring.hidden, true);
  assert.deepEqual(told, []);
});

test("a page that is gone hears no keys", () => {
  send({ scenes: 2 })();
  assert.equal(press("PageDown"), false);
});
