"""Where some lines of a text are, after somebody changed the text."""

from typing import NamedTuple

from blueline.diff.edits import split_lines, text_edits


class LineSpan(NamedTuple):
    """Lines first:last of a text, from zero, half-open."""

    first: int
    last: int
    is_touched: bool = False
    """Whether anything in these lines, or between them, is not as it was."""
    is_gone: bool = False
    """Whether nothing is left of them; then `first` is where they were."""


def placed(old: str, new: str, first: int, last: int) -> LineSpan:
    """Lines first:last of `old`, in `new`."""
    if old == new:
        return LineSpan(first, last)
    lines = split_lines(old)
    start = sum(map(len, lines[:first]))
    end = start + sum(map(len, lines[first:last]))
    before = after = left = 0
    is_touched = False
    left = end - start
    for edit in text_edits(old, new):
        grows = (edit.new_end - edit.new_start) - (edit.old_end - edit.old_start)
        if edit.old_end <= start and (edit.old_start < start or edit.old_start == edit.old_end):
            before += grows
        elif edit.old_start < end:
            is_touched = True
            left -= min(edit.old_end, end) - max(edit.old_start, start)
            after += grows
    place = new[: start + before].count("\n")
    if left <= 0:
        return LineSpan(place, place, is_touched=True, is_gone=True)
    stop = max(end + before + after, start + before + 1)
    inside = new[start + before : stop]
    count = inside.count("\n") + (not inside.endswith("\n"))
    return LineSpan(place, place + count, is_touched=is_touched)
