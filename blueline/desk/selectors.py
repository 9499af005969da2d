"""What a person typed, and which pieces of which files it means."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from blueline.errors import BluelineError
from blueline.journal.index import Index
from blueline.model.choices import Choices
from blueline.model.ids import TURN, hunk_number, whole_of
from blueline.model.mark import UNDECIDED
from blueline.model.piece import Piece
from blueline.review.cells.names import NamedCell, named_cell, pieces_on_cell_lines
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import Need
from blueline.review.deciding.selecting import pieces_on_lines, undecided_pieces
from blueline.review.file import File
from blueline.review.ledger import Ledger

_HUNK = re.compile(r"h[0-9a-f]{8}(\.[0-9a-f]{6})?")
_GROUP = re.compile(r"([ct])([1-9][0-9]*)")
_CELL = re.compile(r"(.+)#([^#:]+)(?::([1-9][0-9]*)(?:-([1-9][0-9]*))?)?", re.DOTALL)
_RANGE = re.compile(r"(.+):([1-9][0-9]*)(?:-([1-9][0-9]*))?", re.DOTALL)


class UnknownSelector(BluelineError):
    """Nothing goes by that name."""


@dataclass(slots=True)
class Selection:
    """Pieces, by file."""

    files: dict[int, tuple[File, list[Piece]]] = field(default_factory=dict)
    stale: list[Need] = field(default_factory=list)
    calls: set[int] = field(default_factory=set)
    """Calls that were selected as such."""
    turns: set[int] = field(default_factory=set)
    """And turns."""

    def add(self, file: File, pieces: list[Piece]) -> None:
        """Some more pieces of a file."""
        _, known = self.files.setdefault(file.number, (file, []))
        seen = set(known)
        known += [piece for piece in pieces if piece not in seen]

    def leave(self, choices: Choices) -> None:
        """Leave out the files that are to stay as they are."""
        for number, (file, _) in [*self.files.items()]:
            if choices.leaves(file.live.path):
                del self.files[number]


class Chosen(NamedTuple):
    """A cell that was named, and what is pending of it."""

    file: File
    cell: NamedCell
    pieces: list[Piece]


class Selectors:
    """Understands selectors of one project, typed in one folder of it."""

    def __init__(self, ledger: Ledger, index: Index, root: Path, here: Path) -> None:
        self._ledger = ledger
        self._index = index
        self._root = root
        self._here = here
        self._known: dict[int, tuple[File, list[Hunk]]] = {}

    def select(self, selectors: Sequence[str], *, everything: bool = False) -> Selection:
        """All that the selectors mean together. One that means nothing: nothing is selected at all."""
        found = Selection()
        if everything:
            for number in self._index.undecided_files():
                self._add_undecided(found, number, None)
        for selector in selectors:
            self._select(found, selector)
        return found

    def _select(self, found: Selection, selector: str) -> None:
        if _HUNK.fullmatch(selector) and (hunk := self.hunk(selector, found)) is not None:
            file = self._ledger.file(hunk.file)
            assert file is not None
            found.add(file, list(hunk.pieces))
            return
        if found.stale and found.stale[-1].hunk == selector:
            return
        if (group := self.group(selector)) is not None:
            found.calls |= set(group)
            turn = TURN.number(selector)
            found.turns |= set() if turn is None else {turn}
            for call in group:
                self._add_call(found, call)
            return
        paths = self.paths(selector)
        if paths:
            for number in paths:
                self._add_undecided(found, number, None)
            return
        ranged = _RANGE.fullmatch(selector)
        if ranged and (paths := self.paths(ranged[1])):
            first, last = int(ranged[2]), int(ranged[3] or ranged[2])
            for number in paths:
                file = self._ledger.file(number)
                if file is not None and file.live.node.kind == "notebook":
                    raise UnknownSelector(
                        f"{selector!r} names lines of a notebook",
                        hint="name a cell: PATH#CELL, or PATH#CELL:2-3",
                    )
                if file is not None:
                    found.add(file, pieces_on_lines(file, first - 1, last - 1))
            return
        if (cell := self.cell(selector)) is not None:
            found.add(cell.file, cell.pieces)
            return
        if self._exists(ranged[1] if ranged else selector):
            return
        raise UnknownSelector(
            f"nothing here is called {selector!r}",
            hint="`blueline list` prints the ids of hunks; `--by turn` and `--by call` those of groups",
        )

    def cell(self, selector: str) -> "Chosen | None":
        """What is pending in a cell, or on some lines of it; None if the words do not name one."""
        match = _CELL.fullmatch(selector)
        paths = self.paths(match[1]) if match is not None else []
        file = self._ledger.file(paths[0]) if len(paths) == 1 else None
        if match is None or file is None or file.live.node.kind != "notebook":
            return None
        found = named_cell(file, match[2], self._hunks_of(file))
        if found is None:
            raise UnknownSelector(
                f"there is no cell {match[2]!r} in {match[1]}",
                hint="`blueline list` names cells; by number, they are counted from 1",
            )
        if match[3] is None:
            pieces = [piece for hunk in found.hunks if hunk.state in UNDECIDED for piece in hunk.pieces]
        else:
            pieces = pieces_on_cell_lines(file, found, int(match[3]) - 1, int(match[4] or match[3]) - 1)
        return Chosen(file, found, pieces)

    def hunk(self, identifier: str, found: Selection | None = None) -> Hunk | None:
        """The hunk with this id; one that was split goes to the stale ones of `found`."""
        number = hunk_number(self._ledger.counters.salt, identifier)
        file_number = None if number is None else self._index.file_of_hunk(number)
        file = None if file_number is None else self._ledger.file(file_number)
        if file is None:
            return None
        whole = whole_of(identifier)
        parts = [hunk for hunk in self._hunks_of(file) if hunk.whole == whole]
        for hunk in parts:
            if hunk.id == identifier:
                return hunk
        if parts and found is not None:
            found.stale.append(Need(hunk=identifier, now=tuple(hunk.id for hunk in parts)))
        return None

    def _hunks_of(self, file: File) -> list[Hunk]:
        """All hunks of a file, worked out once: many may be selected one by one."""
        known = self._known.get(file.number)
        if known is None or known[0] is not file:
            known = self._known[file.number] = file, hunks(file, self._ledger.counters.salt)
        return known[1]

    def group(self, selector: str) -> list[int] | None:
        """The calls that a call's or a turn's id means; None when there is none with that id."""
        match = _GROUP.fullmatch(selector)
        if match is None:
            return None
        number = int(match[2])
        if match[1] == "c":
            return [number] if self._ledger.call(number) is not None else None
        if self._ledger.turn(number) is None:
            return None
        return [call["number"] for call in self._index.calls(number)]

    def paths(self, selector: str) -> list[int]:
        """The files at a path or below a folder, as typed here."""
        path = self.relative(selector)
        if path is None:
            return []
        number = self._index.file_at(path)
        if number is not None:
            return [number]
        prefix = "" if path == "." else f"{path}/"
        return [number for number, name in self._index.files() if name.startswith(prefix)]

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
        for number, op in self._index.files_of_call(call):
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
        paths = {need.path for need in needs}
        kept = Selection(stale=found.stale, calls=found.calls, turns=found.turns)
        for file, pieces in found.files.values():
            shared = file.live.path in paths
            kept.add(file, [p for p in pieces if not (shared and _strangers(file, p.op, found.calls))])
        return kept


def _strangers(file: File, op: int, calls: set[int]) -> tuple[int, ...]:
    """Calls outside a selection of calls that may have made an operation, if one inside may have."""
    operation = file.operations.get(op)
    if operation is None or not calls & {operation.call, *operation.others}:
        return ()
    return tuple(
        call for call in (operation.call, *operation.others) if call is not None and call not in calls
    )
