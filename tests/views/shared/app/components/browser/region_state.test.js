import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { RegionState } from "#browser/region_state.js";
import { header, XS, YS } from "./region_message.js";

let state;

function records(changes) {
  return { header: header(changes), ids: Uint32Array.of(10, 11, 12, 13, 14), xs: XS, ys: YS };
}

beforeEach(() => {
  state = new RegionState();
  state.adopt(records());
});

test("before anything has come nothing can be chosen", () => {
  const empty = new RegionState();
  assert.equal(empty.choose(1), null);
  assert.equal(empty.light(0), false);
  assert.equal(empty.spot, null);
});

test("a decoder chosen here stays until Python answers, and Python's own choice wins after that", () => {
  assert.equal(state.choose(0), null);
  assert.equal(state.choose(7), null);
  assert.equal(state.choose(1), "linear");
  state.adopt(records({ decoder: 1 }));
  assert.equal(state.decoder, 1);
  state.adopt(records({ decoder: 0 }));
  assert.equal(state.decoder, 0);
});

test("where decoders are fewer than before the last one is shown", () => {
  state.adopt(records({ decoder: 1, decoders: [{ key: "hamming" }] }));
  assert.equal(state.decoder, 0);
});

test("Python's pick is followed when it is a new one only", () => {
  assert.deepEqual(state.pick, { point: 11 });
  const own = { place: [1, 2] };
  state.take(own);
  state.adopt(records());
  assert.deepEqual(state.pick, own);
  state.adopt(records({ pick: { serial: 7, point: 12, place: null } }));
  assert.deepEqual(state.pick, own, "Python has not heard of it");
  assert.equal(state.tell({ place: [1, 2] }), false);
  assert.equal(state.tell(own), true);
  state.adopt(records({ pick: { serial: 2, point: -1, place: [3, 3] } }));
  assert.deepEqual(state.pick, { place: [3, 3] });
  state.adopt(records({ pick: { serial: 3, point: -1, place: null } }));
  assert.equal(state.pick, null);
});

test("what is picked lies where its point does; a point that is not drawn lies nowhere", () => {
  assert.deepEqual(state.spot, [1.5, 0.5]);
  state.take({ place: [0.25, 4] });
  assert.deepEqual(state.spot, [0.25, 4]);
  state.take({ point: 99 });
  assert.equal(state.spot, null);
});

test("a lit column goes with its plane and with its bit", () => {
  assert.equal(state.light(3), true);
  assert.equal(state.light(3), false);
  assert.equal(state.adopt(records()), false);
  assert.equal(state.column, 3);
  state.adopt(records({ nBits: 3 }));
  assert.equal(state.column, -1);
  state.light(1);
  assert.equal(state.adopt(records({ plane: "1,2" })), true);
  assert.equal(state.column, -1);
  state.light(40);
  assert.equal(state.column, -1);
});

test("shading and differences are switches", () => {
  assert.deepEqual([state.shading, state.differences], [true, false]);
  state.toggleShading();
  state.showDifferences(true);
  assert.deepEqual([state.shading, state.differences], [false, true]);
});
