"""The bytes of a notebook, from its lines and from what was seen of it before.

What was seen whole, and nobody but agents has changed since, comes back as it was. Else each cell is copied
from where it was seen last; of one that was never seen like this, only what is different is spelled anew.
The same lines and the same past give the same bytes.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from blueline.diff.cell_edits import paired
from blueline.model.ids import BlobId
from blueline.model.medium_names import WholeFile
from blueline.model.notebook import FORMAT, IDS_FROM, NotCells, Notebook, RawCell, read
from blueline.model.projection import (
    Outline,
    Wanted,
    blocks,
    canonical,
    digest,
    minor_for,
    outline,
    projected,
    reviewable,
    spelled,
    wanted_of,
)
from blueline.review.cells.respelled_cells import Style, made, replaced, respelled_entry
from blueline.review.medium.medium import Read

MOST_WHOLES = 16
"""How far back cells are looked for."""


def verbatim(text: str, wholes: Sequence[WholeFile]) -> BlobId | None:
    """The bytes that had just these lines, if only agents have written since."""
    key = digest(text)
    on_disk = [whole for whole in wholes if whole.by != "held"]
    for whole in reversed(on_disk):
        if whole.lines == key:
            return whole.blob
        if whole.by == "person":
            return None
    if on_disk:
        return None
    return next((whole.blob for whole in reversed(wholes) if whole.lines == key), None)


def composed(text: str, wholes: Sequence[WholeFile], load: Read) -> BlobId | bytes:
    """What a notebook with these lines is on disk: known bytes, or new ones."""
    known = verbatim(text, wholes)
    if known is not None:
        return _as_a_person_left_it(known, text, wholes, load)
    past = _Past(wholes, load)
    wanted = _settled(outline(text), past)
    lines = spelled(wanted)
    known = verbatim(lines, wholes) if lines != text else None
    return known if known is not None else _Composition(wanted, lines, past).text().encode("utf-8")


def _as_a_person_left_it(known: BlobId, text: str, wholes: Sequence[WholeFile], load: Read) -> BlobId:
    """The bytes that a person left with these lines, where agents that changed more later had spelled them
    anew, and emptied cells, and nothing else: what they have run is kept."""
    now_there = next((whole for whole in reversed(wholes) if whole.by != "held"), None)
    before = next((whole for whole in reversed(wholes) if whole.by == "person"), None)
    if now_there is None or now_there.blob == known:
        return known
    if before is None or before.blob == known or before.lines != digest(text):
        return known
    try:
        then, now = read(load(before.blob)), read(load(known))
    except NotCells:
        return known  # purged, or lost
    for cell, later in zip(then.cells, now.cells, strict=True):
        outputs = now.value(later, "outputs")
        if outputs and outputs != then.value(cell, "outputs"):
            return known
    return before.blob


@dataclass
class Seen:
    """A whole file, parsed when it is first needed."""

    notebook: Notebook
    by: str

    @cached_property
    def lines(self) -> str:
        return projected(self.notebook)

    @cached_property
    def wanted(self) -> tuple[Wanted, ...]:
        return tuple(map(wanted_of, self.notebook.cells))

    def run(self, number: int) -> tuple[Any, Any]:
        """What running a cell left in it."""
        cell = self.notebook.cells[number]
        return self.notebook.value(cell, "outputs"), self.notebook.value(cell, "execution_count")


class _Past:
    """The whole files, newest first, read as they are needed."""

    def __init__(self, wholes: Sequence[WholeFile], load: Read) -> None:
        on_disk = [whole for whole in wholes if whole.by != "held"]
        held = [whole for whole in wholes if whole.by == "held"]
        self._load = load
        self._known: dict[BlobId, Seen | None] = {}
        self._on_disk = on_disk[::-1][:MOST_WHOLES]
        self._held = held[::-1][:MOST_WHOLES]

    def on_disk(self) -> Iterator[Seen]:
        """What stood on disk."""
        yield from self._seen(self._on_disk)

    def all(self) -> Iterator[Seen]:
        """The same, and what was only offered."""
        yield from self._seen([*self._on_disk, *self._held])

    def _seen(self, wholes: Sequence[WholeFile]) -> Iterator[Seen]:
        for whole in wholes:
            if whole.blob not in self._known:
                self._known[whole.blob] = self._read(whole)
            if (found := self._known[whole.blob]) is not None:
                yield found

    def _read(self, whole: WholeFile) -> Seen | None:
        try:
            return Seen(read(self._load(whole.blob)), whole.by)
        except NotCells:
            return None  # purged, or lost

    def attachment(self, name: str, wanted: str) -> Any:
        """An attachment, by its digest."""
        for seen in self.all():
            for cell in seen.notebook.cells:
                value = (cell.values.get("attachments") or {}).get(name)
                if value is not None and digest(value) == wanted:
                    return value
        return None


def _settled(found: Outline, past: _Past) -> Outline:
    """The same, with a cell for text that stands in none, and a version that fits."""
    about = found.about
    if not about:
        newest = next(past.all(), None)
        metadata = reviewable(newest.notebook.values.get("metadata", {})) if newest else {}
        about = {"nbformat_minor": newest.notebook.minor if newest else IDS_FROM, "metadata": metadata}
    cells = list(found.cells)
    for number, cell in enumerate(cells):
        if not cell.type:
            taken = {one.id for one in cells if one.id}
            cells[number] = _home(cell, taken, past, minor=int(about.get("nbformat_minor", IDS_FROM)))
    cells = [_fitting(cell, past) for cell in cells]
    about = {**about, "nbformat_minor": minor_for(about, tuple(cells))}
    return Outline(about, _told_apart(cells, past))


def _told_apart(cells: list[Wanted], past: _Past) -> tuple[Wanted, ...]:
    """The cells, with a new id for one that decisions have brought back beside itself."""
    counts = Counter(cell.id for cell in cells if cell.id)
    doubled = {identifier for identifier, count in counts.items() if count > 1}
    newest = next(past.on_disk(), None) if doubled else None
    if newest is not None:
        there = Counter(cell.id for cell in newest.wanted)
        doubled = {identifier for identifier in doubled if there[identifier] < counts[identifier]}
    known: set[str] = set()
    found = []
    for cell in cells:
        if cell.id in doubled and cell.id in known:
            cell = cell._replace(id=_new_id([cell.id, cell.source], {*counts, *known}))
        known.add(cell.id)
        found.append(cell)
    return tuple(found)


def _new_id(about: object, taken: set[str]) -> str:
    """An id that no cell has, the same each time."""
    identifier, salt = digest(about)[:8], 0
    while identifier in taken:
        salt += 1
        identifier = digest([about, salt])[:8]
    return identifier


def _home(loose: Wanted, taken: set[str], past: _Past, *, minor: int) -> Wanted:
    """The cell for text whose own cell was taken back: that one again, without what is not this text."""
    lines = [line for line in loose.source.split("\n") if line.strip()]
    # Code has no attachments.
    kind, identifier = "markdown" if loose.attachments else "code", ""
    for seen in past.all():
        for cell in seen.wanted:
            if cell.id not in taken and lines and all(line in cell.source for line in lines):
                return loose._replace(type=cell.type, id=cell.id)
    if minor >= IDS_FROM:
        identifier = _new_id(loose.source, taken)
    return loose._replace(type=kind, id=identifier)


def _fitting(cell: Wanted, past: _Past) -> Wanted:
    """A cell of code without the attachments of another one, whose other lines are gone: code has none. If it
    was seen with some, it is as somebody has made it."""
    if cell.type != "code" or not cell.attachments:
        return cell
    of_code = (one.attachments for seen in past.all() for one in seen.wanted if one.type == "code")
    return cell if cell.attachments in of_code else cell._replace(attachments="")


class _Composition:
    """One notebook, put together."""

    def __init__(self, wanted: Outline, lines: str, past: _Past) -> None:
        self._wanted = wanted
        self._blocks = blocks(lines)[1:]
        self._past = past
        self._now = next(past.on_disk(), None)
        """What is on disk, or was there last."""
        self._pairs: dict[int, dict[int, int]] = {}

    def text(self) -> str:
        container = self._container
        style = Style.of(container)
        cells = [self._cell(number, style) for number in range(len(self._wanted.cells))]
        skeleton = self._with_metadata(container.skeleton)
        array = read(skeleton.encode("utf-8")).array
        listed = f"[{style.opening}{style.between.join(cells)}{style.closing}]" if cells else "[]"
        return skeleton[: array.start] + listed + skeleton[array.end :]

    @cached_property
    def _container(self) -> Notebook:
        """The notebook whose layout is used: the one on disk, but as it was spelled before an agent came."""
        now = self._now or next(self._past.all(), None)
        if now is None:
            return read(_EMPTY.encode())
        before = self._before_agents
        if before is not None and before.notebook.values == now.notebook.values:
            return before.notebook
        return now.notebook

    @cached_property
    def _before_agents(self) -> Seen | None:
        """What a person had written last, if what is on disk is an agent's."""
        if self._now is None or self._now.by == "person":
            return None
        return next((seen for seen in self._past.on_disk() if seen.by == "person"), None)

    def _with_metadata(self, skeleton: str) -> str:
        """The skeleton with the version and the metadata that are wanted."""
        values = read(skeleton.encode("utf-8")).values
        about = self._wanted.about
        if values.get("nbformat_minor") != about["nbformat_minor"]:
            skeleton = respelled_entry(skeleton, "nbformat_minor", about["nbformat_minor"])
        known, asked = values.get("metadata", {}), about.get("metadata", {})
        if canonical(reviewable(known)) != canonical(asked):
            kept = {
                name: value for name, value in known.items() if name in asked or not reviewable({name: 0})
            }
            merged = {**kept, **asked}
            if "language_info" in asked:
                merged["language_info"] = {**known.get("language_info", {}), **asked["language_info"]}
            else:
                merged.pop("language_info", None)
            skeleton = respelled_entry(skeleton, "metadata", merged)
        return skeleton

    def _cell(self, number: int, style: Style) -> str:
        wanted = self._wanted.cells[number]
        if self._now is not None and (here := self._exact(self._now, number)) is not None:
            return self._as_before(number, here, style)
        exact, ran, near = self._found(number)
        if exact is not None and ran is None:
            return _raw(*exact)
        base = ran or near
        if base is not None:
            seen, place = base
            cell = seen.notebook.cells[place]
            return replaced(seen.notebook, cell, wanted, self._attachments(wanted), style)
        for seen in self._past.all():
            if (here := self._exact(seen, number)) is not None:
                return seen.notebook.raw(seen.notebook.cells[here])
        return made(wanted, self._attachments(wanted), style)

    def _attachments(self, wanted: Wanted) -> dict[str, Any]:
        names: dict[str, str] = json.loads(wanted.attachments) if wanted.attachments else {}
        found = {name: self._past.attachment(name, one) for name, one in names.items()}
        return {name: value for name, value in found.items() if value is not None}

    def _found(
        self, number: int
    ) -> tuple[tuple[Seen, int] | None, tuple[Seen, int] | None, tuple[Seen, int] | None]:
        """Where a cell was seen last like this; where a person ran it since; where it was seen at all."""
        ran: tuple[Seen, int] | None = None
        near: tuple[Seen, int] | None = None
        newer: tuple[Seen, int] | None = None
        for seen in self._past.on_disk():
            place = self._pair(seen, number)
            if newer is not None and ran is None and newer[0].by == "person":
                # Run by a person: then it holds something else than what was there before.
                before = None if place is None else seen.run(place)
                ran = newer if newer[0].run(newer[1]) != before else None
            if (exact := self._exact(seen, number)) is not None:
                return (seen, exact), ran, near
            newer = None if place is None else (seen, place)
            # An agent that edits a cell may empty it of its outputs: those are not its to take.
            if newer is not None and (near is None or (near[0].by != "person" and seen.by == "person")):
                near = newer
        return None, ran, near

    def _as_before(self, number: int, here: int, style: Style) -> str:
        """A cell that is on disk like this; spelled as before an agent came, if it is still the same."""
        assert self._now is not None
        now, before = self._now, self._before_agents
        then = self._exact(before, number) if before is not None else None
        cell = now.notebook.cells[here]
        if before is not None and then is not None:
            known = before.notebook.cells[then]
            if _same_value(now.notebook, cell, before.notebook, known):
                return before.notebook.raw(known)
        raw = now.notebook.raw(cell)
        if before is None or self._container is now.notebook or style.unit == self._unit_now:
            return raw
        near = self._pair(before, number)
        if near is not None and before.run(near) == now.run(here):
            wanted = self._wanted.cells[number]
            known = before.notebook.cells[near]
            return replaced(before.notebook, known, wanted, self._attachments(wanted), style)
        return style.spelled(json.loads(raw), style.opening.rpartition("\n")[2])

    @cached_property
    def _unit_now(self) -> str | None:
        return None if self._now is None else Style.of(self._now.notebook).unit

    def _pair(self, seen: Seen, number: int) -> int | None:
        """The cell of an earlier notebook that is the one with this number."""
        known = self._pairs.get(id(seen))
        if known is None:
            pairs = paired(self._blocks, blocks(seen.lines)[1:])
            known = self._pairs[id(seen)] = {pair.old: pair.new for pair in pairs}
        return known.get(number)

    def _exact(self, seen: Seen, number: int) -> int | None:
        place = self._pair(seen, number)
        return place if place is not None and seen.wanted[place] == self._wanted.cells[number] else None


def _raw(seen: Seen, place: int) -> str:
    return seen.notebook.raw(seen.notebook.cells[place])


def _same_value(one: Notebook, a: RawCell, other: Notebook, b: RawCell) -> bool:
    if one.raw(a) == other.raw(b):
        return True
    rest = [{k: v for k, v in cell.values.items() if k != "source"} for cell in (a, b)]
    return (
        a.source == b.source and rest[0] == rest[1] and one.value(a, "outputs") == other.value(b, "outputs")
    )


_EMPTY = f'{{\n "cells": [],\n "metadata": {{}},\n "nbformat": {FORMAT},\n "nbformat_minor": {IDS_FROM}\n}}\n'
