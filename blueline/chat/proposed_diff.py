"""What an agent asks to do to a file, as a diff with its place in the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from blueline.chat.call_recorder import Diff
from blueline.diff.named_hunks import CONTEXT_LINES
from blueline.diff.unified import hunks

if TYPE_CHECKING:
    from blueline.contract.conversations import ProposedDiff

LONGEST_COMPARED = 5 << 20
LONGEST_DIFF = 100_000

_FIRST_LINES = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)")


def proposed(path: str, diff: Diff, text: str | None) -> ProposedDiff:
    """What a diff would make of a file that holds this text; None for a file that is not there.

    Some agents tell the file as a whole, others a part of it, and a part may stand there more than once.
    """
    old, new, is_placed = diff.old or "", diff.new, True
    if diff.is_whole:
        old = text or ""
    elif text is not None and old != text:
        is_placed = bool(old) and text.count(old) == 1
        if is_placed:
            old, new = text, text.replace(old, new)
    if len(old) + len(new) > LONGEST_COMPARED:
        return {"path": path, "long": True, "diff": "", "line": None}
    found = hunks(old, new)
    is_long = len(found) > LONGEST_DIFF
    return {
        "path": path,
        "long": is_long,
        "diff": "" if is_long else found,
        "line": _line(found) if is_placed else None,
    }


def _line(diff: str) -> int | None:
    """The first line that changes, in the file as it would be."""
    found = _FIRST_LINES.match(diff)
    if found is None:
        return None
    before = 0
    for line in diff.split("\n")[1 : CONTEXT_LINES + 1]:
        if not line.startswith(" "):
            break
        before += 1
    return max(int(found[1]) + before, 1)
