"""The documents of the contract, read from its source: types, order of keys and the words beside them.

The source is read and not imported: a type that is imported has forgotten the names of what it is made of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "blueline" / "contract"

STORED = "stored"
"""The module of what the desk keeps for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of a document."""

    name: str
    type: ast.expr
    is_optional: bool
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A document: a `TypedDict`."""

    name: str
    bases: tuple[str, ...]
    keys: tuple[Key, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A name for one of several words, or of several documents."""

    name: str
    type: ast.expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A module of the contract."""

    name: str
    words: str
    items: tuple[Shape | Choice, ...]


def chapters() -> list[Chapter]:
    """All that surfaces are shown. Words of the model that documents use come first."""
    sources = {path.stem: ast.parse(path.read_text()) for path in sorted(PLACE.glob("[a-z]*.py"))}
    sources.pop(STORED)
    found = [_chapter(name, source) for name, source in sources.items()]
    words = {choice.name: choice for source in sources.values() for choice in _of_the_model(source)}
    first = Chapter(name="words", words="Words that several documents use.", items=tuple(words.values()))
    return [first, *found]


def _chapter(name: str, source: ast.Module) -> Chapter:
    return Chapter(name=name, words=ast.get_docstring(source) or "", items=tuple(_items(source)))


def _items(source: ast.Module) -> Iterator[Shape | Choice]:
    for number, node in enumerate(source.body):
        match node:
            case ast.ClassDef():
                yield _shape(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[_, ast.Dict() as keys])):
                # A key that is a word of Python's own can be written in no other way.
                yield Shape(
                    name=name, bases=(), keys=tuple(_spelled(keys)), words=_words(source.body, number)
                )
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield Choice(name=name, type=value)
            case _:
                pass


def _shape(node: ast.ClassDef) -> Shape:
    is_partial = any(word.arg == "total" for word in node.keywords)
    return Shape(
        name=node.name,
        bases=tuple(base.id for base in node.bases if isinstance(base, ast.Name) and base.id != "TypedDict"),
        keys=tuple(
            _key(one.target.id, one.annotation, _words(node.body, number), is_partial=is_partial)
            for number, one in enumerate(node.body)
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ),
        words=ast.get_docstring(node) or "",
    )


def _spelled(keys: ast.Dict) -> Iterator[Key]:
    for name, value in zip(keys.keys, keys.values, strict=True):
        assert isinstance(name, ast.Constant)
        yield _key(str(name.value), value, "")


def _key(name: str, type_: ast.expr, words: str, *, is_partial: bool = False) -> Key:
    """A key, with what stands around its type taken off."""
    match type_:
        case ast.Subscript(value=ast.Name(id="NotRequired"), slice=inner):
            return _key(name, inner, words, is_partial=True)
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, note])):
            return _key(name, inner, str(ast.literal_eval(note)), is_partial=is_partial)
        case _:
            return Key(name=name, type=type_, is_optional=is_partial, words=words)


def _words(body: list[ast.stmt], number: int) -> str:
    """The text right behind something."""
    match body[number + 1 : number + 2]:
        case [ast.Expr(value=ast.Constant(value=str() as text))]:
            return " ".join(text.split())
        case _:
            return ""


def _of_the_model(source: ast.Module) -> Iterator[Choice]:
    for node in source.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("blueline.model."):
            there = ast.parse((ROOT / f"{(node.module or '').replace('.', '/')}.py").read_text())
            wanted = {name.name for name in node.names}
            yield from (one for one in _items(there) if isinstance(one, Choice) and one.name in wanted)


def members(type_: ast.expr) -> Iterator[ast.expr]:
    """The parts of a union, in order."""
    if isinstance(type_, ast.BinOp):
        yield from members(type_.left)
        yield from members(type_.right)
    else:
        yield type_
