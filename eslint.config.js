import js from "@eslint/js";
import globals from "globals";

/** What takes a text as markup. */
const MARKUP = [
  "innerHTML",
  "outerHTML",
  "insertAdjacentHTML",
  "createContextualFragment",
  "parseFromString",
  "parseHTMLUnsafe",
  "setHTMLUnsafe",
  "srcdoc",
];

export default [
  { ignores: [".venv/", "build/", "dist/"] },
  js.configs.recommended,
  {
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-lines": ["error", { max: 400 }],
      "max-lines-per-function": ["error", { max: 60 }],
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["ecocviz/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: `MemberExpression > .property[name=/^(${MARKUP.join("|")})$/]`,
          message: "Texts go into a page through the tag of markup.js, and `put`.",
        },
        {
          selector: "CallExpression[callee.object.name='document'][callee.property.name=/^write/]",
          message: "Texts go into a page through the tag of markup.js, and `put`.",
        },
        {
          selector: `MemberExpression > Literal.property[value=/^(${MARKUP.join("|")})$/]`,
          message: "Texts go into a page through the tag of markup.js, and `put`.",
        },
      ],
    },
  },
  { files: ["tests/**/*.js"], languageOptions: { globals: globals.nodeBuiltin } },
];
