"""What a hunk exchanges, in a word: the same word wherever the same is exchanged.

It is kept with the hunk: a list of a thousand would take longer for it than for the rest.
"""

from __future__ import annotations

import functools
import json

from blueline.diff.edits import cut_end
from blueline.diff.words import word_changes
from blueline.kernel import disk

KINDS = ("modify", "cell-edit")

LONGEST = 2_000
"""A longer change is hardly made twice, and takes long to compare."""

DIGITS = 16


def same_change(kind: str, old: str | None, new: str | None) -> str:
    """The word for what goes and what comes, wherever that is; empty if it is the like of nothing."""
    before, after = old or "", new or ""
    if kind not in KINDS or before == after or len(before) + len(after) > LONGEST:
        return ""
    return _word_for(before, after)


@functools.lru_cache(maxsize=4096)
def _word_for(before: str, after: str) -> str:
    """Remembered: after a decision, the other hunks of its file are stored and shown as they were."""
    # Whoever recorded it has compared these two lines without their ends.
    sides = cut_end(before), cut_end(after)
    is_line = sides[0][1] == sides[1][1] and not any("\n" in body for body, _ in sides)
    found = word_changes(sides[0][0], sides[1][0]) if is_line else word_changes(before, after)
    pairs = ((before[a:b].strip(), after[c:d].strip()) for a, b, c, d in found)
    exchanged = [pair for pair in pairs if pair != ("", "")]
    return disk.blob_id(json.dumps(exchanged).encode())[:DIGITS] if exchanged else ""
