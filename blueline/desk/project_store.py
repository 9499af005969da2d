"""Journal, blobs, index and ledger of one project, kept in step."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from blueline.blobs.store import BlobDamaged, BlobMissing, BlobPurged, Blobs
from blueline.desk import config
from blueline.desk.git_moves import with_git_moves
from blueline.desk.shelf import Shelf, save
from blueline.desk.state_folder import iso
from blueline.errors import BluelineError
from blueline.journal import reply
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT, OBSERVATION, TOLD, Frame
from blueline.journal.index import Index, IndexDamaged, remove
from blueline.journal.log import Journal
from blueline.journal.observation import Observation, parse, sightings
from blueline.journal.reply import Reply
from blueline.kernel import disk
from blueline.model.fact import Event, Fact, FileChanged, ProjectOpened
from blueline.model.ids import BlobId
from blueline.model.notice import CallBegan, CallFinished, Notice
from blueline.model.tree_look import TreeLook
from blueline.review.fold import fold, fold_fact
from blueline.review.intake.taking import ObservedFiles, Taking
from blueline.review.ledger import Call, Ledger

SWEEP_AFTER_SECONDS = 3600
"""What a killed process left behind is removed after this long: younger files may be in use."""

Interpret = Callable[[str, bytes], Iterable[Notice]]
"""An agent's name and its message in; what the message says happened out."""


class NewerFormat(BluelineError):
    """The journal holds something that this version does not know."""


class _Understood(NamedTuple):
    """What a record says."""

    at: str
    look: ObservedFiles
    notices: list[Notice]


