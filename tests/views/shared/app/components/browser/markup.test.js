import assert from "node:assert/strict";
import { test } from "node:test";
import { fromFile, markup, put } from "#browser/markup.js";

test("what is put into markup is text, in contents and in attributes", () => {
  const name = `<i title="a'b\`">&`;
  const shown = "&#60;i title=&#34;a&#39;b&#96;&#34;&#62;&#38;";
  assert.equal(String(markup`<b title="${name}">${name}</b>`), `<b title="${shown}">${shown}</b>`);
  assert.equal(String(markup`${5}${true}`), "5true");
});

test("markup and lists of it stay markup, texts in lists do not", () => {
  const cells = ["<a>", "b"].map((name) => markup`<td>${name}</td>`);
  assert.equal(String(markup`<tr>${cells}</tr>`), "<tr><td>&#60;a&#62;</td><td>b</td></tr>");
  assert.equal(String(markup`${["<a>", markup`<br>`]}`), "&#60;a&#62;<br>");
});

test("only markup goes into a page", () => {
  const place = { innerHTML: "" };
  put(place, markup`<b>${"<i>"}</b>`);
  assert.equal(place.innerHTML, "<b>&#60;i&#62;</b>");
  put(place, fromFile("<p></p>"));
  assert.equal(place.innerHTML, "<p></p>");
  for (const other of ["<b></b>", { text: "<b></b>" }, new String("<b></b>")]) {
    assert.throws(() => put(place, other), TypeError);
  }
  assert.equal(place.innerHTML, "<p></p>");
});
