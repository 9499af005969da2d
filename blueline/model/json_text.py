"""Changes to a JSON document that leave every other byte of it alone: order, indentation, spelling.

Parsing and writing it again would do for programs, but a person finds their own file there.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\n\r]*")
_FIRST_INDENT = re.compile(r"[\[{][ \t]*\r?\n([ \t]+)")
_LINE_START = re.compile(r"[ \t]*")

USUAL_INDENT = "  "


class Member(NamedTuple):
    """One entry of an object or array. `start` is where its key begins, or its value when it has none."""

    key: str
    start: int
    value: int
    end: int


def parse(text: str) -> Any:
    """The value, as strictly as other languages read it. Fails with a ValueError."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def top(text: str) -> int:
    """Where the document's own value begins."""
    return _skip(text, 0)


def members(text: str, at: int) -> list[Member]:
    """What the object or array at that place holds. The text must have been parsed before."""
    close = "}" if text[at] == "{" else "]"
    found = []
    at = _skip(text, at + 1)
    while text[at] != close:
        start, key = at, ""
        if close == "}":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        value = at
        _, end = _DECODER.raw_decode(text, at)
        found.append(Member(key, start, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def append(text: str, at: int, value: object, *, key: str = "") -> str:
    """The text with one more entry at the end of the object or array at that place."""
    held = members(text, at)
    close = _skip(text, held[-1].end if held else at + 1)
    in_lines = "\n" in (text[at:close] if held else text)
    name = f"{spelled(key)}: " if key else ""
    if not in_lines:
        entry = name + spelled(value)
        if held:
            return f"{text[: held[-1].end]}, {entry}{text[held[-1].end :]}"
        return f"{text[: at + 1]}{entry}{text[close:]}"
    line_end = line_end_of(text)
    unit = indent_unit(text)
    outer = indent_of(text, at)
    inner = indent_of(text, held[-1].start) if held else outer + unit
    entry = spelled(value, indent=unit).replace("\n", line_end + inner)
    if held:
        return f"{text[: held[-1].end]},{line_end}{inner}{name}{entry}{text[held[-1].end :]}"
    return f"{text[: at + 1]}{line_end}{inner}{name}{entry}{line_end}{outer}{text[close:]}"


def insert(text: str, at: int, number: int, value: object) -> str:
    """The text with one more entry in the array at that place, before entry `number`; see `append`."""
    held = members(text, at)
    if number >= len(held):
        return append(text, at, value)
    start = held[number].start
    if "\n" not in text[at:start]:
        return f"{text[:start]}{spelled(value)}, {text[start:]}"
    line_end = line_end_of(text)
    inner = indent_of(text, start)
    entry = spelled(value, indent=indent_unit(text)).replace("\n", line_end + inner)
    return f"{text[:start]}{entry},{line_end}{inner}{text[start:]}"


def remove(text: str, held: list[Member], gone: Member) -> str:
    """The text without one entry of an object or array that holds others too, or nothing else."""
    number = held.index(gone)
    if number:
        return text[: held[number - 1].end] + text[gone.end :]
    if len(held) > 1:
        return text[: gone.start] + text[held[1].start :]
    # Back to the bracket before it, and up to the one after it.
    before = len(text[: gone.start].rstrip(" \t\r\n"))
    return text[:before] + text[_skip(text, gone.end) :]


def line_end_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def indent_unit(text: str) -> str:
    found = _FIRST_INDENT.search(text)
    return found[1] if found else USUAL_INDENT


def indent_of(text: str, at: int) -> str:
    """The blanks at the start of the line that holds a place."""
    found = _LINE_START.match(text, text.rfind("\n", 0, at) + 1)
    return found[0] if found else ""


def spelled(value: object, *, indent: str | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)
