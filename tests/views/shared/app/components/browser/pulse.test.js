import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, PALETTE } from "./fakes.js";

LOOKS.pulse = { markup: '<i class="pulse"></i>', style: "", palette: PALETTE };
let page = fakePage();
const { default: show } = await import("#browser/pulse.js");

let place;
let told;

/** Send a wait; return what ends it. */
function send(after, number) {
  const component = fakeComponent({ after, number }, place);
  component.setTriggerValue = (name, value) => told.push([name, value]);
  return show(component);
}

function look(visibility) {
  globalThis.document.visibilityState = visibility;
  globalThis.document.happen("visibilitychange");
}

beforeEach(() => {
  page = fakePage();
  place = new FakeElement();
  told = [];
});

test("Python is asked when the time is up, not before, and with the number of the wait", () => {
  send(300, 7);
  page.wait(299);
  assert.deepEqual(told, []);
  page.wait(1);
  assert.deepEqual(told, [["tick", 7]]);
});

test("the same wait goes on, another begins anew", () => {
  send(300, 1);
  page.wait(200);
  send(300, 1);
  page.wait(100);
  assert.deepEqual(told, [["tick", 1]]);
  send(300, 2);
  page.wait(200);
  send(400, 3);
  page.wait(399);
  assert.deepEqual(told, [["tick", 1]]);
  page.wait(1);
  assert.deepEqual(told, [
    ["tick", 1],
    ["tick", 3],
  ]);
});

test("while nobody sees the page Python is not asked, and at once when somebody does", () => {
  send(300, 1);
  look("hidden");
  page.wait(60_000);
  assert.deepEqual(told, []);
  look("visible");
  assert.deepEqual(told, [["tick", 1]]);
});

test("a page that is seen again too early waits for the rest of its time", () => {
  send(300, 1);
  look("hidden");
  page.wait(100);
  look("visible");
  assert.deepEqual(told, []);
  page.wait(200);
  assert.deepEqual(told, [["tick", 1]]);
});

test("Python is asked again after a while if it does not answer", () => {
  send(300, 1);
  page.wait(300 + 9_999);
  assert.equal(told.length, 1);
  page.wait(1);
  assert.equal(told.length, 2);
});

test("what is asked while something runs waits, and is not asked when a newer wait has come", () => {
  send(300, 1);
  page.script = "running";
  page.wait(400);
  assert.deepEqual(told, []);
  send(1000, 2);
  page.script = "notRunning";
  page.wait(900);
  assert.deepEqual(told, []);
  page.wait(100);
  assert.deepEqual(told, [["tick", 2]]);
});

test("what runs for long is never asked in the middle, but afterwards", () => {
  send(300, 1);
  page.script = "running";
  page.wait(10_000);
  assert.deepEqual(told, []);
  page.script = "notRunning";
  page.wait(1_000);
  assert.deepEqual(told, [["tick", 1]]);
});

test("nothing is asked when the component has gone", () => {
  send(300, 1)();
  page.wait(60_000);
  look("visible");
  assert.deepEqual(told, []);
  assert.deepEqual(globalThis.document.listeners.get("visibilitychange"), []);
});
