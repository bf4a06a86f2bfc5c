import assert from "node:assert/strict";
import { test } from "node:test";
import { SvgPen } from "#browser/svg_pen.js";

test("what is filled and stroked becomes paths of the colours it had", () => {
  const pen = new SvgPen();
  pen.beginPath();
  pen.arc(10, 10, 4);
  pen.fillStyle = "#112233";
  pen.fill();
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.lineTo(1.234, 2);
  pen.closePath();
  pen.lineWidth = 2;
  pen.stroke();
  assert.deepEqual(String(pen.drawn).match(/<path.*?>/g), [
    '<path d="M6 10A4 4 0 1 0 14 10A4 4 0 1 0 6 10Z" fill="#112233"/>',
    '<path d="M0 0L1.23 2Z" fill="none" stroke="black" stroke-width="2" stroke-linejoin="round"/>',
  ]);
});

test("text is text, as large as its type, on the line where a canvas would write it", () => {
  const pen = new SvgPen();
  pen.font = "20px sans-serif";
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  pen.fillText("<b>", 5, 10);
  assert.equal(
    String(pen.drawn).replace(/ >/, ">"),
    '<text x="5" y="16.8" font-size="20" text-anchor="end" fill="black">&#60;b&#62;</text>',
  );
});

test("a pen writes what it is moved by, and no more when that is over", () => {
  const pen = new SvgPen();
  pen.save();
  pen.translate(3, 4);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText("a", 0, 0);
  pen.restore();
  pen.fillText("b", 1, 2);
  const [first, second] = String(pen.drawn).match(/<text.*?<\/text>/g);
  assert.match(first, /text-anchor="middle".*transform="translate\(3 4\) rotate\(-90\)"/);
  assert.ok(!second.includes("transform"));
});
