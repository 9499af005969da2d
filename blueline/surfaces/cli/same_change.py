"""Changes that are the same, in different places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from blueline.diff.words import word_changes

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument

MANY = 3
"""So many places make one change of it."""

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


def same_changes(found: Sequence[HunkDocument]) -> tuple[list[list[HunkDocument]], list[HunkDocument]]:
    """Changes that were made in many places, and the others, in order."""
    groups: dict[tuple[str, Signature], list[HunkDocument]] = {}
    if len(found) >= MANY:
        for hunk in found:
            if mark := signature(hunk):
                groups.setdefault((hunk["status"], mark), []).append(hunk)
    many = [group for group in groups.values() if len(group) >= MANY]
    gathered = {hunk["id"] for group in many for hunk in group}
    return many, [hunk for hunk in found if hunk["id"] not in gathered]
