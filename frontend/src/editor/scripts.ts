/** The grammar of JavaScript, TypeScript and JSX, token by token: enough for colours, and a thirtieth of the size
 * of one that knows every expression. */

import type { StreamParser, StringStream } from "@codemirror/language";

/** What a token stands in. A hole is code in a template (`${…}`) or in JSX (`{…}`). */
type Frame = "block" | "hole" | "template" | "tag" | "closing" | "children" | "comment";

interface ScriptState {
  frames: Frame[];
  /** An expression may begin here: a slash begins a regular expression, and `<` a tag. */
  begins: boolean;
  /** The next name in a tag is the tag's own. */
  named: boolean;
}

interface Dialect {
  jsx: boolean;
  types: boolean;
}

const words = (text: string) => new Set(text.split(" "));
const KEYWORDS = words(
  "async await break case catch class const continue debugger default delete do else export extends finally for " +
    "function if import in instanceof let new return static super switch this throw try typeof var void while " +
    "with yield of from as get set",
);
const OF_TYPES = words(
  "abstract any asserts boolean bigint declare enum implements infer interface is keyof module namespace never " +
    "number object override private protected public readonly satisfies string symbol type unique unknown",
);
const TYPE_NAMES = words("any boolean bigint never number object string symbol unknown void");
const ATOMS = words("true false null undefined NaN Infinity");
/** Behind these, what comes is no longer the beginning of an expression. */
const VALUES = words("this super");

/** How much of the line before a name is looked at. */
const FAR = 60;

