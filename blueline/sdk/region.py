"""Where a stream stands in a text, and how far it has come through what it replaces."""

from typing import NamedTuple

from blueline.diff.edits import split_lines
from blueline.sdk.anchor import carried

LOOKED_AHEAD = 200
"""Lines in which the next line of a stream is looked for among those it replaces."""

TELLING = 3
"""Characters, without blanks, of a line that says by itself where it belongs. A bracket alone does not."""


class Region(NamedTuple):
    """A text, and the part of it that is still to be replaced: the stream goes on at its beginning.

    What it replaces goes little by little, as the lines come that take its place. So a line that comes again
    as it was is no change, and a stream that is cut short leaves the rest as it was.
    """

    text: str
    at: int
    until: int

    def grown(self, chunk: str, *, is_all: bool = False) -> "Region":
        """With more of the stream: whole lines, unless there is nothing left to replace or it `is_all`."""
        rest = self.text[self.at : self.until]
        used = len(rest) if is_all else reached(rest, chunk)
        text = self.text[: self.at] + chunk + self.text[self.at + used :]
        return Region(text, self.at + len(chunk), self.until + len(chunk) - used)

    def within(self, text: str) -> "Region":
        """The same place in the text that somebody else made of it."""
        if text == self.text:
            return self
        at, until = carried(self.text, text, (self.at, self.until))
        return Region(text, at, until)

    @property
    def has_rest(self) -> bool:
        return self.at < self.until


def reached(rest: str, chunk: str) -> int:
    """How much of the text that is to be replaced stands before what the lines that came lead up to."""
    old = split_lines(rest)
    at = 0
    for line in split_lines(chunk):
        ahead = LOOKED_AHEAD if len("".join(line.split())) >= TELLING else 1
        found = next((n for n in range(at, min(at + ahead, len(old))) if old[n] == line), None)
        if found is not None:
            at = found + 1
    return sum(map(len, old[:at]))
