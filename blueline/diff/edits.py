"""The edits between two texts: lines first, then words inside lines that are alike."""

from collections.abc import Sequence
from itertools import zip_longest

from blueline.diff.pairs import matched
from blueline.diff.sequences import Change, changes
from blueline.diff.words import likeness, word_changes
from blueline.model.edit import Edit, KeptLine, Replacement

ALIKE = 0.5
"""Lines with at least this share of non-blank characters in common are compared word by word."""

PAIRING_LIMIT = 4_000
"""Blocks with more line pairs than this are matched by position: likeness would cost too much."""


def split_lines(text: str) -> list[str]:
    """Lines with their ends. Only a line feed ends a line: a lone carriage return is a character."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def text_edits(old: str, new: str, kept: Sequence[KeptLine] = ()) -> list[Edit]:
    """The edits that turn `old` into `new`, grouped into hunks.

    `kept` are lines that are known to be the same, in order, whatever changed in them.
    """
    if not kept:
        return grouped(old, new, _changes(old, new))
    found: list[Change] = []
    i = j = 0
    for a, b, c, d, whole in [*kept, KeptLine(len(old), len(old), len(new), len(new), whole=True)]:
        inner = _changes(old[i:a], new[j:c])
        found += [(w + i, x + i, y + j, z + j) for w, x, y, z in inner]
        if old[a:b] != new[c:d]:
            inner = [_indented(old[a:b], new[c:d])] if whole else _line_changes(old[a:b], new[c:d])
            found += [(w + a, x + a, y + c, z + c) for w, x, y, z in inner]
        i, j = b, d
    return grouped(old, new, _joined(new, found))


def said_edits(old: str, new: str, said: list[Replacement]) -> list[Edit] | None:
    """The edits, looked for only where the message says; None if that does not give `new`.

    Parts that are equal in the old and the new string are not changes: agents send context.
    """
    if len(said) != 1 or not said[0].old:
        return None
    (step,) = said
    if step.old not in old or old.replace(step.old, step.new, -1 if step.every else 1) != new:
        return None
    count = -1 if step.every else 1
    found: list[Change] = []
    pieces, end, shift = [], 0, 0
    for start, stop in _windows(old, step):
        after = old[start:stop].replace(step.old, step.new, count)
        place = start + shift
        inner = _changes(old[start:stop], after)
        found += [(a + start, b + start, c + place, d + place) for a, b, c, d in inner]
        shift += len(after) - (stop - start)
        pieces += [old[end:start], after]
        end = stop
    # Occurrences that overlap are counted differently from another beginning.
    return grouped(old, new, found) if "".join([*pieces, old[end:]]) == new else None


def _windows(old: str, step: Replacement) -> list[tuple[int, int]]:
    """Where to look: what is replaced; when lines come or go, together with the rest of its lines."""
    windows: list[tuple[int, int]] = []
    whole_lines = "\n" in step.old or "\n" in step.new
    at = old.find(step.old)
    while at >= 0:
        start, end = at, at + len(step.old)
        at = old.find(step.old, end) if step.every else -1
        if whole_lines:
            start = old.rfind("\n", 0, start) + 1
            end = end if old[end - 1] == "\n" else old.find("\n", end) + 1 or len(old)
        if windows and start < windows[-1][1]:
            windows[-1] = windows[-1][0], max(end, windows[-1][1])
        else:
            windows.append((start, end))
    return windows


def _changes(old: str, new: str) -> list[Change]:
    if old != new and old.find("\n") == len(old) - 1 and new.find("\n") == len(new) - 1:
        # One line became another, as mostly: there are no others to tell apart.
        return _joined(new, _line_changes(old, new))
    # Cut off before the texts are split: most edits of a long text are short.
    head, tail = common_lines(old, new)
    old_lines, new_lines = split_lines(old[head : len(old) - tail]), split_lines(new[head : len(new) - tail])
    old_at, new_at = _offsets(old_lines, head), _offsets(new_lines, head)
    found: list[Change] = []
    for a, b, c, d in changes(old_lines, new_lines):
        # Where the next line of each side begins; a line without a partner stands there on the other side.
        i, j = a, c
        for old_line, new_line in paired(old_lines[a:b], new_lines[c:d]):
            for w, x, y, z in _line_changes(old_line or "", new_line or ""):
                found.append((old_at[i] + w, old_at[i] + x, new_at[j] + y, new_at[j] + z))
            i += old_line is not None
            j += new_line is not None
    return _joined(new, found)


def _joined(new: str, found: list[Change]) -> list[Change]:
    """Neighbouring insertions as one, and neighbouring deletions: text that came together is one run.

    But not whole lines with a part of the line that follows: the two stand on different sides of text that
    is hidden at the beginning of that line.
    """
    joined: list[Change] = []
    for change in found:
        a, b, c, d = change
        if joined and joined[-1][1] == a and joined[-1][3] == c:
            e, f, g, h = joined[-1]
            lines_then_part = new[h - 1 : h] == "\n" != new[d - 1 : d]
            if (a == b and e == f and not lines_then_part) or (c == d and g == h):
                joined[-1] = (e, b, g, d)
                continue
        joined.append(change)
    return joined


def _line_changes(old: str, new: str) -> list[Change]:
    """Changes inside one pair of lines. Unlike lines are replaced whole, with their ends."""
    if not old or not new:
        return [(0, len(old), 0, len(new))]
    old_body, old_tail = cut_end(old)
    new_body, new_tail = cut_end(new)
    alike = _likeness(old, new) >= ALIKE
    if not alike and old_tail == new_tail:
        return [(0, len(old), 0, len(new))]
    found = word_changes(old_body, new_body) if alike else []
    if not alike and (old_body or new_body):
        found = [(0, len(old_body), 0, len(new_body))]
    if old_tail != new_tail:
        found.append((len(old_body), len(old), len(new_body), len(new)))
    return found


def _indented(old: str, new: str) -> Change:
    """All of a line; or the blanks before it, if nothing else changed."""
    body = old.lstrip(" \t")
    if body != new.lstrip(" \t"):
        return 0, len(old), 0, len(new)
    return 0, len(old) - len(body), 0, len(new) - len(body)


def cut_end(line: str) -> tuple[str, str]:
    """A line without its end, and that; empty if it has none."""
    for end in ("\r\n", "\n"):
        if line.endswith(end):
            return line[: -len(end)], end
    return line, ""


def paired(old: list[str], new: list[str]) -> list[tuple[str | None, str | None]]:
    """Which line became which: like with like in order, then by position, the surplus alone."""
    found: list[tuple[str | None, str | None]] = []
    i = j = 0
    for a, b in [*_alike(old, new), (len(old), len(new))]:
        found += zip_longest(old[i:a], new[j:b])
        found += zip(old[a : a + 1], new[b : b + 1], strict=True)
        i, j = a + 1, b + 1
    return found


def _alike(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """The best matching in order of lines that are alike."""
    if len(old) * len(new) > PAIRING_LIMIT or len(old) == len(new) == 1:
        return []
    return matched(old, new, _likeness, ALIKE)


def _likeness(old: str, new: str) -> float:
    """How alike two lines are; one that only goes on at its end, or only begins earlier, is the same line."""
    old_body, new_body = cut_end(old)[0], cut_end(new)[0]
    found = likeness(old_body, new_body)
    if found < ALIKE and old_body.strip() and (new_body.startswith(old_body) or new_body.endswith(old_body)):
        return ALIKE
    return found


def common_lines(old: str, new: str) -> tuple[int, int]:
    """How many characters the whole lines have that both texts begin with, and end with."""
    head = old.rfind("\n", 0, common_start(old, new)) + 1
    most = min(len(old), len(new)) - head
    tail = common_end(old, new, most)
    # Back to where a line begins, on both sides.
    starts = len(old) - tail, len(new) - tail
    if tail and not all(_at_line_start(text, at) for text, at in zip((old, new), starts, strict=True)):
        end = old.find("\n", starts[0])
        tail = len(old) - end - 1 if end >= 0 else 0
    return head, tail


def common_start(old: str, new: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(old), len(new)) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle
    return low


def common_end(old: str, new: str, most: int) -> int:
    """How many characters two texts have in common at their end; not more than `most`."""
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            high = middle
    return low


def _offsets(lines: list[str], at: int) -> list[int]:
    offsets = [at]
    for line in lines:
        at += len(line)
        offsets.append(at)
    return offsets


def grouped(old: str, new: str, found: list[Change]) -> list[Edit]:
    """Changes as edits, numbered by hunk: no whole unchanged line stands between edits of one hunk.

    Changes of line ends alone, when there are several, are one hunk of their own, wherever they stand.
    """
    ends = [change for change in found if _only_line_end(old, new, change)]
    flipped = set(ends) if len(ends) > 1 else set()
    edits = []
    hunk = 0
    last: Change | None = None
    for change in found:
        if change in flipped:
            continue
        if last is not None and _line_between(old, new, last, change, flipped):
            hunk += 1
        last = change
        edits.append(_edit(change, hunk))
    if flipped:
        own = 0 if last is None else hunk + 1
        edits += [_edit(change, own) for change in ends]
        edits.sort(key=lambda edit: (edit.old_start, edit.new_start))
    return edits


def _edit(change: Change, hunk: int) -> Edit:
    old_start, old_end, new_start, new_end = change
    return Edit(old_start=old_start, old_end=old_end, new_start=new_start, new_end=new_end, hunk=hunk)


def _only_line_end(old: str, new: str, change: Change) -> bool:
    a, b, c, d = change
    return {old[a:b], new[c:d]} == {"\n", "\r\n"}


def _line_between(old: str, new: str, first: Change, second: Change, flipped: set[Change]) -> bool:
    start, end = first[1], second[0]
    if flipped:
        between = [c for c in flipped if first[1] <= c[0] and c[1] <= second[0]]
        if len(between) > 1:
            return True
    at_line_start = _at_line_start(old, start) and _at_line_start(new, first[3])
    line = start if at_line_start else old.find("\n", start, end) + 1
    if line == 0 and not at_line_start:
        return False
    return old.find("\n", line, end) >= 0


def _at_line_start(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"
