"""Other looks at a diff: how much of each file, which files, and word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from blueline.diff.edits import text_edits
from blueline.surfaces.cli.changes import HUNK, hunk_end, lines_of
from blueline.surfaces.cli.phrases import count
from blueline.surfaces.cli.terminal import Screen, columns, safe, visible

if TYPE_CHECKING:
    from blueline.contract.overview import DiffFileDocument

LONGEST_COMPARED = 100_000
SHORTEST_GRAPH = 10
LONGEST_GRAPH = 50


def stat(files: Sequence[DiffFileDocument], screen: Screen) -> Iterator[str]:
    """As `git diff --stat`."""
    if not files:
        return
    names = [safe(file["path"]) for file in files]
    width = max(columns(name) for name in names)
    digits = max(len(_size(file)) for file in files)
    room = min(max(screen.width - width - digits - 6, SHORTEST_GRAPH), LONGEST_GRAPH)
    most = max(file["added"] + file["removed"] for file in files)
    for name, file in zip(names, files, strict=True):
        plus, minus = (_scaled(file[side], most, room) for side in ("added", "removed"))
        graph = screen.paint("+" * plus, "added") + screen.paint("-" * minus, "removed")
        blanks = " " * (width - columns(name))
        yield f" {name}{blanks} | {_size(file).rjust(digits)} {graph}".rstrip()
    added, removed = (sum(file[side] for file in files) for side in ("added", "removed"))
    parts = [f"{count(len(files), 'file')} changed"]
    parts += [f"{count(added, 'insertion')}(+)"] if added else []
    parts += [f"{count(removed, 'deletion')}(-)"] if removed else []
    yield f" {', '.join(parts)}"


def _size(file: DiffFileDocument) -> str:
    return "Bin" if file["binary"] else str(file["added"] + file["removed"])


def _scaled(number: int, most: int, room: int) -> int:
    """Something is shown of whatever is there."""
    return number if most <= room else min(number, max(number * room // most, 1))


def by_words(diff: str, screen: Screen) -> Iterator[str]:
    """As `git diff --word-diff`: each line once, with the words that go and come."""
    lines = lines_of(diff)
    at = 0
    while at < len(lines):
        counts = HUNK.match(lines[at])
        if counts is None:
            is_name = lines[at].startswith(("--- ", "+++ ", "diff "))
            yield screen.paint(visible(lines[at]), "heading" if is_name else "dim")
            at += 1
            continue
        yield screen.paint(visible(lines[at]), "place")
        end = hunk_end(lines, at + 1, *(int(number or 1) for number in counts.groups()))
        yield from _body([line for line in lines[at + 1 : end] if not line.startswith("\\")], screen)
        at = end


def _body(lines: Sequence[str], screen: Screen) -> Iterator[str]:
    removed: list[str] = []
    for sign, group in groupby(lines, key=lambda line: line[:1]):
        texts = [line[1:] for line in group]
        if sign == "-":
            removed = texts
            continue
        yield from _block(removed, texts if sign == "+" else [], screen)
        removed = []
        if sign != "+":
            yield from (visible(text, tabs=True) for text in texts)
    yield from _block(removed, [], screen)


def _block(removed: Sequence[str], added: Sequence[str], screen: Screen) -> Iterator[str]:
    """Lines that others took the place of."""
    old, new = ("".join(f"{line}\n" for line in side) for side in (removed, added))
    if not old and not new:
        return
    if len(old) + len(new) > LONGEST_COMPARED:
        yield from _marked(old, new, screen).splitlines()
        return
    text, at = "", 0
    for edit in text_edits(old, new):
        text += visible_lines(old[at : edit.old_start])
        text += _marked(old[edit.old_start : edit.old_end], new[edit.new_start : edit.new_end], screen)
        at = edit.old_end
    text += visible_lines(old[at:])
    yield from text.removesuffix("\n").split("\n")


def _marked(old: str, new: str, screen: Screen) -> str:
    return _mark(old, ("[-", "-]"), "removed", screen) + _mark(new, ("{+", "+}"), "added", screen)


def _mark(text: str, brackets: tuple[str, str], style: str, screen: Screen) -> str:
    """A mark ends with its line: what follows is not part of it."""
    parts = []
    for line in text.split("\n"):
        shown = visible(line, tabs=True)
        if shown and not screen.colour:
            shown = f"{brackets[0]}{shown}{brackets[1]}"
        parts.append(screen.paint(shown, style))
    return "\n".join(parts)


def visible_lines(text: str) -> str:
    """A text of several lines, safe to show."""
    return "\n".join(visible(line, tabs=True) for line in text.split("\n"))