class Store:
    """The state of one project. Whoever has it holds the lock."""

    def __init__(self, root: Path, state: Path, interpret: Interpret) -> None:
        self.root = root
        self.state = state
        self.blobs = Blobs(state / "blobs")
        self.journal = Journal(state / "journal")
        self.warnings: list[str] = []
        self.news: list[FileChanged] = []
        """Changes that were taken in."""
        self.doubtful = False
        """Records were found to be lost just now: whose a change on disk is cannot be told."""
        self._interpret = interpret
        self.index = self._open_index()
        try:
            self._begin()
        except IndexDamaged:
            self.rebuild()
        self._watched: list[Fact] = []

    def _begin(self) -> None:
        shelf = Shelf(self.index)
        self.ledger = Ledger(shelf)
        self._mark = self._saved = shelf.mark

    def close(self) -> None:
        """Let go of the index."""
        self.index.close()

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

    def _open_index(self) -> Index:
        path = self.state / "index.sqlite"
        try:
            return Index(path)
        except IndexDamaged:
            remove(path)
            return Index(path)

    def rebuild(self) -> None:
        """Throw the index away and make it anew from the journal."""
        self.index.close()
        remove(self.index.path)
        self.index = Index(self.index.path)
        self._begin()

    def catch_up(self) -> None:
        """Fold the events that the index does not know yet, then take in new observations."""
        self._adopt_fallbacks()
        self.blobs.sweep(SWEEP_AFTER_SECONDS)
        frames = self._follow()
        if self.ledger.counters.event == 0:
            self.record([ProjectOpened(salt=int.from_bytes(os.urandom(4), "big") >> 1)])
        if self.ledger.counters.lost:
            self.warn(
                f"{self.ledger.counters.lost} recorded contents are not available: run `blueline check`"
            )
        if self.ledger.counters.missing:
            self.warn(
                f"{self.ledger.counters.missing} events are missing from the journal: run `blueline check`"
            )
        self._take(frame for frame in frames if frame.kind == OBSERVATION)
        self.save()
        self._hear(frame for frame in frames if frame.kind == TOLD)

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
            self.warnings.append(
                f"the journal is damaged from byte {damage.start} to {damage.end}: run `blueline check`"
            )
        self._fold_events(frame for frame in found.frames if frame.kind == EVENT)
        self._mark = found.mark
        missing = known - self.ledger.counters.event
        if was_cut and missing > 0:
            self.doubtful = True
            self.warnings.append(
                f"the journal was cut: {missing} events are gone for good: run `blueline check`"
            )
            self.ledger.count(missing=self.ledger.counters.missing + missing)
        return found.frames

    def _fold_events(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            try:
                event = load_event(frame.payload)
            except ValueError as error:
                raise NewerFormat(
                    f"the journal holds an event that this version cannot read ({error})",
                    hint="update Blueline, or run `blueline check`",
                ) from error
            if event.number > self.ledger.counters.event:
                fold(self.ledger, event, self.read)

    def _take(self, frames: Iterable[Frame]) -> None:
        waiting = [frame for frame in frames if frame.start > self.ledger.counters.source]
        understood = [self._understood(frame) for frame in waiting]
        # A call's beginning is taken before its end, in whatever order two hooks got to write.
        begun = {notice.key for one in understood for notice in one.notices if isinstance(notice, CallBegan)}
        late = []
        for one in understood:
            begun -= {notice.key for notice in one.notices if isinstance(notice, CallBegan)}
            if any(isinstance(n, CallFinished) and not n.unnamed and n.key in begun for n in one.notices):
                late.append(one)
                continue
            self._take_one(one)
        for one in late:
            self._take_one(one)

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

    def _understood(self, frame: Frame) -> _Understood:
        try:
            seen = parse(frame.payload)
            raw = seen.raw if seen.raw_blob is None else self.blobs.get(seen.raw_blob)
        except BluelineError as error:
            self.warnings.append(f"a record of an agent's event cannot be read: {error}")
            nothing = ObservedFiles(
                agent="", path=None, outside=None, state=None, held=False, record=frame.start
            )
            return _Understood(self.now(), nothing, [])
        look = ObservedFiles(
            agent=seen.agent,
            path=seen.path,
            outside=seen.outside,
            state=seen.state,
            held=seen.mode == "hold",
            record=frame.start,
            several=seen.looks,
            tree=self._tree(seen),
            changed_ns=seen.stat[2] if seen.stat is not None else None,
        )
        try:
            at = iso(seen.at_ns)
        except (OverflowError, ValueError):  # a clock that was far off
            at = self.now()
        return _Understood(at, look, [*self._interpret(seen.agent, raw or b"")])

    def _tree(self, seen: Observation) -> TreeLook | None:
        """What an observation says of the whole tree, with what stands elsewhere."""
        tree = seen.tree
        if tree is not None and seen.changes_blob is not None:
            content = self.read(seen.changes_blob)
            if content is None:
                return TreeLook(unknown="what was seen is lost")
            tree = replace(tree, sightings=sightings(content))
        return None if tree is None else with_git_moves(tree, self.root, self.read)

    def _take_one(self, one: _Understood) -> None:
        taking = self._taking(one.at)
        for notice in one.notices:
            taking.notice(notice, one.look)
        if taking.facts:
            self._append(taking.facts, one.at, max(one.look.record, self.ledger.counters.source))

    def observed(self, offset: int | None) -> tuple[Observation | None, list[Notice]]:
        """The observation at an offset of the journal, and what it says; nothing when it was purged."""
        if offset is None:
            return None, []
        try:
            frame = self.journal.at(offset)
            seen = parse(frame.payload)
            raw = seen.raw if seen.raw_blob is None else self.blobs.get(seen.raw_blob)
        except BluelineError:
            return None, []
        return seen, [*self._interpret(seen.agent, raw or b"")]

    def now(self) -> str:
        """The time, as events are dated."""
        return iso(time.time_ns())

    def taking(self) -> Taking:
        """Collects facts that a look at the disk establishes; hand them to `keep`."""
        return self._taking(self.now())

    def _taking(self, at: str) -> Taking:
        return Taking(self.ledger, at, self.read, self.blobs.put, self._said, self._is_formatted)

    def _is_formatted(self, path: str) -> bool:
        return any(fnmatch(path, pattern) for pattern in config.formatted(self.state))

    def _said(self, call: Call) -> CallBegan | None:
        """What the agent said when a call began."""
        _, notices = self.observed(call.about.record)
        return next((notice for notice in notices if isinstance(notice, CallBegan)), None)

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
            self._append(taking.facts, taking.at, None)

    def record(self, facts: list[Fact]) -> None:
        """Write facts down, then take them into the ledger."""
        at = self.now()
        self._append(facts, at, None)
        for fact in facts:
            fold_fact(self.ledger, fact, at, self.read)

    @contextmanager
    def watched(self) -> Iterator[list[Fact]]:
        """The facts that are written down while this lasts."""
        self._watched = []
        yield self._watched
        self._watched = []

    def _append(self, facts: list[Fact], at: str, source: int | None) -> None:
        number = self.ledger.counters.event + 1
        event = Event(number=number, at=at, source=source, facts=tuple(facts))
        self.news += [fact for fact in facts if isinstance(fact, FileChanged)]
        self._mark = self.journal.write([event], self._mark)
        self._watched += facts
        self.ledger.count(event=number, **({} if source is None else {"source": source}))

    def save(self, looks: Mapping[str, list[int] | None] = MappingProxyType({})) -> None:
        """Bring the index up to the ledger, and have it remember what files looked like. Hooks may have
        written behind our own events: those are read again next time, and events known by then are passed
        over."""
        if self.ledger.changed or self._mark != self._saved or looks:
            save(self.ledger, self.index, self._mark, looks.items())
            self._saved = self._mark

    def _adopt_fallbacks(self) -> None:
        """Take over what hooks had to write elsewhere because they could not write here."""
        for name in disk.fallbacks(os.fsencode(self.root)):
            folder = Path(os.fsdecode(name))
            if not disk.is_private(name) or not (folder / "journal").exists():
                continue
            self.blobs.adopt(folder / "blobs")
            # A record whose write was not known to succeed may stand in both places.
            known = {found.payload for found in self.journal.read() if isinstance(found, Frame)}
            count = 0
            for found in Journal(folder / "journal").read():
                if isinstance(found, Frame) and found.kind == OBSERVATION and found.payload not in known:
                    self.journal.append(OBSERVATION, found.payload)
                    count += 1
            (folder / "journal").unlink()
            self.warnings.append(
                f"{count} records could not be written to the state folder and were kept elsewhere; "
                "they are taken over now, later than they happened"
            )
