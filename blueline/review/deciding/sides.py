"""What a hunk shows: the whole lines of its region, as agreed and as they are.

What is not in the text is shown as if it alone were: a held or rejected hunk as accepted, and for an accepted
one, what was there before.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from blueline.model.answer import ACCEPTED, HELD, PENDING, REJECTED, Answer
from blueline.model.piece import PieceAnswer
from blueline.review.deciding.hunks import IN_TEXT, Hunk, corrections_of
from blueline.review.file import ABSENT, Content, File, Node
from blueline.review.weave.weave import Run, Shown, Weave


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The whole lines of a region in one text: from zero, half-open; None when it is not text."""

    start: int
    end: int
    text: str | None


NOTHING = Side(start=0, end=0, text="")
NOT_TEXT = Side(start=0, end=0, text=None)


class Sides:
    """What the hunks of one file show."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._texts: dict[tuple[int, bool], TextLines] = {}

    def of(self, hunk: Hunk) -> tuple[Side, Side]:
        """The old and the new side of a hunk."""
        if hunk.kind == "delete":
            return self._deleted(hunk), NOTHING
        if hunk.kind == "create" and hunk.state in (PENDING, ACCEPTED):
            return NOTHING, _whole(self._file.live)
        if hunk.kind not in ("create", *IN_TEXT) or hunk.weave < 0:
            return NOT_TEXT, NOT_TEXT
        old_text, new_text = self._text(hunk.weave, live=False), self._text(hunk.weave, live=True)
        first, last = self._runs(hunk)
        old_place, new_place = old_text.place(first, last), new_text.place(first, last)
        old_middle, new_middle = old_text.between(old_place), new_text.between(new_place)
        if hunk.state in (HELD, REJECTED):
            new_middle = self._imagined(hunk, ACCEPTED, live=True)
        elif hunk.state == ACCEPTED:
            old_middle = self._imagined(hunk, REJECTED, live=False)
        old = old_text.region(
            old_place, old_middle, goes_on=_goes_on(new_middle, new_text, new_place, live=False)
        )
        new = new_text.region(
            new_place, new_middle, goes_on=_goes_on(old_middle, old_text, old_place, live=True)
        )
        return old if hunk.operation.complete else NOT_TEXT, new

    def _text(self, weave: int, *, live: bool) -> "TextLines":
        known = self._texts.get((weave, live))
        if known is None:
            content = self._file.live if live else self._file.baseline
            shows = content.node.is_weave(weave)
            known = self._texts[weave, live] = TextLines(self._file.reviewed[weave], live=live, shows=shows)
        return known

    def _runs(self, hunk: Hunk) -> tuple[int, int]:
        """The first and last run of a hunk, or of what corrects it."""
        found = corrections_of(self._file, hunk)
        runs = [*hunk.runs, *(number for one in found for number in one.runs)]
        return min(runs), max(runs)

    def _imagined(self, hunk: Hunk, answer: Answer, *, live: bool) -> str:
        """What would show of a hunk's runs if it had another answer."""
        weave = self._file.reviewed[hunk.weave]
        changes = [PieceAnswer(piece, answer) for piece in hunk.pieces]
        return weave.imagined(*self._runs(hunk), changes, live=live)

    def _deleted(self, hunk: Hunk) -> Side:
        """The text of the file that a hunk deletes."""
        numbers = [number for number, s in enumerate(self._file.nodes) if s.mark.op == hunk.operation.number]
        before = self._file.nodes[numbers[0] - 1].value if numbers and numbers[0] else ABSENT
        if isinstance(before, Node) and before.is_woven:
            return _lines_of(self._file.reviewed[int(before.value)].baseline.text)
        return _whole(self._file.baseline)


class TextLines:
    """One reading of a weave, with its lines; empty when the file is something else by now."""

    def __init__(self, weave: Weave, *, live: bool, shows: bool = True) -> None:
        self._shown: Shown = (weave.live if live else weave.baseline) if shows else Shown((), live=live)
        self._weave = weave
        self._shows = shows
        self._starts = _line_starts(self._shown.text)

    def place(self, first: int, last: int) -> tuple[int, int]:
        """From where to where some runs stand in the text."""
        if not self._shows:
            return 0, 0
        return self._shown.before_run[first], self._shown.before_run[last + 1]

    def between(self, place: tuple[int, int]) -> str:
        """The text of a place."""
        return self._shown.text[place[0] : place[1]]

    def lines_of(self, runs: Iterable[int]) -> list[int]:
        """The lines that hold something of these runs that is not blank, from zero."""
        found: set[int] = set()
        for run in runs:
            start, end = self.place(run, run)
            for line in range(self._line_at(start), self._line_at(max(end - 1, start)) + 1):
                low, high = self.bounds(line)
                if self._shown.text[max(low, start) : min(high, end)].strip():
                    found.add(line)
        return sorted(found)

    def bounds(self, line: int) -> tuple[int, int]:
        """From where to where a line stands in the text, with its end."""
        following = self._starts[line + 1 : line + 2]
        return self._starts[line], following[0] if following else len(self._shown.text)

    def line(self, line: int) -> str:
        """A line without its end."""
        return self.between(self.bounds(line)).rstrip("\r\n")

    def rest_of_line(self, offset: int) -> str:
        """What stands after an offset on its line; nothing after the line's end."""
        if offset and self._shown.text[offset - 1] == "\n":
            return ""
        return self.between((offset, self.bounds(self._line_at(offset))[1])).rstrip("\r\n")

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def next_run(self, offset: int) -> Run | None:
        """The run of the character that shows at an offset."""
        span = next(self._shown.spans_from(offset), None) if offset < len(self._shown) else None
        return None if span is None else self._weave.runs[span[0][0]]

    def region(self, place: tuple[int, int], middle: str, *, goes_on: bool) -> Side:
        """The whole lines around a place that holds `middle`.

        Empty, and after a line, when nothing of it is here: unless it is part of a line that is here, before
        the place or (`goes_on`) after it.
        """
        text, starts = self._shown.text, self._starts
        begin, stop = place
        line = self._line_at(begin)
        head = text[starts[line] : begin]
        if not middle and not head and not goes_on:
            return Side(start=line, end=line, text="")
        tail = ""
        if not middle.endswith("\n"):
            end = text.find("\n", stop) + 1 or len(text)
            tail = text[stop:end]
        lines = _lines_of(head + middle + tail)
        return Side(start=line, end=line + lines.end, text=lines.text)


def _goes_on(middle: str, text: TextLines, place: tuple[int, int], *, live: bool) -> bool:
    """Whether what one side has there goes on, on its line, with text that the other (`live`) has too."""
    if not middle or middle.endswith("\n"):
        return False
    run = text.next_run(place[1])
    return run is not None and (run.live if live else run.agreed)


def _line_starts(text: str) -> list[int]:
    return list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0))


def _whole(content: Content) -> Side:
    if content.node == ABSENT:
        return NOTHING
    return NOT_TEXT if content.text is None else _lines_of(content.text)


def _lines_of(text: str) -> Side:
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    return Side(start=0, end=lines, text=text)
