"""The weave letter by letter, as its rules have it: slow, plain, and written without looking at runs.

Random histories of a text are made here, too: what is hidden, cut and answered in all ways there are.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from blueline.model.answer import ACCEPTED, IN_EFFECT, PENDING, STATES, Answer
from blueline.model.edit import Edit
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.stroke import Seat, Stroke, woven
from blueline.review.weave.weave import LineEnd, Run, Weave

ALPHABET = "ab_ \n\r"


class Label(NamedTuple):
    """All there is to a mark."""

    op: int
    edit: int
    first: Answer
    whole: bool
    log: tuple[tuple[int, Answer], ...]
    state: Answer
    since: int


class Letter(NamedTuple):
    """One character that ever stood in a text."""

    text: str
    name: LineEnd
    insertion: Label
    deletions: tuple[Label, ...]
    line_end: LineEnd | None
    """What ended the line that it came onto; itself, if it ends one."""
    shows: bool

    @property
    def segment(self) -> Segment:
        return Segment(self.insertion.op, self.insertion.edit)

    @property
    def is_live(self) -> bool:
        """Whether nothing hides it."""
        return self.insertion.state in IN_EFFECT and not any(m.state in IN_EFFECT for m in self.deletions)

    @property
    def keeps_line_end(self) -> bool:
        """Whether all that hides it took or brought the line as a whole (rule A2)."""
        came = self.insertion.whole or self.insertion.state in IN_EFFECT
        return came and all(one.whole for one in self.deletions if one.state in IN_EFFECT)


Inside = dict[Segment, Segment | None]


def letters(weave: Weave) -> list[Letter]:
    """What a weave holds. What shows is told by what it reads."""
    shown = {(run, at) for run, start, end in weave.live.spans for at in range(start, end)}
    return [
        Letter(
            letter,
            (run.insertion.op, run.start + at),
            label(run.insertion),
            tuple(label(mark) for mark in run.deletions),
            _ended(run.text, at, (run.insertion.op, run.start), run.line_end),
            (number, at) in shown,
        )
        for number, run in enumerate(weave.runs)
        for at, letter in enumerate(run.text)
    ]


def label(mark: Mark) -> Label:
    return Label(mark.op, mark.edit, mark.first, mark.whole, mark.log, mark.state, mark.since)


def hidden(found: list[Letter]) -> list[Letter]:
    """The same, whatever shows of them."""
    return [one._replace(shows=False) for one in found]


def _ended(text: str, at: int, place: LineEnd, otherwise: LineEnd | None) -> LineEnd | None:
    end = text.find("\n", at)
    return (place[0], place[1] + end) if end >= 0 else otherwise


def is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def is_whole(text: str, at: int, *, at_line_start: bool) -> bool:
    """Whether the line that this character stands on begins and ends in the text."""
    begins = at_line_start or "\n" in text[:at]
    return begins and "\n" in text[at:]


class Written:
    """What an operation makes of the letters there are."""

    def __init__(self, old: list[Letter], inside: Inside, stroke: Stroke) -> None:
        self.out: list[Letter] = []
        self.inside = dict(inside)
        self._old = old
        self._stroke = stroke
        self._at = 0
        self._shown = [number for number, one in enumerate(old) if one.shows]
        self._text = "".join(old[number].text for number in self._shown)
        self._seats = stroke.seats or own_seats(stroke)
        before, done = "\n", 0
        for number, (edit, text) in enumerate(zip(stroke.edits, stroke.inserted, strict=True)):
            start, end = edit.old_start, edit.old_end
            if start > done:
                before = self._text[start - 1]
            at_line_start = before == "\n"
            before = text[-1] if text else before
            begins = at_line_start if start == end else before == "\n"
            place = self._place(start, end, text, lines=begins and before == "\n")
            while self._at < place:
                self.out.append(old[self._at])
                self._at += 1
            self._insert(number, text, at_line_start=at_line_start)
            if end > start:
                self._delete(number, start, end, begins=begins)
            done = end
        self.out += old[self._at :]

    def _place(self, start: int, end: int, text: str, *, lines: bool) -> int:
        """Where among all letters an edit begins (rule A1)."""
        follows = self._shown[start] if start < len(self._shown) else len(self._old)
        after = self._shown[start - 1] + 1 if start else 0
        beyond = [at + 1 for at in range(after, follows) if self._old[at].text == "\n"]
        if start == end:
            if lines:
                return max([after, *beyond])
            goes_on = start > 0 and is_word(self._text[start - 1]) and is_word(text[0])
            return after if goes_on else follows
        takes_lines = lines and self._begins_line(start) and self._whole_end(start, end) > start
        return max([after, *beyond]) if takes_lines else follows

    def _begins_line(self, at: int) -> bool:
        return at == 0 or self._text[at - 1] == "\n"

    def _whole_end(self, start: int, end: int) -> int:
        """Up to where lines go whole."""
        ends = [at + 1 for at in range(start, end) if self._text[at] == "\n"]
        return end if end == len(self._text) else max(ends, default=start)

    def _insert(self, number: int, text: str, *, at_line_start: bool) -> None:
        if not text:
            return
        op, edit, place, _ = self._seats[number]
        self.inside[Segment(op, edit)] = self._enclosing()
        line_end = None if text.endswith("\n") else self._ends_line(number)
        for at, letter in enumerate(text):
            mark = self._label(number, whole=is_whole(text, at, at_line_start=at_line_start))
            ended = _ended(text, at, (op, place), line_end)
            self.out.append(Letter(letter, (op, place + at), mark, (), ended, shows=False))

    def _enclosing(self) -> Segment | None:
        """The innermost insertion with letters on both sides."""
        if not self.out or self._at == len(self._old):
            return None
        right = [*self._outward(self._old[self._at].segment)]
        return next((one for one in self._outward(self.out[-1].segment) if one in right), None)

    def _outward(self, segment: Segment | None) -> list[Segment]:
        return [] if segment is None else [segment, *self._outward(self.inside.get(segment))]

    def _ends_line(self, number: int) -> LineEnd | None:
        """The first line end of the new text after what an edit inserts."""
        edits = [*enumerate(self._stroke.edits)][number + 1 :]
        at = self._stroke.edits[number].old_end
        for later, edit in [*edits, (-1, None)]:
            kept = range(at, edit.old_start if edit else len(self._text))
            found = [self._old[self._shown[one]] for one in kept]
            named = [one.name for one in found if one.text == "\n"]
            if not named and edit is not None and "\n" in self._stroke.inserted[later]:
                seat = self._seats[later]
                named = [(seat.op, seat.start + self._stroke.inserted[later].index("\n"))]
            if named:
                return named[0]
            at = edit.old_end if edit is not None else at
        return None

    def _delete(self, number: int, start: int, end: int, *, begins: bool) -> None:
        """Mark what goes; lines that go whole take along what is hidden in them (rule A3)."""
        first_end = self._text.find("\n", start, end)
        whole_start = end if first_end < 0 else first_end + 1
        whole = range(
            start if begins and self._begins_line(start) else whole_start, self._whole_end(start, end)
        )
        exact, lines = self._label(number, whole=False), self._label(number, whole=True)
        at = start
        waiting: list[int] = []  # hidden letters of a line of which it is not known yet whether it is hidden
        shows = False

        def settle(*, take: bool) -> None:
            for one in waiting if take else ():
                self.out[one] = self._deleted(self.out[one], lines)
            waiting.clear()

        while self._at <= self._shown[end - 1]:
            letter = self._old[self._at]
            self.out.append(letter)
            if letter.shows:
                self.out[-1] = self._deleted(letter, lines if at in whole else exact)
                if letter.text == "\n":
                    settle(take=True)
                shows = letter.text != "\n"
                at += 1
            elif at in whole:
                waiting.append(len(self.out) - 1)
                if letter.text == "\n":
                    settle(take=shows or not letter.keeps_line_end)
                    shows = False
            self._at += 1
        settle(take=True)

    def _deleted(self, letter: Letter, mark: Label) -> Letter:
        is_already = any(one.op == mark.op and one.state in IN_EFFECT for one in letter.deletions)
        return letter if is_already else letter._replace(deletions=(*letter.deletions, mark))

    def _label(self, number: int, *, whole: bool) -> Label:
        op, edit, _, log = self._seats[number]
        first = self._stroke.first
        return Label(op, edit, first, whole, log, first, self._stroke.op if self._stroke.seats else 0)


def own_seats(stroke: Stroke) -> tuple[Seat, ...]:
    done = [sum(map(len, stroke.inserted[:number])) for number in range(len(stroke.inserted))]
    return tuple(Seat(stroke.op, number, start, ()) for number, start in enumerate(done))


def edits(*changes: tuple[int, int, str], op: int = 9) -> Stroke:
    """An operation that puts these texts in the places of those characters."""
    made, by = [], 0
    for start, end, text in changes:
        made.append(Edit(old_start=start, old_end=end, new_start=start + by, new_end=start + by + len(text)))
        by += len(text) - (end - start)
    return Stroke(op, PENDING, tuple(made), tuple(text for _, _, text in changes))


class History:
    """A text to which something random happens, again and again."""

    def __init__(self, seed: int, alphabet: str = ALPHABET) -> None:
        self.random = Random(seed)
        self._alphabet = alphabet
        self.op = 0
        self.length: dict[int, int] = {}
        """How much each operation has inserted."""
        self.edits: dict[int, int] = {}
        first = self.words(30)
        self.weave = Weave.of([Run(first, 0, Mark(0, 0, ACCEPTED, whole=True))], {})

    def words(self, most: int) -> str:
        return "".join(self.random.choices(self._alphabet, k=self.random.randint(1, most)))

    def stroke(self) -> Stroke:
        """One or more edits of what shows now; those of a formatter's pass belong to earlier operations."""
        random, text = self.random, self.weave.live.text
        edits, inserted, at, new = [], [], 0, 0
        for _ in range(random.randint(1, 4)):
            start = random.randint(at, min(len(text), at + 8))
            if random.random() < 0.3:  # at a line's start, as most are
                start = text.find("\n", start) + 1 or start
            end = random.choice([start, random.randint(start, min(len(text), start + 9))])
            if random.random() < 0.3:
                end = text.find("\n", end) + 1 or end
            words = "" if end > start and random.random() < 0.4 else self.words(6)
            if random.random() < 0.3:
                words += "\n" if words else ""
            new += start - at
            edits.append(Edit(old_start=start, old_end=end, new_start=new, new_end=new + len(words)))
            inserted.append(words)
            at, new = end, new + len(words)
        self.op += 1
        first = random.choice([PENDING, PENDING, ACCEPTED])
        stroke = Stroke(self.op, first, tuple(edits), tuple(inserted))
        if self.length and random.random() < 0.2:
            return stroke._replace(seats=self._seats(inserted))
        self.length[self.op] = sum(map(len, inserted))
        self.edits[self.op] = len(edits)
        return stroke

    def _seats(self, inserted: list[str]) -> tuple[Seat, ...]:
        seats = []
        for words in inserted:
            op = self.random.choice([*self.length])
            log = self.random.choice([(), ((3, ACCEPTED),)])
            seats.append(Seat(op, self.edits[op], self.length[op], log))
            self.length[op] += len(words)
            self.edits[op] += 1
        return tuple(seats)

    def answers(self) -> list[PieceAnswer]:
        """Some pieces, or parts of them, with an answer each; it may hold one piece several times."""
        found = []
        for piece, _ in self.weave.pieces():
            while self.random.random() < 0.25:
                start = self.random.choice([piece.start, self.random.randint(piece.start, piece.end - 1)])
                end = self.random.choice([piece.end, self.random.randint(start + 1, piece.end)])
                part = Piece(piece.kind, piece.op, piece.target, start, end)
                found.append(PieceAnswer(part, self.random.choice([*STATES, None])))
        self.random.shuffle(found)
        return found

    def go_on(self) -> None:
        """One more thing happens."""
        if self.random.random() < 0.6:
            self.weave = woven(self.weave, self.stroke())
        else:
            self.op += 1
            self.weave = self.weave.answer(self.answers(), self.op)
