"""What a person typed, and which pieces of which files it means."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from blueline.diff.edits import split_lines
from blueline.errors import BluelineError
from blueline.journal.index import Index
from blueline.model.answer import PENDING, UNDECIDED
from blueline.model.ids import CALL, DECISION, NOTE, SUBAGENT, TURN, Numbering, hunk_number, whole_of
from blueline.model.piece import Piece
from blueline.model.selector import (
    GROUPS,
    CellSelector,
    HunkPrefix,
    HunkSelector,
    LinesSelector,
    NumberSelector,
    PathSelector,
    Selector,
    readings,
)
from blueline.model.visible import shortened
from blueline.review.choices import Choices
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import Need
from blueline.review.deciding.relations import Owners
from blueline.review.deciding.selected_pieces import is_decided_on_lines, pieces_on_lines, undecided_pieces
from blueline.review.deciding.sides import sides_of
from blueline.review.file import File
from blueline.review.ledger import Ledger
from blueline.review.medium.choice import in_sections
from blueline.review.medium.file_views import named_section, pieces_in_section
from blueline.review.medium.section import NamedSection

WHERE_IDS_ARE = "`blueline list` prints the ids of hunks; `--by turn` and `--by call` those of groups"


SOME_NAMES = 5


class UnknownSelector(BluelineError):
    """Nothing goes by that name."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(shortened(message), hint=hint)


@dataclass(slots=True)
class Selection:
    """What selectors named: the pieces of each file, and ids that are out of date."""

    files: dict[int, tuple[File, list[Piece]]] = field(default_factory=dict)
    stale: list[Need] = field(default_factory=list)
    calls: set[int] = field(default_factory=set)
    """Calls that were selected as such."""
    turns: set[int] = field(default_factory=set)
    """And turns, as long as nothing that is undecided of them is left out."""

    def add(self, file: File, pieces: list[Piece]) -> None:
        """Some more pieces of a file."""
        _, known = self.files.setdefault(file.number, (file, []))
        seen = set(known)
        known += [piece for piece in pieces if piece not in seen]


class NamedGroup(NamedTuple):
    """A call, a turn or a sub-agent, and the calls in it."""

    named: NumberSelector
    calls: list[int]


class NamedFiles(NamedTuple):
    """The file at a path, or all below it; none if nothing there is under review."""

    numbers: list[int]


class NamedLines(NamedTuple):
    """Lines of files, from one, both ends included."""

    files: list[int]
    first: int
    last: int


class NamedPart(NamedTuple):
    """A section of a file, and what is pending of it, or of the lines of it that were named."""

    file: File
    section: NamedSection
    pieces: list[Piece]


Meaning = Hunk | Need | NamedGroup | NumberSelector | NamedFiles | NamedLines | NamedPart
"""What a word means: a need is a hunk that was split, a number a decision or a note."""


