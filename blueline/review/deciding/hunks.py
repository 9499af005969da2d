"""What there is to decide, hunk by hunk.

A hunk is fixed when its operation is recorded. A decision about a part of it splits it; the parts are told by
which standing decisions answered them, so taking that decision back gives the whole and its id back.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from blueline.model.actor import Actor
from blueline.model.answer import HELD, IN_EFFECT, PENDING, REJECTED, Answer
from blueline.model.ids import hunk_id, part_id
from blueline.model.piece import Kind, Piece, is_within
from blueline.review.file import File
from blueline.review.medium.choice import MEDIA, medium_of
from blueline.review.medium.medium import Medium
from blueline.review.operation import Operation
from blueline.review.setting import ABSENT, UNKNOWN, Node, Setting
from blueline.review.weave.corrections import Correction
from blueline.review.weave.mark import Mark
from blueline.review.weave.weave import Run, Weave
from blueline.review.worked_out import WorkedOut

IN_TEXT = tuple({kind for medium in MEDIA.values() for kind in medium.hunk_kinds})
"""Kinds of hunks that change lines of a text, in any medium."""


def _part_id(whole: str, pieces: list[Piece]) -> str:
    """The id of a part: that of the whole, and a name for just these pieces."""
    from hashlib import blake2b  # it loads all of OpenSSL, and parts are rare

    spelled = ";".join(f"{p.kind[0]}{p.op}.{p.target}.{p.start}-{p.end}" for p in merged(pieces))
    return part_id(whole, blake2b(spelled.encode(), digest_size=3).hexdigest())


class Hunk(NamedTuple):
    """Pieces of one operation that are decided together."""

    id: str
    whole: str
    """The id of the hunk as it was recorded; equal to `id` unless this is a part."""
    file: int
    path: str
    kind: str
    state: Answer
    operation: Operation
    pieces: tuple[Piece, ...]
    signature: tuple[int, ...]
    """The standing decisions that answered it."""
    weave: int
    runs: tuple[int, int]
    """Its first and last run in that weave; (-1, -1) when it is not text."""
    listed: bool
    """Whether there is anything to look at: it shows in the baseline or in the file as it is."""
    touched: int
    """The latest operation by which a person typed into it, or took away from it; 0 if there is none."""
    endings: bool
    """It changes nothing but line ends."""
    inserted: str = ""
    """What it inserted and what it deleted, where the text is not all that stands in the file; elsewhere the
    sides of a hunk tell."""
    deleted: str = ""
    passed: tuple[Piece, ...] = ()
    """What it was recorded with, if all of that is another hunk's by now (rule B2): it has no pieces."""

    @property
    def modified(self) -> bool:
        """Whether a person typed into it, or took away from it."""
        return self.touched > 0

    @property
    def actor(self) -> Actor:
        return self.operation.actor


@dataclass(slots=True)
class _Part:
    signature: tuple[int, ...]
    state: Answer
    pieces: list[Piece] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    aspects: list[Kind] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    """Runs that it has left for another place: nothing of it shows there."""
    own: list[Piece] = field(default_factory=list)
    """The pieces that came with the operation itself, and not with a formatter (rule D2)."""
    weave: int = -1
    medium: Medium | None = None
    """What its text is in, if that is not all that stands in the file."""
    shows: bool = False
    touched: int = 0
    endings: bool = True
    inserted: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    passed: list[Piece] = field(default_factory=list)

    def take(self, other: "_Part") -> None:
        """Hold what another part holds, too."""
        self.pieces += other.pieces
        self.own += other.own
        self.runs = sorted(self.runs + other.runs)
        self.left += other.left
        self.shows = self.shows or other.shows
        self.touched = max(self.touched, other.touched)
        self.endings = self.endings and other.endings
        self.inserted += other.inserted
        self.deleted += other.deleted

    def distance(self, other: "_Part") -> int:
        """How many runs are between this part and another."""
        return min((abs(a - b) for a in self.runs for b in other.runs), default=0)


