"""Changed lines on a screen: what was added and removed, which words of it, and what does not print.

Lines are drawn whole up to 2,000 characters. Of longer ones the parts around the changes are drawn, so that a
word that changed far right is seen, and marks say how much was left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice, pairwise

from blueline.diff.edits import split_lines, text_edits
from blueline.surfaces.cli.phrases import shared_start
from blueline.surfaces.cli.terminal import Screen, pieces, visible

Range = tuple[int, int]
Entry = tuple[str, str, bool]
"""The sign of a line, the line, and whether the file ends there without a newline."""

LONGEST_LINE = 2_000
AROUND_A_CHANGE = 80
SHOWN_OF_A_CHANGE = 600

LONGEST_COMPARED = 100_000
"""Blocks with more characters than this are not compared word by word, but by their two ends."""

HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")

NO_LAST_NEWLINE = "\\ No newline at end of file"


def unified(diff: str, screen: Screen) -> Iterator[str]:
    """A unified diff for people."""
    lines = lines_of(diff)
    at = 0
    while at < len(lines):
        counts = HUNK.match(lines[at])
        if counts is None:
            yield _header(lines[at], screen)
            at += 1
            continue
        yield screen.paint(visible(lines[at]), "place")
        end = hunk_end(lines, at + 1, *(int(count or 1) for count in counts.groups()))
        yield from _body(lines[at + 1 : end], screen)
        at = end


def replaced(old: str, new: str, screen: Screen) -> Iterator[str]:
    """The whole lines of a region before and after, one below the other; once when they are the same."""
    if old == new:
        yield from _body(_signed(" ", new), screen)
        return
    yield from _body([*_signed("-", old), *_signed("+", new)], screen)


def lines_of(diff: str) -> list[str]:
    """Only a line feed ends a line of a diff."""
    lines = diff.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _signed(sign: str, text: str) -> list[str]:
    """The lines of a text as they stand in a diff."""
    lines = [sign + line.removesuffix("\n") for line in split_lines(text)]
    return lines if text.endswith("\n") or not text else [*lines, NO_LAST_NEWLINE]


def hunk_end(lines: list[str], at: int, old: int, new: int) -> int:
    """Where a hunk ends, by its own counts: a removed line can look like the header of the next file."""
    while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
        sign = lines[at][:1]
        old -= sign in (" ", "-", "")
        new -= sign in (" ", "+", "")
        at += 1
    return at


def _header(line: str, screen: Screen) -> str:
    style = "heading" if line.startswith(("--- ", "+++ ", "diff ")) else "dim"
    return screen.paint(visible(line), style)


def _body(lines: list[str], screen: Screen) -> Iterator[str]:
    """The lines of one hunk, each with its sign."""
    # A note about a missing last newline belongs to the line above it.
    notes = {at - 1 for at, line in enumerate(lines) if line.startswith("\\")}
    entries = [(line[:1], line[1:], at in notes) for at, line in enumerate(lines) if at - 1 not in notes]
    if all(line.endswith("\r") for _, line, _ in entries):
        # Every line has the same odd end: nothing about it has changed.
        entries = [(sign, line.removesuffix("\r"), note) for sign, line, note in entries]
    removed: list[Entry] = []
    for sign, group in groupby(entries, key=lambda entry: entry[0]):
        block = list(group)
        if sign == "-":
            removed = block
            continue
        yield from _block(removed, block if sign == "+" else [], screen)
        removed = []
        if sign != "+":
            for _, line, note in block:
                yield from _line(" ", line, [], note, screen)
    yield from _block(removed, [], screen)


def _block(removed: list[Entry], added: list[Entry], screen: Screen) -> Iterator[str]:
    """Lines that were replaced by others, with the words that differ marked."""
    found = marks([line for _, line, _ in removed], [line for _, line, _ in added])
    for entries, ranges in zip((removed, added), found, strict=True):
        for (sign, line, note), changed in zip(entries, ranges, strict=True):
            yield from _line(sign, line, changed, note, screen)


def _line(sign: str, line: str, changed: list[Range], note: bool, screen: Screen) -> Iterator[str]:
    yield drawn(sign, line, changed, screen)
    if note:
        yield screen.paint(NO_LAST_NEWLINE, "dim")


def marks(removed: list[str], added: list[str]) -> tuple[list[list[Range]], list[list[Range]]]:
    """For each line the ranges that differ from its counterpart; none for a line that differs as a whole."""
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (removed, added))
    if not old or not new:
        changes: Iterable[tuple[Range, Range]] = ()
    elif len(old) + len(new) > LONGEST_COMPARED:
        changes = [_between_ends(old, new)]
    else:
        changes = [((e.old_start, e.old_end), (e.new_start, e.new_end)) for e in text_edits(old, new)]
    return _by_line(removed, [before for before, _ in changes]), _by_line(
        added, [after for _, after in changes]
    )


def _between_ends(old: str, new: str) -> tuple[Range, Range]:
    """Where two texts differ, up to what they share at both ends."""
    head = shared_start(old, new)
    tail = min(shared_start(old[::-1], new[::-1]), min(len(old), len(new)) - head)
    return (head, len(old) - tail), (head, len(new) - tail)


def _by_line(lines: list[str], ranges: list[Range]) -> list[list[Range]]:
    found: list[list[Range]] = []
    start = first = 0
    for line in lines:
        end = start + len(line)
        while first < len(ranges) and ranges[first][1] <= start:
            first += 1
        inside = []
        for a, b in islice(ranges, first, None):
            if a >= end:
                break
            if max(a, start) < min(b, end):
                inside.append((max(a, start) - start, min(b, end) - start))
        # A line that came or went whole needs no marks to say so.
        found.append([] if inside == [(0, len(line))] else inside)
        start = end + 1
    return found


def windows(length: int, changed: list[Range]) -> list[Range]:
    """The parts of a line to draw: all of it, or the surroundings of what changed."""
    if length <= LONGEST_LINE:
        return [(0, length)]
    if not changed:
        return [(0, LONGEST_LINE)]
    found: list[Range] = []
    left = LONGEST_LINE
    for a, b in changed:
        start = max(a - AROUND_A_CHANGE, 0)
        end = min(min(b, a + SHOWN_OF_A_CHANGE) + AROUND_A_CHANGE, length, start + left)
        if found and start <= found[-1][1]:
            left += found[-1][1] - start
            start = found.pop()[0]
        if left <= 0:
            break
        found.append((start, end))
        left -= end - start
    return found


def drawn(sign: str, line: str, changed: list[Range], screen: Screen) -> str:
    """One line with its sign, its marks, and what does not print."""
    style = {"+": "added", "-": "removed"}.get(sign, "")
    # Blanks at the end of a line are seen by nobody; in context lines they are not what is to be decided.
    blanks = len(line.rstrip(" \t")) if style else len(line)
    parts = [screen.paint(sign, style)]
    at = 0
    for start, end in windows(len(line), changed):
        parts += [_left_out(start - at, screen)] if start > at else []
        parts += _window(line, (start, min(end, blanks)), changed, style, screen)
        parts += [screen.paint(_as_blanks(line[max(start, blanks) : end]), f"{style}-word" if style else "")]
        at = end
    parts += [_left_out(len(line) - at, screen)] if at < len(line) else []
    return "".join(parts)


def _window(line: str, window: Range, changed: list[Range], style: str, screen: Screen) -> list[str]:
    """One stretch of a line, cut where a mark begins or ends."""
    start, end = window
    cuts = {start, end} | {cut for part in changed for cut in part if start < cut < end}
    edges = sorted(cut for cut in cuts if cut <= end)
    parts = []
    for a, b in pairwise(edges):
        marked = any(x <= a and b <= y for x, y in changed)
        for text, unprintable in pieces(line[a:b], tabs=True):
            parts.append(screen.paint(text, "mark" if unprintable else f"{style}-word" if marked else style))
    return parts


def _as_blanks(text: str) -> str:
    return text.replace(" ", "·").replace("\t", "→")


def _left_out(count: int, screen: Screen) -> str:
    return screen.paint(f"…[{count:,} more characters]…", "dim")
