import assert from "node:assert/strict";
import { test } from "node:test";
import { pdfPage } from "#browser/pdf_page.js";

const JPEG = new Uint8Array([0xff, 0xd8, 0x00, 0x80, 0xff, 0xd9]);
const made = pdfPage(JPEG, { width: 100, height: 50 }, { width: 400, height: 200 });
const text = [...made].map((byte) => String.fromCharCode(byte)).join("");

test("the page is as large as the picture on the screen, in points", () => {
  assert.ok(text.startsWith("%PDF-1.4\n") && text.endsWith("%%EOF\n"));
  assert.match(text, /\/MediaBox \[0 0 75 37\.5\]/);
  assert.match(text, /q 75 0 0 37\.5 0 0 cm \/Im Do Q/);
});

test("the picture is inside, byte by byte, and said to be as large as it is", () => {
  assert.match(text, /\/Width 400 \/Height 200 .*\/Filter \/DCTDecode \/Length 6 /);
  const start = text.indexOf("\xff\xd8");
  assert.deepEqual([...made.slice(start, start + 6)], [...JPEG]);
  assert.equal(text.slice(start + 6, start + 16), "\nendstream");
});

test("the table says where every object begins, and its end where the table is", () => {
  const [, table] = /startxref\n(\d+)\n/.exec(text);
  assert.ok(text.slice(Number(table)).startsWith("xref\n0 6\n0000000000 65535 f \n"));
  const places = [...text.slice(Number(table)).matchAll(/(\d{10}) 00000 n \n/g)].map(([, place]) => Number(place));
  assert.equal(places.length, 5);
  places.forEach((place, k) => assert.ok(text.slice(place).startsWith(`${k + 1} 0 obj\n`)));
  const [, size] = /<< \/Length (\d+) >>\nstream\n/.exec(text);
  assert.equal(text.indexOf("\nendstream") - text.indexOf("q 75"), Number(size));
});
