"""Whether what is stored holds together, and taking stored content away for good."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.blobs.store import BlobDamaged, BlobMissing, BlobPurged
from blueline.desk import damage, unsent_purges
from blueline.desk.disk_look import look
from blueline.desk.needed_blobs import blobs_of, blobs_of_tree, look_again, paths_and_blobs, states_in
from blueline.desk.project_store import SWEEP_AFTER_SECONDS, Store
from blueline.desk.scrubbed import removed_history, without_content, without_history
from blueline.desk.shelf import ledger_over, save
from blueline.desk.stored_words import StoredWords, WordsLeft
from blueline.errors import BluelineError
from blueline.journal import checkpoint
from blueline.journal.event_bytes import dump_event, load_event
from blueline.journal.frames import EVENT, OBSERVATION, Damage, Frame
from blueline.journal.index import Index, IndexDamaged, open_index
from blueline.journal.observation import parse
from blueline.model.fact import (
    Event,
)
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.review.fold import fold
from blueline.review.intake.authorship import names
from blueline.review.medium.choice import on_disk
from blueline.workspace.tree import Tree

if TYPE_CHECKING:
    from blueline.contract.checks import CheckDocument, ProblemDocument, PurgeDocument

_TABLES: dict[str, Callable[[Index], object]] = {
    "turns": lambda index: index.turns.scan(),
    "calls": lambda index: index.calls.scan(),
    "decisions": lambda index: index.decisions.scan(),
    "files": lambda index: index.files.paths(),
    "notes": lambda index: index.notes.scan(),
    "hunks": lambda index: index.files.hunks("all"),
}
"""What the index says of each kind."""


class Undecided(BluelineError):
    """What is not decided cannot be purged: it could not be taken back any more."""


class Checks:
    """Looks through all that is stored."""

    def __init__(self, store: Store, tree: Tree) -> None:
        self._store = store
        self._tree = tree

    def check(self, *, repair: bool) -> CheckDocument:
        """Every problem that there is; with `repair`, what can be mended is."""
        problems: list[ProblemDocument] = []
        repaired: list[str] = []
        frames = [*self._frames(problems)]
        named = self._named_blobs(frames)
        problems += self._blob_problems(named)
        orphans = [blob for blob in self._store.blobs.ids() if blob not in named]
        if orphans:
            problems.append(
                _problem(f"stored contents that no record names: {len(orphans)}", "blobs", harmless=True)
            )
        differences = [*self._store.index.verify(), *self._index_differences()]
        problems += [_problem(text, "index") for text in differences]
        is_checkpoint_sound = self._is_checkpoint_sound()
        if not is_checkpoint_sound:
            problems.append(_problem("it is not what the journal says up to there", "checkpoint"))
        problems += self._file_problems()
        if self._store.ledger.counters.missing:
            count, told = self._store.ledger.counters.missing, damage.reported(self._store.state)
            is_settled = not told.files and count <= told.missing
            problems.append(_problem(f"{count} events are missing", "journal", harmless=is_settled))
        if repair:
            concerned = self._concerned()
            if differences:
                # Whose a change is that no record tells of any more, nobody knows.
                self._store.doubtful = True
                self._store.rebuild()
                self._store.catch_up()
                look(self._store, self._tree, self._store.ledger.open_calls(), besides=set())
                repaired.append("the index was made anew")
            if not is_checkpoint_sound:
                checkpoint.discard(self._store.index.path)
                repaired.append("the checkpoint was removed")
            if damage.found(self._store).has_more_than(damage.reported(self._store.state)):
                damage.report(self._store, concerned)
                repaired.append("what is lost was written down")
            removed = self._store.blobs.collect(orphans, SWEEP_AFTER_SECONDS)
            if removed:
                repaired.append(f"{removed} contents that no record names were removed")
        return {
            "ok": not any(not problem["harmless"] for problem in problems),
            "problems": problems,
            "repaired": repaired,
            "concerned": list(damage.reported(self._store.state).files),
            "counts": {
                "records": len(frames),
                "blobs": len(named),
                "files": len(self._store.index.files.paths()),
            },
        }

    def _frames(self, problems: list[ProblemDocument]) -> Iterator[Frame]:
        told = damage.reported(self._store.state)
        for found in self._store.journal.read():
            if isinstance(found, Damage):
                what = f"{found.end - found.start} bytes that are no record"
                if found.torn:
                    what = "a gap: a process was killed in the middle of this record, and nobody relied on it"
                is_settled = not told.files and (found.start, found.end) in told.ranges
                is_harmless = (
                    is_settled or found.torn or (found.tail and found.start >= self._store.mark.cursor)
                )
                problems.append(_problem(what, f"journal, byte {found.start}", harmless=is_harmless))
            else:
                yield found

    def _named_blobs(self, frames: list[Frame]) -> dict[BlobId, str]:
        """Every blob that a record names, and a word on where."""
        named: dict[BlobId, str] = {}
        for frame in frames:
            for path, blob in paths_and_blobs(frame, self._store.read):
                named.setdefault(blob, f"{path}, in the record at byte {frame.start}")
        for path, blob in blobs_of_tree(self._store.state):
            named.setdefault(blob, f"{path}, as it is now")
        return named

    def _blob_problems(self, named: dict[BlobId, str]) -> list[ProblemDocument]:
        problems = []
        removed, gone = self._store.blobs.packs.removed(), 0
        for blob, where in named.items():
            try:
                self._store.blobs.get(blob)
            except BlobPurged:
                if blob in removed:
                    gone += 1
                else:
                    problems.append(_problem(f"content {blob[:12]} was purged", where, harmless=True))
            except (BlobMissing, BlobDamaged) as error:
                problems.append(_problem(str(error), where))
        if gone:
            problems.append(_problem(f"{gone} contents of old history were removed", "blobs", harmless=True))
        return problems

    def _index_differences(self) -> list[str]:
        """Where the index does not say what the journal says."""
        with self._fresh() as fresh:
            return [
                f"its {name} are not those of the journal"
                for name, asked in _TABLES.items()
                if asked(fresh) != asked(self._store.index)
            ]

    def _is_checkpoint_sound(self) -> bool:
        """Whether the checkpoint, if there is one, says what the journal says up to there."""
        event = checkpoint.made_at(self._store.index.path)
        if not event:
            return True
        with tempfile.TemporaryDirectory(dir=self._store.state) as folder:
            path = Path(folder) / "index.sqlite"
            if not checkpoint.restore(path, of=self._store.index.path):
                return False
            try:
                kept = Index(path)
            except IndexDamaged:
                return False
            try:
                with self._fresh(event) as fresh:
                    return all(asked(fresh) == asked(kept) for asked in _TABLES.values())
            except IndexDamaged:
                return False
            finally:
                kept.close()

    @contextmanager
    def _fresh(self, last: int | None = None) -> Iterator[Index]:
        """An index made of the journal alone, up to an event."""
        with tempfile.TemporaryDirectory(dir=self._store.state) as folder:
            fresh, known = open_index(Path(folder) / "index.sqlite")
            ledger, start = ledger_over(fresh, known)
            removed = self._removed()
            for found in self._store.journal.read():
                if isinstance(found, Frame) and found.kind == EVENT:
                    event = without_history(load_event(found.payload), removed)
                    if last is not None and event.number > last:
                        break
                    if event.number > ledger.counters.event:
                        fold(ledger, event, self._store.read)
            save(ledger, fresh, start)
            try:
                yield fresh
            finally:
                fresh.close()

    def _removed(self) -> dict[int, int]:
        return removed_history(frame.payload for frame in self._frames([]) if frame.kind == EVENT)

    def _concerned(self) -> set[str]:
        """The files of which records are lost, as far as the index still knows what they said."""
        losses = damage.found(self._store)
        if not losses.has_more_than(damage.reported(self._store.state)):
            return set()
        with self._fresh() as fresh:
            known, left = _hunks_by_path(self._store.index), _hunks_by_path(fresh)
        paths = {path for path in known.keys() | left.keys() if known.get(path) != left.get(path)}
        taken = [event.source for event in self._events() if event.source is not None]
        untold = [(start, end) for start, end in losses.ranges if not any(start <= at < end for at in taken)]
        # An observation that was taken in is told of by its event. What else is lost may be about anything.
        return paths if paths or not (untold or losses.missing or losses.lost) else {damage.ANY}

    def _events(self) -> Iterator[Event]:
        for frame in self._frames([]):
            if frame.kind == EVENT:
                yield load_event(frame.payload)

    def _file_problems(self) -> list[ProblemDocument]:
        problems = []
        busy = {path for call in self._store.ledger.open_calls() for path in names(call)}
        for number, path in self._store.index.files.paths():
            file = self._store.ledger.file(number)
            if file is None or path in busy or file.live.text is None:
                continue
            state, _ = self._tree.read(path)
            data = self._store.read(state.blob) if isinstance(state, Regular) else None
            if data is not None and data != on_disk(file.live, self._store.read):
                problems.append(_problem("the file is not what was recorded", path))
        return problems

    def purge(
        self,
        numbers: Iterable[int],
        *,
        dry_run: bool,
        skip_undecided: bool,
        with_words: bool,
        earlier: Iterable[str] = (),
    ) -> PurgeDocument:
        """Remove all that is stored about some files; digests stay, contents go, and words if wanted.

        Of the files `earlier` the contents are gone already.
        """
        chosen = self._chosen(numbers, skip_undecided=skip_undecided)
        paths = set().union(*chosen.values()) if chosen else set()
        frames = [*self._frames([])]
        events = [load_event(frame.payload) for frame in frames if frame.kind == EVENT]
        known, past = WordsLeft(self._store.state), {*earlier}
        words = StoredWords(events, set(chosen), paths, known.of(paths | past))
        said = words if with_words else StoredWords([], set(), ())
        touched = [frame for frame in frames if self._is_about(frame, set(chosen), paths, said)]
        kept = {blob for frame in frames if frame not in touched for blob in self._blobs_in(frame)}
        kept |= {blob for path, blob in blobs_of_tree(self._store.state) if path not in paths}
        gone: set[BlobId] = set()
        for frame in touched:
            kept |= {*self._blobs_in_rest(frame, set(chosen), paths)}
            gone |= {*self._blobs_in(frame)}
        gone = {blob for blob in gone - kept if self._store.blobs.has(blob)}
        size = sum(self._store.blobs.size(blob) for blob in gone)
        if not dry_run and (chosen or past):
            checkpoint.discard(self._store.index.path)
            unsent_purges.remember(self._store.state, (frame.start for frame in touched), gone)
            for frame in touched:
                self._take_out(frame, set(chosen), paths, said)
            self._store.blobs.forget_all(gone)
            known.keep(paths | past, [] if with_words else words.ids)
            look_again(self._store.root, self._store.state, paths)
            self._store.rebuild()
            self._store.catch_up()
        return {
            "purged": sorted(paths | past),
            "bytes": size,
            "dry_run": dry_run,
            "words": words.ids,
            "words_purged": with_words,
            "before": None,
        }

    def _chosen(self, numbers: Iterable[int], *, skip_undecided: bool) -> dict[int, set[str]]:
        """The files that can be purged, with all the paths that they ever had."""
        chosen: dict[int, set[str]] = {}
        for number in numbers:
            file = self._store.ledger.file(number)
            if file is None:
                continue
            if file.is_open:
                if skip_undecided:
                    continue
                raise Undecided(
                    f"{file.live.path} has undecided changes",
                    hint="accept or reject them first: after a purge they cannot be taken back",
                )
            chosen[number] = {str(setting.value) for setting in file.paths}
        return chosen

    def _blobs_in(self, frame: Frame) -> Iterator[BlobId]:
        return (blob for _, blob in paths_and_blobs(frame, self._store.read))

    def _blobs_in_rest(self, frame: Frame, files: set[int], paths: set[str]) -> Iterator[BlobId]:
        """The blobs of a record that are others' business: what it still names, or says of other files."""
        if frame.kind == EVENT:
            for fact in load_event(frame.payload).facts:
                yield from blobs_of(without_content(fact, files, paths))
        elif not self._has_looked(frame, paths):
            # Its message goes, for the words in it.
            message = parse(frame.payload).raw_blob
            yield from (blob for blob in self._blobs_in(frame) if blob != message)

    def _is_about(self, frame: Frame, files: set[int], paths: set[str], words: StoredWords) -> bool:
        if frame.kind == EVENT:
            facts = load_event(frame.payload).facts
            return any(words.without(without_content(fact, files, paths)) != fact for fact in facts)
        if frame.kind != OBSERVATION:
            return False
        return frame.start in words.sources or self._has_looked(frame, paths)

    def _has_looked(self, frame: Frame, paths: set[str]) -> bool:
        """Whether an observation says what one of these files was."""
        try:
            seen = parse(frame.payload)
        except BluelineError:
            return False
        return any(path in paths for path, _ in states_in(seen, self._store.read))

    def _take_out(self, frame: Frame, files: set[int], paths: set[str], words: StoredWords) -> None:
        if frame.kind == OBSERVATION:
            self._store.journal.overwrite(frame)
            return
        event = load_event(frame.payload)
        facts = tuple(words.without(without_content(fact, files, paths)) for fact in event.facts)
        payload = dump_event(Event(number=event.number, at=event.at, source=event.source, facts=facts))
        # The same length as before: blanks after a JSON document mean nothing.
        self._store.journal.overwrite(frame, payload.ljust(len(frame.payload)))


def _hunks_by_path(index: Index) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {path: [] for _, path in index.files.paths()}
    for hunk in index.files.hunks("all"):
        found.setdefault(hunk["path"], []).append(hunk)
    return found


def _problem(what: str, where: str, *, harmless: bool = False) -> ProblemDocument:
    return {"what": what, "where": where, "harmless": harmless}
