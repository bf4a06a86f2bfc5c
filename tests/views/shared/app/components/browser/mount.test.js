import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS, mounted } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, PALETTE } from "./fakes.js";

let views;
let show;

beforeEach(() => {
  fakePage();
  views = [];
  LOOKS.thing = { markup: '<div class="thing"></div>', style: "p { margin: 0 }", palette: PALETTE };
  show = mounted("thing", (root, palette) => {
    const view = { root, palette, seen: [], closed: 0 };
    view.receive = (component) => view.seen.push(component.data);
    view.close = () => (view.closed += 1);
    views.push(view);
    return view;
  });
});

test("one view a place gets every message, in its markup and style", () => {
  const place = new FakeElement();
  show(fakeComponent(1, place));
  show(fakeComponent(2, place));
  show(fakeComponent(3));
  assert.deepEqual(
    views.map((view) => view.seen),
    [[1, 2], [3]],
  );
  const [around] = place.children;
  assert.equal(around.children[0], views[0].root);
  assert.equal(around.children[1].textContent, "p { margin: 0 }");
  assert.equal(views[0].palette, PALETTE);
});

test("when the component goes its view ends and its place is empty", () => {
  const place = new FakeElement();
  show(fakeComponent(1, place));
  show(fakeComponent(2, place))();
  assert.equal(views[0].closed, 1);
  assert.deepEqual(place.children, []);
  show(fakeComponent(3, place));
  assert.equal(views.length, 2);
});

test("a call that a newer one overtook ends nothing", () => {
  const place = new FakeElement();
  const overtaken = show(fakeComponent(1, place));
  const end = show(fakeComponent(2, place));
  overtaken();
  assert.equal(views[0].closed, 0);
  assert.equal(place.children.length, 1);
  end();
  assert.equal(views[0].closed, 1);
});

test("a call that ended before the newer one came leaves a place for it", () => {
  const place = new FakeElement();
  show(fakeComponent(1, place))();
  show(fakeComponent(2, place));
  assert.deepEqual(
    views.map((view) => [view.seen, view.closed]),
    [
      [[1], 1],
      [[2], 0],
    ],
  );
  assert.equal(place.children.length, 1);
});

test("where the page has dropped the markup the view is made anew", () => {
  const place = new FakeElement();
  show(fakeComponent(1, place));
  place.children[0].remove();
  show(fakeComponent(2, place));
  assert.deepEqual(
    views.map((view) => [view.seen, view.closed]),
    [
      [[1], 1],
      [[2], 0],
    ],
  );
});

test("a call that comes when the component has gone makes nothing", () => {
  const place = new FakeElement();
  place.isConnected = false;
  show(fakeComponent(1, place))();
  assert.deepEqual([views, place.children], [[], []]);
});
