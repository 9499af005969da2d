"""Cells that a person moved although something in them is undecided."""

from typing import NamedTuple

from blueline.model.answer import ACCEPTED, UNDECIDED
from blueline.model.edit import Edit
from blueline.model.projection import CELL
from blueline.review.file import File


class MovedCell(NamedTuple):
    """A cell that stands elsewhere: where that is in the new text, what was agreed of it, and the operation
    that did the rest."""

    start: int
    end: int
    agreed: str
    op: int


def moved_cells(file: File, new: str, edits: tuple[Edit, ...]) -> list[MovedCell]:
    """The cells with anything undecided by an agent that are taken out here and put in there, in order."""
    live = file.live.text or ""
    cuts = {
        edit.hunk: edit
        for edit in edits
        if edit.new_start == edit.new_end and live.startswith(CELL, edit.old_start)
    }
    found = []
    for paste in edits:
        cut = cuts.get(paste.hunk)
        if cut is None or paste.old_start != paste.old_end or not new.startswith(CELL, paste.new_start):
            continue
        agreed, op = _agreed(file, cut)
        if op:
            found.append(MovedCell(paste.new_start, paste.new_end, agreed, op))
    return found


def _agreed(file: File, cut: Edit) -> tuple[str, int]:
    """What was agreed of a stretch of the text that shows, and the last undecided operation in it."""
    weave = file.weaves[int(file.live.node.value)]
    spans = weave.live.spans_between(cut.old_start, cut.old_end)
    ((first, low, _), at), ((last, start, _), place) = spans[0], spans[-1]
    op, agreed = 0, []
    for number, run in enumerate(weave.runs[first : last + 1], first):
        begin = low + cut.old_start - at if number == first else 0
        end = start + cut.old_end - place if number == last else len(run.text)
        if run.agreed:
            agreed.append(run.text[begin:end])
        for mark in (run.insertion, *run.deletions):
            is_open = mark.state in UNDECIDED and file.operations[mark.op].actor.first != ACCEPTED
            op = max(op, mark.op) if is_open else op
    return "".join(agreed), op


def without_undecided(new: str, moved: list[MovedCell]) -> str:
    """The new text with only what was agreed of some cells."""
    for one in reversed(moved):
        new = new[: one.start] + one.agreed + new[one.end :]
    return new
