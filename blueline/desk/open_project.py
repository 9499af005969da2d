"""A project, locked, with all that happened to it taken in: what every verb works on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk import commits, config, state_folder
from blueline.desk.carrier import Carrier
from blueline.desk.decision_queue import DecisionQueue
from blueline.desk.disk_look import calls_of_the_living, look, look_at_tree
from blueline.desk.new_records import Interpret
from blueline.desk.project_store import Store
from blueline.desk.reports import Reports
from blueline.desk.selectors import Selectors
from blueline.desk.talkback.teller import Teller
from blueline.desk.undo import Undo
from blueline.journal.index import IndexDamaged
from blueline.kernel import refs
from blueline.model.piece import Piece
from blueline.review.deciding.planning import Plan, next_plan
from blueline.review.ledger import Call, Decision
from blueline.workspace.tree import Tree

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.overview import Mode, RecordingDocument

    Recording = Callable[[Path, Path, Mapping[str, str]], RecordingDocument]
    """A project's root, its state folder and the environment in; whether agents are recorded there out."""

RECORDED: RecordingDocument = {"recorded": True, "by": "project", "why": "", "hint": ""}

LOOKS = 20
"""How often the disk is looked at again because hooks write meanwhile. The next command finds the rest."""


Complaints = Callable[[Path, Path], Sequence[str]]
"""What somebody else has to warn about, for the root of a project and its state folder."""


def no_complaints(root: Path, state: Path) -> Sequence[str]:
    """For those who have nothing to warn about."""
    return ()


