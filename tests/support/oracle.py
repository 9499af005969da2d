"""What should show in a file, told from content alone. It imports nothing of the product.

Every word like `w0001` that anybody types in a walk is typed once and never again. So who inserted a word
and who deleted it follows from the texts before and after each step, and what shows follows from the
decisions: a word shows if its insertion is not rejected and every deletion of it is (or is held). Other words
are common words: they make lines alike, and nothing is said about them.

Blanks are not predicted, and so neither are lines without a word: which of two neighbours a blank belongs to
is nobody's rule. Lines that at most one step changed since they came are predicted byte for byte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Answer = Literal["pending", "held", "accepted", "rejected"]
UNDECIDED = ("pending", "held")
LIVE = ("pending", "accepted")
AGREED = ("accepted",)

Line = list[str]
"""The words of a line."""


class Piece(NamedTuple):
    """An operation inserted a word, deleted it, or made the file (`create`, without a word)."""

    kind: Literal["insert", "delete", "create"]
    op: int
    word: str = ""


Group = frozenset[Piece]
"""The pieces of one hunk."""


class CannotTell(Exception):
    """A step after which content alone does not say who wrote what: the walk does not take it."""


TOKEN = re.compile(r"w[0-9]{4}")
"""A word that stands for itself in all texts. Two of them touch when what stood between has gone."""


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


def alike(old: Line, new: Line) -> bool:
    """At least half of the non-blank characters in common (rule A5)."""
    ours, theirs = Counter(old), Counter(new)
    common = sum(len(word) * count for word, count in (ours & theirs).items())
    return 4 * common >= sum(map(len, old)) + sum(map(len, new))


@dataclass
class _Word:
    line: int
    inserted_by: int
    deleted_by: list[int] = field(default_factory=list)


@dataclass
class _Line:
    versions: list[str]
    """The line as it stood, at first and after each step that changed it."""
    words: list[str] = field(default_factory=list)
    """Every token that ever stood in it."""
    deletions: list[Piece] = field(default_factory=list)
    """One piece of each step that deleted it whole."""


class Decisions:
    """Answers to pieces; the latest of a decision that stands counts, else the first state (rule B6)."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, Piece], Answer] = {}
        self._answers: dict[tuple[str, Piece], dict[int, Answer]] = {}
        self._fallen: set[int] = set()

    def begin(self, path: str, piece: Piece, first: Answer) -> None:
        self._first[path, piece] = first

    def answer(self, decision: int, answers: Mapping[tuple[str, Piece], Answer]) -> None:
        for key, answer in answers.items():
            assert key in self._first, f"{key} was never recorded"
            self._answers.setdefault(key, {})[decision] = answer

    def turn(self, decision: int, *, stands: bool) -> None:
        if stands:
            self._fallen.discard(decision)
        else:
            self._fallen.add(decision)

    def state(self, path: str, piece: Piece) -> Answer:
        answers = self._answers.get((path, piece), {})
        standing = [decision for decision in answers if decision not in self._fallen]
        return answers[max(standing)] if standing else self._first[path, piece]


