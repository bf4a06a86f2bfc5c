import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, kindOf, packed, PALETTE, rootOf, within, until } from "./fakes.js";

LOOKS.decoder_tiles = { markup: '<div class="dt"></div>', style: "", palette: PALETTE };
let page = fakePage();
const { default: show } = await import("#browser/decoder_tiles.js");

let place;
let component;
let end;

const HEADER = {
  n: 2,
  xRange: [0, 2],
  yRange: [0, 2],
  classes: [kindOf("a & b"), kindOf("two")],
  decoders: ["hamming", "linear"].map((key) => ({ key, title: key, note: "3 %", summary: "Counts." })),
  own: 1,
  choosable: true,
  said: "Four decoders.",
  differ: "on 25 %",
  group: "",
  nPoints: 2,
};
const BLOCKS = {
  labels: Uint8Array.of(0, 1, 1, 1, 0, 0, 0, 1),
  xy: new Uint8Array(Float32Array.of(0.5, 1.5, 0.5, 1.5).buffer),
  classes: Uint8Array.of(0, 1),
  wrong: Uint8Array.of(0, 1, 0, 1),
};

async function send(changes = {}, message) {
  component = fakeComponent(message ?? (await packed({ ...HEADER, ...changes }, BLOCKS)), place);
  end = show(component);
  await until(() => rootOf(place).dataset.paintMs);
}

beforeEach(() => {
  page = fakePage();
  place = new FakeElement();
});

function tiles() {
  return rootOf(place).querySelector(".tiles");
}

test("there is a picture of every decoder and one of where they disagree", async () => {
  await send();
  assert.equal(tiles().children.length, 3);
  assert.match(tiles().innerHTML, /Where they disagree<\/b><small>on 25 %/);
  assert.match(
    tiles().innerHTML,
    /data-key="hamming" title="Counts\." aria-pressed="false".*data-key="linear".*aria-pressed="true"/,
  );
  assert.equal(rootOf(place).querySelector(".said").textContent, "Four decoders.");
  assert.match(rootOf(place).querySelector(".classes").innerHTML, /title="a &#38; b"/);
  const sizes = tiles().children.map((tile) => tile.children[0].width);
  assert.deepEqual(sizes, [132, 132, 132]);
  const arcs = tiles().children.map((tile) => tile.children[0].getContext().named("arc").length);
  assert.deepEqual(arcs, [0, 2, 2]);
  assert.ok(rootOf(place).dataset.paintMs);
});

test("choosing a picture tells Python", async () => {
  await send();
  tiles().happen("click", { target: within(["[data-key]"], { key: "hamming" }) });
  const still = within(["[data-key]"], { key: "linear" });
  still.setAttribute("aria-disabled", "true");
  tiles().happen("click", { target: still });
  assert.deepEqual(component.told, [["trigger", "decoder", "hamming"]]);
});

test("pictures that cannot be chosen say so; a single one has none to disagree with", async () => {
  await send({ choosable: false, decoders: HEADER.decoders.slice(0, 1), group: "Reductions" });
  assert.match(tiles().innerHTML, /aria-disabled="true"/);
  assert.ok(!tiles().innerHTML.includes("disagree"));
  assert.equal(tiles().getAttribute("aria-label"), "Reductions");
});

test("many classes are not listed", async () => {
  await send({ classes: Array.from({ length: 13 }, () => kindOf("a")) });
  assert.equal(rootOf(place).querySelector(".classes").innerHTML, "");
});

test("pictures are painted anew where they have another size, and never after the end", async () => {
  await send();
  const [observer] = page.observers;
  const [first] = tiles().children;
  first.clientWidth = 200;
  globalThis.window.devicePixelRatio = 3;
  observer.act();
  assert.equal(first.children[0].width, 400); // twice as sharp at most
  const painted = first.children[0].getContext().calls.length;
  observer.act();
  assert.equal(first.children[0].getContext().calls.length, painted);
  end();
  assert.deepEqual(page.observers, []);
});

test("a message that a newer one overtook is not shown; the same one is not read again", async () => {
  const [old, now] = await Promise.all([
    packed({ ...HEADER, said: "old" }, BLOCKS),
    packed({ ...HEADER, said: "now" }, BLOCKS),
  ]);
  show(fakeComponent(old, place));
  await send({}, now);
  assert.equal(rootOf(place).querySelector(".said").textContent, "now");
  globalThis.document.activeElement = { dataset: { key: "linear" } };
  page.background = "#000000";
  show(fakeComponent(now, place));
  await until(() => tiles().children[2].focused);
  assert.equal(rootOf(place).style["--ink"], PALETTE.dark.ink);
  assert.equal(tiles().children[2].focused, 1);
});
