"""Cells spelled anew, in the way their notebook is written: only what is different, where possible."""

import json
import re
from typing import Any, NamedTuple

from blueline.diff.edits import split_lines
from blueline.model import json_text
from blueline.model.json_text import Member
from blueline.model.notebook import Notebook, RawCell
from blueline.model.projection import VOLATILE, Wanted, canonical, digest

_SPACE = re.compile(r"[ \t\r\n]*")


class Style(NamedTuple):
    """How a notebook is laid out."""

    opening: str
    """Between the bracket of the list and the first cell; then between two cells; then before the bracket."""
    between: str
    closing: str
    unit: str | None
    """What a level is indented by; None if all is on one line."""
    line_end: str
    whole: bool
    """Sources are strings; the usual way is a list of lines."""

    @classmethod
    def of(cls, notebook: Notebook) -> "Style":
        """The style of a notebook."""
        text, array, cells = notebook.text, notebook.array, notebook.cells
        # Not in all of it: outputs may be long.
        line_end = json_text.line_end_of(notebook.skeleton)
        whole = any(isinstance(cell.values["source"], str) for cell in cells)
        if not cells:
            if "\n" not in text.strip():
                return cls("", ", ", "", None, line_end, whole)
            unit = json_text.indent_unit(text)
            outer = json_text.indent_of(text, array.start)
            inner = line_end + outer + unit
            return cls(inner, f",{inner}", line_end + outer, unit, line_end, whole)
        first, last = cells[0].span, cells[-1].span
        opening = text[array.start + 1 : first.start]
        unit_or_none = json_text.indent_unit(text) if "\n" in opening else None
        usual = f",{opening}" if unit_or_none is not None else ", "
        between = text[first.end : cells[1].span.start] if len(cells) > 1 else usual
        return cls(opening, between, text[last.end : array.end - 1], unit_or_none, line_end, whole)

    def spelled(self, value: object, indent: str) -> str:
        """A value on lines that are indented like this."""
        return json_text.spelled(value, indent=self.unit).replace("\n", self.line_end + indent)


def made(wanted: Wanted, attachments: dict[str, Any], style: Style) -> str:
    """A cell that was never seen, in the order of keys that notebooks are written in."""
    cell: dict[str, object] = {}
    if attachments:
        cell["attachments"] = attachments
    cell["cell_type"] = wanted.type
    if wanted.type == "code":
        cell["execution_count"] = None
    if wanted.id:
        cell["id"] = wanted.id
    cell["metadata"] = json.loads(wanted.metadata) if wanted.metadata else {}
    if wanted.type == "code":
        cell["outputs"] = []
    cell["source"] = wanted.source if style.whole else split_lines(wanted.source)
    return style.spelled(cell, style.opening.rpartition("\n")[2])


def replaced(
    notebook: Notebook, cell: RawCell, wanted: Wanted, attachments: dict[str, Any], style: Style
) -> str:
    """A cell as it is written, but for what is wanted otherwise."""
    text = notebook.raw(cell)
    if wanted.source != cell.source:
        text = with_source(text, wanted.source, style.unit)
    known = cell.values.get("metadata") or {}
    asked: dict[str, Any] = json.loads(wanted.metadata) if wanted.metadata else {}
    if canonical({name: value for name, value in known.items() if name not in VOLATILE}) != canonical(asked):
        kept = {name: value for name, value in known.items() if name in VOLATILE or name in asked}
        text = respelled_entry(text, "metadata", {**kept, **asked})
    had = cell.values.get("attachments") or {}
    if canonical({name: digest(value) for name, value in had.items()}) != (wanted.attachments or "{}"):
        text = (
            respelled_entry(text, "attachments", attachments)
            if attachments
            else without_entry(text, "attachments")
        )
    if wanted.id != cell.id:
        text = respelled_entry(text, "id", wanted.id) if wanted.id else without_entry(text, "id")
    if wanted.type != cell.type:
        text = respelled_entry(text, "cell_type", wanted.type)
        for key, value in (("execution_count", None), ("outputs", [])):
            if wanted.type != "code":
                text = without_entry(text, key)
            elif key not in cell.keys:
                text = respelled_entry(text, key, value)
    return text


def respelled_entry(text: str, key: str, value: object) -> str:
    """An object with another value for one of its keys; at its end, if it had none."""
    at = json_text.top(text)
    member = _member(text, at, key)
    if member is None:
        return json_text.append(text, at, value, key=key)
    unit = json_text.indent_unit(text) if "\n" in text.strip() else None
    indent = json_text.indent_of(text, member.start)
    line_end = json_text.line_end_of(text)
    entry = json_text.spelled(value, indent=_level(text, member, unit)).replace("\n", line_end + indent)
    return text[: member.value] + entry + text[member.end :]


def _level(text: str, member: Member, unit: str | None) -> str | None:
    """What the entries of an object are indented by, measured against its own."""
    if unit is None:
        return None
    # A cell cut out of its notebook begins in the middle of a line: its own indent is its last line's.
    outer, inner = _SPACE.match(text[text.rfind("\n") + 1 :]), json_text.indent_of(text, member.start)
    base = outer[0] if outer else ""
    return inner[len(base) :] or unit if inner.startswith(base) else unit


def without_entry(text: str, key: str) -> str:
    """An object without one of its keys."""
    at = json_text.top(text)
    member = _member(text, at, key)
    return text if member is None else json_text.remove(text, json_text.members(text, at), member)


def _member(text: str, at: int, key: str) -> Member | None:
    return next((one for one in json_text.members(text, at) if one.key == key), None)


def with_source(text: str, source: str, unit: str | None = None) -> str:
    """A cell with another source, laid out as the one it had."""
    at = json_text.top(text)
    member = _member(text, at, "source")
    if member is None:
        return json_text.append(text, at, split_lines(source), key="source")
    if text[member.value] != "[":
        spelled = json_text.spelled(source)
    else:
        spelled = _lines(text, member, split_lines(source), unit)
    return text[: member.value] + spelled + text[member.end :]


def _lines(text: str, member: Member, lines: list[str], unit: str | None) -> str:
    """A list of lines, laid out as the one that stands there; a line that stays keeps its spelling."""
    if not lines:
        return "[]"
    held = json_text.members(text, member.value)
    known = {str(json.loads(text[one.value : one.end])): text[one.value : one.end] for one in held}
    spelled = [known.get(line) or json_text.spelled(line) for line in lines]
    if held:
        first, last = held[0], held[-1]
        between = text[first.end : held[1].start] if len(held) > 1 else _between(text, member.value, first)
        return text[member.value : first.start] + between.join(spelled) + text[last.end : member.end]
    if "\n" not in text:
        return f"[{', '.join(spelled)}]"
    line_end, outer = json_text.line_end_of(text), json_text.indent_of(text, member.start)
    inner = line_end + outer + (_level(text, member, unit or json_text.indent_unit(text)) or "")
    return f"[{inner}{f',{inner}'.join(spelled)}{line_end}{outer}]"


def _between(text: str, at: int, only: Member) -> str:
    """What stands between two entries of an array that has one only."""
    before = text[at + 1 : only.start]
    return f",{before}" if "\n" in before else ", "
