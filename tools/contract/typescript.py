"""The documents as types of TypeScript, laid out as Prettier does it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tools.contract.shapes import Chapter, Choice, Key, Shape, members

WIDTH = 110

HEAD = """\
/**
 * What the server sends, as it sends it. Made from blueline/contract by `python -m tools.contract`:
 * what is typed in here is lost.
 */
"""

NOT_SENT = {"checks", "exports", "setup", "statements", "suggestions"}
"""Chapters of which the page is sent nothing."""

PLAIN = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "object": "unknown",
    "Any": "unknown",
}


def typescript(chapters: Iterable[Chapter]) -> str:
    """The whole file."""
    parts = [HEAD]
    for chapter in chapters:
        if chapter.name not in NOT_SENT:
            parts += ["\n".join(_item(item)) + "\n" for item in chapter.items]
    return "\n".join(parts)


def _item(item: Shape | Choice) -> Iterator[str]:
    if isinstance(item, Choice):
        yield from _choice(item)
        return
    yield f"/** {item.words} */"
    extends = f" extends {', '.join(item.bases)}" if item.bases else ""
    if not item.keys:
        yield f"export interface {item.name}{extends} {{}}"
        return
    yield f"export interface {item.name}{extends} {{"
    for key in item.keys:
        yield from _key(key)
    yield "}"


def _choice(item: Choice) -> Iterator[str]:
    line = f"export type {item.name} = {spelled(item.type)};"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"export type {item.name} ="
    line = f"  {spelled(item.type)};"
    if len(line) <= WIDTH:
        yield line
        return
    options = [option for member in members(item.type) for option in spelled(member).split(" | ")]
    yield from (f"  | {option}" for option in options[:-1])
    yield f"  | {options[-1]};"


def _key(key: Key) -> Iterator[str]:
    if key.words:
        yield f"  /** {key.words} */"
    yield f"  {key.name}{'?' if key.is_optional else ''}: {spelled(key.type)};"


def spelled(type_: ast.expr) -> str:
    """A type in TypeScript's words."""
    match type_:
        case ast.Constant(value=None):
            return "null"
        case ast.Name(id=name):
            return PLAIN.get(name, name)
        case ast.BinOp():
            return " | ".join(spelled(member) for member in members(type_))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=words):
            chosen = words.elts if isinstance(words, ast.Tuple) else [words]
            return " | ".join(f'"{ast.literal_eval(word)}"' for word in chosen)
        case ast.Subscript(value=ast.Name(id="list"), slice=one):
            inner = spelled(one)
            return f"({inner})[]" if " | " in inner and not inner.endswith("[]") else f"{inner}[]"
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[name, value])):
            return f"Record<{spelled(name)}, {spelled(value)}>"
        case _:
            raise ValueError(f"the contract has no words for {ast.unparse(type_)}")
