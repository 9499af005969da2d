"""The file came back: a content that was there before takes up its earlier state again.

Only for changes outside any tool call (rule A10). An editor's undo and redo, or a branch switched away and
back, must not make a new author of old text.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, cast

from blueline.model.answer import IN_EFFECT, PENDING, REJECTED, Answer
from blueline.model.edit import KeptLine
from blueline.model.piece import Kind, Piece, PieceAnswer
from blueline.review.deciding.hunks import IN_TEXT, Hunk, hunks
from blueline.review.deciding.relations import FAR, Owners, is_asked_about
from blueline.review.file import File
from blueline.review.medium.medium import Medium
from blueline.review.operation import FileStep
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import IMAGINED, Weave


def changes_back_to(file: File, contents: set[str]) -> list[PieceAnswer] | None:
    """The answers that bring the latest earlier state with one of these contents back, or None."""
    for place in range(len(file.steps) - 1, -1, -1):
        if file.steps[place].content in contents:
            return _changes_to(file, file.steps[: place + 1])
    return None


def _changes_to(file: File, steps: tuple[FileStep, ...]) -> list[PieceAnswer]:
    then = states_after(steps)
    # Pieces whose effect is the same keep today's answer.
    return [
        PieceAnswer(piece, then(mark))
        for piece, mark in file.pieces()
        if (mark.state in IN_EFFECT) != (then(mark) in IN_EFFECT)
    ]


def settings_back(file: File, path: str, mode: int | None) -> list[PieceAnswer]:
    """The answers that bring back a path and a mode which an undecided or rejected operation changed."""
    found = []
    live = file.live
    for kind, wanted, now, settings in (
        ("path", path, live.path, file.paths),
        ("mode", live.mode if mode is None else mode, live.mode, file.modes),
    ):
        if wanted == now:
            continue
        for setting in reversed(settings):
            operation = file.operations[setting.mark.op]
            # The mode of a file that is new comes and goes with the file.
            is_new = "node" in dict(operation.settings)
            if is_new or operation.first != PENDING or setting.mark.state not in (PENDING, REJECTED):
                continue
            answer: Answer = REJECTED if setting.mark.state == PENDING else PENDING
            change = PieceAnswer(Piece(cast(Kind, kind), setting.mark.op), answer)
            turned = file.answered([change], IMAGINED).live
            if (turned.path if kind == "path" else turned.mode) == wanted:
                found.append(change)
                break
    return found


def states_after(steps: tuple[FileStep, ...]) -> Callable[[Mark], Answer]:
    """Tells what state a piece had after the first steps of a file; rejected, if there was no such piece."""
    came = {step.number for step in steps if step.kind in ("op", "formatted")}
    decisions = {step.number for step in steps if step.kind == "decision"}
    fallen: set[int] = set()
    for step in steps:
        if step.kind == "fallen":
            fallen.add(step.number)
        elif step.kind == "stands":
            fallen.discard(step.number)

    def then(mark: Mark) -> Answer:
        if mark.came not in came:
            return REJECTED
        standing = [answer for number, answer in mark.log if number in decisions and number not in fallen]
        return standing[-1] if standing else mark.first

    return then


class PutBack(NamedTuple):
    """Pieces of a hunk that stand again as they did before, and the answer that this amounts to."""

    hunk: Hunk
    pieces: tuple[Piece, ...]
    answer: Answer


def put_back(file: File, new: str, medium: Medium, salt: int, kept: Sequence[KeptLine]) -> list[PutBack]:
    """Hunks, or single edits of them, that an outside edit put back as they were.

    `kept` are the lines that are still there.
    A pending one whose change is undone is rejected; a rejected one that stands there again is pending.
    """
    live = file.live
    if not live.node.is_woven or live.text is None:
        return []
    weave = file.weaves[int(live.node.value)]
    edits = _as_set(medium, live.text, new, kept)
    touched = _Touched(edits)
    before_run = weave.live.before_run
    found = []
    for hunk in hunks(file, salt):
        if hunk.state not in (PENDING, REJECTED) or hunk.kind not in IN_TEXT or not is_asked_about(hunk):
            continue
        if hunk.weave != live.node.value:
            continue
        low, high = before_run[hunk.runs[0]], before_run[hunk.runs[1] + 1]
        if not touched.is_near(low, high):
            continue
        answer: Answer = REJECTED if hunk.state == PENDING else PENDING
        for pieces in (hunk.pieces, *_by_edit(weave, hunk)):
            wanted = _edits_of(file, medium, live.text, pieces, answer)
            if wanted and wanted <= edits:
                found.append(PutBack(hunk, pieces, answer))
                edits -= wanted
                if pieces == hunk.pieces:
                    break
    return found


def without_effect(file: File, number: int, salt: int) -> list[Hunk]:
    """Undecided hunks that a formatter's pass joined, and by now the text would be the same without."""
    node = file.live.node
    weave = file.weaves[int(node.value)]
    ops = {mark.op for run in weave.runs for _, mark in run.marks() if mark.since == number}
    before = weave.live.before_run
    found = []
    for hunk in hunks(file, salt, ops):
        if hunk.state != PENDING or hunk.kind not in IN_TEXT or hunk.weave != node.value:
            continue
        first, last = hunk.runs
        without = weave.imagined(first, last, [PieceAnswer(p, REJECTED) for p in hunk.pieces], live=True)
        if without == weave.live.text[before[first] : before[last + 1]]:
            found.append(hunk)
    return found


class _Touched:
    """Where a text was edited."""

    def __init__(self, edits: Iterable[tuple[int, int, str]]) -> None:
        self._places = sorted((start, end) for start, end, _ in edits)

    def is_near(self, low: int, high: int) -> bool:
        """Whether an edit touches what stands from one character to another."""
        place = bisect_right(self._places, (high, FAR)) - 1
        return place >= 0 and self._places[place][1] >= low


def _edits_of(
    file: File, medium: Medium, text: str, pieces: tuple[Piece, ...], answer: Answer
) -> set[tuple[int, int, str]]:
    """What giving some pieces an answer would do to the text."""
    turned = file.answered([PieceAnswer(piece, answer) for piece in pieces], IMAGINED).live.text
    if turned is None or turned == text:
        return set()
    return _as_set(medium, text, turned)


def _as_set(medium: Medium, old: str, new: str, kept: Sequence[KeptLine] = ()) -> set[tuple[int, int, str]]:
    """The edits from one text to another, to be compared."""
    edits = medium.edits(old, new, kept=kept)
    return {(edit.old_start, edit.old_end, new[edit.new_start : edit.new_end]) for edit in edits}


def _by_edit(weave: Weave, hunk: Hunk) -> list[tuple[Piece, ...]]:
    """The pieces of a hunk, edit by edit; none when it is a single one."""
    owners = Owners([hunk])
    groups: dict[Segment, list[Piece]] = {}
    for run in weave.runs[hunk.runs[0] : hunk.runs[1] + 1]:
        for piece, mark in run.marks():
            if owners.of(piece) is not None:
                groups.setdefault(mark.segment, []).append(piece)
    return [tuple(pieces) for pieces in groups.values()] if len(groups) > 1 else []
