"""Whether a document is what its type says: the types of the contract are promises, held here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

Shown = TypeVar("Shown")


def as_promised(document: Shown, type_: Any) -> Shown:
    """The document, which with all in it is of that type: no key too few and none too many."""
    assert [*problems(document, type_)] == []
    return document


def problems(value: object, type_: Any, place: str = "") -> Iterator[str]:
    """Where a value is not of a type of the contract."""
    origin, parts = get_origin(type_), get_args(type_)
    if is_typeddict(type_):
        yield from _keys(value, type_, place)
    elif origin in (Union, UnionType):
        tried = [[*problems(value, part, place)] for part in parts]
        # The one that fits best: of several documents, the others fail already at their `kind`.
        yield from min(tried, key=len)
    elif origin is Literal:
        if value not in parts:
            yield f"{place}: {value!r} is none of {parts}"
    elif origin is list:
        if not isinstance(value, list):
            yield f"{place}: {value!r} is no list"
            return
        for number, one in enumerate(value):
            yield from problems(one, parts[0], f"{place}[{number}]")
    elif origin is dict:
        if not isinstance(value, dict):
            yield f"{place}: {value!r} is no object"
            return
        for name, one in value.items():
            yield from problems(one, parts[1], f"{place}.{name}")
    elif not _is_plain(value, type_):
        yield f"{place}: {value!r} is not {type_}"


def _keys(value: object, type_: Any, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place}: {value!r} is no {type_.__name__}"
        return
    hints = _hints(type_)
    for name in type_.__required_keys__ - value.keys():
        yield f"{place}: {type_.__name__} without {name}"
    for name, one in value.items():
        if name not in hints:
            yield f"{place}: {type_.__name__} has no key {name}"
        else:
            yield from problems(one, hints[name], f"{place}.{name}")


@cache
def _hints(type_: Any) -> dict[str, Any]:
    return get_type_hints(type_)


def _is_plain(value: object, type_: Any) -> bool:
    if type_ in (object, Any):
        return True
    if type_ in (None, NoneType):
        return value is None
    if type_ is bool or isinstance(value, bool):
        return type_ is bool and isinstance(value, bool)
    return isinstance(value, (int, float) if type_ is float else type_)
