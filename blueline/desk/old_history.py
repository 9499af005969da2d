"""Has what was decided long ago become part of the baseline: files hold what is open, not all that was."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk import config
from blueline.desk.gate.deciders import last_words
from blueline.desk.project_store import Store
from blueline.desk.state_folder import iso
from blueline.model.fact import Fact, FileFolded
from blueline.model.file_state import Regular
from blueline.review.file import File
from blueline.review.file_values import dump_file

if TYPE_CHECKING:
    from blueline.review.folded_history import FoldLimit

DAY_NS = 86_400 * 10**9


class FoldRule(NamedTuple):
    """What stays as it is: what happened in the last days, and the last decisions."""

    days: float = 30
    decisions: int = 200
    least: int = 64
    """Operations of a file that are worth it: a fold costs about as much as they all."""


USUAL = FoldRule()


def fold_files(store: Store, numbers: Iterable[int], rule: FoldRule = USUAL) -> int:
    """Fold these files, as far as there is enough to fold; says how many were."""
    files = [file for number in numbers if (file := store.ledger.file(number)) is not None]
    files = [file for file in files if _unfolded(file) >= rule.least]
    if not files or not config.folds_history(store.root, store.ledger):
        return 0
    limit = _limit(store, rule)
    facts = [fact for file in files if (fact := _fact(store, file, limit, rule)) is not None]
    if facts:
        store.record(facts)
        store.save()
    return len(facts)


def _unfolded(file: File) -> int:
    return sum(op > file.folded for op in file.operations)


def _fact(store: Store, file: File, limit: FoldLimit, rule: FoldRule) -> Fact | None:
    from blueline.review.folded_history import foldable, folded

    op = foldable(file, limit)
    if sum(file.folded < one <= op for one in file.operations) < rule.least:
        return None
    left = folded(file, op, store.ledger.counters.salt)
    if left is None:
        return None
    data = json.dumps(dump_file(left), separators=(",", ":")).encode("ascii")
    state = Regular(mode=0o600, size=len(data), blob=store.blobs.put(data))
    return FileFolded(file=file.number, path=file.live.path, op=op, state=state)


def _limit(store: Store, rule: FoldRule) -> FoldLimit:
    from blueline.review.folded_history import FoldLimit  # hardly ever is there enough to fold

    known = store.decisions()
    before = iso(time.time_ns() - int(rule.days * DAY_NS))
    old = [one["number"] for one in known if one["at"] < before]
    words = last_words(known)
    # The gate still asks a person about these.
    besides = {number for number, word in words.items() if word.get("agent") or word.get("commit")}
    last = store.ledger.counters.decision - rule.decisions
    return FoldLimit(before, min(last, max(old, default=0)), besides)
