"""Who builds on whom: a piece builds on another if it deletes that piece's text or stands inside it."""

from bisect import bisect_right
from collections import defaultdict

from blueline.model.answer import UNDECIDED
from blueline.model.piece import Piece
from blueline.review.deciding.hunks import Hunk
from blueline.review.file import File
from blueline.review.setting import ABSENT
from blueline.review.weave.mark import Segment
from blueline.review.weave.weave import Weave
from blueline.review.worked_out import WorkedOut

Relations = dict[str, set[str]]
"""For the id of a hunk, the ids of the hunks it builds on."""

_RELATIONS = WorkedOut[Relations]("relations")


class Owners:
    """Finds the hunk that holds a piece, also when the hunk names it as part of a longer stretch."""

    def __init__(self, hunks: list[Hunk]) -> None:
        self._stretches: dict[tuple[str, int, int], list[tuple[int, int, str]]] = defaultdict(list)
        for hunk in hunks:
            for piece in hunk.pieces:
                self._stretches[piece[:3]].append((piece.start, piece.end, hunk.id))
        for stretches in self._stretches.values():
            stretches.sort()

    def of(self, piece: Piece) -> str | None:
        """The id of the hunk that holds this piece."""
        stretches = self._stretches.get(piece[:3])
        if stretches is None:
            return None
        place = bisect_right(stretches, (piece.start, FAR, "")) - 1
        if place < 0 or piece.end > stretches[place][1]:
            return None
        return stretches[place][2]


FAR = 2**62


def all_relations(file: File, hunks: list[Hunk]) -> Relations:
    """What each hunk of a file builds on, kept with it: who decides asks for it twice. `hunks` are all."""
    known = _RELATIONS.of(file)
    return _RELATIONS.keep(file, relations(file, hunks)) if known is None else known


def know_relations(before: File, after: File) -> None:
    """Let a file know who builds on whom, if that is as it was: the same hunks, of the same runs."""
    # With a file goes what is undecided in it, which is less by now.
    if all(setting.value != ABSENT for setting in after.nodes):
        _RELATIONS.hand_on(before, after)


def relations(file: File, hunks: list[Hunk]) -> Relations:
    """What each of some hunks of a file builds on, whatever their states and authors."""
    owners = Owners(hunks)
    found: Relations = {hunk.id: set() for hunk in hunks}
    for number, weave in enumerate(file.weaves):
        _in_text(weave, owners, found)
        _on_creation(file, number, weave, owners, found)
        _on_corrections(file, number, weave, owners, found)
    _on_settings(file, hunks, owners, found)
    for identifier, others in found.items():
        others.discard(identifier)
    return found


def _in_text(weave: Weave, owners: Owners, found: Relations) -> None:
    outer_ones = {outer for outer in weave.inside.values() if outer is not None}
    # Per insertion that others stand in, the first and last run of each hunk that holds a part of it.
    reach: dict[Segment, dict[str, tuple[int, int]]] = defaultdict(dict)
    standing: list[tuple[int, Segment, str]] = []
    for number, run in enumerate(weave.runs):
        own = run.insertion.op
        if not own or not (run.deletions or outer_ones):
            continue
        owner = owners.of(Piece("insert", own, own, run.start, run.end))
        if owner is None:
            continue
        for mark in run.deletions:
            deleter = owners.of(Piece("delete", mark.op, own, run.start, run.end))
            if deleter is not None:
                found[deleter].add(owner)
        if not outer_ones:
            continue
        segment = run.insertion.segment
        if segment in outer_ones:
            first, _ = reach[segment].get(owner, (number, number))
            reach[segment][owner] = (first, number)
        if weave.inside.get(segment) is not None:
            standing.append((number, segment, owner))
    for number, segment, owner in standing:
        for outer in weave.ancestors(segment):
            for around, (first, last) in reach.get(outer, {}).items():
                if first < number < last:
                    found[owner].add(around)


def _on_creation(file: File, number: int, weave: Weave, owners: Owners, found: Relations) -> None:
    """Everything in a file builds on the piece that created it."""
    creation = file.creation(number)
    creator = owners.of(Piece("node", creation.mark.op))
    if creator is None:
        return
    for piece, mark in weave.pieces():
        owner = owners.of(piece) if mark.op else None
        if owner is not None:
            found[owner].add(creator)


def _on_corrections(file: File, number: int, weave: Weave, owners: Owners, found: Relations) -> None:
    """What is done to a correction builds on the hunk that it corrects, as the correction does (rule D1)."""
    for one in file.corrections[number]:
        below = {owner for piece in one.of if (owner := owners.of(piece)) is not None}
        runs = [weave.runs[run] for run in one.runs]
        pieces = [piece for run in runs for piece, _ in run.marks() if piece.kind == "delete"]
        inside = {segment for segment in weave.inside if one.segment in weave.ancestors(segment)}
        pieces += [
            Piece("insert", run.insertion.op, run.insertion.op, run.start, run.end)
            for run in (weave.runs if inside else ())
            if run.insertion.segment in inside
        ]
        for piece in pieces:
            if (owner := owners.of(piece)) is not None:
                found[owner] |= below


def _on_settings(file: File, hunks: list[Hunk], owners: Owners, found: Relations) -> None:
    earlier: dict[str, list[str]] = defaultdict(list)
    for kind, setting in file.settings():
        owner = owners.of(Piece(kind, setting.mark.op)) if setting.mark.op else None
        if owner is None:
            continue
        found[owner].update(earlier[kind])
        earlier[kind].append(owner)
        if kind == "node" and setting.value == ABSENT:
            # A file goes with all that is undecided in it.
            op = setting.mark.op
            found[owner].update(h.id for h in hunks if h.state in UNDECIDED and h.operation.number < op)


def related(file: File, ops: set[int], *, foundations: bool) -> set[int]:
    """These operations and, transitively, those they build on; without `foundations`, that build on them.

    Coarser than `relations`, and much cheaper: it tells which hunks have to be looked at.
    """
    edges: dict[int, set[int]] = defaultdict(set)

    def edge(upper: int, lower: int) -> None:
        if upper and lower and upper != lower:
            edges[upper if foundations else lower].add(lower if foundations else upper)

    for number, weave in enumerate(file.weaves):
        creator = file.creation(number).mark.op
        for block in weave.blocks:
            for op in block.ops if creator else ():
                edge(op, creator)
            for run in block.runs:
                if run.insertion.op:
                    for mark in run.deletions:
                        edge(mark.op, run.insertion.op)
        for segment, outer in weave.inside.items():
            if outer is not None and outer.op:
                for one in weave.ancestors(segment):
                    edge(segment.op, one.op)
    earlier: dict[str, list[int]] = defaultdict(list)
    for kind, setting in file.settings():
        below = file.operations if setting.value == ABSENT else earlier[kind]
        for op in below:
            if op < setting.mark.op:
                edge(setting.mark.op, op)
        earlier[kind].append(setting.mark.op)
    for _, passed in file.passed:
        for op in {piece.op for piece in passed.pieces}:
            edges[op].add(passed.op)
            edges[passed.op].add(op)
    found, open_ends = set(ops), list(ops)
    while open_ends:
        new = edges[open_ends.pop()] - found
        found |= new
        open_ends += new
    return found


def is_asked_about(hunk: Hunk) -> bool:
    """Whether others may have to choose about this hunk: an agent's, or nobody knows whose."""
    return hunk.actor.kind not in ("person", "external")
