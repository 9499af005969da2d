"""One project, open: everything a surface or an adapter may ask for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import TYPE_CHECKING

from blueline.desk import config, state_folder
from blueline.desk.answers import answer, refused
from blueline.desk.carrier import Carrier, MovedOn
from blueline.desk.disk_look import is_left, is_running, look, look_at_tree, own_calls
from blueline.desk.documents import actor_document, decision_document
from blueline.desk.project_store import Interpret, Store
from blueline.desk.rebuilding import rebuilding
from blueline.desk.reports import BUILT_ON, MOVED_ON, Reports, put_off
from blueline.desk.rewinding import followed
from blueline.desk.selectors import Selection, Selectors, UnknownSelector
from blueline.desk.talkback.teller import Teller
from blueline.journal.index import IndexDamaged
from blueline.kernel import disk
from blueline.model.choices import Choices, Dependents, FileChoice
from blueline.model.fact import DecisionQueued, ModeSet, QueueLeft
from blueline.model.ids import CALL, DECISION, whole_number, whole_of
from blueline.model.verdict import Verdict
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import Need, Plan, Result, hunks_changed, plan
from blueline.review.intake.authorship import names
from blueline.review.ledger import Decision
from blueline.workspace.tree import Tree

if TYPE_CHECKING:
    from blueline.contract.checks import CheckDocument, PurgeDocument
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.gate import GateDocument
    from blueline.contract.log import LogDocument
    from blueline.contract.overview import (
        ChangeNews,
        ListingDocument,
        Mode,
        ModeDocument,
        ShownDocument,
        StatusDocument,
    )
    from blueline.desk.conversations import ChatLedger
    from blueline.desk.gate.gatekeeper import Gatekeeper
    from blueline.desk.screens.workbench import Workbench
    from blueline.workspace.hints import Hint

LOOKS = 20
"""How often the disk is looked at again because hooks write meanwhile. The next command finds the rest."""


class Desk:
    """A project, locked, with all that happened to it taken in."""

    def __init__(self, root: Path, folder: Path, here: Path, interpret: Interpret) -> None:
        self.root = root
        self.state = folder
        self._here = here
        state_folder.prepare(folder, os.fsencode(root))
        self._lock = state_folder.Lock(folder / "lock")
        try:
            self._store = Store(root, folder, interpret)
        except BaseException:
            self._lock.release()
            raise
        self._tree = Tree(root, self._store.blobs)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        try:
            self._take_in()
        except IndexDamaged:
            self._store.rebuild()
            self._take_in()

    @classmethod
    def open(cls, start: Path, *, environ: Mapping[str, str], interpret: Interpret) -> Desk:
        """Open the project that a folder is in."""
        root, folder = state_folder.find(start, environ)
        return cls(root, folder, start.resolve(), interpret)

    @staticmethod
    def create(root: Path, *, environ: Mapping[str, str]) -> Path:
        """Make a project of a folder, or leave it one; its state folder."""
        return state_folder.create(root, environ)

    def close(self) -> None:
        """Let the next command in."""
        self._store.close()
        self._lock.release()

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def warnings(self) -> list[str]:
        """What should be said before anything else."""
        return self._store.warnings

    @property
    def mode(self) -> Mode:
        """How edits are taken."""
        return state_folder.mode_of(self.state)

    def _take_in(self) -> None:
        for _ in range(LOOKS):
            self._store.catch_up()
            if any(is_left(call) for call in self._store.ledger.open_calls()):
                look_at_tree(self._store)
                self._store.catch_up()
            self._carrier = Carrier(self._store, self._tree)
            stuck = self._carrier.recover()
            self._store.save()
            if look(self._store, self._tree, besides=stuck):
                break
        self._configure()
        self._leave_queue()
        self._teller = Teller(self._store)
        self._teller.collect()
        self._teller.prepare()

    def _configure(self) -> None:
        """Take the config up, but not while somebody may be writing it."""
        if any(call.about.get("tree") for call in self._store.ledger.open_calls()):
            return
        store = self._store
        if warning := config.refresh(self.root, self.state, store.ledger, lambda: look_at_tree(store)):
            store.warnings.append(warning)

    def news(self) -> Sequence[ChangeNews]:
        """The changes that were taken in since the project was opened, oldest first."""
        return [
            {
                "path": fact.path,
                "actor": actor_document(fact.actor),
                "call": CALL.id_or_none(fact.call),
            }
            for fact in self._store.news
        ]

    @staticmethod
    def hints(root: Path, stop: Event) -> Iterator[Hint]:
        """When to open a project again, because something in it may have changed; until `stop` is set."""
        from blueline.workspace.hints import hints

        return hints(root, stop)

    @staticmethod
    def records(folder: Path, stop: Event) -> Iterator[None]:
        """When to open a project again, because something was written down; until `stop` is set."""
        from blueline.workspace.hints import grown

        return grown(folder / "journal", stop)

    @staticmethod
    def know_tree(root: Path, folder: Path) -> int:
        """Look at the whole tree for the first time, unless that was done; how many files were looked at.

        The hook of the first shell command would do it otherwise, and the agent wait for it.
        """
        from blueline.workspace.first_look import first_look

        return first_look(root, folder)

    @property
    def _selectors(self) -> Selectors:
        return Selectors(self._store.ledger, self._store.index, self.root, self._here)

    @property
    def _reports(self) -> Reports:
        return Reports(self._store, self._selectors, self.mode)

    @rebuilding
    def status(self) -> StatusDocument:
        """Mode, counts and gate."""
        return self._reports.status()

    @property
    def gatekeeper(self) -> Gatekeeper:
        """Reviews, and whether what is here may ship."""
        return self._reports.gatekeeper(own_calls(self._store))

    @rebuilding
    def gate(self, *, commit: str = "", is_staged: bool = False, index_file: str = "") -> GateDocument:
        """Whether what is here may ship, or a commit, or what is about to be committed."""
        from blueline.desk.gate.gatekeeper import GateQuestion

        return self.gatekeeper.gate(GateQuestion(commit, is_staged, index_file))

    @rebuilding
    def list(self, *, by: str = "hunk", status: str = "pending") -> ListingDocument:
        """What there is to decide, or was decided."""
        return self._reports.listing(by, status)

    @rebuilding
    def diff(self, selectors: Sequence[str]) -> str:
        """Pending changes as a patch."""
        return self._reports.patch(selectors)

    @rebuilding
    def show(self, selector: str) -> ShownDocument:
        """One thing in detail."""
        return self._reports.show(selector)

    @rebuilding
    def agents(self) -> set[str]:
        """The agents that were heard of."""
        return self._reports.agents()

    @rebuilding
    def log(self) -> LogDocument:
        """What happened, newest first."""
        return {**self._reports.log(), "tally": self.conversing.tally()}

    @property
    def workbench(self) -> Workbench:
        """What only the workbench asks for."""
        from blueline.desk.screens.workbench import (
            Workbench,  # no other command needs it, and all would wait for it
        )

        return Workbench(
            self._store,
            self._tree,
            reports=lambda: self._reports,
            selectors=lambda: self._selectors,
            take_in=self._take_in,
            prepare=self._teller.prepare,
        )

    @property
    def conversing(self) -> ChatLedger:
        """What only a chat asks for."""
        from blueline.desk.conversations import ChatLedger

        return ChatLedger(self._store)

    @rebuilding
    def export(self, form: str) -> str:
        """The review state for other programs."""
        return self._reports.export(form)

    def set_mode(self, mode: Mode) -> ModeDocument:
        """Choose review, hold or direct."""
        folder = os.fsencode(self.state)
        disk.place(folder + b"/mode", mode.encode() + b"\n", folder + b"/blobs/tmp")
        self._store.record([ModeSet(mode=mode)])
        self._store.save()
        return {"mode": mode}

    @rebuilding
    def check(self, *, repair: bool) -> CheckDocument:
        """Verify journal, blobs, index and files against each other."""
        from blueline.desk.integrity import Checks  # few commands need it, and all would wait for it

        return Checks(self._store, self._tree).check(repair=repair)

    @rebuilding
    def purge(self, paths: Sequence[str], *, everything: bool, dry_run: bool) -> PurgeDocument:
        """Really remove what is stored about files in which everything is decided."""
        from blueline.desk.integrity import Checks

        if everything:
            numbers = [number for number, _ in self._store.index.files()]
        else:
            numbers = []
            for path in paths:
                found = self._selectors.paths(path)
                if not found:
                    raise UnknownSelector(f"nothing is stored about {path!r}", hint="see `blueline list`")
                numbers += found
        purged = Checks(self._store, self._tree).purge(numbers, dry_run=dry_run, skip_undecided=everything)
        self._teller.prepare()
        return purged

    @rebuilding
    def decide(
        self,
        verdict: Verdict,
        selectors: Sequence[str],
        *,
        everything: bool = False,
        dependents: Dependents = "ask",
        choices: Mapping[str, FileChoice] | None = None,
        reason: str = "",
        dry_run: bool = False,
    ) -> DecisionDocument:
        """Accept or reject what the selectors mean. Single files can be chosen about by path."""
        chosen = Choices(dependents=dependents, files=choices or {})
        selection = self._selectors.select(selectors, everything=everything)
        if selection.stale:
            return refused(verdict, selection.stale)
        selection.leave(chosen)
        if verdict == "reject":
            shared = [n for n in self._selectors.shared(selection) if chosen.of(n.path) != "with"]
            if asked := [need for need in shared if chosen.of(need.path) == "ask"]:
                return refused(verdict, asked)
            selection = self._selectors.without(selection, shared)
        busy = self._busy(selection)
        if busy and not dry_run:
            return self._queue(verdict, selection, busy, chosen, reason)
        planned = self._plan(verdict, selection, chosen)
        if planned.needs:
            return refused(verdict, planned.needs)
        # Before the decision: afterwards what it exchanged does not show any more.
        linked = self._reports.linked([result.hunk.id for result in planned.results])
        if dry_run:
            written = [write.path for write in self._carrier.writes(planned.files)]
            return {**answer(None, planned, written, linked), "dry_run": True}
        if not planned.files:
            return answer(None, planned, [], linked)
        try:
            number, written = self._carrier.make(planned, reason, selection.turns)
        except MovedOn as conflict:
            paths = {one.path for one in conflict.conflicts}
            if self._is_command_running():
                # It has the file in its hands just now; what it leaves is known at its end.
                return self._queue(verdict, selection, paths, chosen, reason)
            return refused(verdict, [Need(path=path, why="moved-on") for path in sorted(paths)])
        self._teller.prepare()
        return followed(answer(number, planned, written, linked), self._store.ledger, selection.turns)

    def _is_command_running(self) -> bool:
        return any(is_running(call) for call in self._store.ledger.open_calls())

    def _plan(self, verdict: Verdict, selection: Selection, choices: Choices) -> Plan:
        counters = self._store.ledger.counters
        return plan(
            selection.files,
            verdict,
            decision=counters.decision + 1,
            salt=counters.salt,
            choices=choices,
        )

    def _busy(self, selection: Selection) -> set[str]:
        """Selected files that an open call has in its hands."""
        return self._held() & {file.live.path for file, _ in selection.files.values()}

    def _held(self) -> set[str]:
        """Paths that open calls name."""
        return {path for call in self._store.ledger.open_calls() for path in names(call)}

    def _queue(
        self, verdict: Verdict, selection: Selection, busy: set[str], choices: Choices, reason: str
    ) -> DecisionDocument:
        """Put the decision off until the calls that hold its files have ended."""
        planned = self._plan(verdict, selection, choices)
        if planned.needs:
            return refused(verdict, planned.needs)
        chosen = [result.hunk for result in planned.results if result.outcome == "applied"]
        if not chosen:
            return answer(None, planned, [], [])
        number = self._store.ledger.counters.decision + 1
        self._store.record(
            [
                DecisionQueued(
                    decision=number,
                    verdict=verdict,
                    reason=reason,
                    hunks=tuple(hunk.id for hunk in chosen),
                    dependents=choices.dependents,
                    choices=tuple(choices.files.items()),
                    turns=tuple(sorted(selection.turns)),
                )
            ]
        )
        self._store.save()
        self._teller.prepare()
        why = f"an agent is writing to {', '.join(sorted(busy))}"
        results = [Result(hunk=hunk, outcome="queued", reason=why) for hunk in chosen]
        document = decision_document(number, verdict, results, written=[], kept=[], needs=[])
        return followed(document, self._store.ledger, selection.turns)

    def _leave_queue(self) -> None:
        """Carry out what was put off, where nobody holds the files any more."""
        for waiting in self._store.ledger.unfinished():
            if waiting.verdict != "queued" or self._is_command_running():
                continue
            selection = self._selectors.select(())
            for identifier in waiting.hunks:
                hunk = self._selectors.hunk(identifier)
                file = self._store.ledger.file(hunk.file) if hunk else None
                if hunk is not None and file is not None:
                    selection.add(file, list(hunk.pieces))
            if self._busy(selection):
                continue
            self._carry_out_queued(waiting, selection)

    def _carry_out_queued(self, waiting: Decision, selection: Selection) -> None:
        verdict: Verdict = "accept" if waiting.waits_for == "accept" else "reject"
        planned = self._plan(verdict, selection, waiting.choices)
        became, why = None, ""
        if planned.needs:
            why = BUILT_ON
        elif planned.files:
            try:
                became, _ = self._carrier.make(planned, waiting.reason, waiting.turns)
            except MovedOn:
                why = MOVED_ON
        self._store.record([QueueLeft(decision=waiting.number, became=became, why=why)])
        self._store.save()
        if why:
            self._store.warn(put_off(waiting.number, why))

    @rebuilding
    def undo(self, decision: str | None) -> DecisionDocument:
        """Take a decision back: the last, or the one named."""
        named = self._named(decision) if decision else self._last(("accept", "reject", "queued"))
        if named is not None and named.verdict == "queued" and named.of is not None:
            # It has been carried out meanwhile, under a number of its own.
            named = self._store.ledger.decision(named.of)
        if named is None or (not named.stands and named.verdict != "queued"):
            return decision_document(None, "undo", [], written=[], kept=[], needs=[])
        if named.verdict == "queued":
            return self._unqueue(named)
        return self._turn(named, stands=named.verdict == "undo")

    def _unqueue(self, waiting: Decision) -> DecisionDocument:
        """Take back a decision that was put off and not carried out yet."""
        if waiting.finished:
            return decision_document(None, "undo", [], written=[], kept=[], needs=[])
        self._store.record([QueueLeft(decision=waiting.number, became=None, why="taken back")])
        self._store.save()
        self._teller.prepare()
        found = [hunk for name in waiting.hunks if (hunk := self._selectors.hunk(name)) is not None]
        results = [Result(hunk=hunk, outcome="applied") for hunk in found]
        document = decision_document(waiting.number, "undo", results, written=[], kept=[], needs=[])
        return {**document, "of": DECISION.id(waiting.number)}

    @rebuilding
    def redo(self) -> DecisionDocument:
        """Take back the latest undo."""
        named = self._last(("undo",))
        if named is None:
            return decision_document(None, "redo", [], written=[], kept=[], needs=[])
        return self._turn(named, stands=True)

    def _turn(self, named: Decision, *, stands: bool) -> DecisionDocument:
        of = named if named.of is None else self._store.ledger.decision(named.of)
        assert of is not None
        verdict = "redo" if stands else "undo"
        plans = self._carrier.turned(of, stands=stands)
        busy = self._held() & {one.before.live.path for one in plans}
        if busy:
            return refused(verdict, [Need(path=path, why="busy") for path in sorted(busy)])
        try:
            number, written = self._carrier.turn(named, of, stands=stands)
        except MovedOn as conflict:
            return refused(verdict, [Need(path=one.path, why="moved-on") for one in conflict.conflicts])
        self._teller.prepare()
        about = self._hunks_of(of)
        changed = hunks_changed(plans, about)
        results = [
            Result(hunk=hunk, outcome="applied")
            if hunk.id in changed
            else Result(hunk=hunk, outcome="skipped", reason="a later decision counts")
            for hunk in about
        ]
        document = decision_document(number, verdict, results, written=written, kept=[], needs=[])
        document["of"] = DECISION.id(of.number)
        return document

    def _hunks_of(self, decision: Decision) -> Sequence[Hunk]:
        """The hunks that a decision was about, by what they are called now."""
        named = set(decision.hunks)
        wholes = {*map(whole_of, named)}
        found = []
        for number in decision.files:
            file = self._store.ledger.file(number)
            if file is not None:
                known = hunks(file, self._store.ledger.counters.salt)
                exact = [hunk for hunk in known if hunk.id in named]
                found += exact or [hunk for hunk in known if hunk.whole in wholes]
        return found

    def _named(self, identifier: str) -> Decision:
        number = DECISION.number(identifier) or whole_number(identifier)
        found = self._store.ledger.decision(number) if number else None
        if found is None:
            raise UnknownSelector(
                f"there is no decision {identifier!r}", hint="`blueline log` lists decisions with their ids"
            )
        return found

    def _last(self, verdicts: tuple[str, ...]) -> Decision | None:
        for document in reversed(self._store.index.decisions()):
            waits = document["verdict"] == "queued" and not document["finished"]
            if document["verdict"] in verdicts and (document["stands"] or waits):
                return self._store.ledger.decision(document["number"])
        return None
