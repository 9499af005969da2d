"""Where in a pull request a hunk can be offered so that the button gives exactly our bytes.

A comment can stand only on lines that the pull request's diff shows, and a suggestion replaces the lines that
its comment stands on by the text of its block. What cannot be said like this is said in another way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from blueline.diff.edits import split_lines
from blueline.forge.line_hunks import LineHunk
from blueline.forge.suggestion import OfferedChange

_HUNK = re.compile(r"@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})(?:,(\d{1,9}))? @@.*")
MOST_TEXT = 20_000
"""Characters of a block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLines:
    """Lines of the new side that a diff shows one after the other, with nothing deleted between them.

    From zero, half-open.
    """

    start: int
    lines: tuple[str, ...]
    """Without their ends."""

    @property
    def end(self) -> int:
        return self.start + len(self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """Lines start:end of the file, from zero and half-open, and the text that takes their place."""

    hunk: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """The hunks of one file: those with a place, and the others with the reason."""

    anchored: tuple[Anchored, ...] = ()
    others: tuple[tuple[int, str], ...] = ()


def stretches(patch: str) -> list[ShownLines]:
    """The stretches of a diff as GitHub gives it for one file; none if it cannot be read."""
    found: list[ShownLines] = []
    lines: list[str] = []
    start = at = 0

    def close() -> None:
        if lines:
            found.append(ShownLines(start=start, lines=tuple(lines)))
        lines.clear()

    for line in patch.split("\n"):
        head = _HUNK.fullmatch(line)
        if head is not None:
            close()
            # An empty side is given by the line before it.
            start = at = int(head[1]) - (head[2] != "0")
        elif line[:1] in ("+", " "):
            if not lines:
                start = at
            lines.append(line[1:])
            at += 1
        elif line[:1] != "\\":
            close()
    close()
    return found


def place(change: OfferedChange, patch: str | None, indices: Sequence[int] | None = None) -> Placed:
    """A place for each hunk of a change to a file as it is at the head of the pull request."""
    wanted = list(range(len(change.hunks))) if indices is None else list(indices)
    why = _unfit(change, patch)
    if why or change.texts is None or patch is None:
        return Placed(others=tuple((index, why) for index in wanted))
    old_lines = split_lines(change.texts[0])
    shown = [one for one in stretches(patch) if _is_in(one, old_lines)]
    anchored: list[Anchored] = []
    others: list[tuple[int, str]] = []
    taken_until = 0
    for index in wanted:
        hunk = change.hunks[index]
        next_start = change.hunks[index + 1].old_start if index + 1 < len(change.hunks) else len(old_lines)
        found = _anchor(index, hunk, old_lines, shown, taken_until, next_start)
        if isinstance(found, Anchored):
            anchored.append(found)
            taken_until = found.end
        else:
            others.append((index, found))
    return Placed(anchored=tuple(anchored), others=tuple(others))


def _unfit(change: OfferedChange, patch: str | None) -> str:
    """Why nothing in a file can be offered by a button; empty if it can."""
    if change.action != "modify" or change.old is None or change.new is None:
        return f"a button cannot {change.action} a file"
    if change.old.mode != change.new.mode or change.texts is None:
        return "it is more than a change of text"
    if not change.hunks:
        return "nothing in its lines changes"
    # How an applied suggestion treats these is not known well enough to promise any bytes.
    if any("\r" in text for text in change.texts):
        return "its lines end with a carriage return"
    if any(text and not text.endswith("\n") for text in change.texts):
        return "its last line has no end"
    if patch is None:
        return "the pull request does not show this file"
    return ""


def _is_in(stretch: ShownLines, lines: Sequence[str]) -> bool:
    """Whether the file holds what the diff shows: if not, it is the diff of something else."""
    return [line.removesuffix("\n") for line in lines[stretch.start : stretch.end]] == list(stretch.lines)


def _anchor(
    index: int, hunk: LineHunk, old: Sequence[str], shown: Sequence[ShownLines], free_from: int, free_to: int
) -> Anchored | str:
    """`free_from` and `free_to` bound the lines that no other hunk has."""
    around = next((one for one in shown if one.start <= hunk.old_start and hunk.old_end <= one.end), None)
    if around is None:
        return "the pull request's diff does not show these lines"
    start, end, text = hunk.old_start, hunk.old_end, "".join(hunk.new)
    low, high = max(around.start, free_from), min(around.end, free_to)
    found = Anchored(hunk=index, start=start, end=end, text=text)
    # Nothing can be put between two lines, and a block of blank lines may be taken for an empty one.
    if start == end or (text and not text.strip("\n")):
        if start > low:
            found = replace(found, start=start - 1, text=old[start - 1] + text)
        elif end < high:
            found = replace(found, end=end + 1, text=text + old[end])
        else:
            return "there is no line beside it to put it to"
    if not found.text.strip("\n") and found.text:
        return "it is only blank lines"
    if any(not (char.isprintable() or char in "\n\t") for char in found.text):
        return "it holds characters that do not print"
    if len(found.text) > MOST_TEXT:
        return "it is too long"
    return found
