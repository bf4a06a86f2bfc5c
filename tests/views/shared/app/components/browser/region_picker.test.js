import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Messenger } from "#browser/quiet.js";
import { Camera } from "#browser/region_camera.js";
import { Picker } from "#browser/region_picker.js";
import { RegionState } from "#browser/region_state.js";
import { fakeComponent, FakeElement, fakePage } from "./fakes.js";
import { header, XS, YS } from "./region_message.js";

let page;
let state;
let component;
let picker;
let painted;

beforeEach(() => {
  page = fakePage();
  state = new RegionState();
  state.adopt({ header: header(), ids: Uint32Array.of(10, 11, 12, 13, 14), xs: XS, ys: YS });
  const camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  camera.fit({ x: 40, y: 0, w: 400, h: 400 });
  component = fakeComponent(null);
  const messenger = new Messenger(new FakeElement());
  messenger.connect(component);
  painted = 0;
  picker = new Picker(state, camera, messenger, () => (painted += 1));
});

test("a click near a point picks it, elsewhere the place", () => {
  picker.choose([196, 353]);
  assert.deepEqual([state.pick, painted], [{ point: 11 }, 1]);
  picker.choose([340, 300]);
  assert.deepEqual(state.pick, { place: [3, 1] });
  page.wait(40);
  assert.deepEqual(component.told, [["state", "pick", { place: [3, 1], n: 2 }]]);
});

test("a click on the axes picks nothing", () => {
  picker.choose([30, 100]);
  picker.choose([100, 410]);
  assert.deepEqual([state.pick, painted], [{ point: 11 }, 0]);
});

test("arrows go from point to point, and Python hears of the last one only", () => {
  picker.step(1, 0);
  assert.deepEqual(state.pick, { point: 12 });
  picker.step(0, -1);
  assert.deepEqual(state.pick, { point: 13 });
  picker.step(0, 1);
  assert.deepEqual(state.pick, { point: 11 });
  picker.step(0, 1); // there is none below
  page.wait(1000);
  assert.deepEqual(component.told, [["state", "pick", { point: 11, n: 3 }]]);
});

test("without a pick arrows begin in the middle", () => {
  state.adopt({ ...state.records, header: header({ pick: { serial: 2, point: -1, place: null } }) });
  picker.step(1, 0);
  assert.deepEqual(state.pick, { point: 13 });
});

test("a pick that waits for a run is not sent when a later one is on its way", () => {
  page.script = "running";
  picker.step(1, 0);
  page.wait(100);
  picker.step(-1, 0);
  page.wait(45);
  page.script = "notRunning";
  page.wait(100);
  assert.deepEqual(component.told, [["state", "pick", { point: 11, n: 2 }]]);
});

test("the point under the pointer is within reach", () => {
  assert.equal(picker.near([92, 350]), 0);
  assert.equal(picker.near([106, 350]), -1);
});
