// What the inspector is sent, made up: two bits, two classes, two decoders.

import { kindOf } from "./fakes.js";

export function inspection(changes = {}) {
  return {
    title: "Point <7>",
    said: "It is wrong.",
    of: "7",
    classes: [kindOf("a"), kindOf("b", "square")],
    truth: 0,
    decoder: 0,
    flips: [0],
    tipping: [0],
    wrong: [0, 1],
    split: [1],
    matter: [0, 1],
    steps: [[1, "With the first bit."]],
    flipText: "One flip would do.",
    readText: "It reads signs.",
    nextText: "Next wrong point",
    scores: ["1.5", "\u22120.5"],
    bars: [100, -33],
    chances: ["0.90", "0.40"],
    says: "+-",
    asks: "-+",
    verdicts: [
      { title: "Hamming", winner: 0, runnerUp: 1, tied: [], margin: "1", tips: "1", costs: ["1", "2"] },
      { title: "<L>", winner: 1, runnerUp: 0, tied: [0, 1], margin: "0", tips: "\u2013", costs: ["7", "7"] },
    ],
    ...changes,
  };
}

/** The same of a code with `n` bits, none of which is anything special. */
export function longInspection(n, changes = {}) {
  return inspection({
    ...{ scores: Array(n).fill("1.0"), bars: Array(n).fill(50), chances: Array(n).fill("0.7") },
    ...{ says: "+".repeat(n), asks: "+".repeat(n), flips: [], tipping: [], wrong: [], split: [], matter: [] },
    ...changes,
  });
}