_HUNKS = WorkedOut[tuple[int, list[Hunk]]]("hunks")
"""With the salt of their ids."""


def hunks(file: File, salt: int, ops: set[int] | None = None) -> list[Hunk]:
    """All hunks of a file, or of some operations, decided ones too: by operation, then as in the text."""
    known = known_hunks(file, salt)
    if known is not None:
        return [hunk for hunk in known if ops is None or hunk.operation.number in ops]
    found = _worked_out(file, salt, ops)
    if ops is None:
        know_hunks(file, salt, found)
    return [*found]


def known_hunks(file: File, salt: int) -> list[Hunk] | None:
    """All hunks of a file, if they were worked out before: a decision asks for them three times, and a page
    once more."""
    known = _HUNKS.of(file)
    return known[1] if known is not None and known[0] == salt else None


def know_hunks(file: File, salt: int, found: list[Hunk]) -> None:
    """Let a file know its hunks."""
    _HUNKS.keep(file, (salt, found))


def _worked_out(file: File, salt: int, ops: set[int] | None) -> list[Hunk]:
    found = []
    cut_apart = _parts(file, ops)
    for (op, number), cut in sorted({**_emptied(file, ops), **cut_apart}.items()):
        parts = _with_formatting(cut)
        operation = file.operations[op]
        whole = hunk_id(salt, operation.hunk + number)
        for part in parts:
            # Formatting joins a part, and does not rename it.
            name = whole if len(parts) == 1 else _part_id(whole, part.own or part.pieces)
            found.append(_hunk(file, operation, part, name, whole))
    return found


def _parts(file: File, ops: set[int] | None) -> dict[tuple[int, int], list[_Part]]:
    """The pieces of each recorded hunk, cut where the standing decisions about them differ."""
    parts: dict[tuple[int, int], list[_Part]] = {}
    folded, has_passed = file.folded, bool(file.passed)

    def add(piece: Piece, mark: Mark) -> _Part | None:
        if 0 <= mark.op <= folded:
            return None
        op, log = mark.op, mark.log
        if has_passed:
            op, hunk, log = file.place_of(piece, mark)
        else:
            hunk = file.hunk_of(piece, mark)
        if ops is not None and op not in ops:
            return None
        signature = tuple(number for number, _ in log if number not in file.fallen) if log else ()
        known = parts.get((op, hunk))
        # By state too: of what one decision answered, a part may be kept and a part taken back (D1).
        if known is None:
            part = _Part(signature, mark.state)
            parts[op, hunk] = [part]
        elif (part := known[-1]).signature != signature or part.state != mark.state:
            part = _Part(signature, mark.state)
            known.append(part)
        part.pieces.append(piece)
        if not mark.since:
            part.own.append(piece)
        return part

    for kind, setting in file.settings():
        part = add(Piece(kind, setting.mark.op), setting.mark)
        if part is not None:
            part.aspects.append(kind)
            # What brought the file into another medium, or said that it stays, shows while it is one side's
            # and not the other's.
            passing = kind == "node" and (_is_swap(file, setting) or file.is_known(setting))
            live, agreed = file.node, file.agreed_node
            part.shows = not passing or setting.mark.state == HELD or setting.value == live != agreed
            part.endings = False
    media = {
        node.value: medium
        for node in (setting.value for setting in file.nodes)
        if isinstance(node, Node) and (medium := medium_of(node)) is not None and not medium.is_all
    }
    shown = {node.value for node in (file.node, file.agreed_node) if node.is_woven}
    by_people = file.by_people
    for current, weave in enumerate(file.weaves):
        reviewed, is_shown = file.reviewed[current], current in shown
        idle = reviewed.idle
        for number, run in _runs_of(weave, ops if ops is None else file.holding(ops)):
            for piece, mark in run.marks():
                part = add(piece, mark)
                if part is None:
                    continue
                part.weave = current
                (part.left if run.deletions and _was_moved(run, mark) else part.runs).append(number)
                part.endings = part.endings and run.text in ("\n", "\r\n")
                if current in media:
                    part.medium = media[current]
                    (part.inserted if piece.kind == "insert" else part.deleted).append(run.text)
                if by_people and run.deletions and piece.kind == "insert":
                    others = [m.op for m in run.deletions if m.state in IN_EFFECT and m.op in by_people]
                    part.touched = max(part.touched, *others) if others else part.touched
                if part.shows or not is_shown:
                    continue
                was, is_held = reviewed.runs[number].agreed, mark.state == HELD
                shows = was or (is_held and run.live) or (piece.kind == "insert" and (run.live or is_held))
                part.shows = shows and (is_held or number not in idle)
    return parts


