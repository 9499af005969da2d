"""What a hunk exchanges, in a word: the same word wherever the same is exchanged.

It is kept with the hunk: a list of a thousand would take longer for it than for the rest.
"""

from __future__ import annotations

import functools
import json

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
    pairs = ((before[a:b].strip(), after[c:d].strip()) for a, b, c, d in word_changes(before, after))
    exchanged = [pair for pair in pairs if pair != ("", "")]
    return disk.blob_id(json.dumps(exchanged).encode())[:DIGITS] if exchanged else ""
