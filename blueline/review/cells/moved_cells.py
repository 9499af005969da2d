"""Cells that stand elsewhere: with something undecided in them, or edited in the same step."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from blueline.model.answer import ACCEPTED, UNDECIDED
from blueline.model.edit import Edit
from blueline.model.projection import CELL
from blueline.review.file import File
from blueline.review.medium.medium import MoveStep


class MovedCell(NamedTuple):
    """A cell that is taken out here and put in there."""

    cut: Edit
    paste: Edit
    agreed: str
    """What was agreed of it."""
    op: int
    """The last undecided operation in it."""


def carried(file: File, old: str, new: str, edits: Sequence[Edit]) -> list[MoveStep]:
    """How cells with anything undecided by an agent come to stand elsewhere, each by its author."""
    moved = []
    for cut, paste in _moves(old, new, edits):
        agreed, op = _agreed(file, cut)
        if op:
            moved.append(MovedCell(cut, paste, agreed, op))
    return [
        MoveStep(_placed(old, moved, count), op)
        for count, op in enumerate([None, *(cell.op for cell in moved)])
        if moved
    ]


def only_moved(old: str, new: str, edits: Sequence[Edit]) -> list[MoveStep]:
    """The new text in which cells that stand elsewhere are as they were; nothing if they are that anyway."""
    text = new
    for cut, paste in reversed([*_moves(old, new, edits)]):
        text = text[: paste.new_start] + old[cut.old_start : cut.old_end] + text[paste.new_end :]
    return [MoveStep(text, None)] if text != new else []


def _moves(old: str, new: str, edits: Sequence[Edit]) -> Iterator[tuple[Edit, Edit]]:
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


def _placed(old: str, moved: Sequence[MovedCell], count: int) -> str:
    """The old text with all these cells moved: the first `count` whole, of the others what was agreed."""
    places = [(cell.cut.old_start, cell.cut.old_end, "") for cell in moved]
    for number, cell in enumerate(moved):
        whole = old[cell.cut.old_start : cell.cut.old_end]
        places.append((cell.paste.old_start, cell.paste.old_end, whole if number < count else cell.agreed))
    parts, at = [], 0
    for start, end, inserted in sorted(places, key=lambda place: place[:2]):
        parts += [old[at:start], inserted]
        at = end
    return "".join([*parts, old[at:]])


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
            is_open = mark.state in UNDECIDED and file.operations[mark.op].first != ACCEPTED
            op = max(op, mark.op) if is_open else op
    return "".join(agreed), op