const NUMBER = /^(?:0[xob][\da-f_]+n?|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?n?|\.\d[\d_]*(?:e[+-]?\d+)?)/i;
const REGEXP = /^\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;
const NAME = /^#?[\p{L}$_][\p{L}\p{N}$_]*/u;
const TAG_NAME = /^[\p{L}$_][\p{L}\p{N}$_:.-]*/u;
const STRING = /^(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/;
/** A tag, and neither a type parameter (`<T,>(`, `<T extends`) nor a comparison. */
const TAG = /^<(?=>|[\p{L}$_][\p{L}\p{N}$_:.-]*(?:\s+(?!extends\b)[\p{L}$_{]|\s*\/?>|\s*$))/u;

function comment(stream: StringStream, state: ScriptState): string {
  if (stream.match(/^.*?\*\//)) state.frames.pop();
  else stream.skipToEnd();
  return "comment";
}

function template(stream: StringStream, state: ScriptState): string {
  if (stream.match("`")) {
    state.frames.pop();
    state.begins = false;
  } else if (stream.match("${")) {
    state.frames.push("hole");
    state.begins = true;
    return "punctuation";
  } else if (!stream.match(/^(?:[^`\\$]|\\.|\$(?!\{))+/)) stream.next();
  return "string";
}

/** What stands between tags. */
function children(stream: StringStream, state: ScriptState): string | null {
  if (stream.match("{")) {
    state.frames.push("hole");
    state.begins = true;
    return "brace";
  }
  if (stream.match("</")) {
    state.frames[state.frames.length - 1] = "closing";
    state.named = true;
    return "angleBracket";
  }
  if (stream.match("<")) {
    state.frames.push("tag");
    state.named = true;
    return "angleBracket";
  }
  stream.match(/^[^<{]+/);
  return null;
}

function tag(stream: StringStream, state: ScriptState): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match("/*")) return begun(state, "comment", "comment");
  if (stream.match("/>")) return ended(state);
  if (stream.match(">")) {
    if (state.frames.at(-1) === "closing") return ended(state);
    state.frames[state.frames.length - 1] = "children";
    return "angleBracket";
  }
  if (stream.match("{")) {
    state.begins = true;
    return begun(state, "hole", "brace");
  }
  if (stream.match(STRING)) return "string";
  if (stream.match(TAG_NAME)) {
    const own = state.named;
    state.named = false;
    return own ? "tagName" : "attributeName";
  }
  stream.next();
  return null;
}

function begun(state: ScriptState, frame: Frame, token: string): string {
  state.frames.push(frame);
  return token;
}

function ended(state: ScriptState): string {
  state.frames.pop();
  state.begins = false;
  return "angleBracket";
}

function name(stream: StringStream, state: ScriptState, { types }: Dialect): string {
  const word = stream.current();
  const before = stream.string.slice(Math.max(0, stream.start - FAR), stream.start).trimEnd();
  const property = before.endsWith(".") && !before.endsWith("..");
  const called = stream.match(/^\s*(?:\?\.)?\(/, false);
  const key = stream.match(/^\s*\??:(?!:)/, false) && !/[?]\s*[^:]*$/.test(before);
  const reserved = KEYWORDS.has(word) || (types && OF_TYPES.has(word));
  if (property || (reserved && key)) {
    state.begins = false;
    return called ? "propertyName.function" : "propertyName";
  }
  if (ATOMS.has(word)) {
    state.begins = false;
    return "atom";
  }
  if (types && TYPE_NAMES.has(word) && /[:|&<,=(]$|\bas$/.test(before) && !called) {
    state.begins = false;
    return "typeName";
  }
  if (reserved && !(called && OF_TYPES.has(word) && !KEYWORDS.has(word))) {
    // Of the later words, many are names as well: they are words of the language before a name only.
    const soft =
      /^(?:of|from|as|get|set|async|type|is|module|namespace|number|string|object|symbol|any)$/.test(word);
    if (!soft || stream.match(/^\s*[\p{L}$_{*"'`[]/u, false)) {
      state.begins = !VALUES.has(word);
      return "keyword";
    }
  }
  state.begins = false;
  if (/\b(?:const|let|var|function)\*?$/.test(before)) return "variableName.definition";
  if (called) return "variableName.function";
  if (key) return "propertyName";
  if (/\b(?:class|interface|enum|type|extends|implements|new)$/.test(before)) return "typeName";
  return /^\p{Lu}/u.test(word) && /\p{Ll}/u.test(word) ? "typeName" : "variableName";
}

function code(stream: StringStream, state: ScriptState, dialect: Dialect): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match("//") || (stream.pos === 0 && stream.match("#!"))) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) return begun(state, "comment", "comment");
  if (stream.match("`")) return begun(state, "template", "string");
  if (stream.match(STRING)) {
    state.begins = false;
    return "string";
  }
  if (stream.match(NUMBER)) {
    state.begins = false;
    return "number";
  }
  if (state.begins && stream.match(REGEXP)) {
    state.begins = false;
    return "regexp";
  }
  if (dialect.jsx && state.begins && stream.match(TAG)) {
    state.named = true;
    return begun(state, "tag", "angleBracket");
  }
  if (stream.match(/^@[\p{L}$_][\p{L}\p{N}$_.]*/u)) return "meta";
  if (stream.match(NAME)) return name(stream, state, dialect);
  const sign = stream.next();
  state.begins = !/[)\]}]/.test(sign ?? "");
  if (sign === "{") state.frames.push("block");
  if (sign === "}") {
    const frame = state.frames.at(-1);
    if (frame === "block" || frame === "hole") state.frames.pop();
    state.begins = frame === "block";
  }
  return /[{}()[\];,.]/.test(sign ?? "") ? "punctuation" : "operator";
}

/** The grammar, with or without JSX and types. */
export const script = (dialect: Dialect): StreamParser<ScriptState> => ({
  name: "script",
  startState: () => ({ frames: [], begins: true, named: false }),
  copyState: state => ({ ...state, frames: [...state.frames] }),
  token(stream, state) {
    switch (state.frames.at(-1)) {
      case "comment":
        return comment(stream, state);
      case "template":
        return template(stream, state);
      case "tag":
      case "closing":
        return tag(stream, state);
      case "children":
        return children(stream, state);
      default:
        return code(stream, state, dialect);
    }
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
});

const JSON_NAME = /^"(?:[^"\\]|\\.)*"(?=\s*:)/;

/** JSON, with the comments that some files of it have. */
export const json: StreamParser<{ inComment: boolean }> = {
  name: "json",
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match("/*")) {
      state.inComment = !stream.match(/^.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(JSON_NAME)) return "propertyName";
    if (stream.match(STRING)) return "string";
    if (stream.match(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/i)) return "number";
    if (stream.match(/^(?:true|false|null)\b/)) return "atom";
    stream.next();
    return "punctuation";
  },
};
