"""Where some lines of a text are, after somebody changed the text."""

from bisect import bisect_right
from itertools import accumulate
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


class LinePlacing:
    """Finds lines of one text in another: the two are compared once, however many lines are asked for."""

    def __init__(self, old: str, new: str) -> None:
        self._is_same = old == new
        self._old_at = [0] if self._is_same else _starts(old)
        self._new_at = [0] if self._is_same else _starts(new)
        self._new = new
        self._edits = [] if self._is_same else text_edits(old, new)

    def place(self, first: int, last: int) -> LineSpan:
        """Lines first:last of the old text, in the new one. Of no lines, the place between two."""
        if self._is_same:
            return LineSpan(first, last)
        start, end = self._start(first), self._start(last)
        before = after = 0
        left = end - start
        is_touched = False
        for edit in self._edits:
            grows = (edit.new_end - edit.new_start) - (edit.old_end - edit.old_start)
            if edit.old_end <= start and (edit.old_start < start or edit.old_start == edit.old_end):
                before += grows
            elif edit.old_start < end:
                is_touched = True
                left -= min(edit.old_end, end) - max(edit.old_start, start)
                after += grows
        place = self._line(start + before)
        if first == last and not is_touched:
            return LineSpan(place, place)
        if left <= 0:
            return LineSpan(place, place, is_touched=True, is_gone=True)
        stop = max(end + before + after, start + before + 1)
        ends_line = self._new[stop - 1 : stop] == "\n"
        return LineSpan(place, self._line(stop) + (not ends_line), is_touched=is_touched)

    def _start(self, line: int) -> int:
        return self._old_at[min(line, len(self._old_at) - 1)]

    def _line(self, at: int) -> int:
        """The line that a place is in; behind the last line end, the one that begins there."""
        line = bisect_right(self._new_at, at) - 1
        is_behind = line > 0 and line == len(self._new_at) - 1 and not self._new.endswith("\n")
        return line - is_behind


def _starts(text: str) -> list[int]:
    """Where each line begins, and where the text ends."""
    return list(accumulate(map(len, split_lines(text)), initial=0))


def placed(old: str, new: str, first: int, last: int) -> LineSpan:
    """Lines first:last of `old`, in `new`."""
    return LinePlacing(old, new).place(first, last)
