"""A notebook as lines of text: what there is to review of it, and nothing else.

One line for the notebook itself; for each cell a header, lines for its metadata and attachments if it has
any, the lines of its source, and a last line. All but source begin with a sign that sources never hold.
Outputs, execution counts and what programs keep in the metadata are left out, so they are nobody's change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from blueline.model.notebook import IDS_FROM, MARK, NotCells, Notebook, RawCell, read

NOTEBOOK, CELL, METADATA, ATTACHMENTS, END = (
    f"{MARK}{word}" for word in ("notebook", "cell", "metadata", "attachments", "end")
)

VOLATILE = frozenset(
    {"collapsed", "scrolled", "trusted", "execution", "ExecuteTime", "executionInfo", "outputId", "papermill"}
    | {"heading_collapsed", "jupyter"}
)
"""What programs write into a cell's metadata when it runs, or is folded."""

VOLATILE_IN_NOTEBOOK = frozenset({"language_info", "widgets", "signature", "papermill", "orig_nbformat"})

_LINES = re.compile(r"[^\n\x1e]*\n|[^\n\x1e]+|\x1e[^\n\x1e]*\n?")
"""A line, or what stands of one before or after a sign: decisions may have taken the line end between."""

Kind = Literal["notebook", "cell", "loose"]


def projected(notebook: Notebook) -> str:
    """The lines of a notebook. Fails with NotCells."""
    about = {"nbformat_minor": notebook.minor, "metadata": reviewable(notebook.values.get("metadata", {}))}
    text = f"{NOTEBOOK} {canonical(about)}\n" + "".join(map(lines_of, map(wanted_of, notebook.cells)))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotCells("a source holds half a character") from None
    return text


def projection(data: bytes | None) -> str:
    """The lines of the notebook in these bytes. Fails with NotCells."""
    return projected(read(data))


class Wanted(NamedTuple):
    """One cell as lines: everything of it that is reviewed."""

    type: str
    """Empty if the line that says so is missing: somebody's text stands outside any cell."""
    id: str
    metadata: str
    """As canonical JSON; empty if there are none. Attachments likewise, by their digests."""
    attachments: str
    source: str


def wanted_of(cell: RawCell) -> Wanted:
    """What there is to review of a cell."""
    metadata = {
        name: value for name, value in (cell.values.get("metadata") or {}).items() if name not in VOLATILE
    }
    attachments = {name: digest(value) for name, value in (cell.values.get("attachments") or {}).items()}
    return Wanted(
        cell.type,
        cell.id,
        canonical(metadata) if metadata else "",
        canonical(attachments) if attachments else "",
        cell.source,
    )


def lines_of(cell: Wanted) -> str:
    """The lines of one cell."""
    head = f"{CELL} {cell.type}{f' {cell.id}' if cell.id else ''}\n"
    metadata = f"{METADATA} {cell.metadata}\n" if cell.metadata else ""
    attachments = f"{ATTACHMENTS} {cell.attachments}\n" if cell.attachments else ""
    return f"{head}{metadata}{attachments}{cell.source}\n{END}\n"


def reviewable(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What is reviewed of a notebook's metadata: not what its kernel says of itself, but its language."""
    found = {name: value for name, value in metadata.items() if name not in VOLATILE_IN_NOTEBOOK}
    language = metadata.get("language_info")
    if isinstance(language, dict) and isinstance(language.get("name"), str):
        found["language_info"] = {"name": language["name"]}
    return found


def canonical(value: object) -> str:
    """A value spelled the same whoever wrote it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """A short name for a value."""
    from hashlib import blake2b  # it loads all of OpenSSL, and most commands see no notebook

    return blake2b(canonical(value).encode(), digest_size=16).hexdigest()


class CellBlock(NamedTuple):
    """A stretch of lines that belong together: a cell, say."""

    kind: Kind
    start: int
    end: int
    lines: tuple[str, ...]

    @property
    def id(self) -> str:
        head = self.lines[0].split()
        return head[2] if self.kind == "cell" and len(head) > 2 else ""

    @property
    def type(self) -> str:
        head = self.lines[0].split()
        return head[1] if self.kind == "cell" and len(head) > 1 else ""

    @property
    def text(self) -> str:
        return "".join(self.lines)

    @property
    def source(self) -> str:
        return "".join(line for line in self.lines if not line.startswith(MARK))

    @property
    def is_complete(self) -> bool:
        """Whether it is a cell as a notebook gives it: each kind of line once at most, and in order."""
        aspects = [aspect(line) for line in self.lines]
        marks = [one for one in aspects if one != "source"]
        in_order = aspects == sorted(aspects, key=_ORDER.index)
        return self.kind == "cell" and in_order and len(marks) == len({*marks}) and marks[-1] == "end"

    def wanted(self) -> Wanted:
        """The cell that these lines ask for. Of lines that say the same thing, the first counts."""
        metadata, attachments = (
            next((line[len(mark) :].strip() for line in self.lines if line.startswith(mark)), "")
            for mark in (METADATA, ATTACHMENTS)
        )
        source = self.source.removesuffix("\n")
        return Wanted(self.type, self.id, metadata, attachments, source)


_ORDER = ("notebook", "cell", "metadata", "attachments", "source", "end")


def aspect(line: str) -> str:
    """What a line is about: source, or what its sign says."""
    return line[1:].split(None, 1)[0] if line.startswith(MARK) and line[1:].strip() else "source"


def blocks(text: str) -> list[CellBlock]:
    """The text cut into blocks: every character is in one."""
    found: list[CellBlock] = []
    lines: list[str] = []
    kind: Kind = "loose"
    start = at = 0

    def close() -> None:
        nonlocal lines, start, kind
        if lines:
            found.append(CellBlock(kind, start, at, tuple(lines)))
        lines, start, kind = [], at, "loose"

    for line in _LINES.findall(text):
        about = aspect(line)
        # A header that a decision brought back beside the one that had replaced it: it is the same cell.
        twice = about == "cell" and kind == "cell" and all(_is_same_head(one, line) for one in lines)
        if about in ("cell", "notebook") and not twice:
            close()
            kind = "cell" if about == "cell" else "notebook"
        elif kind == "notebook":
            close()
        lines.append(line)
        at += len(line)
        if about == "end" and kind == "cell":
            close()
    close()
    return found


def _is_same_head(one: str, other: str) -> bool:
    return one.startswith(CELL) and one.split()[2:] == other.split()[2:]


class Outline(NamedTuple):
    """What a text of lines asks for."""

    about: dict[str, Any]
    """The version and the metadata; empty if the line is missing."""
    cells: tuple[Wanted, ...]


def outline(text: str) -> Outline:
    """The notebook that a text asks for, whatever decisions have left of its lines."""
    about: dict[str, Any] = {}
    cells = []
    for block in blocks(text):
        if block.kind == "notebook":
            about = about or json.loads(block.lines[0][len(NOTEBOOK) :])
        elif block.kind == "cell" or block.source:
            cells.append(block.wanted())
    return Outline(about, tuple(cells))


def spelled(found: Outline) -> str:
    """The text that asks for just this."""
    return f"{NOTEBOOK} {canonical(found.about)}\n" + "".join(map(lines_of, found.cells))


def minor_for(about: Mapping[str, Any], cells: tuple[Wanted, ...]) -> int:
    """The minor version that cells with or without ids need."""
    asked = int(about.get("nbformat_minor", IDS_FROM))
    return max(asked, IDS_FROM) if any(cell.id for cell in cells) else asked
