"""Where two sequences differ."""

from collections.abc import Sequence

Change = tuple[int, int, int, int]
"""old_start, old_end, new_start, new_end: half-open, from zero; never empty on both sides."""

MOST_AROUND = 200
"""If more than this differs, the library looks for an answer that is good enough: no other gives the same."""


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """The ranges of `old` that became ranges of `new`, in order.

    The common head and tail are cut off first, and what is left is answered without the library where
    there is only one possible answer: most edits are small, and loading it takes longer than the rest.
    """
    head = 0
    shorter = min(len(old), len(new))
    while head < shorter and old[head] == new[head]:
        head += 1
    old_end, new_end = len(old), len(new)
    while old_end > head and new_end > head and old[old_end - 1] == new[new_end - 1]:
        old_end -= 1
        new_end -= 1
    if head == old_end and head == new_end:
        return []
    if head in (old_end, new_end) or (old_end - head == 1 and new_end - head == 1):
        return [(head, old_end, head, new_end)]
    left = old[head:old_end], new[head:new_end]
    inner = _around_common(*left)
    if inner is None:
        inner = _xdiff(*left)
    return [(a + head, b + head, c + head, d + head) for a, b, c, d in inner]


def _around_common(old: Sequence[str], new: Sequence[str]) -> list[Change] | None:
    """The ranges around what both have, if each has it once and in the same order; None if not."""
    common = {*old}.intersection(new)
    if not common:
        return [(0, len(old), 0, len(new))]
    if len(old) + len(new) - 2 * len(common) > MOST_AROUND:
        return None
    kept = [[k for k, item in enumerate(side) if item in common] for side in (old, new)]
    if not len(kept[0]) == len(kept[1]) == len(common):
        return None
    found, i, j = [], 0, 0
    for a, c in zip(*kept, strict=True):
        if old[a] != new[c]:
            return None
        if a > i or c > j:
            found.append((i, a, j, c))
        i, j = a + 1, c + 1
    if i < len(old) or j < len(new):
        found.append((i, len(old), j, len(new)))
    return found


def _xdiff(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    # Imported here because it costs as much as the rest of a command's start.
    import pygit2
    from pygit2.enums import DiffOption

    # The patch points into `encoded` without holding it: it must live until the hunks are read.
    # Each distinct item becomes a number on a line of its own, so that items may hold anything.
    names: dict[str, int] = {}
    encoded = [
        "".join([f"{names.setdefault(item, len(names))}\n" for item in side]).encode() for side in (old, new)
    ]
    patch = pygit2.Patch.create_from(
        encoded[0], encoded[1], flag=DiffOption.FORCE_TEXT, context_lines=0, interhunk_lines=0
    )
    found = []
    for hunk in patch.hunks:
        # An empty side is given by the line before it, counted from one.
        old_start = hunk.old_start - (1 if hunk.old_lines else 0)
        new_start = hunk.new_start - (1 if hunk.new_lines else 0)
        found.append((old_start, old_start + hunk.old_lines, new_start, new_start + hunk.new_lines))
    return found
