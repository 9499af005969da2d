"""What a hunk shows: the whole lines of its region, as agreed and as they are.

What is not in the text is shown as if it alone were: a held or rejected hunk as accepted, and for an accepted
one, what was there before.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from blueline.model.answer import ACCEPTED, HELD, PENDING, REJECTED, Answer
from blueline.model.piece import PieceAnswer
from blueline.review.deciding.hunks import IN_TEXT, Hunk, corrections_of, overlap
from blueline.review.file import File
from blueline.review.setting import ABSENT, Content, Node
from blueline.review.weave.corrections import Correction
from blueline.review.weave.weave import Shown, Weave
from blueline.review.worked_out import WorkedOut


class Side(NamedTuple):
    """The whole lines of a region in one text: from zero, half-open; None when it is not text."""

    start: int
    end: int
    text: str | None


NOTHING = Side(start=0, end=0, text="")
NOT_TEXT = Side(start=0, end=0, text=None)

_SIDES = WorkedOut["Sides"]("sides")


def sides_of(file: File) -> "Sides":
    """What the hunks of a file show, kept with it: who decides stores all of it, and then shows it."""
    return _SIDES.of(file) or _SIDES.keep(file, Sides(file))


def know_sides(before: File, after: File, decided: Hunk, others: Iterable[Hunk]) -> None:
    """Let a file know what others of its hunks show after a decision about one, which changed nothing about
    them: the same lines, perhaps further up or down."""
    if known := _SIDES.of(before):
        _SIDES.keep(after, known.after(after, decided, others))


class Sides:
    """What the hunks of one file show."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._texts: dict[tuple[int, bool], TextLines] = {}
        self._known: dict[str, tuple[Hunk, tuple[Side, Side]]] = {}

    def of(self, hunk: Hunk) -> tuple[Side, Side]:
        """The old and the new side of a hunk."""
        known = self._known.get(hunk.id)
        if known is None or known[0] is not hunk:
            known = self._known[hunk.id] = hunk, self._worked_out(hunk)
        return known[1]

    def after(self, file: File, decided: Hunk, others: Iterable[Hunk]) -> "Sides":
        """What is shown after a decision, as far as that is known: of `others` that stand above or below what
        was decided, and on no line with it."""
        found, own = Sides(file), self.of(decided)
        if decided.kind not in IN_TEXT or decided.weave < 0 or any(side.text is None for side in own):
            return found
        (old_first, old_end, _), (new_first, new_end, _) = own
        weaves = self._file.weaves[decided.weave], file.weaves[decided.weave]
        old_lines, new_lines = (weave.baseline.text.count("\n") for weave in weaves)
        old_by = new_lines - old_lines
        old_lines, new_lines = (weave.live.text.count("\n") for weave in weaves)
        new_by = new_lines - old_lines
        for hunk in others:
            was, (old, new) = self._known.get(hunk.id, _NOBODYS)
            if was is not hunk or old.text is None or new.text is None or hunk.weave != decided.weave:
                continue
            if old.end <= old_first and new.end <= new_first:
                found._known[hunk.id] = hunk, (old, new)
            elif old.start >= old_end and new.start >= new_end:
                found._known[hunk.id] = hunk, (_moved(old, old_by), _moved(new, new_by))
        return found

    def _worked_out(self, hunk: Hunk) -> tuple[Side, Side]:
        if hunk.kind == "delete":
            return self._deleted(hunk), NOTHING
        if hunk.kind == "create" and hunk.state in (PENDING, ACCEPTED):
            return NOTHING, _whole(self._file.live)
        if hunk.kind not in ("create", *IN_TEXT) or hunk.weave < 0:
            return NOT_TEXT, NOT_TEXT
        texts = self._text(hunk.weave, live=False), self._text(hunk.weave, live=True)
        first, last = self._runs(hunk)
        old_middle, new_middle = (text.between(text.place(first, last)) for text in texts)
        if hunk.state in (HELD, REJECTED):
            new_middle = self._imagined(hunk, ACCEPTED, live=True)
        elif hunk.state == ACCEPTED:
            old_middle = self._imagined(hunk, REJECTED, live=False)
        old, new = whole_lines(texts, (first, last), (old_middle, new_middle))
        return old if hunk.operation.complete else NOT_TEXT, new

    def _text(self, weave: int, *, live: bool) -> "TextLines":
        known = self._texts.get((weave, live))
        if known is None:
            content = self._file.live if live else self._file.baseline
            shows = content.node.is_weave(weave)
            known = self._texts[weave, live] = TextLines(self._file.reviewed[weave], live=live, shows=shows)
        return known

    def _runs(self, hunk: Hunk) -> tuple[int, int]:
        """The first and last run of a hunk, or of what corrects it; without cutting a place that is idle."""
        found = self._corrections(hunk)
        runs = [*hunk.runs, *(number for one in found for number in (*one.runs, *one.gone))]
        first, last = min(runs), max(runs)
        if hunk.passed:  # with what stands in its place, which is later
            first, last = self._with_later(hunk, first, last)
        for place in self._file.reviewed[hunk.weave].idle_places:
            if first in place or last in place:
                first, last = min(first, place.start), max(last, place.stop - 1)
        return first, last

    def _with_later(self, hunk: Hunk, first: int, last: int) -> tuple[int, int]:
        """These runs, with what was inserted after the hunk directly beside them."""
        runs, op = self._file.reviewed[hunk.weave].runs, hunk.operation.number
        while first and runs[first - 1].insertion.op > op:
            first -= 1
        while last + 1 < len(runs) and runs[last + 1].insertion.op > op:
            last += 1
        return first, last

    def _corrections(self, hunk: Hunk) -> list[Correction]:
        """What was put in the place of a hunk: by people, or of an accepted one by whoever it was."""
        if hunk.state != ACCEPTED or hunk.weave < 0:
            return corrections_of(self._file, hunk)
        first, last = self._with_later(hunk, *hunk.runs)
        number = hunk.operation.number
        runs = self._file.reviewed[hunk.weave].runs[first : last + 1]
        later = {run.insertion.op for run in runs if run.insertion.op > number}
        found = self._file.corrections_by(later, lambda mark: mark.op == number)[hunk.weave] if later else []
        return [one for one in found if any(overlap(a, b) for a in hunk.pieces for b in one.of)]

    def _imagined(self, hunk: Hunk, answer: Answer, *, live: bool) -> str:
        """What would show of a hunk's runs if it had another answer."""
        weave = self._file.reviewed[hunk.weave]
        first, last = self._runs(hunk)
        changes = [PieceAnswer(piece, answer) for piece in (*hunk.pieces, *hunk.passed)]
        if hunk.passed:  # without what stands in its place
            for run in weave.runs[first : last + 1]:
                changes += [PieceAnswer(p, REJECTED) for p, m in run.marks() if m.op > hunk.operation.number]
        elif answer == REJECTED:  # what was put in its place did not stand there before it
            changes += [PieceAnswer(p, REJECTED) for one in self._corrections(hunk) for p in one.pieces]
        return weave.imagined(first, last, changes, live=live)

    def _deleted(self, hunk: Hunk) -> Side:
        """The text of the file that a hunk deletes."""
        numbers = [number for number, s in enumerate(self._file.nodes) if s.mark.op == hunk.operation.number]
        before = self._file.nodes[numbers[0] - 1].value if numbers and numbers[0] else ABSENT
        if isinstance(before, Node) and before.is_woven:
            return _lines_of(self._file.reviewed[int(before.value)].baseline.text)
        return _whole(self._file.baseline)