class OpenProject:
    """The state of one project, and whoever works on it."""

    def __init__(
        self,
        root: Path,
        folder: Path,
        here: Path,
        interpret: Interpret,
        environ: Mapping[str, str],
        recording: Recording,
        complaints: Complaints,
    ) -> None:
        self.root = root
        self.state = folder
        self._here = here
        self._environ = environ
        self._interpret = interpret
        self._is_recorded = recording
        self._complaints = complaints
        self._hinted: Set[str] | None = None
        """The files that were looked at; None if all were."""
        self._stuck: set[str] = set()
        self._reports: Reports | None = None
        self.before_look: Callable[[], None] | None = None
        """Is called before the disk is looked at, by who knows of something there what a look cannot tell."""
        self.speaks_later = False
        """Whether the next step puts down what agents have to hear: who says so takes it at once."""
        self._lock = state_folder.Lock(folder / "lock")
        self._enter()

    def _enter(self) -> None:
        """Read what is known, and take in what is new. Whoever calls has the lock."""
        try:
            warning = state_folder.narrow(self.state)
            self._ask_whether_recorded()
            self.store = Store(self.root, self.state, self._interpret)
        except BaseException:
            self._lock.release()
            raise
        if warning:
            self.store.warnings.append(warning)
        self.tree = Tree(self.root, self.store.blobs)
        try:
            self._take_in_or_renew(None)
        except BaseException:
            self.close()
            raise

    def _ask_whether_recorded(self) -> None:
        self._recording = self._is_recorded(self.root, self.state, self._environ)

    def must_be_a_person(self, what: str) -> None:
        """Refuse an agent (rule D5)."""
        from blueline.desk.people import must_be_a_person  # few commands decide anything

        must_be_a_person(self._environ, what)

    def _take_in_or_renew(self, hinted: Set[str] | None) -> None:
        # Nobody watched, so nobody knows whose a change on disk is; but for those who want it so.
        self.store.doubtful = not self._recording["recorded"] and self.mode != "direct"
        try:
            self.take_in(hinted)
        except IndexDamaged:
            self.renew()

    def close(self) -> None:
        """Let the next command in."""
        try:
            self.store.close()
        finally:
            self._lock.release()

    def pause(self) -> None:
        """Let the next command in, and keep what is known for `resume`."""
        self.store.pause()
        self._lock.release()

    def resume(self, hinted: Set[str] | None) -> None:
        """Go on after a pause: take in what is new. `hinted` are files that may have changed; None: any."""
        try:
            state_folder.prepare(self.state, os.fsencode(self.root))
            self._lock = state_folder.Lock(self.state / "lock")
        except BaseException:
            self.store.abandon()
            raise
        if not self.store.is_as_left():
            self.store.abandon()
            self._enter()
            return
        try:
            self.store.resume()
            self._ask_whether_recorded()
            self._take_in_or_renew(hinted)
        except BaseException:
            self.close()
            raise

    @property
    def is_saved(self) -> bool:
        """Whether nothing would be lost by closing it here."""
        return self.store.is_saved

    def heard(self, document: DecisionDocument) -> DecisionDocument:
        """The answer to a decision. Agents have something else to hear, if it was made."""
        if document["decision"] is not None and not self.speaks_later:
            self.prepare()
        return document

    def forsake(self) -> None:
        """Let go of a project that is paused, without waiting for anybody."""
        try:
            self._lock = state_folder.Lock(self.state / "lock", patience=0)
        except state_folder.NotAProject:
            self.store.abandon()  # somebody is at it, and will seal it
            return
        if self.store.is_as_left():
            self.store.resume()
            self.close()
        else:
            # Somebody else has it by now: it is theirs to seal.
            self.store.abandon()
            self._lock.release()

    def take_in(self, hinted: Set[str] | None = None) -> None:
        """Read on in the journal, finish what was begun, and look at the disk: at all of it, or, if there are
        many files, at those that somebody hinted at."""
        store = self.store
        self._reports = None
        calls: list[Call] = []
        unfinished: list[Decision] = []
        if hinted is None:
            store.tidy()
        for _ in range(LOOKS):
            store.catch_up()
            calls = calls_of_the_living(store)
            unfinished = store.ledger.unfinished()
            self.carrier = Carrier(store, self.tree)
            self._stuck = self.carrier.recover(unfinished)
            store.save()
            if self.before_look is not None:
                self.before_look()
            if look(store, self.tree, calls, besides=self._stuck, only=hinted):
                break
        self._hinted = hinted
        self._take_up(calls)
        self._fold()
        self.queue.leave(unfinished)
        self.teller = Teller(store)
        self.teller.collect()
        self.teller.prepare()
        if not self._recording["recorded"]:
            for complaint in self._complaints(self.root, self.state):
                store.warn(complaint)

    def look_at(self, paths: Iterable[str]) -> bool:
        """Take in what stands in some files by now, if they were not looked at just before; whether there was
        anything."""
        if self._hinted is None or (asked := {*paths}) <= self._hinted:
            return False
        self._hinted = {*self._hinted, *asked}
        return self._look(asked)

    def look_at_all(self) -> None:
        """The same for every file."""
        if self._hinted is not None:
            self._hinted = None
            self._look(None)

    def _look(self, paths: Set[str] | None) -> bool:
        store = self.store
        before = store.ledger.counters.event
        look(store, self.tree, store.ledger.open_calls(), besides=self._stuck, only=paths)
        return store.ledger.counters.event != before

    def renew(self) -> None:
        """Make the index anew, and take everything in, as after the kill of a process."""
        self.store.rebuild()
        self.take_in()

    def prepare(self) -> None:
        """Put down what agents have to hear after a decision."""
        try:
            self.teller.prepare()
        except IndexDamaged:
            self.renew()

    def _take_up(self, calls: Sequence[Call]) -> None:
        """Take up the config, and what was committed; but not while somebody may be writing or committing."""
        store = self.store
        if any(call.about.tree for call in calls):
            return
        warning = config.refresh(self.root, self.state, store.ledger, lambda: look_at_tree(store))
        head, stash = refs.position(os.fsencode(self.root))
        if warning:
            store.warnings.append(warning)
        for commit, pieces in commits.take_in(store, head, stash).items():
            try:
                is_accepted = config.accepts_commits(self.root, store.ledger)
            except config.ConfigUnusable as error:
                store.warn(f"{config.PATH} was not taken up: {error}")
                return
            if is_accepted:
                self.carrier.make(self._accepting(pieces), "", commit=commit)

    def _fold(self) -> None:
        """Let what was decided long ago in the files that have changed become part of their baselines."""
        if not self.store.news:
            return
        from blueline.desk.old_history import fold_files  # most commands find nothing new

        try:
            fold_files(self.store, {fact.file for fact in self.store.news})
        except config.ConfigUnusable as error:
            self.store.warn(f"{config.PATH} was not taken up: {error}")

    def _accepting(self, pieces: Mapping[int, Sequence[Piece]]) -> Plan:
        ledger = self.store.ledger
        files = {number: ledger.file(number) for number in pieces}
        chosen = {n: (file, pieces[n]) for n, file in files.items() if file is not None}
        return next_plan(ledger, chosen, "accept")

    @property
    def mode(self) -> Mode:
        """How edits are taken."""
        return state_folder.mode_of(self.state)

    @property
    def selectors(self) -> Selectors:
        return Selectors(self.store.ledger, self.store.index, self.root, self._here)

    @property
    def reports(self) -> Reports:
        """Whoever answers questions, until something else is taken in."""
        if self._reports is None:
            self._reports = Reports(self.store, self.selectors, self._environ, self._recording)
        return self._reports

    @property
    def queue(self) -> DecisionQueue:
        return DecisionQueue(self.store, self.carrier, self.selectors)

    @property
    def undo(self) -> Undo:
        return Undo(self.store, self.carrier, self.queue)
