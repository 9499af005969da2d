"""Cells that stand elsewhere: with something undecided in them, or edited in the same step."""

from collections.abc import Iterator
from typing import NamedTuple

from blueline.model.edit import Edit
from blueline.model.mark import ACCEPTED, UNDECIDED
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
    found = []
    for cut, paste in _moves(file.live.text or "", new, edits):
        agreed, op = _agreed(file, cut)
        if op:
            found.append(MovedCell(paste.new_start, paste.new_end, agreed, op))
    return found


def only_moved(old: str, new: str, edits: tuple[Edit, ...]) -> str | None:
    """The new text in which cells that stand elsewhere are as they were; None if they are that anyway."""
    text = new
    for cut, paste in reversed([*_moves(old, new, edits)]):
        text = text[: paste.new_start] + old[cut.old_start : cut.old_end] + text[paste.new_end :]
    return text if text != new else None


def _moves(old: str, new: str, edits: tuple[Edit, ...]) -> Iterator[tuple[Edit, Edit]]:
    """Where cells were taken out, and where the same were put in."""
    cuts = {
        edit.hunk: edit
        for edit in edits
        if edit.new_start == edit.new_end and old.startswith(CELL, edit.old_start)
    }
    for paste in edits:
        cut = cuts.get(paste.hunk)
        is_paste = paste.old_start == paste.old_end and new.startswith(CELL, paste.new_start)
        if cut is not None and is_paste:
            yield cut, paste


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
