"""What somebody sees who goes through changes: plain lines, one change at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from blueline.surfaces.cli import changes
from blueline.surfaces.cli.phrases import count, excerpt, hint, place, remarks, sizes, who
from blueline.surfaces.cli.terminal import Screen, columns, first_line, fitted, safe, visible, wrapped
from blueline.surfaces.cli.walk_rows import AROUND, Lines, Row, is_in
from blueline.surfaces.cli.walk_words import KEYS

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument, WhyDocument
    from blueline.surfaces.cli.walk_queue import WalkItem

MOST_ROWS = 60
"""A change with more lines is shown by its beginning; `f` shows all of it."""
MOST_PLACES = 12


def heading(
    item: WalkItem, why: WhyDocument, position: tuple[int, int], screen: Screen, *, same: int = 0
) -> Iterator[str]:
    """Which change this is, by whom and what for; `same` are the other places with the same change."""
    hunk = item.hunk
    at, of = position
    lines = f", {numbered(item.lines)} of it" if item.lines else ""
    counted, where, name = f"{at} of {of}", f"{place(hunk)}{lines}", safe(hunk["id"])
    first = f"{screen.paint(counted, 'dim')}  {screen.paint(where, 'heading')}"
    # An id that is cut in two cannot be copied.
    apart = "  " if columns(f"{counted}  {where}  {name}") <= screen.width else "\n  "
    yield f"{first}{apart}{screen.paint(name, 'id')}"
    tool = f" with {safe(hunk['tool'])}" if hunk["tool"] else ""
    turn = f" in {safe(hunk['turn'])}" if hunk["turn"] else ""
    by = f"by {who(**hunk['actor'])}{tool}{turn}"
    yield from (f"  {line}" for line in wrapped(f"{_what(hunk)} {by}", screen.width - 2))
    if prompt := first_line(why["prompt"] or ""):
        yield fitted(f"  asked: {prompt}", screen.width)
    if why["command"]:
        yield screen.paint(fitted(f"  $ {first_line(why['command'])}", screen.width), "dim")
    for remark in [*remarks(hunk), *_about_others(hunk, same)]:
        begin, *rest = wrapped(remark, screen.width - len("  note: "))
        yield f"  {screen.paint('note:', 'warn')} {begin}"
        yield from (f"        {line}" for line in rest)


def _about_others(hunk: HunkDocument, same: int) -> Iterator[str]:
    if hunk["built_on_by"]:
        yield f"{count(len(hunk['built_on_by']), 'other change')} built on it"
    if same:
        yield f"the same in {count(same, 'other place')}; = shows them, a = and x = decide about all"


def _what(hunk: HunkDocument) -> str:
    moved = f" from {safe(hunk.get('from'))}" if hunk["kind"] == "rename" else ""
    return f"{safe(hunk['kind'])}{moved} {sizes(hunk)}".strip()


def numbered(lines: Lines) -> str:
    """`line 7`, `lines 3-5`."""
    first, last = lines
    return f"line {first}" if first == last else f"lines {first}-{last}"


def drawn(
    found: Sequence[Row], screen: Screen, *, part: Lines | None = None, whole: bool = False
) -> Iterator[str]:
    """The lines of a change with their numbers; of a part of it, that part and what stands around it."""
    if not found:
        yield screen.paint("  (not text)", "dim")
        return
    shown = [*_around(found, part)] if part else [*found]
    left = 0 if whole else max(len(shown) - MOST_ROWS, 0)
    width = max(len(str(row.number)) for row in found)
    yield from _rows(shown[: len(shown) - left], width, part, screen)
    if left:
        yield screen.paint(f"  … {count(left, 'more line')}; f shows all", "dim")


def is_shown_whole(found: Sequence[Row], part: Lines | None) -> bool:
    """Whether `drawn` leaves nothing out that is asked about."""
    return part is not None or len(found) <= MOST_ROWS


def _around(found: Sequence[Row], part: Lines) -> Iterator[Row]:
    inside = [at for at, row in enumerate(found) if row.sign != " " and is_in(row, part)]
    first, last = (inside[0], inside[-1]) if inside else (0, 0)
    yield from found[max(first - AROUND, 0) : last + AROUND + 1]


def _rows(found: Sequence[Row], width: int, part: Lines | None, screen: Screen) -> Iterator[str]:
    strip_cr = all(row.text.endswith("\r\n") for row in found)
    for is_changed, group in groupby(_meant(found, part), key=lambda row: row.sign != " "):
        block = [*group]
        if is_changed:
            yield from _block(block, width, screen, strip_cr)
        else:
            yield from (_row(row, [], width, screen, strip_cr) for row in block)


def _meant(found: Sequence[Row], part: Lines | None) -> Iterator[Row]:
    """What is asked about, and beside it what is not, as it stands in the file."""
    for row in found:
        if part is None or is_in(row, part):
            yield row
        elif row.sign != "-":
            yield row._replace(sign=" ")


def _block(block: list[Row], width: int, screen: Screen, strip_cr: bool) -> Iterator[str]:
    """Lines without an unchanged one between them: what went, then what came."""
    removed, added = ([row for row in block if row.sign == sign] for sign in "-+")
    found = changes.marks(*([_bare(row.text, strip_cr) for row in side] for side in (removed, added)))
    for side, ranges in zip((removed, added), found, strict=True):
        for row, changed in zip(side, ranges, strict=True):
            yield _row(row, changed, width, screen, strip_cr)
            if changed and row.sign == "+" and not screen.colour:
                yield from _carets(_bare(row.text, strip_cr), changed, width, screen)
            if not row.text.endswith("\n"):
                yield screen.paint(changes.NO_LAST_NEWLINE, "dim")


def _bare(text: str, strip_cr: bool) -> str:
    return text.removesuffix("\r\n") if strip_cr else text.removesuffix("\n")


def _row(row: Row, changed: list[tuple[int, int]], width: int, screen: Screen, strip_cr: bool) -> str:
    number = screen.paint(str(row.number or "").rjust(width), "dim")
    return f"{number} {changes.drawn(row.sign, _bare(row.text, strip_cr), changed, screen)}"


def _carets(text: str, changed: list[tuple[int, int]], width: int, screen: Screen) -> Iterator[str]:
    """Without colours the words that changed are underlined, where a line and its marks fit the screen."""
    if width + 2 + columns(text) > screen.width or visible(text) != text:
        return
    marks = [" "] * len(text)
    for start, end in changed:
        marks[start:end] = "^" * (end - start)
    line = "".join(mark * max(columns(char), 1) for char, mark in zip(text, marks, strict=True))
    yield f"{' ' * (width + 2)}{line}".rstrip()


def listed(found: Sequence[HunkDocument], screen: Screen, most: int = MOST_PLACES) -> Iterator[str]:
    """Some changes, a line each."""
    for hunk in found[:most]:
        start = f"  {screen.paint(safe(hunk['id']), 'id')}  {place(hunk)}  "
        rest = max(screen.width - columns(f"  {hunk['id']}  {place(hunk)}  "), MOST_PLACES)
        yield f"{start}{excerpt(hunk, screen, rest)}".rstrip()
    if len(found) > most:
        yield f"  and {len(found) - most:,} more"


def in_words(found: Sequence[HunkDocument]) -> str:
    """`7 changes in 3 files`."""
    files = len({hunk["path"] for hunk in found})
    return f"{count(len(found), 'change')} in {count(files, 'file')}"


def news(found: Sequence[HunkDocument], screen: Screen) -> Iterator[str]:
    """What came while somebody was looking."""
    paths = [*dict.fromkeys(safe(hunk["path"]) for hunk in found)]
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    by = ", ".join(sorted({who(**hunk["actor"]) for hunk in found}))
    text = f"{count(len(found), 'new change')} by {by} in {', '.join(paths[:3])}{more}"
    yield screen.paint(fitted(f"* {text}", screen.width), "warn")


def keys(screen: Screen) -> Iterator[str]:
    """The answer to `?`."""
    import textwrap

    width = max(len(key) for key, _ in KEYS)
    for key, meaning in KEYS:
        first, *rest = textwrap.wrap(meaning, max(screen.width - width - 4, 20))
        yield f"  {screen.paint(key.ljust(width), 'id')}  {first}"
        yield from (f"  {' ' * width}  {line}" for line in rest)


def end(
    made: Iterable[tuple[str, int]], left: int, screen: Screen, *, of_some: bool = False
) -> Iterator[str]:
    """What a walk came to: verdicts with the number of changes they were about, and what is left.

    `of_some`: the walk was about a selection, and says nothing about the rest.
    """
    counts = {"accept": 0, "reject": 0}
    for verdict, number in made:
        counts[verdict] += number
    did = [f"{number:,} {verdict}ed" for verdict, number in counts.items() if number]
    done = ", ".join(did) or "nothing decided"
    done = f"{done[:1].upper()}{done[1:]}"
    if left:
        yield f"{done}; {left} left to decide."
        yield hint("blueline walk goes on with them", screen)
    elif of_some:
        yield f"{done}; nothing of that is left to decide."
        yield hint("blueline goes on with everything else", screen)
    else:
        yield f"{done}; nothing is left to decide."
        yield hint("blueline status says whether it may ship", screen)


def named(name: str) -> str:
    """A name from elsewhere, in a sentence."""
    return safe(name)


def title(item: WalkItem, screen: Screen) -> Iterator[str]:
    """Which change this is, where several are shown below each other."""
    hunk = item.hunk
    where = screen.paint(place(hunk), "heading")
    yield f"{where}  {screen.paint(safe(hunk['id']), 'id')}  {screen.paint(_what(hunk), 'dim')}"
