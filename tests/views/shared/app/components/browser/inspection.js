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
    flipText: "One flip would do.",
    nextText: "Next wrong point",
    bits: [
      { score: 1.5, text: "1.5", hard: 1, p: 0.9, asks: 1 },
      { score: -0.5, text: "\u22120.5", hard: -1, p: 0.4, asks: 1 },
    ],
    verdicts: [
      { title: "Hamming", winner: 0, runnerUp: 1, margin: "1", tips: "1", costs: ["1", "2"] },
      { title: "<L>", winner: 1, runnerUp: 0, margin: "1", tips: "\u2013", costs: ["7", "6"] },
    ],
    ...changes,
  };
}
