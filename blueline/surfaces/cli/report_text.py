"""What became of agents' work, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from blueline.surfaces.cli.phrases import count, hint, moment
from blueline.surfaces.cli.terminal import Screen, columns, fitted, safe
from blueline.surfaces.report_page import LONGEST_NAME, NOT_KNOWN, OUTCOMES, sections, share, spelled

if TYPE_CHECKING:
    from blueline.contract.report import ReportDocument, ReportRowDocument


def reported(document: ReportDocument, screen: Screen) -> Iterator[str]:
    """The answer to `report`."""
    total = document["total"]
    since = f" since {moment(document['since'])}" if document["since"] else ""
    if not total["changes"]:
        yield f"Agents changed nothing{since}."
        yield hint("let an agent work in this project, then: blueline list", screen)
        return
    yield screen.paint(f"{count(total['changes'], 'change')} by agents{since}: {spelled(total)}", "heading")
    for title, rows in sections(document):
        yield ""
        yield from _table(title, rows, screen)
    yield ""
    command = "blueline hub report" if "projects" in document else "blueline report"
    yield hint(f"{command} --html >report.html has it with plots", screen)


def _table(title: str, rows: Sequence[ReportRowDocument], screen: Screen) -> Iterator[str]:
    names = [fitted(safe(row["name"]) or NOT_KNOWN, LONGEST_NAME) for row in rows]
    width = max(len(title), *(columns(name) for name in names))
    heads = ("changes", "kept", "corrected", "rejected", "undecided", "kept of decided")
    cells = [
        (*(f"{number:,}" for number in (row["changes"], *(row[one] for one in OUTCOMES))), share(row))
        for row in rows
    ]
    short = ("all", "kept", "corr.", "rej.", "open", "kept")
    wide = width + sum(len(head) + 2 for head in heads)
    shown = heads if wide <= screen.width else short
    sizes = [max(len(head), *(len(row[at]) for row in cells)) for at, head in enumerate(shown)]
    line = "  ".join(head.rjust(size) for head, size in zip(shown, sizes, strict=True))
    yield screen.paint(f"{title.ljust(width)}  {line}", "dim")
    for name, row in zip(names, cells, strict=True):
        numbers = "  ".join(cell.rjust(size) for cell, size in zip(row, sizes, strict=True))
        yield f"{name}{' ' * (width - columns(name))}  {numbers}".rstrip()