def _emptied(file: File, ops: set[int] | None) -> dict[tuple[int, int], list[_Part]]:
    """Hunks from which something has passed to others: rejected, whether anything is left of them or not."""
    found: dict[tuple[int, int], list[_Part]] = {}
    for current, weave in enumerate(file.weaves if file.passed else ()):
        for number, run in _runs_of(weave, ops):
            for piece, mark in run.marks():
                passed = file.pass_of(piece, mark) if ops is None or mark.op in ops else None
                if passed is not None and mark.op > file.folded:
                    key = mark.op, file.hunk_of(piece, mark)
                    (part,) = found.setdefault(key, [_Part((passed[0],), REJECTED, weave=current)])
                    part.passed.append(piece)
                    part.runs.append(number)
    return found


def _with_formatting(parts: list[_Part]) -> list[_Part]:
    """The parts of a hunk; what formatters did to it makes none of its own, and cuts none (rule D2)."""
    if all(part.own for part in parts) or not any(part.own for part in parts):
        return parts
    found: list[_Part] = []
    waiting: list[_Part] = []
    for part in parts:
        if not part.own:
            waiting.append(part)
        elif found and (found[-1].signature, found[-1].state) == (part.signature, part.state):
            found[-1].take(part)
        else:
            found.append(part)
    for part in waiting:
        alike = [one for one in found if one.state == part.state]
        if alike:
            min(alike, key=lambda one: one.distance(part)).take(part)
        elif part.state != REJECTED:
            found.append(part)  # somebody has answered just this
    return found


def _runs_of(weave: Weave, ops: set[int] | None) -> Iterator[tuple[int, Run]]:
    """The numbered runs that some operations have to do with, and perhaps others."""
    first = 0
    for block in weave.blocks:
        if ops is None or not ops.isdisjoint(block.ops):
            for number, run in enumerate(block.runs, first):
                if run.insertion.op or run.deletions:
                    yield number, run
        first += len(block.runs)


def _was_moved(run: Run, mark: Mark) -> bool:
    """Whether what an operation inserted stands elsewhere by now, in the same hunk (rule D2 (e))."""
    own = run.insertion.op == mark.op and run.insertion.state in IN_EFFECT
    # What was decided before is not moved: it goes, with what is still to be decided.
    return own and any(
        one.op == mark.op and one.since and one.state == run.insertion.state for one in run.deletions
    )


def _hunk(file: File, operation: Operation, part: _Part, name: str, whole: str) -> Hunk:
    part.runs = part.runs or part.left
    return Hunk(
        id=name,
        whole=whole,
        file=file.number,
        path=file.live.path,
        kind=_kind(file, operation, part),
        state=part.state,
        operation=operation,
        pieces=tuple(merged(part.pieces)),
        signature=part.signature,
        weave=part.weave,
        runs=(part.runs[0], part.runs[-1]) if part.runs else (-1, -1),
        listed=_is_listed(file, part),
        touched=max(part.touched, _typed_into(file, part)),
        endings=part.endings and len(part.pieces) > 1,
        inserted="".join(part.inserted),
        deleted="".join(part.deleted),
        passed=tuple(merged(part.passed)),
    )


