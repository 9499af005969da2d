"""What applying suggestions means for a tree: worked out first, done by others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from blueline.forge.line_hunks import carried
from blueline.forge.offer import Offer
from blueline.forge.suggestion import LINK, GitContent, OfferedChange, Suggestion, is_plain
from blueline.hosts.inert_text import named, plain
from blueline.model.text import as_text

Result = Literal["applied", "already", "skipped"]


class CommitFiles(Protocol):
    """The files of a commit."""

    def read(self, path: str) -> GitContent | None: ...

    # whether a folder of that name is there
    def is_folder(self, path: str) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionOutcome:
    """What became of one suggestion."""

    number: int
    path: str
    result: Result
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Applied:
    """What became of each suggestion, and the offer afterwards."""

    offer: Offer
    outcomes: tuple[SuggestionOutcome, ...]


class Overlay:
    """The files of a commit, with some writes done."""

    def __init__(self, files: CommitFiles) -> None:
        self._files = files
        self.writes: dict[str, GitContent | None] = {}

    def read(self, path: str) -> GitContent | None:
        return self.writes[path] if path in self.writes else self._files.read(path)

    def obstacle(self, path: str) -> str:
        """What stands where a file should go; empty if nothing does."""
        parts = path.split("/")
        for count in range(1, len(parts)):
            above = "/".join(parts[:count])
            if self.read(above) is not None:
                return f"{named(above)} is a file"
        if path not in self.writes and self._files.is_folder(path):
            return f"{named(path)} is a folder"
        return ""


def apply(offer: Offer, numbers: Collection[int] | None, overlay: Overlay, by: str) -> Applied:
    """Apply some suggestions, or all that wait (None), by writes to the overlay.

    Exactly the suggested bytes are written where the file still holds the old ones; the rest is skipped.
    Among all that wait, what is critical is left: it has to be asked for by its own number.
    """
    waiting, outcomes = _named(offer, numbers)
    if numbers is None:
        outcomes += [_unnamed(one) for one in waiting if one.risk == "critical"]
        waiting = [one for one in waiting if one.risk != "critical"]
    groups: dict[int, list[Suggestion]] = {}
    for one in waiting:
        groups.setdefault(id(one.change), []).append(one)
    changed: list[Suggestion] = []
    for group in groups.values():
        result, reason = _apply_change(offer, group, overlay)
        for one in group:
            outcomes.append(SuggestionOutcome(number=one.number, path=one.path, result=result, reason=reason))
            if result != "skipped":
                changed.append(one.decided("applied", by))
    outcomes.sort(key=lambda one: one.number)
    return Applied(offer=offer.with_suggestions(changed), outcomes=tuple(outcomes))


def _named(offer: Offer, numbers: Collection[int] | None) -> tuple[list[Suggestion], list[SuggestionOutcome]]:
    """The suggestions with these numbers that wait, or all; and what is to say of the other numbers."""
    known = {one.number: one for one in offer.suggestions}
    waiting: list[Suggestion] = []
    outcomes: list[SuggestionOutcome] = []
    for number in [one.number for one in offer.pending] if numbers is None else sorted(numbers):
        one = known.get(number)
        if one is None:
            reason = "there is no such suggestion"
            outcomes.append(SuggestionOutcome(number=number, path="", result="skipped", reason=reason))
        elif one.status != "pending":
            outcomes.append(_settled(one))
        else:
            waiting.append(one)
    return waiting, outcomes


def _unnamed(one: Suggestion) -> SuggestionOutcome:
    reason = f"it is critical, and wants its own number: `/apply {one.number}`"
    return SuggestionOutcome(number=one.number, path=one.path, result="skipped", reason=reason)


def _settled(one: Suggestion) -> SuggestionOutcome:
    by = f" by {plain(one.by)}" if one.by else ""
    reason = {"applied": f"it was applied{by}", "rejected": f"it was rejected{by}"}.get(
        one.status, "it does not fit any more"
    )
    return SuggestionOutcome(number=one.number, path=one.path, result="skipped", reason=reason)


def _apply_change(offer: Offer, group: Sequence[Suggestion], overlay: Overlay) -> tuple[Result, str]:
    change = group[0].change
    if not is_plain(change.path) or not is_plain(change.old_path):
        return "skipped", "its path leads elsewhere"
    done = frozenset(
        _indices(one for one in offer.suggestions if one.change is change and one.status == "applied")
    )
    chosen = frozenset(_indices(group))
    expected, wanted = change.part(done), change.part(done | chosen)
    place = change.path if change.action != "rename" or done else change.old_path
    now = overlay.read(place)
    if now != expected:
        if now == wanted and now is not None:
            return "already", "it holds this already"
        return "skipped", _difference(change, now, expected)
    if place != change.path and overlay.read(change.path) is not None:
        return "skipped", f"there is a file {named(change.path)} now"
    if wanted is not None and (obstacle := overlay.obstacle(change.path)):
        return "skipped", obstacle
    if place != change.path:
        overlay.writes[place] = None
    overlay.writes[change.path] = wanted
    return "applied", ""


def _indices(suggestions: Iterable[Suggestion]) -> Iterable[int]:
    for one in suggestions:
        if one.hunk is not None:
            yield one.hunk
        else:
            # One that has no lines is done as a whole.
            yield from range(max(1, len(one.change.hunks)))


def _difference(change: OfferedChange, now: GitContent | None, expected: GitContent | None) -> str:
    if now is None:
        return "the file is gone"
    if expected is None:
        return "there is a file of that name now"
    if now.content == expected.content:
        return "it is another kind of file now"
    return "the file has changed since it was offered"


def refresh(offer: Offer, head: str, files: CommitFiles) -> tuple[Offer, tuple[SuggestionOutcome, ...]]:
    """The offer for another commit: what fits as it is, what can be carried over, and what cannot."""
    changed: list[Suggestion] = []
    gone: list[SuggestionOutcome] = []
    last = max((one.number for one in offer.suggestions), default=0)
    groups: dict[int, list[Suggestion]] = {}
    for one in offer.pending:
        groups.setdefault(id(one.change), []).append(one)
    for group in groups.values():
        found = _carried(offer, group, files)
        if isinstance(found, str):
            in_there = found == IN_THERE
            status: Literal["applied", "outdated"] = "applied" if in_there else "outdated"
            changed += [one.decided(status, "", found) for one in group]
            gone += [
                SuggestionOutcome(number=one.number, path=one.path, result="skipped", reason=found)
                for one in group
            ]
            continue
        if found is None:
            continue
        parts = len(found.hunks)
        if group[0].hunk is None:
            changed.append(replace(group[0], change=found))
        elif parts == len(group):
            changed += [replace(one, change=found, hunk=at) for at, one in enumerate(group)]
        else:
            # Other hunks than before: other numbers, so that none means two things.
            why = "it has another number now"
            changed += [one.decided("outdated", "", why) for one in group]
            gone += [
                SuggestionOutcome(number=one.number, path=one.path, result="skipped", reason=why)
                for one in group
            ]
            for at in range(parts):
                last += 1
                changed.append(replace(group[0], number=last, change=found, hunk=at))
    return replace(offer.with_suggestions(changed), head=head), tuple(gone)


IN_THERE = "it is in there already"


def _carried(offer: Offer, group: Sequence[Suggestion], files: CommitFiles) -> OfferedChange | str | None:
    """The change for other files; None if it stays as it is, and why if there is none."""
    change = group[0].change
    done = frozenset(
        _indices(one for one in offer.suggestions if one.change is change and one.status == "applied")
    )
    left = frozenset(_indices(group))
    expected, wanted = change.part(done), change.part(done | left)
    place = change.path if change.action != "rename" or done else change.old_path
    now = files.read(place)
    if now == expected and not (place != change.path and files.read(change.path)):
        return None
    if now == wanted or (change.action == "rename" and files.read(change.path) == wanted):
        return IN_THERE
    if now is None:
        return "the file is gone"
    if expected is None or wanted is None or place != change.path:
        return "the file has changed since it was offered"
    texts = [as_text(one.content) for one in (expected, wanted, now)]
    modes = {one.mode for one in (expected, wanted, now)}
    old, new, live = texts
    if old is None or new is None or live is None or LINK in modes or len(modes) > 1:
        return "the file has changed since it was offered"
    text = carried(old, new, live)
    if text is None:
        return "others have changed the same lines"
    if text == live:
        return IN_THERE
    return OfferedChange(
        path=change.path, old_path=change.path, old=now, new=GitContent(mode=now.mode, content=text.encode())
    )


def reject(
    offer: Offer, numbers: Collection[int] | None, by: str, why: str
) -> tuple[Offer, tuple[Suggestion, ...], tuple[SuggestionOutcome, ...]]:
    """The offer after some suggestions, or all that wait, were rejected; which, and which could not be."""
    waiting, outcomes = _named(offer, numbers)
    rejected = [one.decided("rejected", by, why) for one in waiting]
    return offer.with_suggestions(rejected), tuple(rejected), tuple(outcomes)
