"""Who wrote each line of a file, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from blueline.surfaces.cli.phrases import moment, who
from blueline.surfaces.cli.terminal import Screen, columns, fitted, safe, visible

if TYPE_CHECKING:
    from blueline.contract.blame import BlameDocument, BlameLineDocument

COMMIT_DIGITS = 8
LONGEST_NAME = 20


def blamed(document: BlameDocument, screen: Screen) -> Iterator[str]:
    """The answer to `blame`, as `git blame` has it: a turn or a commit, who, when, the line."""
    lines = document["lines"]
    names = [_name(line) for line in lines]
    people = [fitted(_who(line), LONGEST_NAME) for line in lines]
    widths = [max((columns(text) for text in column), default=0) for column in (names, people)]
    digits = len(str(len(lines)))
    for line, name, person in zip(lines, names, people, strict=True):
        blanks = [" " * (width - columns(text)) for width, text in zip(widths, (name, person), strict=True)]
        mark = screen.paint("*", "warn") if line["pending"] else " "
        at = moment(line["at"])[:10].ljust(10)
        about = f"({person}{blanks[1]} {at} {str(line['line']).rjust(digits)})"
        text = visible(line["text"], tabs=True)
        yield f"{screen.paint(name, 'id')}{blanks[0]}{mark} {screen.paint(about, 'dim')} {text}".rstrip()


def _name(line: BlameLineDocument) -> str:
    return safe(line["turn"]) or (line["commit"] or "")[:COMMIT_DIGITS] or "-"


def _who(line: BlameLineDocument) -> str:
    if (actor := line["actor"]) is not None:
        return "you" if actor["kind"] == "external" else who(**actor)
    return safe(line["author"]) or "not committed"
