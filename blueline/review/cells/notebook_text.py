"""The cells of a notebook, found and changed in its text: every byte of the others stays as it is."""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from blueline.diff.edits import split_lines
from blueline.model import json_text
from blueline.model.json_text import Member
from blueline.review.cells.respelled_cells import with_source
from blueline.review.medium.medium import NoSuchSection

Wish = Mapping[str, object]
"""What a cell tool was asked for: `edit_mode` (replace, insert, delete), `cell_id`, `new_source`,
`cell_type`, `new_id`.

To insert puts the new cell after the one named, or before all others.
"""


class NotANotebook(NoSuchSection):
    """It is no notebook, or not one in which that can be done; says why."""


class Cell(NamedTuple):
    """One cell. Notebooks older than cell ids have only their places: `cell-0`, `cell-1` …"""

    id: str
    kind: str
    source: str


def cells(text: str) -> list[Cell]:
    """All cells, in order."""
    return [_cell(number, cell) for number, cell in enumerate(_parsed(text))]


def with_cell(text: str, wish: Wish) -> str:
    """The notebook after one cell is edited, added or deleted."""
    known = [cell.id for cell in cells(text)]
    name = wish.get("cell_id")
    place = known.index(str(name)) if name in known else None
    if place is None and (name or wish.get("edit_mode") != "insert"):
        raise NotANotebook(f"there is no cell {name!r}" if name else "no cell is named")
    array = _cells_at(text)
    held = json_text.members(text, array)
    match wish.get("edit_mode") or "replace":
        case "insert":
            return json_text.insert(text, array, 0 if place is None else place + 1, new_cell(text, wish))
        case "delete":
            assert place is not None
            return json_text.remove(text, held, held[place])
        case "replace":
            assert place is not None
            cell = held[place]
            respelled = with_source(text[cell.value : cell.end], str(wish.get("new_source", "")))
            return text[: cell.value] + respelled + text[cell.end :]
        case mode:
            raise NotANotebook(f"{mode!r} is nothing to do with a cell")


def new_cell(text: str, wish: Wish) -> dict[str, object]:
    """The cell that an insertion brings, in the order of keys that notebooks are written in."""
    kind, source = str(wish.get("cell_type") or "code"), str(wish.get("new_source", ""))
    cell: dict[str, object] = {"cell_type": kind}
    if kind == "code":
        cell["execution_count"] = None
    if _has_ids(text):
        cell["id"] = _new_id(text, wish)
    cell["metadata"] = {}
    if kind == "code":
        cell["outputs"] = []
    return {**cell, "source": source if _spells_sources_whole(text) else split_lines(source)}


def _new_id(text: str, wish: Wish) -> str:
    """An id that no cell has: the one wished for, or one made of the wish, the same each time."""
    known = {cell.id for cell in cells(text)}
    if (wished := wish.get("new_id")) and str(wished) not in known:
        return str(wished)
    salt = 0
    while True:
        about = json.dumps([salt, sorted(known), wish.get("cell_id"), wish.get("new_source")])
        name = blake2b(about.encode(), digest_size=4).hexdigest()
        if name not in known:
            return name
        salt += 1


def _cell(number: int, cell: dict[str, Any]) -> Cell:
    source = cell.get("source", "")
    whole = "".join(map(str, source)) if isinstance(source, list) else str(source)
    return Cell(str(cell.get("id") or f"cell-{number}"), str(cell.get("cell_type", "")), whole)


def _parsed(text: str) -> list[dict[str, Any]]:
    try:
        notebook = json_text.parse(text)
    except ValueError as error:
        raise NotANotebook("the file is not a notebook") from error
    found = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(found, list) or not all(isinstance(cell, dict) for cell in found):
        raise NotANotebook("the file is not a notebook")
    return found


def _cells_at(text: str) -> int:
    return _member(text, json_text.top(text), "cells").value


def _member(text: str, at: int, key: str) -> Member:
    """The entry of an object that counts: the last of that name."""
    return next(one for one in reversed(json_text.members(text, at)) if one.key == key)


def _has_ids(text: str) -> bool:
    """Whether cells have ids in this version of the format: from 4.5 on."""
    notebook = json_text.parse(text)
    numbers = [notebook.get("nbformat"), notebook.get("nbformat_minor")]
    return all(isinstance(number, int) for number in numbers) and numbers >= [4, 5]


def _spells_sources_whole(text: str) -> bool:
    """Whether sources are strings here; the usual way is a list of lines."""
    return any(isinstance(cell.get("source"), str) for cell in _parsed(text))
