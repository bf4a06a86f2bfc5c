import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeComponent, FakeElement, fakePage } from "./fakes.js";

const page = fakePage();
const { Messenger, whenQuiet } = await import("#browser/quiet.js");

function sentAt(root = new FakeElement()) {
  const found = { waited: null };
  let waited = 0;
  whenQuiet(root, () => (found.waited = waited));
  found.wait = (ms) => {
    for (; ms > 0; ms -= 5) {
      waited += 5;
      page.wait(5);
    }
  };
  return found;
}

test("an event is sent at once where nothing runs", () => {
  page.script = "notRunning";
  assert.equal(sentAt().waited, 0);
});

test("an event waits for the run that is under way or asked for", () => {
  for (const state of ["running", "rerunRequested"]) {
    page.script = state;
    const found = sentAt();
    found.wait(60);
    assert.equal(found.waited, null);
    page.script = "notRunning";
    found.wait(25);
    assert.equal(found.waited, 75);
  }
});

test("an event of a page that is gone is never sent", () => {
  page.script = "running";
  const root = new FakeElement();
  const found = sentAt(root);
  root.isConnected = false;
  page.script = "notRunning";
  found.wait(200);
  assert.equal(found.waited, null);
});

test("an event is not held for ever", () => {
  page.script = "running";
  const found = sentAt();
  found.wait(2995);
  assert.equal(found.waited, null);
  found.wait(25);
  assert.equal(found.waited, 3000);
});

test("an event waits while what was touched elsewhere may start a run", (t) => {
  page.script = "notRunning";
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const root = new FakeElement();
  now = 10_000;
  page.window.happen("pointerdown", { composedPath: () => [new FakeElement()] });
  const found = sentAt(root);
  assert.equal(found.waited, null);
  now += 200;
  found.wait(25);
  assert.equal(found.waited, 25);
  page.window.happen("keydown", { composedPath: () => [root] });
  assert.equal(sentAt(root).waited, 0); // touched in the component itself
});

test("Python is told through the newest message, if what is told still holds", (t) => {
  t.mock.method(performance, "now", () => 20_000);
  const messenger = new Messenger(new FakeElement());
  messenger.state("early", 1); // before any message nobody listens
  const [old, now] = [fakeComponent(), fakeComponent()];
  messenger.connect(old);
  page.script = "running";
  messenger.state("pick", 3);
  messenger.state("pick", 2, () => false);
  messenger.trigger("next", true);
  messenger.connect(now);
  page.script = "notRunning";
  page.wait(30);
  assert.deepEqual(old.told, []);
  assert.deepEqual(now.told, [
    ["state", "pick", 3],
    ["trigger", "next", true],
  ]);
});

test("an event waits for the page that was asked for, however long the server takes", (t) => {
  page.script = "notRunning";
  let now = 20_000;
  t.mock.method(performance, "now", () => now);
  const link = new FakeElement();
  link.dataset.testid = "stTopNavLink";
  page.window.happen("click", { composedPath: () => [new FakeElement(), link] });
  const found = sentAt();
  now += 2_000;
  found.wait(100);
  assert.equal(found.waited, null);
  now += 1_500;
  found.wait(25);
  assert.equal(found.waited, 125);
});

/** A messenger on a page of its own, whose server can be lost and found; `told` is what Python was told. */
function onPage(t, ready) {
  t.mock.method(performance, "now", () => 90_000);
  const own = fakePage();
  const [messenger, component] = [new Messenger(new FakeElement(), ready), fakeComponent()];
  messenger.connect(component);
  const now = (connection, script) => {
    Object.assign(own, { connection, script });
    own.noticed();
    own.wait(25);
  };
  return { own, messenger, told: component.told, now, component };
}

test("what is done while the server is away is told when it has drawn the page again", (t) => {
  const { own, messenger, told, now, component } = onPage(t);
  now("PINGING_SERVER", "notRunning");
  messenger.state("decoder", "loss");
  own.wait(60_000);
  now("CONNECTED", "notRunning"); // the run is asked for, and has not begun
  assert.deepEqual(told, []);
  now("CONNECTED", "running");
  own.wait(60_000); // a server that has just begun takes its time
  assert.deepEqual(told, []);
  now("CONNECTED", "notRunning"); // what it drew has not come
  assert.deepEqual(told, []);
  messenger.connect(component);
  own.wait(25);
  assert.deepEqual(told, [["state", "decoder", "loss"]]);
});

test("what no run has answered is told again, if it still holds; what was answered is not", (t) => {
  const { messenger, told, now, component } = onPage(t);
  const back = () => {
    now("CONNECTING", "notRunning");
    now("CONNECTED", "running");
    messenger.connect(component);
    now("CONNECTED", "notRunning");
  };
  messenger.state("decoder", "loss");
  let holds = true;
  messenger.state("pick", 3, () => holds);
  messenger.trigger("next", true); // would go on twice
  holds = false;
  back();
  assert.deepEqual(
    told.map(([, name]) => name),
    ["decoder", "pick", "next", "decoder"],
  );
  now("CONNECTED", "running");
  now("CONNECTED", "notRunning");
  back();
  assert.equal(told.length, 4);
});

test("what is done waits until the component takes events again", (t) => {
  let ready = false;
  const { own, messenger, told } = onPage(t, () => ready);
  messenger.state("decoder", "loss");
  own.wait(20_000);
  assert.deepEqual(told, []);
  ready = true;
  own.wait(25);
  assert.equal(told.length, 1);
});
