/** The grammar of style sheets, nested rules of their dialects included: enough for colours, and a tenth of the
 * size of one that knows every property. */

import { simpleMode } from "@codemirror/legacy-modes/mode/simple-mode";

const COMMON = [
  { regex: /\/\*/, token: "comment", push: "comment" },
  { regex: /\/\/.*/, token: "comment" },
  { regex: /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/, token: "string" },
  { regex: /url\([^)"']*/, token: "string" },
];

export const stylesheet = simpleMode({
  start: [
    ...COMMON,
    { regex: /@[\w-]+/, token: "keyword" },
    { regex: /[$@]?--?[\w-]+(?=\s*:)|[$][\w-]+(?=\s*:)/, token: "propertyName", push: "value" },
    { regex: /[a-z][\w-]*(?=\s*:(?:\s|[^:{]*;))/, token: "propertyName", push: "value" },
    { regex: /[.][\w-]+/, token: "className" },
    { regex: /#[\w-]+/, token: "labelName" },
    { regex: /::?[\w-]+/, token: "modifier" },
    { regex: /-?(?:\d+\.?\d*|\.\d+)(?:[a-z]+|%)?/i, token: "number" },
    { regex: /[a-z][\w-]*/i, token: "tagName" },
  ],
  value: [
    ...COMMON,
    { regex: /[;{}]/, pop: true },
    { regex: /!\s*\w+/, token: "keyword" },
    { regex: /#[\da-f]{3,8}\b/i, token: "number" },
    { regex: /-?(?:\d+\.?\d*|\.\d+)(?:[a-z]+|%)?/i, token: "number" },
    { regex: /[$@]?--?[a-z][\w-]*|[$@][\w-]+/i, token: "propertyName" },
    { regex: /[a-z][\w-]*(?=\()/i, token: "variableName.function" },
    { regex: /[a-z][\w-]*/i, token: "atom" },
  ],
  comment: [
    { regex: /.*?\*\//, token: "comment", pop: true },
    { regex: /.*/, token: "comment" },
  ],
  languageData: { commentTokens: { block: { open: "/*", close: "*/" } } },
});
