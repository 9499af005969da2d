"""Changes that are the same, in different places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from blueline.diff.words import word_changes

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument

LONGEST = 2_000
"""A longer change is hardly made twice, and takes long to compare."""

Signature = tuple[tuple[str, str], ...]


def signature(hunk: HunkDocument) -> Signature:
    """What goes and what comes, wherever that is; empty if it is the like of nothing."""
    old, new = hunk["old"] or "", hunk["new"] or ""
    if hunk["kind"] not in ("modify", "cell-edit") or old == new or len(old) + len(new) > LONGEST:
        return ()
    pairs = ((old[a:b].strip(), new[c:d].strip()) for a, b, c, d in word_changes(old, new))
    return tuple(pair for pair in pairs if pair != ("", ""))


def same_as(hunk: HunkDocument, every: Iterable[HunkDocument]) -> list[HunkDocument]:
    """All that are the same change, itself among them."""
    wanted = signature(hunk)
    return [one for one in every if one["id"] == hunk["id"] or (wanted and signature(one) == wanted)]
