import assert from "node:assert/strict";
import { test } from "node:test";
import * as codes from "#browser/codes.js";

const CODE = [
  [1, -1, 0],
  [-1, 1, 1],
];

test("the distance of rows counts an entry against 0 one half", () => {
  assert.equal(codes.doubledRowDistance(CODE, 1), 2);
  assert.equal(codes.doubledRowDistance(CODE, 3), 5);
  assert.equal(
    codes.doubledRowDistance(
      [
        [1, 1],
        [1, -1],
        [1, 1],
      ],
      2,
    ),
    0,
  );
});

test("edits give a new matrix and leave the old one", () => {
  const before = JSON.stringify(CODE);
  assert.equal(codes.writeCode(codes.cycle(CODE, 0, 2, 1)), "+-+\n-++");
  assert.equal(codes.writeCode(codes.cycle(CODE, 0, 2, -1)), "+--\n-++");
  assert.equal(codes.writeCode(codes.cycle(CODE, 0, 0, 1)), "--0\n-++");
  assert.equal(codes.writeCode(codes.setEntry(CODE, 1, 1, 0)), "+-0\n-0+");
  assert.equal(codes.writeCode(codes.addColumn(CODE, 3)), "+-0+\n-++-");
  assert.equal(codes.writeCode(codes.duplicateColumn(CODE, 0)), "++-0\n--++");
  assert.equal(codes.writeCode(codes.removeColumn(CODE, 1)), "+0\n-+");
  assert.equal(codes.writeCode(codes.complementColumn(CODE, 0)), "--0\n+++");
  assert.equal(JSON.stringify(CODE), before);
});

test("what Python writes is read", () => {
  assert.deepEqual(codes.readCode(["+-0", "-++"]), CODE);
});
