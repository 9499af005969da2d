"""What was decided long ago in a file becomes its baseline: the file then holds what is open, and its text.

All operations up to one fold together, if everything in them is decided. What later operations have to do
with stays exactly as it is, name by name: so hunks keep their pieces and their ids. Of the rest, what shows
is the baseline's from then on, and what does not show is gone. Nothing that is open may look or end otherwise
by it; where it would, nothing is folded.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from blueline.model.answer import ACCEPTED, PENDING, REJECTED, UNDECIDED, Answer
from blueline.model.piece import PieceAnswer
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.file import File
from blueline.review.operation import BASE, Committed, FileStep
from blueline.review.setting import UNKNOWN, Content, Node, Setting
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import IMAGINED, LineEnd, Run, Weave


class FoldLimit(NamedTuple):
    """What is old enough: operations up to a time, and decisions up to a number but for some."""

    before: str
    decision: int
    besides: Collection[int] = ()
    """Decisions that somebody still asks about: those of agents and commits."""


def foldable(file: File, limit: FoldLimit) -> int:
    """The last operation up to which all is decided and old; 0 if there is none that is not folded yet."""
    if file.wholes or not _is_understood(file):
        return 0
    first_open = min(_open_operations(file, limit), default=max(file.operations) + 1)
    # What has passed to a later operation is as open as that.
    for _, one in sorted(file.passed, key=lambda passed: -passed[1].op):
        if one.op >= first_open:
            first_open = min(first_open, *(piece.op for piece in one.pieces))
    return max((op for op in file.operations if file.folded < op < first_open), default=0)


def _is_understood(file: File) -> bool:
    """Whether it is a file whose records are all there."""
    whole = min(file.operations) == BASE and file.steps[:1] == (
        file.steps[0]._replace(kind="op", number=BASE),
    )
    return whole and all(setting.value != UNKNOWN for setting in file.nodes)


def _open_operations(file: File, limit: FoldLimit) -> Iterator[int]:
    """Those that are new, or undecided, or decided about lately."""
    for op, one in file.operations.items():
        if op != BASE and one.at >= limit.before:
            yield op
    for _, mark in file.pieces():
        if mark.op > file.folded and (mark.state in UNDECIDED or _is_recent(mark, limit)):
            yield mark.op
    for run in (run for weave in file.weaves for run in weave.runs):
        # What was taken from a later operation's text is of that operation.
        yield from (mark.op for mark in run.deletions if file.folded < mark.op < run.insertion.op)


def _is_recent(mark: Mark, limit: FoldLimit) -> bool:
    return any(number > limit.decision or number in limit.besides for number, _ in mark.log)


def folded(file: File, op: int, salt: int) -> File | None:
    """The file with all operations up to one folded; None if anything that is open would not be the same."""
    found = _Fold(file, op, salt).file()
    return found if found is not None and _is_same(file, found, salt) else None


class _Fold:
    def __init__(self, file: File, op: int, salt: int) -> None:
        self._file = file
        self._op = op
        self._open = [hunk for hunk in hunks(file, salt) if hunk.operation.number > op]
        bases = (run.end for weave in file.weaves for run in weave.runs if run.insertion.op == BASE)
        self._free = max(bases, default=0)
        """The first character of the baseline's that has no name yet."""
        self._gone: set[int] = set()
        """Decisions about what is folded."""
        self._passes: set[int] = set()
        """Passes of formatters over it."""

    def file(self) -> File | None:
        file = self._file
        if file.node != file.agreed_node or self._is_split(file.modes) or self._is_split(file.paths):
            return None
        weaves, nodes = self._texts()
        kept = replace(file, weaves=weaves, nodes=nodes, modes=self._modes(), paths=self._paths())
        marks = [mark for _, mark in kept.pieces()]
        self._gone |= {number for mark in marks if mark.op <= self._op for number, _ in mark.log}
        decisions = {number for mark in marks for number, _ in mark.log}
        ops = {BASE, *(mark.op for mark in marks), *(op for op in file.operations if op > self._op)}
        came = {BASE, *ops, *(mark.came for mark in marks)}
        return replace(
            kept,
            operations={number: one for number, one in file.operations.items() if number in ops},
            steps=self._steps(came, decisions),
            fallen=file.fallen & decisions,
            commits=tuple(self._commits()),
            passed=tuple((decision, one) for decision, one in file.passed if one.op > self._op),
            folded=self._op,
            settled=max(self._gone | {file.settled}),
        )

    def _is_split(self, settings: tuple[Setting, ...]) -> bool:
        """Whether both sides differ in a setting."""
        return any(setting.mark.state in UNDECIDED for setting in settings)

    def _texts(self) -> tuple[tuple[Weave, ...], tuple[Setting, ...]]:
        """The texts that are needed, and what stands at the path."""
        file = self._file
        node = file.live.node
        opened = {number for number, weave in enumerate(file.weaves) if self._has_open(weave)}
        woven = [number for number in range(len(file.weaves)) if node.is_weave(number)]
        if any(setting.mark.op > self._op for setting in file.nodes) or not opened <= {*woven}:
            return tuple(map(self._weave, range(len(file.weaves)), file.weaves)), file.nodes
        for setting in file.nodes:
            self._leave(setting.mark)
        for number, weave in enumerate(file.weaves):
            for _, mark in weave.pieces() if number not in woven else ():
                self._leave(mark)
        now = next(s for s in reversed(file.nodes) if s.value == node) if node.kind != "absent" else None
        setting = Setting(_agreed(), node if not woven else Node(node.kind, 0), now.missing if now else "")
        return tuple(self._weave(number, file.weaves[number]) for number in woven), (setting,)

    def _has_open(self, weave: Weave) -> bool:
        return any(op > self._op for block in weave.blocks for op in block.ops)

    def _modes(self) -> tuple[Setting, ...]:
        modes = self._file.modes
        if any(setting.mark.op > self._op for setting in modes):
            return modes
        for setting in modes:
            self._leave(setting.mark)
        return (Setting(_agreed(), self._file.live.mode),)

    def _paths(self) -> tuple[Setting, ...]:
        """All that it ever had: by these it is found."""
        paths, now = self._file.paths, self._file.live.path
        if any(setting.mark.op > self._op for setting in paths):
            return paths
        for setting in paths:
            self._leave(setting.mark)
        others = dict.fromkeys(str(setting.value) for setting in paths if setting.value != now)
        return tuple(Setting(_agreed(), path) for path in (*others, now))

    def _leave(self, mark: Mark) -> None:
        self._gone |= {number for number, _ in mark.log}
        self._passes.add(mark.since)

    def _weave(self, number: int, weave: Weave) -> Weave:
        within = {
            run
            for hunk in self._open
            if hunk.weave == number
            for run in range(hunk.runs[0], hunk.runs[1] + 1)
        }
        ends_shown = {run for side in (weave.live, weave.baseline) for run, _, _ in side.spans}
        out: list[Run] = []
        names = _Names()
        for place, run in enumerate(weave.runs):
            if place in within or any(mark.op > self._op for _, mark in run.marks()):
                out.append(run)
                names.stays(run)
                continue
            if not run.live and place in ends_shown:
                out.append(run)
                names.stays(run)
                continue
            for _, mark in run.marks():
                self._leave(mark)
            if run.live:
                new = Run(run.text, self._free, _agreed(whole=run.insertion.whole), (), run.line_end)
                names.becomes(run, new)
                self._free = new.end
                out.append(new)
        out = _joined([names.in_place(run) for run in out])
        return Weave.of(out, _inside(weave, out))

    def _steps(self, came: set[int], decisions: set[int]) -> tuple[FileStep, ...]:
        """What happened, as far as something is left of it. What the file held before all of this was decided
        cannot be had any more."""
        steps = self._file.steps
        last = max(place for place, step in enumerate(steps) if self._is_folded(step))
        left = [
            step._replace(content="")
            for step in steps[1 : last + 1]
            if step.number in (came if step.kind in ("op", "formatted") else decisions)
        ]
        now = FileStep("op", BASE, steps[last].content)
        return (*([now._replace(content=""), *left] if left else ()), now, *steps[last + 1 :])

    def _is_folded(self, step: FileStep) -> bool:
        if step.kind in ("op", "formatted"):
            return step.number <= self._op or step.number in self._passes
        return step.number in self._gone

    def _commits(self) -> Iterator[Committed]:
        for one in self._file.commits:
            pieces = tuple(piece for piece in one.pieces if piece.op > self._op)
            if pieces:
                yield one._replace(pieces=pieces)


