"""Places in a text as editors count them: lines from zero, and in a line the units of UTF-16.

And the text itself as editors hold it: without the mark at its beginning, most of them with one kind of line
end, whatever the file has.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from blueline.diff.edits import text_edits
from blueline.diff.merge import Swap, applied, swaps

MARK = "\ufeff"
"""Stands at the beginning of some files; no editor shows it as text."""


class Spot(NamedTuple):
    """A place between two characters."""

    line: int
    unit: int
    """Of UTF-16, from the beginning of the line."""


class SpotRange(NamedTuple):
    """From one place to another."""

    start: Spot
    end: Spot


class SpotEdit(NamedTuple):
    """What an editor has to put into the place of a range."""

    range: SpotRange
    text: str


class EditorPlaces:
    """Places of one text. A line ends with a line feed, and with nothing else."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    @property
    def lines(self) -> int:
        """How many there are; the one behind the last line end counts, even if it is empty."""
        return len(self._starts)

    def spot(self, at: int) -> Spot:
        """The place of a character, by its number."""
        line = bisect_right(self._starts, at) - 1
        return Spot(line, _units(self._text[self._starts[line] : at]))

    def at(self, spot: Spot) -> int:
        """The number of the character at a place. Behind the end of a line, or of the text, that end."""
        if spot.line >= self.lines:
            return len(self._text)
        start = self._starts[spot.line]
        end = self._line_end(spot.line)
        line = self._text[start:end]
        if line.isascii():
            return min(start + spot.unit, end)
        left = spot.unit
        for number, char in enumerate(line):
            if left <= 0:
                return start + number
            left -= 1 + (char > "\uffff")
        return end

    def range(self, start: int, end: int) -> SpotRange:
        return SpotRange(self.spot(start), self.spot(end))

    def whole_lines(self, first: int, last: int) -> SpotRange:
        """Lines first:last but for the last line end. Of no lines, the beginning of the first."""
        if first >= last:
            line = min(first, self.lines - 1)
            return SpotRange(Spot(line, 0), Spot(line, 0))
        last = min(last, self.lines) - 1
        first = min(first, last)
        return SpotRange(Spot(first, 0), self.spot(self._line_end(last)))

    def _line_end(self, line: int) -> int:
        """Where its characters end, before its line end."""
        if line + 1 >= self.lines:
            return len(self._text)
        end = self._starts[line + 1] - 1
        return end - (self._text[end - 1 : end] == "\r" and end > self._starts[line])


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def spot_edits(old: str, new: str) -> list[SpotEdit]:
    """What turns one text into the other, in order; no two of them touch."""
    if old == new:
        return []
    places = EditorPlaces(old)
    return [SpotEdit(places.range(one.start, one.end), one.text) for one in swaps(old, new)]


class GoneWords(NamedTuple):
    """Words that went, and the place in the new text where they stood."""

    at: Spot
    text: str


class WordChanges(NamedTuple):
    """What of two texts is not in the other."""

    gone: list[SpotRange]
    """In the old one."""
    come: list[SpotRange]
    """In the new one."""
    words: list[GoneWords]
    """What went within a line, in the new one; a line that became something else is its words."""


def word_changes(old: str, new: str) -> WordChanges:
    before, after = EditorPlaces(old), EditorPlaces(new)
    edits = text_edits(old, new)
    words = []
    for one in edits:
        text = old[one.old_start : one.old_end]
        line = text.removesuffix("\n") if one.new_start < one.new_end else text
        if line and "\n" not in line:
            words.append(GoneWords(after.spot(one.new_start), line))
    return WordChanges(
        [before.range(one.old_start, one.old_end) for one in edits if one.old_start < one.old_end],
        [after.range(one.new_start, one.new_end) for one in edits if one.new_start < one.new_end],
        words,
    )


def plain(text: str) -> str:
    """A text as it is compared: without its mark, and with line feeds alone."""
    return text.removeprefix(MARK).replace("\r\n", "\n")


def has_odd_ends(text: str) -> bool:
    """Whether a carriage return stands alone: some editors begin a line there, and others do not."""
    return "\r" in text.replace("\r\n", "")


def as_filed(known: str, shown: str) -> str:
    """What a file should hold, if an editor that was given `known` shows `shown`.

    The mark stays. Line ends that nobody typed stay what they are; those that somebody typed become what most
    of the file has.
    """
    mark = MARK if known.startswith(MARK) and not shown.startswith(MARK) else ""
    if "\r\n" not in known:
        return mark + shown
    if plain(shown) == plain(known):
        return known
    places = _plain_places(known)
    usual = "\r\n" if 2 * known.count("\r\n") > known.count("\n") else "\n"
    changes = [
        Swap(places[one.start], places[one.end], one.text.replace("\n", usual))
        for one in swaps(plain(known), plain(shown))
    ]
    return applied(known, changes)


def as_shown(filed: str, shown: str) -> str:
    """A text of a file as the editor would have it that shows `shown` of it just now."""
    text = filed if shown.startswith(MARK) else filed.removeprefix(MARK)
    if "\r\n" not in shown:
        return text.replace("\r\n", "\n") if "\n" in shown else text
    if "\n" not in shown.replace("\r\n", ""):
        return text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text


def _plain_places(text: str) -> list[int]:
    """For each place in the plain form of a text, where it is in the text."""
    first = len(MARK) if text.startswith(MARK) else 0
    found = []
    for at in range(first, len(text)):
        if not (text[at] == "\n" and text[at - 1 : at] == "\r" and at > first):
            found.append(at)
    return [*found, len(text)]
