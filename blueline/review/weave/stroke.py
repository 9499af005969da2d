"""One operation enters a weave.

Order among hidden text (rule A1): what replaces stands directly before what it replaces; what is typed at a
seam stands after the text hidden there, except that whole lines stand before a hidden piece of the line that
follows, and a part of a word beside the rest of it (rule D0).
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from blueline.model.answer import IN_EFFECT, Answer
from blueline.model.edit import Edit
from blueline.review.weave.corrections import is_word
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import Block, LineEnd, Run, Shown, Weave, blocks_of


class Seat(NamedTuple):
    """Where an edit belongs that comes later than its operation (rule D2)."""

    op: int
    edit: int
    """Its number in that operation."""
    start: int
    """How many characters the operation had inserted before."""
    log: tuple[tuple[int, Answer], ...]
    """The answers that what it joins has got already."""


class Stroke(NamedTuple):
    """What one operation does to a text: edits against the text as it shows, and what each inserts.

    Or what a formatter's pass does, for which each edit has a seat in an earlier operation.
    """

    op: int
    first: Answer
    edits: tuple[Edit, ...]
    inserted: tuple[str, ...]
    seats: tuple[Seat, ...] = ()


class _Place(NamedTuple):
    """Before character `offset` of run number `run`."""

    run: int
    offset: int


class _Part(NamedTuple):
    """Characters start:end of a run, and the mark they get, if any."""

    run: int
    start: int
    end: int
    deletion: Mark | None


def woven(weave: Weave, stroke: Stroke) -> Weave:
    """The weave after the operation. To try one before it is recorded costs nothing: it is remembered."""
    if weave.latest is None or weave.latest[0] != stroke:
        weave.latest = (stroke, _Loom(weave, stroke).weave())
    return weave.latest[1]


class _Loom:
    def __init__(self, weave: Weave, stroke: Stroke) -> None:
        self._runs = weave.runs
        self._shown = weave.live
        self._text = weave.live.text
        self._weave = weave
        self._stroke = stroke
        self._inside = dict(weave.inside)
        self._out: list[Run] = []
        self._at = _Place(0, 0)
        self._seats = stroke.seats or _own_seats(stroke)
        self._first, self._last = len(self._runs), 0
        """The runs that are touched: from the first to before the last."""

    def weave(self) -> Weave:
        edit_end, before = 0, "\n"
        for number, (edit, inserted) in enumerate(
            zip(self._stroke.edits, self._stroke.inserted, strict=True)
        ):
            if edit.old_start > edit_end:
                before = self._text[edit.old_start - 1]
            at_line_start = before == "\n"
            before = inserted[-1] if inserted else before
            if edit.old_end > edit.old_start:
                start, parts = self._deleted(edit, number, at_line_start=before == "\n")
            else:
                whole_lines = at_line_start and before == "\n"
                start, parts = self._seam(edit.old_start, inserted, whole_lines=whole_lines), []
            self._copy_until(start)
            self._first = min(self._first, start.run)
            self._insert(inserted, number, at_line_start=at_line_start)
            self._copy_parts(parts)
            self._last = min(self._at.run + 1, len(self._runs))
            edit_end = edit.old_end
        self._copy_until(_Place(len(self._runs), 0))
        return Weave(self._blocks(), self._inside)

    def _blocks(self) -> tuple[Block, ...]:
        """The blocks of the new weave: those before and after what changed are the old ones."""
        old, new = self._runs, self._out
        blocks = self._weave.blocks
        head = tail = start = end = 0
        while head < len(blocks) and start + len(blocks[head].runs) <= self._first:
            start += len(blocks[head].runs)
            head += 1
        while tail < len(blocks) - head and end + len(blocks[-1 - tail].runs) <= len(old) - self._last:
            end += len(blocks[-1 - tail].runs)
            tail += 1
        middle = blocks_of(tuple(new[start : len(new) - end]), len(new))
        return (*blocks[:head], *middle, *blocks[len(blocks) - tail :])

    def _place(self, offset: int) -> _Place:
        """The place of the character that shows at this offset, or the end."""
        if offset >= len(self._text):
            return _Place(len(self._runs), 0)
        (run, start, _), at = self._shown.span_at(offset)
        return _Place(run, start + offset - at)

    def _place_after(self, offset: int) -> _Place:
        """Directly after the character that shows before this offset, or the beginning."""
        if offset == 0:
            return _Place(0, 0)
        run, at = self._place(offset - 1)
        return _Place(run, at + 1)

    def _between(self, start: _Place, end: _Place) -> Iterator[tuple[int, int, int]]:
        """The stretches of runs between two places, in order, as run number, start, end."""
        for run in range(start.run, min(end.run + 1, len(self._runs))):
            low = start.offset if run == start.run else 0
            high = end.offset if run == end.run else len(self._runs[run].text)
            if low < high:
                yield run, low, high

    def _seam(self, offset: int, inserted: str, *, whole_lines: bool) -> _Place:
        """Where text goes that is typed between two characters that show."""
        end = self._place(offset)
        if whole_lines:
            return self._line_start(offset, end)
        # What makes one word with what shows before it stands beside that, whatever is hidden there (D0).
        goes_on = offset > 0 and is_word(self._text[offset - 1]) and is_word(inserted[0])
        return self._place_after(offset) if goes_on else end

    def _line_start(self, offset: int, end: _Place) -> _Place:
        """After the whole lines hidden at a seam, before the hidden piece of the line that follows."""
        found = start = self._place_after(offset)
        for run, low, high in self._between(start, end):
            line_end = self._runs[run].text.rfind("\n", low, high)
            if line_end >= 0:
                found = _Place(run, line_end + 1)
        return found

    def _deleted(self, edit: Edit, number: int, *, at_line_start: bool) -> tuple[_Place, list[_Part]]:
        """The parts that an edit's deletion marks, and the place before the first.

        `at_line_start` says whether what the text then goes on with begins a line in the new text.
        """
        text, start, end = self._text, edit.old_start, edit.old_end
        exact = self._mark(number)
        # Only the lines that go whole, from whole_start to whole_end, take along what is hidden in them.
        at_line_start = at_line_start and (start == 0 or text[start - 1] == "\n")
        whole_start = start if at_line_start else (text.find("\n", start, end) + 1 or end)
        whole_end = end if end == len(text) else text.rfind("\n", start, end) + 1
        lines = self._mark(number, whole=True) if whole_start < whole_end else exact

        place = self._place(start)
        first = self._line_start(start, place) if whole_start == start < whole_end else place
        # An edit before this one at the same place may have come past what is hidden here.
        first = max(first, self._at)
        last = self._place_after(end)
        parts: list[_Part] = []
        inside = _HiddenLines(self._runs, parts, lines)
        shown = {run: (low, high) for (run, low, high), _ in self._shown.spans_between(start, end)}
        at = start
        for run, low, high in self._between(first, last):
            span = shown.get(run)
            for begin, stop in _split(low, high, *(span or ())):
                if span is not None and span[0] <= begin and stop <= span[1]:
                    for a, b in _split(begin, stop, whole_start - at + begin, whole_end - at + begin):
                        whole = whole_start <= at < whole_end
                        parts.append(_Part(run, a, b, lines if whole else exact))
                        inside.saw(self._runs[run].text[a:b])
                        at += b - a
                elif whole_start <= at < whole_end:
                    inside.hide(run, begin, stop)
                else:
                    parts.append(_Part(run, begin, stop, None))
        inside.finish()
        return first, parts

    def _copy_until(self, place: _Place) -> None:
        run, offset = self._at
        if place <= self._at:
            return
        if offset:
            stop = place.offset if run == place.run else len(self._runs[run].text)
            if offset < stop:
                self._out.append(self._runs[run].part(offset, stop))
            run += 1
        self._out += self._runs[run : place.run]
        if place.offset and place.run >= run:
            self._out.append(self._runs[place.run].part(0, place.offset))
        self._at = place

    def _copy_parts(self, parts: list[_Part]) -> None:
        for run, start, end, deletion in parts:
            part = self._runs[run].part(start, end)
            if deletion is not None and not _is_deleted_by(part, deletion.op):
                part = part.marked(part.insertion, (*part.deletions, deletion))
            self._out.append(part)
            self._at = _Place(run, end)

    def _insert(self, text: str, number: int, *, at_line_start: bool) -> None:
        if not text:
            return
        op, edit, place, _ = self._seats[number]
        self._inside[Segment(op, edit)] = self._enclosing()
        line_end = None if text.endswith("\n") else self._line_end(number)
        for part, whole in by_wholeness(text, at_line_start=at_line_start):
            self._out.append(Run(part, place, self._mark(number, whole=whole), (), line_end))
            place += len(part)

    def _mark(self, number: int, *, whole: bool = False) -> Mark:
        op, edit, _, log = self._seats[number]
        since = self._stroke.op if self._stroke.seats else 0
        return Mark(op, edit, self._stroke.first, whole=whole, log=log, since=since)

    def _line_end(self, number: int) -> LineEnd | None:
        """What ends, in the new text, the line that the end of an edit's insertion comes onto."""
        edits, inserted = self._stroke.edits, self._stroke.inserted
        start = edits[number].old_end
        for later in range(number + 1, len(edits)):
            if (found := self._text.find("\n", start, edits[later].old_start)) >= 0:
                return self._name_of(found)
            if (found := inserted[later].find("\n")) >= 0:
                return self._seats[later].op, self._seats[later].start + found
            start = edits[later].old_end
        found = self._text.find("\n", start)
        return self._name_of(found) if found >= 0 else None

    def _name_of(self, offset: int) -> LineEnd:
        """The name of a character that shows."""
        run, place = self._place(offset)
        return self._runs[run].insertion.op, self._runs[run].start + place

    def _enclosing(self) -> Segment | None:
        """The innermost insertion with characters on both sides of the place reached."""
        run, offset = self._at
        while run < len(self._runs) and offset >= len(self._runs[run].text):
            run, offset = run + 1, 0
        if not self._out or run >= len(self._runs):
            return None
        sides = []
        before, after = self._out[-1].insertion.segment, self._runs[run].insertion.segment
        if before == after:  # mostly it is in the middle of one
            return before
        for own in (before, after):
            chain = [own]
            while (outer := self._inside.get(chain[-1])) is not None:
                chain.append(outer)
            sides.append(chain)
        right = set(sides[1])
        return next((segment for segment in sides[0] if segment in right), None)


