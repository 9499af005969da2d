"""Where a place in a text is, after somebody changed the text."""

from blueline.diff.edits import common_end, common_start, text_edits
from blueline.model.edit import Edit


def carried(old: str, new: str, places: tuple[int, ...]) -> tuple[int, ...]:
    """The places of `old`, in `new`. What was typed exactly at a place stands behind it."""
    # Most saves change one stretch of a file: what stands only before it, or only behind it, is beyond doubt.
    most = min(len(old), len(new))
    head, tail = common_start(old, new), common_end(old, new, most)
    behind = len(old) - tail
    if head + tail <= most and all((at <= head) != (at >= behind) for at in places):
        return tuple(at if at <= head else at + len(new) - len(old) for at in places)
    # All of them by the same edits: so they stay in order.
    edits = text_edits(old, new)
    return tuple(_carried(old, new, edits, at) for at in places)


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
    head = common_start(gone, came)
    if at <= head:
        return at
    tail = common_end(gone, came, min(len(gone), len(came)) - head)
    return len(came) - min(tail, len(gone) - at)
