"""What there is to decide, hunk by hunk.

A hunk is fixed when its operation is recorded. A decision about a part of it splits it; the parts are told by
which standing decisions answered them, so taking that decision back gives the whole and its id back.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate

from blueline.model.actor import Actor
from blueline.model.answer import ACCEPTED, HELD, IN_EFFECT, UNDECIDED, Answer, Mark
from blueline.model.piece import Change, Kind, Piece
from blueline.review.file import ABSENT, UNKNOWN, Content, File, Node, Operation
from blueline.review.weave import Run, Shown, Weave

_SCRAMBLE = 0x9E3779B1
_IDS = 2**32


def hunk_id(salt: int, number: int) -> str:
    """The id of a recorded hunk: different numbers give different ids."""
    return f"h{((number ^ salt) * _SCRAMBLE) % _IDS:08x}"


def hunk_number(salt: int, identifier: str) -> int | None:
    """The number of the recorded hunk that an id, or the id of a part of it, stands for."""
    digits = identifier[1:].partition(".")[0]
    if len(digits) != 8 or any(digit not in "0123456789abcdef" for digit in digits):
        return None
    return (int(digits, 16) * pow(_SCRAMBLE, -1, _IDS)) % _IDS ^ salt


def _part_id(whole: str, pieces: list[Piece]) -> str:
    """The id of a part: that of the whole, and a name for just these pieces."""
    spelled = ";".join(f"{p.kind[0]}{p.op}.{p.target}.{p.start}-{p.end}" for p in merged(pieces))
    return f"{whole}.{blake2b(spelled.encode(), digest_size=3).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The whole lines of a region in one text: from zero, half-open; None when it is not text."""

    start: int
    end: int
    text: str | None


NOTHING = Side(start=0, end=0, text="")
NOT_TEXT = Side(start=0, end=0, text=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
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
    modified: bool
    """Somebody else typed into it, or took away from it."""
    endings: bool
    """It changes nothing but line ends."""

    @property
    def actor(self) -> Actor:
        """Who made it."""
        return self.operation.actor


@dataclass(slots=True)
class _Part:
    signature: tuple[int, ...]
    state: Answer
    pieces: list[Piece]
    runs: list[int]
    aspects: list[Kind]
    weave: int = -1
    shows: bool = False
    modified: bool = False
    endings: bool = True


def hunks(file: File, salt: int, ops: set[int] | None = None) -> list[Hunk]:
    """All hunks of a file, or of some operations, decided ones too: by operation, then as in the text."""
    found = []
    for (op, number), parts in sorted(_parts(file, ops).items()):
        operation = file.operations[op]
        whole = hunk_id(salt, operation.hunk + number)
        for part in parts:
            own = whole if len(parts) == 1 else _part_id(whole, part.pieces)
            found.append(_hunk(file, operation, part, own, whole))
    return found


def _parts(file: File, ops: set[int] | None) -> dict[tuple[int, int], list[_Part]]:
    """The pieces of each recorded hunk, cut where the standing decisions about them differ."""
    parts: dict[tuple[int, int], list[_Part]] = {}

    def add(piece: Piece, mark: Mark) -> _Part | None:
        if mark.op == 0 or (ops is not None and mark.op not in ops):
            return None
        key = (mark.op, file.hunk_of(piece, mark))
        known = parts.setdefault(key, [])
        signature = mark.signature(file.fallen)
        if not known or known[-1].signature != signature:
            known.append(_Part(signature, mark.state, [], [], []))
        known[-1].pieces.append(piece)
        return known[-1]

    for kind, setting in file.settings():
        part = add(Piece(kind, setting.mark.op), setting.mark)
        if part is not None:
            part.aspects.append(kind)
            part.shows = True
            part.endings = False
    shown = {content.node.value for content in (file.live, file.baseline) if content.node.kind == "text"}
    for current, weave in enumerate(file.weaves):
        for number, run in _runs_of(weave, ops):
            for piece, mark in run.marks():
                part = add(piece, mark)
                if part is None:
                    continue
                part.weave = current
                part.runs.append(number)
                part.endings = part.endings and run.text in ("\n", "\r\n")
                if piece.kind == "insert":
                    others = any(m.op != mark.op and m.state in IN_EFFECT for m in run.deletions)
                    part.modified = part.modified or others
                    shows = run.live or run.agreed or mark.state == HELD
                else:
                    shows = run.agreed or (run.live and mark.state == HELD)
                part.shows = part.shows or (shows and current in shown)
    return parts


def _runs_of(weave: Weave, ops: set[int] | None) -> Iterator[tuple[int, Run]]:
    """The numbered runs that some operations have to do with, and perhaps others."""
    first = 0
    for block in weave.blocks:
        if ops is None or not ops.isdisjoint(block.ops):
            for number, run in enumerate(block.runs, first):
                if run.insertion.op or run.deletions:
                    yield number, run
        first += len(block.runs)


class Readings:
    """What the hunks of one file show, in the baseline and in the file as it is."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._lines: dict[int, _Lines] = {}

    def sides(self, hunk: Hunk) -> tuple[Side, Side]:
        """The whole lines of a hunk's region: as agreed, and as they are (held: as if it were accepted)."""
        file = self._file
        if hunk.kind in ("create", "delete") and hunk.state != HELD:
            old, new = file.baseline, file.live
            return _side(old, empty=hunk.kind == "create"), _side(new, empty=hunk.kind == "delete")
        if hunk.kind not in ("create", "modify") or hunk.weave < 0:
            return NOT_TEXT, NOT_TEXT
        old_side, new_side = self._reading(hunk).sides(*hunk.runs)
        node = Node("text", hunk.weave)
        if not hunk.operation.complete:
            old_side = NOT_TEXT
        elif file.baseline.node != node:
            old_side = NOTHING
        return old_side, new_side if file.live.node == node or hunk.state == HELD else NOTHING

    def _reading(self, hunk: Hunk) -> "_Lines":
        weave = self._file.weaves[hunk.weave]
        if hunk.state == HELD:
            changes = [Change(piece, ACCEPTED) for piece in hunk.pieces]
            return _Lines(weave.answer(changes, -1).live, weave.baseline)
        if hunk.weave not in self._lines:
            self._lines[hunk.weave] = _Lines(weave.live, weave.baseline)
        return self._lines[hunk.weave]


class _Lines:
    """Line numbers in both readings of a weave."""

    def __init__(self, live: Shown, agreed: Shown) -> None:
        self.live, self.agreed = live, agreed
        self._starts = {id(shown): _line_starts(shown.text) for shown in (live, agreed)}

    def sides(self, first: int, last: int) -> tuple[Side, Side]:
        """The whole lines that hold the runs first to last, in the baseline and as they are."""
        new_open, old_open = (self._ends_open(shown, first, last) for shown in (self.live, self.agreed))
        old = self._region(self.agreed, first, last, other_ends_open=new_open)
        new = self._region(self.live, first, last, other_ends_open=old_open)
        return old, new

    def _region(self, shown: Shown, first: int, last: int, *, other_ends_open: bool) -> Side:
        text, starts = shown.text, self._starts[id(shown)]
        begin, stop = shown.before_run[first], shown.before_run[last + 1]
        line = bisect_right(starts, begin) - 1
        if begin == stop:
            mid_line = begin > starts[line]
            if not mid_line and not (other_ends_open and begin < len(text)):
                return Side(start=line, end=line, text="")
            stop = begin + 1
        end = bisect_right(starts, max(stop - 1, begin))
        to = starts[end] if end < len(starts) else len(text)
        return Side(start=line, end=end, text=text[starts[line] : to])

    def _ends_open(self, shown: Shown, first: int, last: int) -> bool:
        """Whether something of these runs shows and does not end with its line."""
        begin, stop = shown.before_run[first], shown.before_run[last + 1]
        return begin < stop and shown.text[stop - 1] != "\n"


def _line_starts(text: str) -> list[int]:
    return list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0))


