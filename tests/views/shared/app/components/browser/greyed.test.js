import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeElement } from "./fakes.js";

class Element extends FakeElement {
  constructor(text = "", title = null) {
    super();
    this.textContent = text;
    this.title = title;
    this.marks = new Set();
    this.classList = { toggle: (name, on) => (on ? this.marks.add(name) : this.marks.delete(name)) };
  }
  getAttribute(name) {
    return name === "title" ? this.title : null;
  }
  setAttribute(_name, value) {
    this.title = value;
  }
  removeAttribute() {
    this.title = null;
  }
  querySelector() {
    return {};
  }
}

test("in a list that opens, what cannot be chosen is greyed with its reason", async () => {
  const options = [new Element("One-vs-all", "old"), new Element("Exhaustive (unavailable)")];
  const reasons = [new Element("For up to 11:\u2060 classes.", "Exhaustive (unavailable)")];
  const observers = [];
  class MutationObserver {
    constructor(act) {
      Object.assign(this, { act, watched: [] });
      observers.push(this);
    }
    observe(node) {
      this.watched.push(node);
    }
  }
  const body = {};
  const document = {
    body,
    querySelectorAll: (selector) => (selector.startsWith(".eco-reasons") ? reasons : options),
  };
  globalThis.window = { document, MutationObserver, HTMLElement: Element };
  await import(`#browser/greyed.js?${Math.random()}`);
  await import(`#browser/greyed.js?${Math.random()}`); // another page: nobody watches twice
  const [filled, lists] = observers;
  assert.deepEqual([observers.length, lists.watched], [2, [body]]);
  const list = new Element();
  lists.act([{ addedNodes: [list, {}] }]);
  assert.deepEqual(filled.watched, [list]);
  const look = () => options.map((one) => [[...one.marks], one.title]);
  assert.deepEqual(look(), [
    [[], null],
    [["eco-off"], "For up to 11: classes."],
  ]);
  options[1].textContent = "Ordinal"; // an element of a long list is used again for another option
  filled.act();
  assert.deepEqual(look(), [
    [[], null],
    [[], null],
  ]);
});
