"""Has what was decided long ago become part of the baseline: files hold what is open, not all that was."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from blueline.blobs.store import ID
from blueline.desk import config
from blueline.desk.gate.deciders import last_words
from blueline.desk.project_store import Store
from blueline.desk.state_folder import iso
from blueline.model.fact import Fact, FileFolded
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.review.file import File
from blueline.review.file_values import dump_file

if TYPE_CHECKING:
    from blueline.review.folded_history import FoldLimit

DAY_NS = 86_400 * 10**9
DATE = len("2026-01-31")
BLOB = re.compile(rb'"([0-9a-f]{40})"')


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
    found = [(file, left, folded_bytes(left)) for file, left in left_of(store, files, rule)]
    if found:
        blobs = store.blobs.put_all([data for _, _, data in found])
        # Before it is written down: cut short, this is done again with the fold.
        old = [blob for file, _, data in found for blob in _old_contents(file, data)]
        store.blobs.pack(old, store.now()[:DATE])
        facts: list[Fact] = [
            FileFolded(
                file=file.number,
                path=file.live.path,
                op=left.folded,
                state=Regular(mode=0o600, size=len(data), blob=blob),
            )
            for (file, left, data), blob in zip(found, blobs, strict=True)
        ]
        store.record(facts)
        store.save()
    return len(found)


def left_of(store: Store, files: Iterable[File], rule: FoldRule) -> Iterator[tuple[File, File]]:
    """The files of which there is enough to fold, and what would be left of each."""
    from blueline.review.folded_history import foldable, folded  # hardly ever is there enough

    limit = _limit(store, rule)
    for file in files:
        op = foldable(file, limit)
        if sum(file.folded < one <= op for one in file.operations) >= rule.least:
            left = folded(file, op, store.ledger.counters.salt)
            if left is not None:
                yield file, left


def folded_bytes(left: File) -> bytes:
    """What is left of a file, as it is stored."""
    return json.dumps(dump_file(left), separators=(",", ":")).encode("ascii")


def blobs_in(data: bytes) -> set[BlobId]:
    """The contents that are named in what is left of a file."""
    return {BlobId(name.decode()) for name in BLOB.findall(data)}


def _old_contents(file: File, left: bytes) -> list[BlobId]:
    """What a file held, in this order, and nothing that is left of it names."""
    kept = blobs_in(left)
    held = [BlobId(step.content) for step in file.steps if ID.fullmatch(step.content)]
    return [blob for blob in held if blob not in kept]


def _unfolded(file: File) -> int:
    return sum(op > file.folded for op in file.operations)


def _limit(store: Store, rule: FoldRule) -> FoldLimit:
    from blueline.review.folded_history import FoldLimit

    before = iso(time.time_ns() - int(rule.days * DAY_NS))
    words = last_words(store.index.decisions.by_nobody())
    # The gate still asks a person about these.
    besides = {number for number, word in words.items() if word.get("agent") or word.get("commit")}
    last = store.ledger.counters.decision - rule.decisions
    return FoldLimit(before, min(last, store.index.decisions.last_before(before)), besides)
