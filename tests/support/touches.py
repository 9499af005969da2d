"""What people and agents do to words, parts of words, lines and blocks; each word that is typed is new."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Literal, NamedTuple

from hypothesis import strategies as st

from tests.support.typed_words import WORD

PLACES = st.integers(0, 99)

Kind = Literal["word", "part", "more", "line", "block", "above", "goes", "joined"]


class Touch(NamedTuple):
    """One thing that somebody does to a line; places count round."""

    kind: Kind
    line: int
    place: int


TOUCHES = st.lists(
    st.builds(
        Touch,
        st.sampled_from(("word", "word", "part", "more", "line", "block", "above", "goes", "joined")),
        PLACES,
        PLACES,
    ),
    min_size=1,
    max_size=3,
)


class Toucher:
    """Types no word twice, and no sign but commas that is not in the first text."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def word(self) -> str:
        return f"w{next(self._numbers)}"

    def first(self, lines: int) -> str:
        """What a file begins with."""
        return "".join(f"{self.word()} = {self.word()}({self.word()})\n" for _ in range(lines))

    def touched(self, text: str, touches: Iterable[Touch]) -> str:
        """A text after some touches, one after the other."""
        lines = text.split("\n")[:-1] or [""]
        for kind, line, place in touches:
            at = line % len(lines)
            words = [*WORD.finditer(lines[at])]
            spot = words[place % len(words)] if words else None
            if kind in ("word", "part", "joined") and spot is not None:
                start, end = spot.span()
                if kind == "part":
                    start += 1
                new = self.word() if kind != "joined" else f"{spot[0]}{self.word()}"
                lines[at] = lines[at][:start] + new + lines[at][end:]
            elif kind == "goes" and spot is not None:
                lines[at] = lines[at][: spot.start()] + lines[at][spot.end() :]
            elif kind == "more":
                lines[at] += f", {self.word()}"
            elif kind == "line":
                lines[at] = f"{self.word()} {self.word()}"
            elif kind == "block":
                lines[at : at + 2] = [f"{self.word()} {self.word()}" for _ in range(1 + place % 3)]
            else:
                lines.insert(at, f"{self.word()} {self.word()}")
        return "".join(f"{line}\n" for line in lines)
