"""Takes contents away for good that only folded history names: files, and what is open, stay as they are."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from blueline.desk import config, unsent_purges
from blueline.desk.needed_blobs import blobs_of, blobs_of_tree, paths_and_blobs
from blueline.desk.old_history import (
    DATE,
    DAY_NS,
    FoldRule,
    blobs_in,
    fold_files,
    folded_bytes,
    left_of,
)
from blueline.desk.project_store import Store
from blueline.desk.scrubbed import HISTORY, is_removed, removed_history
from blueline.desk.state_folder import iso
from blueline.errors import BluelineError
from blueline.journal import checkpoint
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT, OBSERVATION, Frame
from blueline.journal.observation import parse
from blueline.model.fact import DecisionMade, DecisionTurned, Fact, FileFolded, HistoryRemoved
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId

if TYPE_CHECKING:
    from blueline.contract.checks import PurgeDocument
    from blueline.review.file import File

NEXT = 1 << 62
"""The number of an event that a dry run does not write."""


class HistoryPurge:
    """What was folded of files that nothing happened to, or to what was folded, since a time."""

    def __init__(self, store: Store, before: str) -> None:
        self._store = store
        self._before = before
        self._would_fold: dict[int, bytes] = {}
        """Of a dry run: what would be left of files."""

    def purge(self, *, dry_run: bool) -> PurgeDocument:
        """Fold files that are idle since then, and remove what only folded history names."""
        if dry_run:
            idle = [*self._idle()] if self._may_fold() else []
            self._would_fold = {f.number: folded_bytes(left) for f, left in self._left_of(idle)}
        else:
            fold_files(self._store, [file.number for file in self._idle()], self._rule())
        events = [(load_event(frame.payload), frame) for frame in self._frames() if frame.kind == EVENT]
        known = removed_history(frame.payload for _, frame in events)
        folds = self._folds([(event.number, event.at, event.facts) for event, _ in events])
        new = {file: event for file, event in folds.items() if event > known.get(file, 0)}
        gone = self._gone(known | new)
        size = sum(self._store.blobs.size(blob) for blob in gone)
        paths = sorted(file.live.path for number in new if (file := self._store.ledger.file(number)))
        if not dry_run and (new or gone):
            checkpoint.discard(self._store.index.path)
            if new:
                self._store.record([HistoryRemoved(folds=tuple(sorted(new.items())))])
            # A hook may have seen one of them again meanwhile.
            gone &= self._gone(known | new)
            unsent_purges.remember(self._store.state, (), gone)
            self._store.blobs.remove(gone, self._store.now()[:DATE])
            self._store.rebuild()
            self._store.catch_up()
        return {
            "purged": paths,
            "bytes": size,
            "dry_run": dry_run,
            "words": [],
            "words_purged": False,
            "before": self._before,
        }

    def _may_fold(self) -> bool:
        return config.folds_history(self._store.root, self._store.ledger)

    def _rule(self) -> FoldRule:
        then = datetime.fromisoformat(self._before).timestamp()
        return FoldRule(days=(time.time() - then) * 10**9 / DAY_NS, decisions=0, least=1)

    def _left_of(self, files: list[File]) -> Iterator[tuple[File, File]]:
        return left_of(self._store, files, self._rule())

    def _idle(self) -> Iterator[File]:
        """Files that nothing happened to since then."""
        for number, _ in self._store.index.files.paths():
            file = self._store.ledger.file(number)
            if file is not None and all(one.at < self._before for one in file.operations.values()):
                yield file

    def _frames(self) -> Iterator[Frame]:
        return (found for found in self._store.journal.read() if isinstance(found, Frame))

    def _folds(self, events: list[tuple[int, str, tuple[Fact, ...]]]) -> dict[int, int]:
        """The last fold of each file before which nothing is told of it that is younger."""
        last: dict[int, str] = {}
        found: dict[int, int] = {}
        for number, at, facts in events:
            for fact in facts:
                if isinstance(fact, FileFolded):
                    if last.get(fact.file, "") < self._before and self._is_kept(fact):
                        found[fact.file] = number
                elif isinstance(fact, HISTORY):
                    last[fact.file] = at
                elif isinstance(fact, DecisionMade | DecisionTurned):
                    last |= {file: at for file, _ in fact.changes}
        for file in self._would_fold:
            if last.get(file, "") < self._before:
                found[file] = NEXT
        return found

    def _is_kept(self, fact: FileFolded) -> bool:
        return isinstance(fact.state, Regular) and self._store.blobs.has(fact.state.blob)

    def _gone(self, removed: dict[int, int]) -> set[BlobId]:
        """The contents that nothing else names when the history of these files is removed."""
        old: set[BlobId] = self._store.blobs.packs.ids()
        kept = {blob for _, blob in blobs_of_tree(self._store.state)}
        kept |= {blob for data in self._would_fold.values() for blob in blobs_in(data)}
        for frame in self._frames():
            if frame.kind == EVENT:
                event = load_event(frame.payload)
                for fact in event.facts:
                    if is_removed(event.number, fact, removed):
                        old |= {*blobs_of(fact)}
                    elif not self._is_past(fact, event.at):
                        kept |= {*blobs_of(fact), *self._left_in(fact)}
            elif frame.kind == OBSERVATION:
                kept |= {*self._seen(frame)}
        return {blob for blob in old - kept if self._store.blobs.has(blob)}

    def _is_past(self, fact: Fact, at: str) -> bool:
        """Whether a fact says what a decision of old wrote to files, which nobody writes again."""
        if not isinstance(fact, DecisionMade | DecisionTurned) or at >= self._before:
            return False
        decision = self._store.ledger.decision(fact.decision)
        return decision is not None and decision.finished

    def _left_in(self, fact: Fact) -> set[BlobId]:
        if isinstance(fact, FileFolded) and isinstance(fact.state, Regular):
            return blobs_in(self._store.read(fact.state.blob) or b"")
        return set()

    def _seen(self, frame: Frame) -> Iterator[BlobId]:
        """What an observation names that somebody may still ask for: of an old one, not what files held."""
        try:
            seen = parse(frame.payload)
        except BluelineError:
            return
        try:
            is_old = frame.start <= self._store.ledger.counters.source and iso(seen.at_ns) < self._before
        except (OverflowError, ValueError):  # a clock that was far off
            is_old = False
        if not is_old:
            yield from (blob for _, blob in paths_and_blobs(frame, self._store.read))
            return
        yield from (blob for blob in (seen.raw_blob, seen.changes_blob) if blob is not None)
        yield from (BlobId(name) for name in (seen.tree.refs or () if seen.tree is not None else ()))
