"""Which changes were made again after they had been rejected.

The same change is: the same kind, the same text removed and the same text inserted, in the same file, by an
agent, while the earlier one was rejected. A few characters must also stand in the same place, because `1`
becomes `2` in many places for many reasons; whole lines of some length are the same change anywhere.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby

from blueline.model.answer import IN_EFFECT, REJECTED, Answer
from blueline.model.piece import Piece
from blueline.review.deciding.hunks import Hunk, merged
from blueline.review.deciding.relations import Owners
from blueline.review.file import File
from blueline.review.intake.coming_back import states_after
from blueline.review.setting import Node
from blueline.review.weave.mark import Mark
from blueline.review.weave.weave import Run

TELLING = 20
"""Whole lines with this many characters that are not blank are not the same by chance."""

MOST_HIDDEN = 50
"""Runs that may stand hidden between two insertions into one place."""

Key = tuple[object, ...]


@dataclass(slots=True)
class _Trace:
    """What a hunk did to the text, or to the settings of the file."""

    mark: Mark
    inserted: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    taken: list[Piece] = field(default_factory=list)
    """The characters that it removed, whoever wrote them."""
    settings: list[tuple[str, object]] = field(default_factory=list)

    def key(self, kind: str) -> Key:
        """Equal for equal changes; those of some words must also be of the same characters."""
        if kind == "delete":
            return (kind,)
        key: Key = (kind, "".join(self.removed), "".join(self.inserted), *self.settings)
        return key if self.is_telling else (*key, *merged(self.taken))

    @property
    def is_telling(self) -> bool:
        """Whether it says enough by itself to be the same change wherever it stands."""
        inserted, removed = "".join(self.inserted), "".join(self.removed)
        if self.settings:
            return True
        if any(text and not text.endswith("\n") for text in (inserted, removed)):
            return False
        return len("".join((inserted + removed).split())) >= TELLING


def repeated(file: File, found: list[Hunk]) -> dict[str, str]:
    """For the id of a hunk that repeats a rejected one, the id of that one. `found` are the file's hunks."""
    by_agents = [hunk for hunk in found if hunk.actor.kind == "agent"]
    first = min((h.operation.number for h in by_agents if h.state == REJECTED), default=None)
    if first is None or by_agents[-1].operation.number == first:
        return {}
    known = [hunk for hunk in by_agents if hunk.operation.number >= first]
    traces = _traces(file, known)
    rejected: dict[Key, list[Hunk]] = defaultdict(list)
    again: dict[str, str] = {}
    # By operation: whatever is in a list was made before.
    for _, made_together in groupby(known, key=lambda hunk: hunk.operation.number):
        together = [(traces[hunk.id].key(hunk.kind), hunk) for hunk in made_together if hunk.id in traces]
        for key, hunk in together:
            for earlier in reversed(rejected.get(key, ())):
                if _is_again(file, hunk, earlier, traces):
                    again[hunk.id] = earlier.id
                    break
        for key, hunk in together:
            if hunk.state == REJECTED:
                rejected[key].append(hunk)
    return again


def _traces(file: File, known: list[Hunk]) -> dict[str, _Trace]:
    owners = Owners(known)
    made = {hunk.id: hunk.operation.number for hunk in known}
    ops = {*made.values()}
    traces: dict[str, _Trace] = {}
    for kind, setting in file.settings():
        if setting.mark.op in ops and (owner := owners.of(Piece(kind, setting.mark.op))) is not None:
            trace = traces.setdefault(owner, _Trace(setting.mark))
            # The number of a text says nothing about it; the text is compared itself.
            is_text = isinstance(setting.value, Node) and setting.value.is_woven
            trace.settings.append((kind, "text" if is_text else setting.value))
    for weave in file.weaves:
        for block in weave.blocks:
            if ops.isdisjoint(block.ops):
                continue
            for run in block.runs:
                for piece, mark in run.marks():
                    # What formatters made of a change is no part of what was meant by it.
                    owner = owners.of(piece) if mark.op in ops and not mark.since else None
                    if owner is None or made[owner] != mark.op:  # nor what has passed to it (rule B2)
                        continue
                    trace = traces.setdefault(owner, _Trace(mark))
                    if piece.kind == "insert":
                        trace.inserted.append(run.text)
                    else:
                        trace.removed.append(run.text)
                        trace.taken.append(piece._replace(op=0))
    return traces


def _is_again(file: File, hunk: Hunk, earlier: Hunk, traces: dict[str, _Trace]) -> bool:
    """Whether one of two equal changes was made while the earlier one was rejected, and in its place."""
    trace = traces[hunk.id]
    anywhere = trace.is_telling or trace.taken
    if not anywhere and (hunk.weave != earlier.weave or _far(hunk, earlier)):
        return False
    made = next(n for n, s in enumerate(file.steps) if (s.kind, s.number) == ("op", hunk.operation.number))
    then = states_after(file.steps[:made])
    if then(traces[earlier.id].mark) != REJECTED:
        return False
    if anywhere:
        return True

    return not _shows_between(file, hunk, earlier, then)


def stand_together(file: File, hunk: Hunk, earlier: Hunk) -> bool:
    """Whether nothing shows between two changes."""
    if hunk.weave != earlier.weave or hunk.weave < 0 or _far(hunk, earlier):
        return False
    return not _shows_between(file, hunk, earlier, lambda mark: mark.state)


def _shows_between(file: File, hunk: Hunk, earlier: Hunk, then: Callable[[Mark], Answer]) -> bool:
    def showed(run: Run) -> bool:
        shown = then(run.insertion) in IN_EFFECT
        return shown and not any(then(mark) in IN_EFFECT for mark in run.deletions)

    (before, after), runs = sorted((hunk.runs, earlier.runs)), file.weaves[hunk.weave].runs
    return any(showed(run) for run in runs[before[1] + 1 : after[0]])


def _far(hunk: Hunk, earlier: Hunk) -> bool:
    """Whether two insertions stand too far apart to be in one place, with however much hidden between."""
    return max(hunk.runs[0] - earlier.runs[1], earlier.runs[0] - hunk.runs[1]) > MOST_HIDDEN
