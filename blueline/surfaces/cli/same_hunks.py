"""Changes that are the same, in different places."""

from __future__ import annotations

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from blueline.contract.hunks import HunkDocument

MANY = 3
"""So many places make one change of it."""


def same_as(hunk: HunkDocument, every: Iterable[HunkDocument]) -> list[HunkDocument]:
    """All that are the same change, itself among them."""
    wanted = hunk.get("same")
    return [one for one in every if one["id"] == hunk["id"] or (wanted and one.get("same") == wanted)]


def same_changes(found: Sequence[HunkDocument]) -> tuple[list[list[HunkDocument]], list[HunkDocument]]:
    """Changes that were made in many places, and the others, in order."""
    groups: dict[tuple[str, str], list[HunkDocument]] = {}
    for hunk in found:
        if mark := hunk.get("same"):
            groups.setdefault((hunk["status"], mark), []).append(hunk)
    many = [group for group in groups.values() if len(group) >= MANY]
    gathered = {hunk["id"] for group in many for hunk in group}
    return many, [hunk for hunk in found if hunk["id"] not in gathered]
