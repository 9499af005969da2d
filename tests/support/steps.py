"""Texts made of words that were never typed before, and the ways in which people and agents change them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hypothesis import strategies as st

COMMON_WORDS = ("alpha", "bravo", "delta")

Kind = Literal[
    "insert lines",
    "delete lines",
    "replace lines",
    "indent lines",
    "replace word",
    "insert word",
    "delete word",
]
KINDS: tuple[Kind, ...] = (
    "insert lines",
    "delete lines",
    "replace lines",
    "indent lines",
    "replace word",
    "insert word",
    "delete word",
)


class Change(NamedTuple):
    """One thing somebody does to a text; places count round, so that every number is one."""

    kind: Kind
    line: int
    word: int
    size: int


CHANGES = st.lists(
    st.builds(
        Change,
        kind=st.sampled_from(KINDS),
        line=st.integers(0, 11),
        word=st.integers(0, 5),
        size=st.integers(1, 3),
    ),
    min_size=1,
    max_size=3,
)


@dataclass
class Typist:
    """Never types a word twice."""

    typed: int = 0

    def word(self) -> str:
        # All of one length, so that what two lines have in common can be counted in words.
        self.typed += 1
        return f"w{self.typed:04d}"

    def line(self, size: int) -> str:
        """Some lines begin with a common word, and so are alike when they are short."""
        words = [self.word() for _ in range(size)]
        common = COMMON_WORDS[self.typed % 9] if self.typed % 9 < len(COMMON_WORDS) else None
        return " ".join([common, *words] if common else words) + "\n"

    def text(self, lines: int) -> str:
        return "".join(self.line(1 + number % 4) for number in range(lines))

    def changed(self, text: str, changes: Sequence[Change]) -> str:
        """The text after these changes, one after the other. A file never ends up empty."""
        lines = text.splitlines(keepends=True)
        for change in changes:
            self._change(lines, change)
        return "".join(lines) or self.line(2)

    def _change(self, lines: list[str], change: Change) -> None:
        at = change.line % (len(lines) + 1)
        new = [self.line(1 + (change.word + number) % 4) for number in range(change.size)]
        if change.kind == "insert lines" or at == len(lines):
            lines[at:at] = new
        elif change.kind == "delete lines":
            del lines[at : at + change.size]
        elif change.kind == "replace lines":
            lines[at : at + change.size] = new
        elif change.kind == "indent lines":
            lines[at : at + change.size] = [f"  {line}" for line in lines[at : at + change.size]]
        else:
            lines[at] = self._changed_line(lines[at], change)

    def _changed_line(self, line: str, change: Change) -> str:
        """Only the word itself changes, and one blank beside it when a word comes or goes."""
        words = line.split()
        if not words:
            return line
        word = words[change.word % len(words)]
        if word in COMMON_WORDS:
            return line
        if change.kind == "replace word":
            return line.replace(word, self.word())
        if change.kind == "insert word":
            first, second = (self.word(), word) if change.size == 1 else (word, self.word())
            return line.replace(word, f"{first} {second}")
        if len({*words} - {*COMMON_WORDS}) == 1:
            return line
        return line.replace(f" {word}", "") if f" {word}" in line else line.replace(f"{word} ", "")


def span(old: str, new: str, context: int) -> tuple[str, str] | None:
    """What an edit tool would say: the whole lines that differ, and some around them; None: it cannot."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    shorter = min(len(before), len(after))
    head = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    tail = next((n for n in range(shorter - head) if before[-1 - n] != after[-1 - n]), shorter - head)
    head, tail = max(head - context, 0), max(tail - context, 0)
    said = "".join(before[head : len(before) - tail]), "".join(after[head : len(after) - tail])
    return said if said[0] and old.count(said[0]) == 1 else None