class Oracle:
    """All that content says about one file."""

    def __init__(self, path: str, decisions: Decisions, text: str | None) -> None:
        self.path = path
        self._decisions = decisions
        self._words: dict[str, _Word] = {}
        self._lines: list[_Line] = []
        self._now: list[str] = []
        self._plain = True
        self._empty: list[str] = []
        self.has_empty_lines = False
        """Lines without a word stood in the text at the last step: hunks may part there."""
        self._texts: list[dict[str, int]] = []
        """Every text that ever stood here, as the place of each token."""
        self.created_by: int | None = None
        self._was_there = text is not None
        if text is not None:
            self._begin(0, "accepted", text)

    # What happens

    def create(self, op: int, first: Answer, text: str) -> list[Group]:
        """The file comes to be: all that it holds is one hunk."""
        assert not self.was_made, "a walk makes each file once"
        self.created_by = op
        pieces = {Piece("create", op), *self._begin(op, first, text)}
        self._decisions.begin(self.path, Piece("create", op), first)
        return [frozenset(pieces)]

    def _begin(self, op: int, first: Answer, text: str) -> list[Piece]:
        pieces = [piece for line in _kept(text) for piece in self._insert_line(op, first, line)]
        self._remember(text, held=first == "held")
        return pieces

    @property
    def was_made(self) -> bool:
        """Whether the file ever was there."""
        return self._was_there or self.created_by is not None

    def can_tell(self, text: str) -> bool:
        """Whether a step to this text can be followed."""
        try:
            self._pairs(text)
        except CannotTell:
            return False
        return True

    def step(self, op: int, first: Answer, text: str) -> list[Group]:
        """Somebody made this text of what shows now. The pieces of each hunk, in the order of the text."""
        self.has_empty_lines = bool(self._empty)
        groups: list[Group] = []
        group: list[Piece] = []
        for old, new in [*self._pairs(text), ("", "")]:
            if old == new:
                # Rule A7: a whole line that did not change ends a hunk.
                groups.append(frozenset(group))
                group = []
                continue
            group += self._change(op, first, old, new)
        self._remember(text, held=first == "held")
        # Where only blanks changed there is a hunk too, of which nothing is known.
        return [group for group in groups if group]

    def saw(self, text: str | None) -> None:
        """The text that stands there now, after decisions."""
        self._remember(text or "", held=False)

    def _remember(self, text: str, *, held: bool) -> None:
        order = {token: place for place, token in enumerate(tokens(text))}
        if not self._texts or self._texts[-1] != order:
            self._texts.append(order)
        if not held:
            self._now = _kept(text)
            self._empty = _empty(text)
            self._plain = _is_plain(text)

    def _change(self, op: int, first: Answer, old: str | None, new: str | None) -> list[Piece]:
        if old is None:
            assert new is not None
            return self._insert_line(op, first, new)
        number = self._line_of(old)
        line = self._lines[number]
        if new is None:
            # Rule A3: what is hidden inside a line goes with it.
            pieces = [self._delete(op, first, word) for word in line.words]
            line.deletions.append(pieces[0])
            return pieces
        before, after = tokens(old), tokens(new)
        line.versions.append(new)
        return [
            *(self._delete(op, first, word) for word in before if word not in after),
            *(self._insert(op, first, word, number) for word in after if word not in before),
        ]

    def _insert_line(self, op: int, first: Answer, line: str) -> list[Piece]:
        self._lines.append(_Line([line]))
        return [self._insert(op, first, word, len(self._lines) - 1) for word in tokens(line)]

    def _insert(self, op: int, first: Answer, word: str, line: int) -> Piece:
        self._words[word] = _Word(line, op)
        self._lines[line].words.append(word)
        return self._piece("insert", op, first, word)

    def _delete(self, op: int, first: Answer, word: str) -> Piece:
        self._words[word].deleted_by.append(op)
        return self._piece("delete", op, first, word)

    def _piece(self, kind: Literal["insert", "delete"], op: int, first: Answer, word: str) -> Piece:
        piece = Piece(kind, op, word)
        self._decisions.begin(self.path, piece, first)
        return piece

    # Which line became which

    def _pairs(self, text: str) -> list[tuple[str | None, str | None]]:
        """Old and new lines side by side; None where a line came or went whole."""
        if not (self._plain and _is_plain(text)):
            raise CannotTell("a line has nothing but common words")
        if self._empty != _empty(text):
            raise CannotTell("what is hidden in a line goes with it, and whose line this is nobody can see")
        old = [line for line in map(self._visible, self._now) if tokens(line)]
        new = _kept(text)
        places = {self._line_of(line): place for place, line in enumerate(old)}
        pairs: list[tuple[str | None, str | None]] = []
        block: tuple[list[str], list[str]] = ([], [])
        partners: list[tuple[str, str]] = []
        reached = 0
        for line in new:
            found = {self._words[word].line for word in tokens(line) if word in self._words}
            if len(found) > 1 or (found and places.get(min(found), -1) < reached):
                raise CannotTell("words of two lines stand in one, or lines changed their order")
            if not found:
                block[1].append(line)
                continue
            place = places[found.pop()]
            block[0].extend(old[reached:place])
            reached = place + 1
            if old[place] == line:
                pairs += _block(*block, partners)
                pairs.append((line, line))
                block, partners = ([], []), []
            else:
                self._check_words(old[place], line)
                partners.append((old[place], line))
                block[0].append(old[place])
                block[1].append(line)
        block[0].extend(old[reached:])
        return pairs + _block(*block, partners)

    def _visible(self, line: str) -> str:
        """The line without words that a decision has hidden since it was seen."""
        gone = [word for word in tokens(line) if not self.shows(word, live=True)]
        for word in gone:
            line = line.replace(word, "")
        return line

    def _check_words(self, old: str, new: str) -> None:
        before, after = old.split(), new.split()
        if any(len(tokens(word)) > 1 for word in (*before, *after)):
            raise CannotTell("two words touch")
        kept = [word for word in before if word in after]
        if [word for word in after if word in before] != kept or not alike(before, after):
            raise CannotTell("too little of the line is left, or its words changed their order")

    def _line_of(self, line: str) -> int:
        return self._words[tokens(line)[0]].line

    # What should be

    def state(self, piece: Piece) -> Answer:
        return self._decisions.state(self.path, piece)

    def pieces(self) -> list[Piece]:
        found = [Piece("create", self.created_by)] if self.created_by is not None else []
        for word, about in self._words.items():
            found.append(Piece("insert", about.inserted_by, word))
            found += [Piece("delete", op, word) for op in about.deleted_by]
        # The first content was there before anybody was asked about anything.
        return [piece for piece in found if piece.op]

    def inserted_by(self, word: str) -> int:
        return self._words[word].inserted_by

    def showing(self) -> list[str]:
        """The words that show in the file as it is."""
        return [word for word in self._words if self.shows(word, live=True)]

    def shows(self, word: str, *, live: bool) -> bool:
        counts = LIVE if live else AGREED
        about = self._words[word]
        return self._counts(Piece("insert", about.inserted_by, word), counts) and not any(
            self._counts(Piece("delete", op, word), counts) for op in about.deleted_by
        )

    def _counts(self, piece: Piece, counts: tuple[str, ...]) -> bool:
        return piece.op == 0 or self.state(piece) in counts

    def exists(self, *, live: bool) -> bool:
        """Rule A12: a file that is not wanted stays as long as something shows in it."""
        if self.created_by is None:
            return self._was_there
        counts = LIVE if live else AGREED
        return self._counts(Piece("create", self.created_by), counts) or any(
            self.shows(word, live=live) for word in self._words
        )

    def check(self, text: str | None, *, live: bool) -> None:
        """Whether a text is what should show, in the file as it is or in the baseline."""
        what = f"{self.path} {'as it is' if live else 'as agreed'}"
        # Blanks that a person typed keep a file, too.
        there = text is not None and (self.exists(live=live) or bool(tokens(text)))
        assert there == self.exists(live=live), f"{what}: exists is {there}"
        found = [(line, tokens(line)) for line in _kept(text or "")]
        order = [word for _, words in found for word in words]
        should = sorted(word for word in self._words if self.shows(word, live=live))
        assert sorted(order) == should, f"{what}: {_difference(order, should)}\n{text}"
        lines = [{self._words[word].line for word in words} for _, words in found if words]
        assert all(len(line) == 1 for line in lines), f"{what}: two lines stand in one\n{text}"
        assert len(lines) == len(set().union(*lines)), f"{what}: one line stands in two\n{text}"
        for places in self._texts:
            known = [places[word] for word in order if word in places]
            assert known == sorted(known), f"{what}: the order is not that of an earlier text\n{text}"
        for line, words in found:
            about = self._lines[self._words[words[0]].line]
            exact = [version for version in about.versions if tokens(version) == words]
            if len(about.versions) <= 2 and exact and self._stands(about, live=live):
                assert line in exact, f"{what}: {line!r} should be one of {exact}"

    def _stands(self, line: _Line, *, live: bool) -> bool:
        """Whether the line came whole and did not go whole, with its blanks and common words."""
        counts = LIVE if live else AGREED
        first = [(word, self._words[word].inserted_by) for word in tokens(line.versions[0])]
        return all(self._counts(Piece("insert", op, word), counts) for word, op in first) and not any(
            self._counts(piece, counts) for piece in line.deletions
        )


