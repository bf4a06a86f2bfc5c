import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeElement, fakePage } from "./fakes.js";

async function opened(width, window) {
  const page = fakePage();
  globalThis.window = Object.assign(window ?? page.window, { innerWidth: width });
  const button = new FakeElement();
  button.clicks = 0;
  button.click = () => (button.clicks += 1);
  globalThis.window.document = { querySelector: () => button };
  await import(`#browser/frame.js?${Math.random()}`);
  return button.clicks;
}

test("a narrow window folds the sidebar away, once; a wide one does not", async () => {
  assert.equal(await opened(1001), 0);
  assert.equal(await opened(1000), 1);
  assert.equal(await opened(1000, globalThis.window), 0);
});
