import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { domPicture } from "#browser/dom_picture.js";
import { markup } from "#browser/markup.js";

const PLAIN = {
  backgroundColor: "rgba(0, 0, 0, 0)",
  borderTopLeftRadius: "3px",
  borderTopWidth: "0px",
  borderBottomWidth: "0px",
  borderTopColor: "rgb(9, 9, 9)",
  borderBottomColor: "rgb(8, 8, 8)",
  boxShadow: "none",
  textDecorationLine: "none",
  fontSize: "10px",
  fontWeight: "400",
  color: "rgb(1, 2, 3)",
  fontFamily: '"A & B", sans-serif',
};

class Element {
  constructor(rect, { style = {}, children = [], seen = true, matching = "" } = {}) {
    Object.assign(this, { rect, style: { ...PLAIN, ...style }, childNodes: children, seen, matching });
  }

  getBoundingClientRect() {
    const [left, top, width, height] = this.rect;
    return { left, top, width, height };
  }

  checkVisibility() {
    return this.seen;
  }

  matches(selector) {
    return Boolean(this.matching) && selector.includes(this.matching);
  }
}
class Canvas extends Element {
  toDataURL() {
    return "data:image/png;base64,AA";
  }
}
class Words {
  constructor(data, rects) {
    Object.assign(this, { data, rects });
  }
}

beforeEach(() => {
  Object.assign(globalThis, { Element, HTMLCanvasElement: Canvas, Text: Words });
  Object.assign(globalThis, { SVGElement: class {}, HTMLSelectElement: class {} });
  globalThis.getComputedStyle = (element) => element.style;
  globalThis.document = {
    createRange: () => ({
      setStart(text, at) {
        this.rect = text.rects[text.data.slice(0, at).split(/\s+/).length - 1];
      },
      setEnd() {},
      getBoundingClientRect() {
        const [left, top, width, height] = this.rect;
        return { left, top, width, height };
      },
    }),
  };
});

function drawn(children, how = {}) {
  return domPicture(new Element([100, 50, 200, 80], { children }), { paper: "#ffffff", ...how });
}

test("the picture is as large as what is in it, with room around", () => {
  const { svg, width, height } = drawn([new Element([120, 60, 300, 20])]);
  assert.deepEqual([width, height], [344, 104]);
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="344" height="104" viewBox="-12 -12 344 104"/);
  assert.match(svg, /font-family="&#34;A &#38; B&#34;, sans-serif"/);
});

test("grounds, borders and outlines inside become boxes where they stand", () => {
  const box = [110, 60, 40, 20];
  const { svg } = drawn([
    new Element(box, { style: { backgroundColor: "rgb(4, 5, 6)" } }),
    new Element(box, { style: { borderTopWidth: "2px" } }),
    new Element(box, { style: { borderBottomWidth: "1px" } }),
    new Element(box, { style: { boxShadow: "rgb(7, 7, 7) 0px 0px 0px 1.5px inset" } }),
  ]);
  assert.match(svg, /<rect x="10" y="10" width="40" height="20" rx="3" fill="rgb\(4, 5, 6\)"\/>/);
  assert.match(svg, /<rect x="11" y="11" width="38" height="18" rx="3" fill="none" stroke="rgb\(9, 9, 9\)"/);
  assert.match(svg, /<rect x="10" y="29" width="40" height="1" fill="rgb\(8, 8, 8\)"\/>/);
  assert.match(svg, /stroke="rgb\(7, 7, 7\)" stroke-width="1.5"/);
});

test("texts are text, in the lines that the page has broken them into", () => {
  const words = new Words("one <two> three", [
    [110, 60, 20, 12],
    [135, 60, 30, 12],
    [110, 75, 30, 12],
  ]);
  const { svg } = drawn([new Element([110, 60, 60, 30], { children: [words] })]);
  const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)".*?>(.*?)<\/text>/g)].map((found) => found.slice(1));
  assert.deepEqual(texts, [
    ["10", "19.5", "one &#60;two&#62;"],
    ["10", "34.5", "three"],
  ]);
});

test("a canvas is a raster, or what is drawn in its place", () => {
  const canvas = new Canvas([110, 60, 40, 20]);
  assert.match(drawn([canvas]).svg, /translate\(10 10\)"><image width="40" height="20" href="data:image/);
  const { svg } = drawn([canvas], { canvas: () => markup`<path d="M0 0"/>` });
  assert.ok(svg.includes('<g transform="translate(10 10)"><path d="M0 0"/></g>') && !svg.includes("<image"));
});

test("what is not seen, and what is only to be clicked, is left out", () => {
  const style = { backgroundColor: "rgb(4, 5, 6)" };
  const box = [110, 60, 40, 20];
  const left = [{ seen: false }, { matching: ".save" }, { matching: ".zoom" }];
  const { svg } = drawn(
    left.map((more) => new Element(box, { style, ...more })),
    { skip: ".zoom" },
  );
  assert.ok(!svg.includes("rgb(4, 5, 6)"));
});