def _agreed(*, whole: bool = False) -> Mark:
    return Mark(BASE, 0, ACCEPTED, whole=whole)


class _Names:
    """What line ends are called afterwards."""

    def __init__(self) -> None:
        self._now: dict[LineEnd, LineEnd] = {}

    def stays(self, run: Run) -> None:
        self.becomes(run, run)

    def becomes(self, run: Run, new: Run) -> None:
        for place, character in enumerate(run.text) if "\n" in run.text else ():
            if character == "\n":
                name = (new.insertion.op, new.start + place)
                self._now[run.insertion.op, run.start + place] = name

    def in_place(self, run: Run) -> Run:
        """A run that names the end of its line as it is called now; none if that is gone for good."""
        line_end = None if run.line_end is None else self._now.get(run.line_end)
        if line_end == run.line_end:
            return run
        return Run(run.text, run.start, run.insertion, run.deletions, line_end)


def _joined(runs: Iterable[Run]) -> list[Run]:
    """Neighbours of the baseline's made one, where what they show is told by neither alone."""
    found: list[Run] = []
    for run in runs:
        last = found[-1] if found else None
        if last is not None and _is_one(last, run):
            mark = last.insertion if last.insertion.whole == run.insertion.whole else _agreed()
            found[-1] = Run(last.text + run.text, last.start, mark, (), run.line_end)
        else:
            found.append(run)
    return found


