"""Parts of a file, lines or a cell, with all that is known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blueline.desk.documents import hunk_documents
from blueline.desk.selectors import NamedLines, NamedPart, UnknownSelector
from blueline.diff.edits import split_lines
from blueline.review.ledger import Ledger

if TYPE_CHECKING:
    from blueline.contract.cells import CellSides
    from blueline.contract.files import LinesDocument
    from blueline.contract.hunks import HunkDocument


def shown_lines(ledger: Ledger, named: NamedLines) -> tuple[LinesDocument, list[HunkDocument]]:
    """Lines as they are, and the hunks that stand on them. What was named past the end is left out."""
    file = ledger.file(named.files[0]) if len(named.files) == 1 else None
    if file is None or file.live.text is None:
        raise UnknownSelector("only a text under review has lines to show", hint="name one file: PATH:10-20")
    lines = split_lines(file.live.text)
    first, last = named.first, min(named.last, len(lines))
    if first > last:
        asked = f"{named.first} to {named.last}"
        raise UnknownSelector(f"{file.live.path} has no lines {asked}", hint=f"it has {len(lines)} lines")
    document: LinesDocument = {
        "kind": "lines",
        "path": file.live.path,
        "line": first,
        "end_line": last,
        "text": "".join(lines[first - 1 : last]),
    }
    return document, [hunk for hunk in hunk_documents(ledger, file) if _stands_on(hunk, first, last)]


def _stands_on(hunk: HunkDocument, first: int, last: int) -> bool:
    """A bare deletion stands on the line before it; what is not about text on none."""
    start = max(hunk["new_start"], 1)
    end = start + max(hunk["new_lines"], 1) - 1
    return hunk["new"] is not None and start <= last and first <= end


def shown_cell(ledger: Ledger, part: NamedPart) -> tuple[CellSides, list[HunkDocument]]:
    """A cell as it was agreed on and as it is, and its hunks."""
    section = part.section
    named = {hunk.id for hunk in section.hunks}
    found = [one for one in hunk_documents(ledger, part.file) if one["id"] in named]
    now = section.live or section.agreed
    document: CellSides = {
        "kind": "cell",
        "path": part.file.live.path,
        "cell": section.name,
        "index": section.number,
        "type": now.type if now is not None else _type(found[0]),
        "old": None if section.agreed is None else section.agreed.source,
        "new": None if section.live is None else section.live.source,
    }
    return document, found


def _type(hunk: HunkDocument) -> str:
    """Of a cell that stands on neither side."""
    cell = hunk["cell"]
    assert cell is not None
    return cell["type"]