_NOBODYS: tuple[Hunk | None, tuple[Side, Side]] = None, (NOT_TEXT, NOT_TEXT)


def _moved(side: Side, lines: int) -> Side:
    return Side(side.start + lines, side.end + lines, side.text) if lines else side


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
            for line in range(self.number_of(start), self.number_of(max(end - 1, start)) + 1):
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

    def number_of(self, offset: int) -> int:
        """The number of the line that an offset is on."""
        return bisect_right(self._starts, offset) - 1

    def line_start(self, offset: int) -> int:
        """Where the line begins that an offset is on."""
        return self._starts[self.number_of(offset)]

    def line_end(self, offset: int) -> int:
        """Where the line that an offset is on has ended."""
        return self.bounds(self.number_of(offset))[1]

    def is_end(self, offset: int) -> bool:
        return offset == len(self._shown)

    def place_of(self, offset: int) -> tuple[int, int]:
        """The run of the character that shows at an offset, and its place in that."""
        (run, start, _), at = self._shown.span_at(offset)
        return run, start + offset - at

    def offset_at(self, run: int, place: int) -> int:
        """How much of the text stands before a character of a run."""
        if not self._shows:
            return 0
        spans = self._shown.spans
        found = bisect_left(spans, (run,))
        before = self._shown.before_run[run]
        if found == len(spans) or spans[found][0] != run:
            return before
        _, start, end = spans[found]
        return before + min(max(place - start, 0), end - start)


def whole_lines(
    texts: tuple[TextLines, TextLines], runs: tuple[int, int], middles: tuple[str, str]
) -> tuple[Side, Side]:
    """The lines of two texts of one weave from the first to the last of some runs, which hold `middles`.

    They begin and end at the same places of the weave, so that what is not in them is the same in both: no
    line is shown without what became of it.
    """
    places = [text.place(*runs) for text in texts]
    begins = [begin for begin, _ in places]
    while any(text.line_start(at) != at for text, at in zip(texts, begins, strict=True)):
        for text, at in zip(texts, [*begins], strict=True):
            if (start := text.line_start(at)) != at:
                begins = [other.offset_at(*text.place_of(start)) for other in texts]
                break
    shown = [
        text.between((begin, place[0])) + middle
        for text, begin, place, middle in zip(texts, begins, places, middles, strict=True)
    ]
    stops = [stop for _, stop in places]
    while (side := _open_side(texts, shown, stops)) is not None:
        run, place = texts[side].place_of(texts[side].line_end(stops[side]) - 1)
        after = [text.offset_at(run, place + 1) for text in texts]
        shown = [
            part + text.between((stop, end))
            for part, text, stop, end in zip(shown, texts, stops, after, strict=True)
        ]
        stops = after
    old, new = (
        Side(start=number, end=number + _lines_of(part).end, text=part)
        for number, part in zip(
            (text.number_of(begin) for text, begin in zip(texts, begins, strict=True)), shown, strict=True
        )
    )
    return old, new


def _open_side(texts: tuple[TextLines, TextLines], shown: list[str], stops: list[int]) -> int | None:
    """Which of two texts goes on where it was cut, in the middle of a line."""
    for side, (text, part, stop) in enumerate(zip(texts, shown, stops, strict=True)):
        if part and not part.endswith("\n") and not text.is_end(stop):
            return side
    return None


def _line_starts(text: str) -> list[int]:
    return list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0))


def _whole(content: Content) -> Side:
    if content.node == ABSENT:
        return NOTHING
    return NOT_TEXT if content.text is None else _lines_of(content.text)


def _lines_of(text: str) -> Side:
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    return Side(start=0, end=lines, text=text)
