"""Where a place in a text is, after somebody changed the text."""

from blueline.diff.edits import text_edits
from blueline.model.edit import Edit


def carried(old: str, new: str, places: tuple[int, ...]) -> tuple[int, ...]:
    """The places of `old`, in `new`. What was typed exactly at a place stands behind it."""
    # Most saves change one stretch of a file: what stands only before it, or only behind it, is beyond doubt.
    head, tail = common(old, new), common(old[::-1], new[::-1])
    behind = len(old) - tail
    if head + tail <= min(len(old), len(new)) and all((at <= head) != (at >= behind) for at in places):
        return tuple(at if at <= head else at + len(new) - len(old) for at in places)
    # All of them by the same edits: so they stay in order.
    edits = text_edits(old, new)
    return tuple(_carried(old, new, edits, at) for at in places)


def common(old: str, new: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _carried(old: str, new: str, edits: list[Edit], at: int) -> int:
    shift = 0
    for edit in edits:
        if at < edit.old_start:
            break
        if at <= edit.old_end:
            gone, came = old[edit.old_start : edit.old_end], new[edit.new_start : edit.new_end]
            return edit.new_start + _within(gone, came, at - edit.old_start)
        shift = edit.new_end - edit.old_end
    return at + shift


def _within(gone: str, came: str, at: int) -> int:
    """Where a place is inside what was replaced: behind what is new, unless that stands behind it."""
    head = common(gone, came)
    if at <= head:
        return at
    tail = common(gone[head:][::-1], came[head:][::-1])
    return len(came) - min(tail, len(gone) - at)
