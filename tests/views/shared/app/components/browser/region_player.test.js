import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Player } from "#browser/region_player.js";
import { FakeElement, fakePage } from "./fakes.js";
import { header } from "./region_message.js";

const FRAMES = [[1], [2], [3]].map((labels) => Uint8Array.from(labels));
const PREFIX = { decoder: 0, lengths: [1, 2, 4], errors: [4, 2, 1], of: 8 };
const RECORDS = { header: header({ prefix: PREFIX }) };

let page;
let root;
let told;
let player;

beforeEach(() => {
  page = fakePage();
  root = new FakeElement();
  told = [];
  player = new Player(root, {
    step: () => told.push("step"),
    end: () => told.push("end"),
    ask: (key) => told.push(key),
  });
});

function said() {
  player.report(RECORDS, 0);
  return root.querySelector(".player").querySelector(".played").textContent;
}

test("regions that are not here are asked for, and played when they come", () => {
  player.play({ header: header() }, 1);
  assert.deepEqual(told, ["linear"]);
  player.adopt(null); // another message in between
  assert.ok(player.waiting && !player.playing);
  player.adopt(FRAMES);
  assert.ok(!player.waiting && player.playing);
  assert.deepEqual(player.labels, FRAMES[0]);
});

test("it goes on one step at a time, to the end", () => {
  player.adopt(FRAMES);
  assert.equal(player.labels, null);
  player.play(RECORDS, 0);
  page.wait(650);
  assert.deepEqual([told, player.step], [["step"], 2]);
  page.wait(650);
  assert.equal(player.labels, null); // those of all bits are the usual ones
  assert.ok(player.shown && player.playing);
  page.wait(650);
  assert.deepEqual([told, player.playing], [["step", "step", "end"], false]);
  page.wait(5000);
  assert.equal(told.length, 3);
  player.play(RECORDS, 0);
  assert.equal(player.step, 1);
});

test("stopped it goes on from there; halted from the beginning", () => {
  player.adopt(FRAMES);
  player.play(RECORDS, 0);
  page.wait(650);
  player.stop();
  page.wait(5000);
  player.play(RECORDS, 0);
  assert.equal(player.step, 2);
  player.halt();
  assert.deepEqual([player.step, player.shown, player.playing], [0, false, false]);
});

test("the slider chooses a step and stops", () => {
  player.adopt(FRAMES);
  player.play(RECORDS, 0);
  const slider = root.querySelector(".player").querySelector("input");
  slider.value = "2";
  slider.happen("input");
  assert.deepEqual([player.step, player.playing, told], [2, false, ["step"]]);
});

test("other regions take its place", () => {
  player.adopt(FRAMES);
  player.play(RECORDS, 0);
  player.adopt(null);
  assert.deepEqual([player.shown, player.playing], [false, false]);
  player.adopt(FRAMES);
  player.play(RECORDS, 0);
  page.wait(1300);
  player.adopt(FRAMES.slice(0, 2));
  assert.equal(player.step, 2);
});

test("it says what is shown, of the chosen decoder only", () => {
  player.adopt(FRAMES);
  player.play(RECORDS, 0);
  page.wait(650);
  assert.equal(said(), "2 of 4 bits: row distance 1, error 25.0 % (2 of 8)");
  const bar = root.querySelector(".player");
  const slider = bar.querySelector("input");
  assert.deepEqual([bar.hidden, slider.max, slider.value], [false, "3", "2"]);
  player.report(RECORDS, 1);
  assert.equal(bar.hidden, true);
});
