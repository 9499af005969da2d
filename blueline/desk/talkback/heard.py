"""What a conversation should have heard of each hunk it made, in one short word per hunk.

The word is compared with the one that was told last: if they differ, there is something to say. So a decision
that is taken back before anybody heard of it leaves nothing to say.
"""

from collections.abc import Iterable, Sequence

from blueline.journal.tellings import UNTOLD
from blueline.model.answer import UNDECIDED
from blueline.model.ids import part_of
from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.shown_hunks import ShownHunk

CHANGED = "changed"
MIXED = "mixed"


def words(shown: Iterable[ShownHunk]) -> dict[str, list[tuple[str, str, str]]]:
    """For each hunk as it was recorded: its id, a conversation that may have made it, and the word."""
    parts: dict[str, list[ShownHunk]] = {}
    for one in shown:
        operation = one.hunk.operation
        if operation.actor.kind in ("agent", "shared") and operation.call is not None:
            parts.setdefault(one.hunk.whole, []).append(one)
    heard = {}
    for whole, group in parts.items():
        word = _word([one.hunk for one in group])
        heard[whole] = [(whole, name, word) for name in sorted(group[0].makers)]
    return heard


def _word(parts: Sequence[Hunk]) -> str:
    each = {part.id: word_of(part) for part in parts}
    if len({*each.values()}) == 1:
        return each[parts[0].id]
    return " ".join((MIXED, *(f"{part_of(name)}={word}" for name, word in each.items())))


def heard_of(part: Hunk, told: str) -> str:
    """What was said of a hunk, or of a part of one, when `told` was said of the whole."""
    kind, *each = told.split(" ")
    if kind != MIXED:
        return told
    # Parts that are told apart in another way by now: something else was said of them.
    return dict(one.split("=", 1) for one in each).get(part_of(part.id), MIXED)


def word_of(part: Hunk) -> str:
    """What there is to hear of a hunk that is not split, or of a part of one."""
    if part.state not in UNDECIDED:
        return part.state
    # By which operation: what was changed once more is heard once more.
    return f"{CHANGED}:{part.touched}" if part.touched else UNTOLD