class Selectors:
    """Understands selectors of one project, typed in one folder of it."""

    def __init__(self, ledger: Ledger, index: Index, root: Path, here: Path) -> None:
        self._ledger = ledger
        self._index = index
        self._root = root
        self._here = here
        self._known_hunks: dict[int, tuple[File, list[Hunk]]] = {}

    def select(
        self, selectors: Sequence[str], *, everything: bool = False, committed: bool = False
    ) -> Selection:
        """All that the selectors mean together. One that means nothing: nothing is selected at all."""
        if committed:
            selectors = [*selectors, *self._committed()]
        found = Selection()
        if everything:
            for number in self._index.files.numbers(undecided=True):
                self._add_undecided(found, number, None)
        for selector in selectors:
            self._select(found, selector)
        return found

    def _committed(self) -> list[str]:
        """The undecided hunks that people have committed as they are (rule D3)."""
        return [hunk["id"] for hunk in self._index.files.hunks("pending") if hunk["committed"]]

    def _select(self, found: Selection, typed: str) -> None:
        match self.meaning(typed):
            case Hunk() as hunk:
                file = self._ledger.file(hunk.file)
                assert file is not None
                found.add(file, list(hunk.pieces))
            case Need() as split:
                found.stale.append(split)
            case NamedGroup() as group:
                found.calls |= set(group.calls)
                found.turns |= {group.named.number} if group.named.kind == TURN else set()
                for call in group.calls:
                    self._add_call(found, call)
            case NamedFiles() as files:
                for number in files.numbers:
                    self._add_undecided(found, number, None)
            case NamedLines() as lines:
                for number in lines.files:
                    file = self._ledger.file(number)
                    if file is not None:
                        found.add(file, self._on_lines(file, typed, lines.first, lines.last))
            case NamedPart() as part:
                found.add(part.file, part.pieces)
            case _:
                raise UnknownSelector(f"nothing here is called {typed!r}", hint=WHERE_IDS_ARE)

    def _on_lines(self, file: File, typed: str, first: int, last: int) -> list[Piece]:
        """What is pending on some lines; they have to name something, if anything is pending (D8)."""
        undecided = [hunk for hunk in self._hunks_of(file) if hunk.state == PENDING and hunk.listed]
        lines = split_lines(file.live.text or "")
        if first <= 1 and 0 < len(lines) <= last and any(hunk.kind == "create" for hunk in undecided):
            return undecided_pieces(file)
        pieces = pieces_on_lines(file, first - 1, last - 1) if 0 < first <= last else []
        if pieces or not undecided:
            return pieces
        if not 0 < first <= last or first > len(lines) or not is_decided_on_lines(file, first - 1, last - 1):
            sides = sides_of(file)
            near = sorted((abs(sides.of(hunk)[1].start + 1 - first), hunk.id) for hunk in undecided)[:3]
            starts = {hunk.id: sides.of(hunk)[1].start + 1 for hunk in undecided}
            places = ", ".join(f"{name} at line {starts[name]}" for _, name in near)
            raise UnknownSelector(f"{typed!r} names nothing undecided", hint=f"the nearest: {places}")
        return []

    def meaning(self, typed: str, kinds: tuple[Numbering, ...] = GROUPS) -> "Meaning | None":
        """What a word means here: the first of its readings that names something. Of a hunk that was split,
        what took its place."""
        for reading in readings(typed, kinds):
            if (found := self._known(reading)) is not None:
                return found
        return None

    def _known(self, reading: Selector) -> "Meaning | None":
        match reading:
            case HunkSelector(identifier):
                return self.hunk(identifier) or self._split(identifier)
            case HunkPrefix(start):
                return self._beginning(start)
            case NumberSelector():
                return self._numbered(reading)
            case PathSelector(path):
                files = self.paths(path)
                return NamedFiles(files) if files or self._exists(path) else None
            case LinesSelector():
                return self._lines(reading)
            case CellSelector():
                return self._cell(reading)

    def _numbered(self, named: NumberSelector) -> "Meaning | None":
        kind, number = named
        if kind == CALL and self._ledger.call(number) is not None:
            return NamedGroup(named, [number])
        if kind == TURN and self._ledger.turn(number) is not None:
            return NamedGroup(named, [call["number"] for call in self._index.calls.scan(turn=number)])
        if kind == SUBAGENT and self._ledger.subagent(number) is not None:
            return NamedGroup(named, [call["number"] for call in self._index.calls.scan(subagent=number)])
        is_decision = kind == DECISION and self._ledger.decision(number) is not None
        is_note = kind == NOTE and self._ledger.note(number) is not None
        return named if is_decision or is_note else None

    def _lines(self, named: LinesSelector) -> "NamedLines | None":
        files = self.paths(named.path)
        if files and named.first < 1:
            raise UnknownSelector(
                f"'{named.path}:{named.first}' names no line", hint="lines are counted from 1"
            )
        for number in files:
            file = self._ledger.file(number)
            if file is not None and in_sections(file.live):
                raise UnknownSelector(
                    f"'{named.path}:{named.first}-{named.last}' names lines of a notebook",
                    hint="name a cell: PATH#CELL, or PATH#CELL:2-3",
                )
        return NamedLines(files, named.first, named.last) if files or self._exists(named.path) else None

    def _cell(self, named: CellSelector) -> "NamedPart | None":
        paths = self.paths(named.path)
        file = self._ledger.file(paths[0]) if len(paths) == 1 else None
        if file is None or not in_sections(file.live):
            return None
        found = named_section(file, named.cell, self._hunks_of(file))
        if found is None:
            raise UnknownSelector(
                f"there is no cell {named.cell!r} in {named.path}",
                hint="`blueline list` names cells; by number, they are counted from 1",
            )
        if named.lines is None:
            pieces = [piece for hunk in found.hunks if hunk.state in UNDECIDED for piece in hunk.pieces]
        else:
            pieces = pieces_in_section(file, found, named.lines[0] - 1, named.lines[1] - 1)
        return NamedPart(file, found, pieces)

    def hunk(self, identifier: str) -> Hunk | None:
        """The hunk with this id; None if there is none, or it was split, or is all another's by now."""
        found = next((hunk for hunk in self.parts_of(identifier) if hunk.id == identifier), None)
        return found if found is None or found.pieces else None

    def _beginning(self, start: str) -> Hunk | None:
        """The one hunk whose id begins so; None if there is none."""
        found = self._index.files.hunks_from(start)
        if len(found) > 1:
            names = ", ".join(found[:SOME_NAMES]) + (" …" if len(found) > SOME_NAMES else "")
            raise UnknownSelector(f"{start!r} may mean several hunks", hint=f"say more of one: {names}")
        return self.hunk(found[0]) if found else None

    def names(self, numbers: Sequence[int]) -> set[str]:
        """The paths of some files, by their numbers."""
        wanted = set(numbers)
        return {path for number, path in self._index.files.paths() if number in wanted}

    def _split(self, identifier: str) -> Need | None:
        parts = self.parts_of(identifier)
        passed = [piece for hunk in parts for piece in hunk.passed]
        if passed and (file := self._ledger.file(parts[0].file)) is not None:
            owners = Owners(self._hunks_of(file))
            now = dict.fromkeys(owner for piece in passed if (owner := owners.of(piece)) is not None)
            return Need(hunk=identifier, now=tuple(now))
        return Need(hunk=identifier, now=tuple(hunk.id for hunk in parts)) if parts else None

    def parts_of(self, identifier: str) -> list[Hunk]:
        """The hunk that was recorded under an id, in the parts that it has now."""
        number = hunk_number(self._ledger.counters.salt, identifier)
        if number is None or number > self._ledger.counters.hunk:
            return []
        made = self._index.files.of_hunk(number)
        file = None if made is None else self._ledger.file(made.file)
        if made is None or file is None:
            return []
        whole = whole_of(identifier)
        found = [hunk for hunk in self._hunks_of(file) if hunk.whole == whole]
        if not found and made.op <= file.folded:
            raise UnknownSelector(
                f"{identifier} was decided so long ago that it is part of what was agreed about "
                f"{file.live.path}",
                hint="edit the file: what you change in it is agreed as you do it",
            )
        return found

    def _hunks_of(self, file: File) -> list[Hunk]:
        """All hunks of a file, worked out once: many may be selected one by one."""
        known = self._known_hunks.get(file.number)
        if known is None or known[0] is not file:
            known = self._known_hunks[file.number] = file, hunks(file, self._ledger.counters.salt)
        return known[1]

    def paths(self, selector: str) -> list[int]:
        """The files at a path or below a folder, as typed here."""
        path = self.relative(selector)
        if path is None:
            return []
        if there := self._index.files.at(path):
            return there[:1]
        prefix = "" if path == "." else f"{path}/"
        return [number for number, name in self._index.files.paths() if name.startswith(prefix)]

    def relative(self, selector: str) -> str | None:
        """A typed path as one relative to the root, or None when it leads out (or is empty by mistake)."""
        if not selector:
            return None
        joined = os.path.normpath(self._here / selector)
        path = os.path.relpath(joined, self._root)
        return None if path == ".." or path.startswith("../") else path

    def _exists(self, selector: str) -> bool:
        path = self.relative(selector)
        return path is not None and os.path.lexists(self._root / path)

    def _add_undecided(self, found: Selection, number: int, ops: set[int] | None) -> None:
        file = self._ledger.file(number)
        if file is not None:
            found.add(file, undecided_pieces(file, ops))

    def _add_call(self, found: Selection, call: int) -> None:
        by_file: dict[int, set[int]] = {}
        for number, op in self._index.files.of_call(call):
            by_file.setdefault(number, set()).add(op)
        for number, ops in by_file.items():
            self._add_undecided(found, number, ops)

    def shared(self, found: Selection) -> list[Need]:
        """Selected hunks that a call which is not selected may have made as well as one that is."""
        needs = []
        for file, pieces in found.files.values():
            ops = {piece.op for piece in pieces if _strangers(file, piece.op, found.calls)}
            for hunk in hunks(file, self._ledger.counters.salt, ops) if ops else ():
                strangers = _strangers(file, hunk.operation.number, found.calls)
                if strangers and set(hunk.pieces) & set(pieces):
                    needs.append(Need(hunk=hunk.id, path=hunk.path, shared_with=strangers))
        return needs

    def without(self, found: Selection, needs: Sequence[Need]) -> Selection:
        """The same selection, but for what is shared with others in the files that these needs are about."""
        if not needs:
            return found
        paths = {need.path for need in needs}
        kept = Selection(stale=found.stale, calls=found.calls, turns={*found.turns})
        for file, pieces in found.files.values():
            is_shared = file.live.path in paths
            left = {piece for piece in pieces if is_shared and _strangers(file, piece.op, found.calls)}
            kept.turns -= self._turns(file, left)
            kept.add(file, [piece for piece in pieces if piece not in left])
        return kept

    def leave(self, found: Selection, choices: Choices) -> None:
        """Leave out the files that are to stay as they are."""
        for number, (file, pieces) in [*found.files.items()] if choices.files else ():
            if choices.leaves(file.live.path):
                found.turns -= self._turns(file, pieces)
                del found.files[number]

    def _turns(self, file: File, pieces: Iterable[Piece]) -> set[int]:
        """The turns whose work pieces of a file may be."""
        made = [file.operations[op] for op in {piece.op for piece in pieces} if op in file.operations]
        calls = {number for one in made for number in (one.call, *one.others) if number is not None}
        return {call.turn for number in calls if (call := self._ledger.call(number)) is not None}


def _strangers(file: File, op: int, calls: set[int]) -> tuple[int, ...]:
    """Calls outside a selection of calls that may have made an operation, if one inside may have."""
    operation = file.operations.get(op)
    if operation is None or not calls & {operation.call, *operation.others}:
        return ()
    return tuple(
        call for call in (operation.call, *operation.others) if call is not None and call not in calls
    )
