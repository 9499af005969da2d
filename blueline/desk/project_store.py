"""Journal, blobs, index and ledger of one project, kept in step."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from blueline.blobs.store import BlobDamaged, BlobMissing, BlobPurged, Blobs
from blueline.desk.fallback_records import adopt_fallbacks
from blueline.desk.new_records import Interpret, RecordReader
from blueline.desk.scrubbed import removed_history, without_history
from blueline.desk.shelf import ledger_over, save
from blueline.desk.state_folder import now
from blueline.errors import BluelineError
from blueline.journal import checkpoint, reply
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT, OBSERVATION, TOLD, Frame
from blueline.journal.index import Index, IndexDamaged, IndexState, IndexUnwritable, new_index, open_index
from blueline.journal.log import Bookmark, Journal
from blueline.journal.reply import Reply
from blueline.model.fact import Event, Fact, FileChanged, ProjectOpened
from blueline.model.ids import BlobId
from blueline.review.fold import fold, fold_fact
from blueline.review.intake.records import in_order, keys_in, taken
from blueline.review.intake.taking import Taking

if TYPE_CHECKING:
    from blueline.contract.stored import StoredDecision

SWEEP_AFTER_SECONDS = 3600
"""What a killed process left behind is removed after this long: younger files may be in use."""

MOST_KEPT = 1000
"""Of each kind of thing, in memory between two steps of a desk that stays."""

MOST_AT_ONCE = 500
"""Records that are taken in before their events are written, in one go."""


class NewerFormat(BluelineError):
    """The journal holds something that this version does not know."""


class Store:
    """The state of one project. Whoever has it holds the lock."""

    def __init__(self, root: Path, state: Path, interpret: Interpret) -> None:
        self.root = root
        self.place = str(root)
        """Where people are told that it is."""
        self.state = state
        self.blobs = Blobs(state / "blobs")
        self.journal = Journal(state / "journal")
        self.warnings: list[str] = []
        self.news: list[FileChanged] = []
        """Changes that were taken in."""
        self.left: tuple[str, ...] = ()
        """Keys of calls that had left processes behind when the whole tree was looked at last."""
        self.doubtful = False
        """Records were found to be lost just now: whose a change on disk is cannot be told."""
        try:
            self._begin(*open_index(state / "index.sqlite"))
        except IndexDamaged:
            self.rebuild()
        self._interpret = interpret
        self._watched: list[Fact] = []
        self._unseen: dict[str, None] = {}
        """Files of which the journal had more to say than the index knew: their looks are from before."""
        self._left = b""
        self._decisions: tuple[int, list[StoredDecision]] | None = None

    def _begin(self, index: Index, known: IndexState) -> None:
        self.index = index
        self.ledger, self._mark = ledger_over(index, known)
        self._saved = self._mark

    def close(self) -> None:
        """Let go of the index."""
        is_due = False
        try:
            is_due = self.is_saved and self._ready_for_checkpoint()
        finally:
            self.index.close()
        if is_due:
            checkpoint.make(self.index.path, self.ledger.counters.event)

    def _ready_for_checkpoint(self) -> bool:
        """Whether it is time for one, and the index is in order: as all of it is about to be read, it is no
        larger than it has to be by then."""
        if not checkpoint.is_due(self.index.path, self.ledger.counters.event):
            return False
        try:
            self.index.database.tighten()
        except IndexUnwritable:  # it is whole all the same
            return True
        except IndexDamaged:  # the next one to ask it for something makes it anew
            return False
        return True

    def abandon(self) -> None:
        """Let go of an index that somebody else has written to since."""
        self.index.database.abandon()

    def pause(self) -> None:
        """Keep what is known for `resume`, as much as there is room for."""
        self.ledger.shed(MOST_KEPT)
        if self._ready_for_checkpoint():
            checkpoint.make(self.index.path, self.ledger.counters.event)
        self._left = self.index.database.signature()

    def is_as_left(self) -> bool:
        """Whether nobody has changed the index since `pause`, so that what is in memory still counts."""
        return self._left != b"" and self._left == self.index.database.signature()

    def resume(self) -> None:
        """Go on after a pause, as if it was just opened."""
        self.index.database.resume()
        self.warnings.clear()
        self.news.clear()
        self.doubtful = False

    @cached_property
    def records(self) -> RecordReader:
        """Whoever reads what hooks wrote down."""
        return RecordReader(self.root, self.journal, self.blobs, self.read, self._interpret, self.warn)

    def read(self, blob: BlobId) -> bytes | None:
        """Stored bytes; None, with a warning, when they are lost."""
        try:
            return self.blobs.get(blob)
        except BlobPurged:
            return None
        except (BlobMissing, BlobDamaged) as error:
            self.warn(f"{error}: run `blueline check`")
            return None

    def warn(self, warning: str) -> None:
        """Have something said before anything else, once."""
        if warning not in self.warnings:
            self.warnings.append(warning)

    def rebuild(self) -> None:
        """Throw the index away and make it anew from the journal."""
        self._decisions = None
        self.index.close()
        self._begin(*new_index(self.index.path))

    def tidy(self) -> None:
        """Take over what was written elsewhere, and remove what killed processes left."""
        self.warnings += adopt_fallbacks(self.root, self.blobs, self.journal)
        self.blobs.sweep(SWEEP_AFTER_SECONDS)

    def catch_up(self) -> None:
        """Fold the events that are not known yet, then take in new observations."""
        frames = self._follow()
        if self.ledger.counters.event == 0:
            self.record([ProjectOpened(salt=int.from_bytes(os.urandom(4), "big") >> 1)])
        self._warn_of_losses()
        self._take(frame for frame in frames if frame.kind == OBSERVATION)
        self.save()
        self._hear(frame for frame in frames if frame.kind == TOLD)

    def read_on(self) -> None:
        """Fold the events that are not known yet, and write nothing: this is a copy."""
        frames = self._follow()
        self._warn_of_losses()
        self.save()
        self._hear(frame for frame in frames if frame.kind == TOLD)

    def _warn_of_losses(self) -> None:
        if self.ledger.counters.lost:
            self.warn(
                f"{self.ledger.counters.lost} recorded contents are not available: run `blueline check`"
            )
        if self.ledger.counters.missing:
            self.warn(
                f"{self.ledger.counters.missing} events are missing from the journal: run `blueline check`"
            )

    def _follow(self) -> list[Frame]:
        """Read on in the journal, and fold the events. An index that knows more than the journal, or another
        journal, is no use."""
        known = self.ledger.counters.event
        found = self.journal.follow(self._mark)
        was_cut = found is None
        if found is None:
            self.rebuild()
            found = self.journal.follow(self._mark)
            assert found is not None, "the beginning is the same in every journal"
        for damage in found.damage:
            self.doubtful = True
            if damage.torn:
                gap = "a process was killed while it wrote a record: what that would have said is not known"
                self.warnings.append(gap)
                continue
            self.warnings.append(
                f"the journal is damaged from byte {damage.start} to {damage.end}: run `blueline check`"
            )
        self._fold_events([frame for frame in found.frames if frame.kind == EVENT])
        self._mark = found.mark
        missing = known - self.ledger.counters.event
        if was_cut and missing > 0:
            self.doubtful = True
            self.warnings.append(
                f"the journal was cut: {missing} events are gone for good: run `blueline check`"
            )
            self.ledger.count(missing=self.ledger.counters.missing + missing)
        return found.frames

    def _fold_events(self, frames: Sequence[Frame]) -> None:
        removed = removed_history(frame.payload for frame in frames)
        for frame in frames:
            try:
                event = without_history(load_event(frame.payload), removed)
            except ValueError as error:
                raise NewerFormat(
                    f"the journal holds an event that this version cannot read ({error})",
                    hint="update Blueline, or run `blueline check`",
                ) from error
            if event.number > self.ledger.counters.event:
                fold(self.ledger, event, self.read)
        numbers = [number for kind, number in self.ledger.changed if kind == "file"]
        files = [file for one in numbers if (file := self.ledger.files.get(one)) is not None]
        self._unseen.update({file.live.path: None for file in files})

    def _take(self, frames: Iterable[Frame]) -> None:
        waiting = [frame for frame in frames if frame.start > self.ledger.counters.source]
        if not waiting:
            return
        understood = self.records.understood(waiting)
        self.ledger.know_calls(self.index.calls.last_each("key", keys_in(understood)))
        taking = self.taking()
        records = in_order(understood, [call.key for call in self.ledger.open_calls()])
        for at in range(0, len(records), MOST_AT_ONCE):
            self._write(taken(taking, records[at : at + MOST_AT_ONCE]))

    def _hear(self, frames: Iterable[Frame]) -> None:
        """What conversations were told, as far as the index does not know it yet."""
        found = [one for frame in frames if (one := reply.heard(frame.payload)) is not None]
        if found:
            with self.index.saving():
                for one in found:
                    self.index.tellings.put_told(one.conversation, one.hunks)

    def tell(self, said: Reply) -> None:
        """A conversation was told something: write that down."""
        self._mark = self.journal.tell(said, self._mark)
        with self.index.saving():
            self.index.tellings.put_told(said.conversation, said.hunks)
        self.save()

    def now(self) -> str:
        """The time, as events are dated."""
        return now()

    def taking(self) -> Taking:
        """Collects facts that a look at the disk establishes; hand them to `keep`."""
        records = self.records
        return Taking(
            self.ledger, self.now(), self.read, self.blobs.put, records.beginning, records.knew_nothing
        )

    @property
    def mark(self) -> Bookmark:
        """How far the journal was read, and the last event there."""
        return self._mark

    def decisions(self) -> list[StoredDecision]:
        """All decisions, oldest first, looked up once for all who ask while nothing happens."""
        event = self.ledger.counters.event
        if self._decisions is None or self._decisions[0] != event or self.ledger.changed:
            self._decisions = event, self.index.decisions.scan()
        return self._decisions[1]

    @property
    def is_saved(self) -> bool:
        """Whether all that the ledger knows is in the index."""
        return not self.ledger.changed and self._mark == self._saved

    def has_news(self) -> bool:
        """Whether a hook has written something down since the journal was read."""
        if self.journal.end() <= self._mark.cursor:
            return False
        # What a killed process began to write is in between, too, and our own events behind it.
        news = self.journal.read(self._mark.cursor)
        return any(isinstance(found, Frame) and found.kind == OBSERVATION for found in news)

    def keep(self, taking: Taking) -> None:
        """Write down what was collected (and is in the ledger already)."""
        if taking.facts:
            self._append(taking.facts, taking.at)

    def record(self, facts: list[Fact]) -> None:
        """Write facts down, then take them into the ledger."""
        at = self.now()
        self._append(facts, at)
        for fact in facts:
            fold_fact(self.ledger, fact, at, self.read)

    @contextmanager
    def watched(self) -> Iterator[list[Fact]]:
        """The facts that are written down while this lasts."""
        self._watched = []
        yield self._watched
        self._watched = []

    def _append(self, facts: list[Fact], at: str) -> None:
        number = self.ledger.counters.event + 1
        self._write([Event(number=number, at=at, source=None, facts=tuple(facts))])
        self.ledger.count(event=number)

    def _write(self, events: Sequence[Event]) -> None:
        if events:
            self._mark = self.journal.write(events, self._mark)
            facts = [fact for event in events for fact in event.facts]
            self.news += [fact for fact in facts if isinstance(fact, FileChanged)]
            self._watched += facts

    def save(self, looks: Mapping[str, list[int] | None] = MappingProxyType({})) -> None:
        """Bring the index up to the ledger, and have it remember what files looked like. Hooks may have
        written behind our own events: those are read again next time, and events known by then are passed
        over.

        What a file looked like when the index was saved says nothing once the journal has more to say of it:
        an index may be put back that is much older."""
        if self.ledger.changed or self._mark != self._saved or looks:
            save(self.ledger, self.index, self._mark, {**self._unseen, **looks}.items())
            self._saved = self._mark
            self._unseen.clear()