def _is_one(one: Run, other: Run) -> bool:
    if one.insertion.op != BASE or other.insertion.op != BASE or one.deletions or other.deletions:
        return False
    if one.end != other.start:
        return False
    return one.line_end is None or one.line_end == other.line_end or "\n" in other.text


def _inside(weave: Weave, runs: list[Run]) -> dict[Segment, Segment | None]:
    """Which of the insertions that are left stand in which."""
    left = {run.insertion.segment for run in runs}
    return {
        segment: next((outer for outer in weave.ancestors(segment) if outer in left), None)
        for segment in weave.inside
        if segment in left
    } | ({Segment(BASE, 0): None} if Segment(BASE, 0) in left else {})


def _is_same(before: File, after: File, salt: int) -> bool:
    """Whether all that is open looks the same, and comes to the same however it is decided."""
    was = [hunk for hunk in hunks(before, salt) if hunk.operation.number > after.folded]
    if [*map(_look, was)] != [*map(_look, hunks(after, salt))]:
        return False
    answers: tuple[Answer | None, ...] = (None, ACCEPTED, REJECTED)
    return all(_sides(before, was, answer) == _sides(after, was, answer) for answer in answers)


def _look(hunk: Hunk) -> tuple[object, ...]:
    about = (hunk.id, hunk.path, hunk.kind, hunk.state, hunk.pieces, hunk.signature)
    return (*about, hunk.listed, hunk.touched, hunk.endings)


def _sides(file: File, open_: list[Hunk], answer: Answer | None) -> list[tuple[object, ...]]:
    if answer is not None:
        pieces = [piece for hunk in open_ if hunk.state == PENDING for piece in hunk.pieces]
        file = file.answered([PieceAnswer(piece, answer) for piece in pieces], IMAGINED)
    return [_content(side) for side in (file.live, file.baseline)]


def _content(side: Content) -> tuple[object, ...]:
    return side.node.kind, side.text, side.mode, side.path