def _own_seats(stroke: Stroke) -> tuple[Seat, ...]:
    starts = itertools.accumulate([len(text) for text in stroke.inserted], initial=0)
    return tuple(
        Seat(stroke.op, number, start, ()) for number, (start, _) in enumerate(itertools.pairwise(starts))
    )


class _HiddenLines:
    """Tells hidden text inside lines that are deleted whole from lines that are hidden whole (rule A3)."""

    def __init__(self, runs: tuple[Run, ...], parts: list[_Part], mark: Mark) -> None:
        self._runs = runs
        self._parts = parts
        self._mark = mark
        self._waiting: list[int] = []
        self._something_shows = False

    def saw(self, text: str) -> None:
        """Text that shows settles what was hidden before it."""
        if "\n" in text:
            self._settle(inside=True)
        self._something_shows = text[-1] != "\n"

    def hide(self, run: int, start: int, end: int) -> None:
        """Text that does not show."""
        text = self._runs[run].text
        while start < end:
            line_end = text.find("\n", start, end)
            stop = end if line_end < 0 else line_end + 1
            self._waiting.append(len(self._parts))
            self._parts.append(_Part(run, start, stop, None))
            if line_end >= 0:
                hidden_whole = not self._something_shows and self._runs[run].keeps_line_end(live=True)
                self._settle(inside=not hidden_whole)
                self._something_shows = False
            start = stop

    def finish(self) -> None:
        """The deletion ends here."""
        self._settle(inside=True)

    def _settle(self, *, inside: bool) -> None:
        if inside:
            for number in self._waiting:
                self._parts[number] = self._parts[number]._replace(deletion=self._mark)
        self._waiting.clear()


def _is_deleted_by(run: Run, op: int) -> bool:
    """Whether an operation hides it already: what a formatter did after it is the same operation's (D2)."""
    return any(one.op == op and one.state in IN_EFFECT for one in run.deletions)


def _split(start: int, end: int, *cuts: int) -> Iterable[tuple[int, int]]:
    inner = {cut for cut in cuts if start < cut < end}
    return itertools.pairwise([start, *sorted(inner), end]) if inner else ((start, end),)


def by_wholeness(text: str, *, at_line_start: bool) -> Iterator[tuple[str, bool]]:
    """The text cut into its first part of a line, its whole lines, and its last part of a line."""
    start = 0 if at_line_start else text.find("\n") + 1 or len(text)
    end = max(text.rfind("\n") + 1, start)
    for part, whole in ((text[:start], False), (text[start:end], True), (text[end:], False)):
        if part:
            yield part, whole


def line_ends_kept(shown: Shown, runs: tuple[Run, ...]) -> list[int]:
    """Offsets of line ends that show only because something else on their line does."""
    return [shown.starts[number] for number, (run, _, _) in enumerate(shown.spans) if not runs[run].live]
