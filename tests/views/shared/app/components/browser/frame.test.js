import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeElement, fakePage } from "./fakes.js";

/** Open a page in which some parts stand; what is in `page` decides what is found. */
async function opened(width, window) {
  const page = fakePage();
  const button = new FakeElement();
  Object.assign(page, { button, skeleton: null, heights: [10, 20] });
  button.clicks = 0;
  button.click = () => (button.clicks += 1);
  globalThis.window = Object.assign(window ?? page.window, { innerWidth: width });
  const app = { dataset: {} };
  Object.defineProperty(app.dataset, "testScriptState", { get: () => page.script });
  const found = (selector) =>
    selector.includes("stApp") ? app : selector.includes("stSkeleton") ? page.skeleton : button;
  globalThis.window.document = {
    documentElement: new FakeElement("html"),
    querySelector: found,
    querySelectorAll: () => page.heights.map((offsetHeight) => ({ offsetHeight })),
  };
  page.there = () => globalThis.window.document.documentElement.dataset.eco === "there";
  await import(`#browser/frame.js?${Math.random()}`);
  return page;
}

test("a narrow window folds the sidebar away, once; a wide one does not", async () => {
  assert.equal((await opened(1001)).button.clicks, 0);
  assert.equal((await opened(1000)).button.clicks, 1);
  assert.equal((await opened(1000, globalThis.window)).button.clicks, 0);
});

test("the page is seen once it has stood still for a while", async () => {
  const page = await opened(1440);
  page.wait(80);
  assert.equal(page.there(), false);
  page.heights = [10, 30];
  page.wait(120);
  assert.equal(page.there(), false);
  page.wait(40);
  assert.equal(page.there(), true);
});

test("it is not seen while it runs or loads something", async () => {
  const page = await opened(1440);
  page.script = "running";
  page.wait(1000);
  page.script = "notRunning";
  page.skeleton = new FakeElement();
  page.wait(1000);
  assert.equal(page.there(), false);
  page.skeleton = null;
  page.wait(200);
  assert.equal(page.there(), true);
});