def _hunk(file: File, operation: Operation, part: _Part, own: str, whole: str) -> Hunk:
    return Hunk(
        id=own,
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
        listed=part.shows and _present(file, part),
        modified=part.modified or _typed_into(file, part),
        endings=part.endings and len(part.pieces) > 1,
    )


def _present(file: File, part: _Part) -> bool:
    """A file that is gone on both sides, or never was, has nothing to look at."""
    if part.state == HELD or part.state not in UNDECIDED:
        return True
    live, agreed = file.live, file.baseline
    if live.node == agreed.node == ABSENT:
        return False
    return bool(part.aspects) or part.shows


def _kind(file: File, operation: Operation, part: _Part) -> str:
    if "node" in part.aspects:
        nodes = [setting for setting in file.nodes if setting.mark.op == operation.number]
        number = file.nodes.index(nodes[0])
        node = file.nodes[number].value
        before = file.nodes[number - 1].value if number else ABSENT
        if node == ABSENT:
            return "delete"
        kinds = {getattr(node, "kind", ""), getattr(before, "kind", "")}
        if before == UNKNOWN:
            return "modify"
        if "link" in kinds:
            return "symlink"
        if "bytes" in kinds:
            return "binary"
        return "create"
    if "path" in part.aspects:
        return "rename"
    if "mode" in part.aspects and not part.runs:
        return "mode"
    return "modify"


def _side(content: Content, *, empty: bool) -> Side:
    if empty or content.node == ABSENT:
        return NOTHING
    if content.text is None:
        return NOT_TEXT
    lines = content.text.count("\n") + (not content.text.endswith("\n") and bool(content.text))
    return Side(start=0, end=lines, text=content.text)


def _typed_into(file: File, part: _Part) -> bool:
    """Whether somebody else's text shows between the first and the last of the runs it inserted."""
    if not part.runs:
        return False
    runs = file.weaves[part.weave].runs
    ops = {piece.op for piece in part.pieces}
    inserted = [number for number in part.runs if runs[number].insertion.op in ops]
    between = runs[inserted[0] : inserted[-1]] if inserted else ()
    return any(run.live and run.insertion.op not in ops for run in between if run.insertion.op)


def merged(pieces: list[Piece]) -> Iterator[Piece]:
    """The same pieces with neighbouring stretches joined, in a fixed order."""
    last: Piece | None = None
    for piece in sorted(pieces):
        if last is not None and piece[:3] == last[:3] and piece.start == last.end and piece.end > piece.start:
            last = last._replace(end=piece.end)
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last
