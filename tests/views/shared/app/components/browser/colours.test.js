import assert from "node:assert/strict";
import { test } from "node:test";
import { mix, rgb, setColours, themeOf } from "#browser/colours.js";
import { FakeElement, fakePage, PALETTE } from "./fakes.js";

test("colours are read and mixed", () => {
  assert.deepEqual(rgb("#10ff80"), [16, 255, 128]);
  assert.deepEqual(mix([0, 100, 255], [100, 0, 255], 0.25), [75, 25, 255]);
});

test("the theme is that of the page's own background", () => {
  for (const [background, dark] of [
    ["#ffffff", false],
    ["#12161d", true],
    ["", false],
  ]) {
    fakePage({ background });
    const found = themeOf(new FakeElement(), PALETTE);
    assert.equal(found.dark, dark);
    assert.equal(found.ink, PALETTE[dark ? "dark" : "light"].ink);
  }
});

test("the style sheet gets every colour by name", () => {
  const element = new FakeElement();
  setColours(element, { dark: true, ...PALETTE.dark });
  assert.equal(element.style["--accent"], PALETTE.dark.accent);
  assert.equal(element.style["--region"], "0.36");
  assert.ok(!("--dark" in element.style));
});