def _empty(text: str) -> list[str]:
    """The lines that have no word in them, without their ends."""
    return [line for line in text.splitlines() if not line.strip()]


def _kept(text: str) -> list[str]:
    """The lines that have a token in them, without their ends."""
    return [line for line in text.split("\n") if tokens(line)]


def _is_plain(text: str) -> bool:
    """Whether every line that has a word has a token."""
    return all(tokens(line) for line in text.split("\n") if line.strip())


def _block(
    old: list[str], new: list[str], partners: list[tuple[str, str]]
) -> list[tuple[str | None, str | None]]:
    """Lines between two unchanged ones: partners as one, the others whole."""
    if len(old) == len(new) == 1 and alike(old[0].split(), new[0].split()):
        partners = [(old[0], new[0])]
    for before in old:
        for after in new:
            if (before, after) not in partners and alike(before.split(), after.split()):
                raise CannotTell("a line could have come from two others")
    pairs: list[tuple[str | None, str | None]] = []
    left_old, left_new = list(old), list(new)
    for before, after in partners:
        while left_old[0] != before:
            pairs.append((left_old.pop(0), None))
        while left_new[0] != after:
            pairs.append((None, left_new.pop(0)))
        pairs.append((left_old.pop(0), left_new.pop(0)))
    pairs += [(line, None) for line in left_old]
    return pairs + [(None, line) for line in left_new]


def _difference(found: list[str], should: list[str]) -> str:
    twice = sorted(word for word, count in Counter(found).items() if count > 1)
    missing, extra = sorted({*should} - {*found}), sorted({*found} - {*should})
    return f"missing {missing}, not wanted {extra}, twice {twice}"
