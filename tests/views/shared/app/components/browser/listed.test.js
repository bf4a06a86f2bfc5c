import assert from "node:assert/strict";
import { test } from "node:test";

function said(table, top) {
  return { getAttribute: (name) => ({ "data-table": table, "data-top": top })[name] };
}

test("a table is scrolled to the row that the page names, once it is there, and left alone after", async () => {
  const observers = [];
  class MutationObserver {
    constructor(act) {
      this.act = act;
      observers.push(this);
    }
    observe(node, how) {
      Object.assign(this, { node, how });
    }
  }
  const waiting = [];
  const shown = { ".eco-listed": null };
  const body = {};
  const document = { body, querySelector: (selector) => shown[selector] ?? null };
  globalThis.window = { document, MutationObserver, setTimeout: (act) => waiting.push(act) };
  await import(`#browser/listed.js?${Math.random()}`);
  await import(`#browser/listed.js?${Math.random()}`); // another page: nobody watches twice
  assert.equal(observers.length, 1);
  assert.deepEqual([observers[0].node, observers[0].how.subtree], [body, true]);

  shown[".eco-listed"] = said("st-key-list-27", "700");
  observers[0].act();
  assert.equal(waiting.length, 1); // there is no table yet
  const table = { scrollHeight: 288, clientHeight: 288, scrollTop: 0 };
  shown[".st-key-list-27 .dvn-scroller"] = table;
  waiting.pop()();
  assert.deepEqual([waiting.length, table.scrollTop], [1, 0]); // nor its rows
  table.scrollHeight = 1209;
  waiting.pop()();
  assert.deepEqual([waiting.length, table.scrollTop], [0, 700]);

  table.scrollTop = 100; // somebody scrolls
  observers[0].act();
  assert.equal(table.scrollTop, 100);
  shown[".eco-listed"] = said("st-key-list-27", "28"); // the page says another row
  observers[0].act();
  assert.equal(table.scrollTop, 28);
  shown[".eco-listed"] = null;
  observers[0].act();
  assert.equal(table.scrollTop, 28);
});