def _is_listed(file: File, part: _Part) -> bool:
    """Whether there is anything to look at. What was decided can always be looked at again."""
    if part.state not in (PENDING, HELD):
        return True
    gone_on_both_sides = file.node == file.agreed_node == ABSENT
    return (part.shows or _is_corrected(file, part)) and (part.state == HELD or not gone_on_both_sides)


def _kind(file: File, operation: Operation, part: _Part) -> str:
    if "node" in part.aspects:
        nodes = [setting for setting in file.nodes if setting.mark.op == operation.number]
        number = file.nodes.index(nodes[0])
        node = file.nodes[number].value
        before = file.nodes[number - 1].value if number else ABSENT
        if node == ABSENT:
            return "delete"
        kinds = {getattr(node, "kind", ""), getattr(before, "kind", "")}
        if before == UNKNOWN or _is_swap(file, nodes[0]) or file.is_known(nodes[0]):
            return "modify"
        if "link" in kinds:
            return "symlink"
        if "bytes" in kinds:
            return "create" if before == ABSENT else "binary"
        return "create"
    if "path" in part.aspects:
        return "rename"
    if "mode" in part.aspects and not part.runs:
        return "mode"
    if part.medium is None:
        return "modify"
    return part.medium.hunk_kind("".join(part.inserted), "".join(part.deleted))


def _is_swap(file: File, setting: Setting) -> bool:
    """Whether a setting brought the file from one medium into another."""
    number = file.nodes.index(setting)
    node, before = setting.value, file.nodes[number - 1].value if number else ABSENT
    if not isinstance(node, Node) or not isinstance(before, Node):
        return False
    return node.is_woven and before.is_woven and node.kind != before.kind


def _typed_into(file: File, part: _Part) -> int:
    """The latest operation of a person whose text shows between the first and the last of its runs."""
    if not part.runs or not file.by_people:
        return 0
    runs = file.weaves[part.weave].runs
    ops = {piece.op for piece in part.pieces}
    inserted = [number for number in part.runs if runs[number].insertion.op in ops]
    between = runs[inserted[0] : inserted[-1]] if inserted else ()
    typed = (run.insertion.op for run in between if run.live and run.insertion.op in file.by_people)
    return max(typed, default=0)


def _is_corrected(file: File, part: _Part) -> bool:
    """Whether what a person put in its place shows, or what they took away there is still agreed."""
    if part.state != PENDING or part.weave < 0 or not file.corrections[part.weave]:
        return False
    runs = file.reviewed[part.weave].runs
    return any(
        any(runs[number].live for number in one.runs) or any(runs[number].agreed for number in one.gone)
        for one in _correcting(file, part.weave, part.pieces)
    )


def corrections_of(file: File, hunk: Hunk) -> list[Correction]:
    """What people put in the place of a hunk that is undecided (rule D1)."""
    return _correcting(file, hunk.weave, hunk.pieces) if hunk.weave >= 0 else []


def _correcting(file: File, weave: int, pieces: Iterable[Piece]) -> list[Correction]:
    found = file.corrections[weave]
    return [one for one in found if any(overlap(piece, other) for piece in pieces for other in one.of)]


def overlap(one: Piece, other: Piece) -> bool:
    """Whether two pieces have characters in common."""
    return one[:3] == other[:3] and one.start < other.end and other.start < one.end


def commit_of(file: File, hunk: Hunk) -> str | None:
    """The commit in which an undecided hunk is as it stands in the file (rule D3)."""
    if hunk.state != PENDING:
        return None
    for one in reversed(file.commits):
        if all(any(is_within(piece, other) for other in one.pieces) for piece in hunk.pieces):
            return one.commit if one.commit and hunk.touched <= one.op else None
    return None


def merged(pieces: list[Piece]) -> Iterator[Piece]:
    """The same pieces with neighbouring stretches joined, in a fixed order."""
    last: Piece | None = None
    for piece in sorted(pieces) if len(pieces) > 1 else pieces:
        if last is not None and piece[:3] == last[:3] and piece.start == last.end and piece.end > piece.start:
            last = last._replace(end=piece.end)
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last
