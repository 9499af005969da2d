"""The file came back: a content that was there before takes up its earlier state again.

Only for changes outside any tool call (rule A10). An editor's undo and redo, or a branch switched away and
back, must not make a new author of old text.
"""

from collections.abc import Callable

from blueline.diff.edits import text_edits
from blueline.model.answer import IN_EFFECT, PENDING, REJECTED, Answer, Mark
from blueline.model.piece import Change
from blueline.review.building import is_asked_about
from blueline.review.file import File, Step
from blueline.review.hunks import Hunk, hunks
from blueline.review.weave import IMAGINED, Weave


def changes_back_to(file: File, content: str) -> list[Change] | None:
    """The answers that bring the latest earlier state with this content back, or None."""
    for place in range(len(file.steps) - 1, -1, -1):
        if file.steps[place].content == content:
            return _changes_to(file, file.steps[: place + 1])
    return None


def _changes_to(file: File, steps: tuple[Step, ...]) -> list[Change]:
    then = states_after(steps)
    # Pieces whose effect is the same keep today's answer.
    return [
        Change(piece, then(mark))
        for piece, mark in file.pieces()
        if (mark.state in IN_EFFECT) != (then(mark) in IN_EFFECT)
    ]


def states_after(steps: tuple[Step, ...]) -> Callable[[Mark], Answer]:
    """Tells what state a piece had after the first steps of a file; rejected, if there was no such piece."""
    operations = {step.number for step in steps if step.kind == "op"}
    decisions = {step.number for step in steps if step.kind == "decision"}
    fallen: set[int] = set()
    for step in steps:
        if step.kind == "fallen":
            fallen.add(step.number)
        elif step.kind == "stands":
            fallen.discard(step.number)

    def then(mark: Mark) -> Answer:
        if mark.op not in operations:
            return REJECTED
        standing = [answer for number, answer in mark.log if number in decisions and number not in fallen]
        return standing[-1] if standing else mark.first

    return then


def hunks_put_back(file: File, new: str, salt: int) -> list[tuple[Hunk, Answer]]:
    """Hunks that an outside edit put back as they were, each with the answer that this amounts to.

    A pending one whose change is undone is rejected; a rejected one that stands there again is pending.
    """
    live = file.live
    if live.node.kind != "text" or live.text is None:
        return []
    weave = file.weaves[int(live.node.value)]
    edits = {(e.old_start, e.old_end, new[e.new_start : e.new_end]) for e in text_edits(live.text, new)}
    before_run = weave.live.before_run
    reach = _reach(weave)
    found = []
    for hunk in hunks(file, salt):
        if hunk.state not in (PENDING, REJECTED) or hunk.kind != "modify" or not is_asked_about(hunk):
            continue
        if hunk.operation.number not in reach:
            continue
        first, last = reach[hunk.operation.number]
        low, high = before_run[first], before_run[last + 1]
        if not any(start <= high and low <= end for start, end, _ in edits):
            continue
        answer: Answer = REJECTED if hunk.state == PENDING else PENDING
        turned = file.answered([Change(piece, answer) for piece in hunk.pieces], IMAGINED).live.text
        if turned is None or turned == live.text:
            continue
        wanted = {
            (e.old_start, e.old_end, turned[e.new_start : e.new_end]) for e in text_edits(live.text, turned)
        }
        if wanted <= edits:
            found.append((hunk, answer))
            edits -= wanted
    return found


def _reach(weave: Weave) -> dict[int, tuple[int, int]]:
    """The first and last run that each operation has to do with."""
    reach: dict[int, tuple[int, int]] = {}
    for number, run in enumerate(weave.runs):
        for mark in (run.insertion, *run.deletions):
            first, _ = reach.get(mark.op, (number, number))
            reach[mark.op] = (first, number)
    return reach
