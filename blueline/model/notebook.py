"""A notebook as it is written: its cells, and the place of each in the text.

Read once, at the speed of the JSON decoder. What nobody changed is later copied from here as it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from blueline.model.text import as_text

SUFFIX = ".ipynb"
MARK = "\x1e"
"""Begins the lines of a projection that are not source. See `projection`."""

CELL_TYPES = ("code", "markdown", "raw")
FORMAT = 4
IDS_FROM = 5
"""The minor version of the format from which on cells have ids."""

_DECODER = json.JSONDecoder()
_ID = re.compile(r"[!-~]{0,256}")
_BLANKS = re.compile(r"[ \t\n\r]*")


class NotCells(Exception):
    """The text is no notebook that can be shown as cells; says why."""


class Span(NamedTuple):
    """From where to where a value stands."""

    start: int
    end: int


class RawCell(NamedTuple):
    """One cell, in the text of its notebook."""

    span: Span
    keys: dict[str, Span]
    """Where the value of each key stands."""
    values: dict[str, Any]
    """The values, but for outputs: they are long, and seldom asked for."""

    @property
    def id(self) -> str:
        return str(self.values.get("id") or "")

    @property
    def type(self) -> str:
        return str(self.values["cell_type"])

    @property
    def source(self) -> str:
        source = self.values["source"]
        return source if isinstance(source, str) else "".join(source)


class Notebook(NamedTuple):
    """A notebook's text, and what is where in it."""

    text: str
    array: Span
    """The list of cells, with its brackets."""
    values: dict[str, Any]
    """All entries but the cells."""
    cells: tuple[RawCell, ...]

    def raw(self, cell: RawCell) -> str:
        """A cell as it is written."""
        return self.text[cell.span.start : cell.span.end]

    def value(self, cell: RawCell, key: str) -> Any:
        """What a cell holds under a key; None if nothing."""
        span = cell.keys.get(key)
        return None if span is None else json.loads(self.text[span.start : span.end])

    def spelled(self, cell: RawCell, key: str) -> str:
        """The same as it is written; empty if it is not there."""
        span = cell.keys.get(key)
        return "" if span is None else self.text[span.start : span.end]

    @property
    def skeleton(self) -> str:
        """The text without its cells."""
        return f"{self.text[: self.array.start]}[]{self.text[self.array.end :]}"

    @property
    def minor(self) -> int:
        return int(self.values.get("nbformat_minor", 0))


def read(data: bytes | None) -> Notebook:
    """The notebook in these bytes. Fails with NotCells."""
    text = as_text(data)
    if text is None:
        raise NotCells("it is not text")
    try:
        return _Scan(text).notebook()
    except (ValueError, IndexError):
        raise NotCells("it is not valid JSON") from None
    except RecursionError:
        raise NotCells("it is nested too deeply") from None


class _Scan:
    """Goes through a text once, and notes where things stand."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def notebook(self) -> Notebook:
        values: dict[str, Any] = {}
        array: Span | None = None
        cells: list[RawCell] = []
        for key in self._keys():
            if key in values or (key == "cells" and array is not None):
                raise NotCells(f"it has {key!r} twice")
            start = self._at
            if key == "cells":
                cells = [self._cell() for _ in self._items("[", "]")]
                array = Span(start, self._at)
            else:
                values[key] = self._value()
        self._skip()
        if self._at != len(self._text):
            raise ValueError("more than one value")
        if array is None:
            raise NotCells("it has no cells")
        minor = values.get("nbformat_minor", 0)
        if values.get("nbformat") != FORMAT or not isinstance(minor, int):
            raise NotCells(f"it is not of format {FORMAT}")
        if not isinstance(values.get("metadata", {}), dict):
            raise NotCells("its metadata are no object")
        return Notebook(self._text, array, values, tuple(cells))

    def _cell(self) -> RawCell:
        start = self._at
        keys: dict[str, Span] = {}
        values: dict[str, Any] = {}
        for key in self._keys():
            if key in keys:
                raise NotCells(f"a cell has {key!r} twice")
            place = self._at
            value = self._value()
            keys[key] = Span(place, self._at)
            if key != "outputs":
                values[key] = value
        _check(values)
        return RawCell(Span(start, self._at), keys, values)

    def _keys(self) -> Iterator[str]:
        """The keys of the object that comes next; its values are to be read in between."""
        for _ in self._items("{", "}"):
            key = self._value()
            if not isinstance(key, str):
                raise ValueError("a key is no text")
            self._expect(":")
            yield key

    def _items(self, opening: str, closing: str) -> Iterator[None]:
        self._expect(opening, of="cells" if opening == "[" else "object")
        self._skip()
        if self._text[self._at] == closing:
            self._at += 1
            return
        while True:
            self._skip()
            yield
            self._skip()
            sign = self._text[self._at]
            self._at += 1
            if sign == closing:
                return
            if sign != ",":
                raise ValueError("an entry does not end")

    def _expect(self, sign: str, *, of: str = "") -> None:
        self._skip()
        if self._text[self._at] != sign:
            raise NotCells(f"it holds no {of}") if of else ValueError(f"no {sign}")
        self._at += 1
        self._skip()

    def _value(self) -> Any:
        value, self._at = _DECODER.raw_decode(self._text, self._at)
        return value

    def _skip(self) -> None:
        blanks = _BLANKS.match(self._text, self._at)
        self._at = blanks.end() if blanks else self._at


def _check(cell: dict[str, Any]) -> None:
    """Whether a cell can be shown as one."""
    if cell.get("cell_type") not in CELL_TYPES:
        raise NotCells("a cell is of no known type")
    source = cell.get("source")
    if not isinstance(source, str) and not (
        isinstance(source, list) and all(isinstance(line, str) for line in source)
    ):
        raise NotCells("a cell has no source")
    identifier = cell.get("id", "")
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier):
        raise NotCells("a cell has an id that is none")
    if MARK in (source if isinstance(source, str) else "".join(source)):
        raise NotCells("a source holds a record separator")
    for key in ("metadata", "attachments"):
        if not isinstance(cell.get(key, {}), dict):
            raise NotCells(f"the {key} of a cell are no object")
