"""The documents as tables of their keys, for people."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tools.contract.shapes import Chapter, Choice, Key, Shape, members

BEGIN, END = "<!-- made by `python -m tools.contract`: begin -->", "<!-- end -->"
KEYS_OF = re.compile(
    r"(?P<mark><!-- made by `python -m tools\.contract`: keys of (?P<name>\w+) -->)\n.*?<!-- end -->",
    re.DOTALL,
)
CONTRACT = "contract.md"


def tables(page: str, chapters: Iterable[Chapter]) -> str:
    """The page with the tables of today between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no place for the tables: {BEGIN} … {END}")
    return f"{before}{BEGIN}\n\n{_all(list(chapters))}\n{END}{after}"


def with_keys(page: str, chapters: Iterable[Chapter]) -> str:
    """Another page, with a table of all keys wherever it names a document for that."""
    items = [item for chapter in chapters for item in chapter.items]
    shapes = {item.name: item for item in items if isinstance(item, Shape)}
    spelled_out = _SpelledOut({item.name: item.type for item in items if isinstance(item, Choice)})

    def table(found: re.Match[str]) -> str:
        keys = [spelled_out.key(key) for key in _keys(shapes[found["name"]], shapes)]
        rows = "\n".join(_row(key, {*shapes}, CONTRACT) for key in keys)
        return f"{found['mark']}\n\n| key | value | |\n|---|---|---|\n{rows}\n\n{END}"

    return KEYS_OF.sub(table, page)


class _SpelledOut(ast.NodeTransformer):
    """Puts the words in the place of a name for them."""

    def __init__(self, choices: Mapping[str, ast.expr]) -> None:
        self._choices = choices

    def key(self, key: Key) -> Key:
        return replace(key, type=self.visit(copy.deepcopy(key.type)))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._choices.get(node.id, node)


def _keys(shape: Shape, shapes: Mapping[str, Shape]) -> list[Key]:
    """The keys of a document, those that it has from others first."""
    inherited = (key for base in shape.bases for key in _keys(shapes[base], shapes))
    return [*inherited, *shape.keys]


def _all(chapters: list[Chapter]) -> str:
    names = {item.name for chapter in chapters for item in chapter.items if isinstance(item, Shape)}
    parts: list[str] = []
    for chapter in chapters:
        parts += [f"## {chapter.name.capitalize()}\n", f"{chapter.words.partition(chr(10))[0]}\n"]
        for item in chapter.items:
            parts.append("\n".join(_item(item, names)) + "\n")
    return "\n".join(parts)


def _item(item: Shape | Choice, names: set[str]) -> Iterator[str]:
    if isinstance(item, Choice):
        yield f"`{item.name}`: {_spelled(item.type, names)}."
        return
    yield f"### `{item.name}`"
    yield ""
    bases = " and of ".join(_linked(base) for base in item.bases)
    yield f"{item.words} It has all keys of {bases}." if bases else item.words
    if item.keys:
        yield ""
        yield "| key | value | |"
        yield "|---|---|---|"
        yield from (_row(key, names) for key in item.keys)


def _row(key: Key, names: set[str], page: str = "") -> str:
    name = f"`{key.name}`" + ("?" if key.is_optional else "")
    return f"| {name} | {_spelled(key.type, names, page)} | {key.words.replace('|', chr(92) + '|')} |"


def _linked(name: str, page: str = "") -> str:
    return f"[`{name}`]({page}#{name.lower()})"


def _spelled(type_: ast.expr, names: set[str], page: str = "") -> str:
    """A type as one would say it."""
    match type_:
        case ast.Constant(value=None):
            return "null"
        case ast.Name(id="str"):
            return "text"
        case ast.Name(id="int" | "float"):
            return "number"
        case ast.Name(id="bool"):
            return "true or false"
        case ast.Name(id="object" | "Any"):
            return "anything"
        case ast.Name(id=name):
            return _linked(name, page) if name in names else f"`{name}`"
        case ast.BinOp():
            return " or ".join(_spelled(member, names, page) for member in members(type_))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=words):
            chosen = words.elts if isinstance(words, ast.Tuple) else [words]
            return ", ".join(f"`{ast.literal_eval(word)}`" for word in chosen)
        case ast.Subscript(value=ast.Name(id="list"), slice=one):
            return f"list of {_spelled(one, names, page)}"
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[_, value])):
            return f"by name: {_spelled(value, names, page)}"
        case _:
            raise ValueError(f"the contract has no words for {ast.unparse(type_)}")
