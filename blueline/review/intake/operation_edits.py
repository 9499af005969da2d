"""A file was seen with a new content: which operation is that?"""

from collections.abc import Callable, Iterator, Sequence

from blueline.model.answer import ACCEPTED, HELD, PENDING, Answer
from blueline.model.edit import Edit, KeptLine, Replacement
from blueline.review.file import File
from blueline.review.medium.choice import medium_of
from blueline.review.weave.stroke import Stroke, line_ends_kept, woven
from blueline.review.weave.weave import Weave

INLINE_LIMIT = 16 * 1024
"""Inserted text up to this many characters is stored with the operation; longer is read from the blob."""


MOST_SHIFTED = 500
"""How many characters a deletion is shifted to read it in another way."""


def fitted_edits(
    file: File,
    new: str,
    said: Sequence[Replacement],
    *,
    op: int,
    first: Answer,
    kept: Callable[[], list[KeptLine]],
    exact: Edit | None = None,
) -> tuple[Edit, ...] | None:
    """The edits from the text as it shows to a new one, such that the weave then shows exactly that.

    None when no edits do: then the text has to begin anew. `op` and `first` are those of the operation.
    `kept` tells which lines are still there, and is asked only if that matters.
    `exact` is the one edit that was made, if somebody knows.
    """
    live = file.live
    medium = medium_of(live.node)
    assert medium is not None
    assert live.text is not None
    weave = file.weaves[int(live.node.value)]
    if exact is not None and _makes(exact, live.text, new) and _fits(weave, [exact], new, op, first):
        return (exact,)
    edits = medium.edits(live.text, new, said, weave, kept() if first == ACCEPTED else [])
    if first == ACCEPTED:
        edits = _of_undecided_text(weave, edits)
    edits = _above_an_undecided_end(weave, _with_end_apart(live.text, new, edits), new)
    if first == HELD or _fits(weave, edits, new, op, first):
        return tuple(edits)
    claiming = claiming_line_ends(weave, edits)
    return tuple(claiming) if _fits(weave, claiming, new, op, first) else None


def _with_end_apart(old: str, new: str, edits: list[Edit]) -> list[Edit]:
    """The same edits; the end that a last line gets, which had none, apart from what replaces words on it.

    It stands behind what they replaced then, and so does what is typed below it.
    """
    end = _last_end(new)
    if not edits or not end or old.endswith("\n"):
        return edits
    last = edits[-1]
    is_part_of_line = 0 < last.old_start < last.old_end == len(old) and old[last.old_start - 1] != "\n"
    at = len(new) - len(end)
    if not is_part_of_line or last.new_end != len(new) or last.new_start >= at:
        return edits
    own = Edit(old_start=len(old), old_end=len(old), new_start=at, new_end=len(new), hunk=last.hunk)
    return [*edits[:-1], last._replace(new_end=at), own]


def _above_an_undecided_end(weave: Weave, edits: list[Edit], new: str) -> list[Edit]:
    """The same edits; lines below a last line that had no end go before the end that it got and that nobody
    has agreed to: they would stand on that line without it (rule D0)."""
    text = weave.live.text
    end = _last_end(text)
    if not end or not edits or not edits[-1].old_start == edits[-1].old_end == len(text):
        return edits
    run, is_free = weave.runs[-1], all(edit.old_end <= len(text) - len(end) for edit in edits[:-1])
    if not run.live or run.insertion.state != PENDING or not is_free or _last_end(new) != end:
        return edits
    agreed = weave.baseline.text
    if not agreed or agreed.endswith("\n"):
        return edits
    return [*edits[:-1], _shifted(edits[-1], -len(end))]


def _shifted(edit: Edit, by: int) -> Edit:
    return Edit(
        old_start=edit.old_start + by,
        old_end=edit.old_end + by,
        new_start=edit.new_start + by,
        new_end=edit.new_end + by,
        hunk=edit.hunk,
    )


def _last_end(text: str) -> str:
    """The end of the last line; empty if it has none."""
    return next((end for end in ("\r\n", "\n") if text.endswith(end)), "")


def _of_undecided_text(weave: Weave, edits: list[Edit]) -> list[Edit]:
    """The same edits; a deletion that can be read in two ways as one of undecided text only (rule D1)."""
    text, found = weave.live.text, list(edits)

    def is_undecided(start: int, end: int) -> bool:
        spans = weave.live.spans_between(start, end)
        return all(weave.runs[run].insertion.state == PENDING for (run, _, _), _ in spans)

    for number, edit in enumerate(edits):
        start, end = edit.old_start, edit.old_end
        if edit.new_start < edit.new_end or start == end or is_undecided(start, end):
            continue
        lowest = edits[number - 1].old_end if number else 0
        highest = edits[number + 1].old_start if number + 1 < len(edits) else len(text)
        for by in _ways(text, start, end, lowest, highest):
            if is_undecided(start + by, end + by):
                found[number] = _shifted(edit, by)
                break
    return found


def _ways(text: str, start: int, end: int, lowest: int, highest: int) -> Iterator[int]:
    """How far a deletion can be shifted and leave the same text."""
    for step, farthest in ((-1, start - lowest), (1, highest - end)):
        for by in range(1, min(farthest, MOST_SHIFTED) + 1):
            one, other = (start - by, end - by) if step < 0 else (start + by - 1, end + by - 1)
            if text[one] != text[other]:
                break
            yield step * by


def _makes(edit: Edit, old: str, new: str) -> bool:
    """Whether one edit is the whole difference between two texts."""
    inserted = new[edit.new_start : edit.new_end]
    return old[: edit.old_start] + inserted + old[edit.old_end :] == new


def _fits(weave: Weave, edits: list[Edit], new: str, op: int, first: Answer) -> bool:
    inserted = tuple(new[edit.new_start : edit.new_end] for edit in edits)
    return woven(weave, Stroke(op, first, tuple(edits), inserted)).live.text == new


def claiming_line_ends(weave: Weave, edits: list[Edit]) -> list[Edit]:
    """The same edits, and line ends that showed only because of their line made the operation's own.

    Such a line end would go with the last other character on its line, although nobody deleted it.
    """
    text = weave.live.text
    claimed = list(edits)
    for at in line_ends_kept(weave.live, weave.runs):
        end = text.index("\n", at) + 1
        if any(edit.old_start < end and at < edit.old_end for edit in edits):
            continue
        shift = sum(
            (edit.new_end - edit.new_start) - (edit.old_end - edit.old_start)
            for edit in edits
            if edit.old_end <= at
        )
        near = min(edits, key=lambda edit: abs(edit.old_start - at))
        claimed.append(
            Edit(old_start=at, old_end=end, new_start=at + shift, new_end=end + shift, hunk=near.hunk)
        )
    return sorted(claimed, key=lambda edit: (edit.old_start, edit.old_end))


def inline(new: str, edits: tuple[Edit, ...]) -> tuple[str, ...] | None:
    """The inserted texts, when they are short enough to be stored with the operation."""
    if sum(edit.new_end - edit.new_start for edit in edits) > INLINE_LIMIT:
        return None
    return tuple(new[edit.new_start : edit.new_end] for edit in edits)
