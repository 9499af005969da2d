/** How text looks: all colours are those of the page (style/colours.css). */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "var(--code-size)", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code-font)", lineHeight: "var(--code-line)", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0 0 40vh 0" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "1.5px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-gutters": {
    backgroundColor: "var(--paper)",
    color: "var(--faint)",
    border: "none",
    fontVariantNumeric: "tabular-nums",
  },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 10px" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--rule)" },
  ".cm-searchMatch": { backgroundColor: "var(--found)" },
  ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "var(--found-now)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
});

/** What a part of a text is, by a class: its colour is that of the page (style/editor.css). */
export const syntax = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword], class: "tok-keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: "tok-string" },
  { tag: [tags.comment, tags.docComment], class: "tok-comment" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: "tok-number" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: "tok-function" },
  { tag: [tags.definition(tags.variableName), tags.definition(tags.propertyName)], class: "tok-function" },
  { tag: [tags.typeName, tags.className, tags.namespace], class: "tok-type" },
  { tag: [tags.meta, tags.annotation, tags.processingInstruction], class: "tok-meta" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], class: "tok-property" },
  { tag: [tags.tagName, tags.heading], class: "tok-heading" },
  { tag: tags.emphasis, class: "tok-emphasis" },
  { tag: tags.strong, class: "tok-strong" },
  { tag: [tags.link, tags.url], class: "tok-link" },
]);

export const looks: Extension = [theme, syntaxHighlighting(syntax)];
