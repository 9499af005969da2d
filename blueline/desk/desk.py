"""One project, open: everything a surface or an adapter may ask for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar

from blueline.desk import damage, state_folder
from blueline.desk.answers import answer, answer_written, refused
from blueline.desk.carrier import MovedOn
from blueline.desk.damaged_index import rebuilding, writing_once
from blueline.desk.disk_look import own_calls
from blueline.desk.hunk_filter import ANYTHING, HunkWish
from blueline.desk.linked_hunks import linked_hunks
from blueline.desk.new_records import Interpret
from blueline.desk.open_project import RECORDED, Complaints, OpenProject, no_complaints
from blueline.desk.rewound_turns import followed
from blueline.desk.selectors import UnknownSelector
from blueline.kernel import disk
from blueline.model.decider import NOBODY, Decider
from blueline.model.dependents import Dependents, FileChoice
from blueline.model.fact import Fact, ModeSet
from blueline.model.verdict import Verdict
from blueline.review.choices import Choices
from blueline.review.deciding.planning import Need, Plan, next_plan

if TYPE_CHECKING:
    from blueline.contract.checks import CheckDocument, PurgeDocument
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.gate import GateDocument
    from blueline.contract.log import LogDocument
    from blueline.contract.overview import (
        DiffDocument,
        ListingDocument,
        Mode,
        ModeDocument,
        ShownDocument,
        StatusDocument,
    )
    from blueline.desk.conversations import ChatLedger
    from blueline.desk.gate.fact_finder import GateQuestion
    from blueline.desk.gate.gatekeeper import Gatekeeper
    from blueline.desk.history import History
    from blueline.desk.open_project import Recording
    from blueline.desk.pending_files import PendingFiles
    from blueline.desk.screens.workbench import Workbench


def _mode_written(desk: Desk, facts: Sequence[Fact]) -> ModeDocument | None:
    return {"mode": desk.mode} if any(isinstance(fact, ModeSet) for fact in facts) else None


def _decision_written(desk: Desk, facts: Sequence[Fact]) -> DecisionDocument | None:
    return answer_written(desk._project.store.ledger, desk._project.selectors, facts)


def _decider(environ: Mapping[str, str], what: str) -> Decider:
    """A person, or the agent that decides, where the person lets it. Refuses any other (D5)."""
    from blueline.desk.people import must_be_a_person  # few commands decide anything

    asker = must_be_a_person(environ, what)
    return Decider(asker.account, asker.agent)


class Desk(AbstractContextManager["Desk"]):
    """The verbs of a project."""

    project_kind: ClassVar[type[OpenProject]] = OpenProject

    def __init__(
        self,
        root: Path,
        folder: Path,
        here: Path,
        interpret: Interpret,
        environ: Mapping[str, str],
        recording: Recording,
        complaints: Complaints = no_complaints,
    ) -> None:
        self.root = root
        self.state = folder
        self._environ = environ
        self._here = here
        self._project = self.project_kind(root, folder, here, interpret, environ, recording, complaints)

    @classmethod
    def open(
        cls,
        start: Path,
        *,
        environ: Mapping[str, str],
        interpret: Interpret,
        recording: Recording = lambda root, state, environ: RECORDED,
        complaints: Complaints = no_complaints,
    ) -> Desk:
        """Open the project that a folder is in. `recording` says whether agents are recorded there."""
        root, folder = state_folder.enter(start, environ)
        return cls(root, folder, start.resolve(), interpret, environ, recording, complaints)

    def close(self) -> None:
        """Let the next command in."""
        self._project.close()

    @property
    def project(self) -> OpenProject:
        """For who keeps it open from one step to the next."""
        return self._project

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def warnings(self) -> list[str]:
        """What should be said before anything else."""
        return self._project.store.warnings

    @property
    def mode(self) -> Mode:
        """How edits are taken."""
        return self._project.mode

    @rebuilding
    def status(self) -> StatusDocument:
        """Mode, counts and gate."""
        document = self._project.reports.status()
        self._project.reports.keep_status()
        return document

    @property
    def gatekeeper(self) -> Gatekeeper:
        """Reviews, and whether what is here may ship."""
        return self._project.reports.gatekeeper(own_calls(self._project.store))

    @rebuilding
    def gate(self, asked: GateQuestion | None = None) -> GateDocument:
        """Whether what is here may ship, or a commit, or what is about to be committed."""
        return self.gatekeeper.gate(asked)

    @rebuilding
    def list(
        self, *, by: str = "hunk", status: str = "pending", wish: HunkWish = ANYTHING
    ) -> ListingDocument:
        """What there is to decide, or was decided."""
        return self._project.reports.listing(by, status, wish)

    @rebuilding
    def diff(self, selectors: Sequence[str]) -> DiffDocument:
        """Pending changes as a patch."""
        return self._project.reports.difference(selectors)

    @rebuilding
    def show(self, selector: str) -> ShownDocument:
        """One thing in detail."""
        return self._project.reports.show(selector)

    @rebuilding
    def log(self, wish: HunkWish = ANYTHING) -> LogDocument:
        """What happened, newest first."""
        return {**self._project.reports.log(wish), "tally": self.conversing.tally()}

    @property
    def history(self) -> History:
        """What is asked about all that ever was."""
        from blueline.desk.history import History  # few commands need it, and all would wait for it

        return History(self._project)

    @property
    def workbench(self) -> Workbench:
        """What only the workbench asks for."""
        from blueline.desk.screens.workbench import (
            Workbench,  # no other command needs it, and all would wait for it
        )

        return Workbench(self._project)

    @property
    def pending_files(self) -> PendingFiles:
        """What is pending, for those who offer it elsewhere."""
        from blueline.desk.pending_files import PendingFiles

        return PendingFiles(self._project)

    @property
    def conversing(self) -> ChatLedger:
        """What only a chat asks for."""
        from blueline.desk.conversations import ChatLedger

        return ChatLedger(self._project.store)

    @rebuilding
    def export(self, form: str) -> str:
        """The review state for other programs."""
        return self._project.reports.export(form)

    @writing_once(_mode_written)
    def set_mode(self, mode: Mode) -> ModeDocument:
        """Choose review, hold or direct."""
        _decider(self._environ, "set the mode")
        folder = os.fsencode(self.state)
        disk.place(folder + b"/mode", mode.encode() + b"\n", folder + b"/blobs/tmp")
        self._project.store.record([ModeSet(mode=mode)])
        self._project.store.save()
        return {"mode": mode}

    @rebuilding
    def check(self, *, repair: bool) -> CheckDocument:
        """Verify journal, blobs, index and files against each other."""
        from blueline.desk.integrity import Checks  # few commands need it, and all would wait for it

        return Checks(self._project.store, self._project.tree).check(repair=repair)

    @rebuilding
    def purge(
        self, paths: Sequence[str], *, everything: bool, dry_run: bool, with_words: bool = False
    ) -> PurgeDocument:
        """Really remove what is stored about files in which everything is decided."""
        from blueline.desk.integrity import Checks
        from blueline.desk.stored_words import WordsLeft

        if not dry_run:
            _decider(self._environ, "purge")
        left = WordsLeft(self.state).by_path()
        if everything:
            numbers = [number for number, _ in self._project.store.index.files.paths()]
            earlier = [*left] if with_words else []
        else:
            numbers, earlier = [], []
            for path in paths:
                found = self._project.selectors.paths(path)
                past = os.path.relpath(os.path.normpath(self._here / path), self.root)
                if with_words and not found and past in left:
                    earlier.append(past)
                elif not found:
                    raise UnknownSelector(f"nothing is stored about {path!r}", hint="see `blueline list`")
                numbers += found
        purged = Checks(self._project.store, self._project.tree).purge(
            numbers, dry_run=dry_run, skip_undecided=everything, with_words=with_words, earlier=earlier
        )
        self._project.prepare()
        return purged

    @writing_once(_decision_written)
    def decide(
        self,
        verdict: Verdict,
        selectors: Sequence[str],
        *,
        everything: bool = False,
        committed: bool = False,
        dependents: Dependents = "ask",
        choices: Mapping[str, FileChoice] | None = None,
        reason: str = "",
        dry_run: bool = False,
        decider: Decider | None = None,
    ) -> DecisionDocument:
        """Accept or reject what the selectors mean, or is committed. Files can be chosen about by path.

        `decider` is who decided it elsewhere, if whoever has this done here did not.
        """
        by = NOBODY if dry_run else decider or _decider(self._environ, verdict)
        chosen = Choices(dependents=dependents, files=choices or {})
        project = self._project
        if everything:
            project.look_at_all()
        known, queue = project.selectors, project.queue
        if verdict == "accept" and not dry_run and not by.agent:
            selectors = damage.settled(project.store, self.root, self._here, selectors, everything=everything)
        selection = known.select(selectors, everything=everything, committed=committed)
        if project.look_at(file.live.path for file, _ in selection.files.values()):
            known = project.selectors
            selection = known.select(selectors, everything=everything, committed=committed)
        if selection.stale:
            return refused(verdict, selection.stale)
        known.leave(selection, chosen)
        if verdict == "reject":
            shared = [need for need in known.shared(selection) if chosen.of(need.path) != "with"]
            if asked := [need for need in shared if chosen.of(need.path) == "ask"]:
                return refused(verdict, asked)
            selection = known.without(selection, shared)
        busy = queue.busy(selection)
        if busy and not dry_run:
            return self._project.heard(queue.put_off(verdict, selection, busy, chosen, reason, by))
        plan = next_plan(project.store.ledger, selection.files, verdict, chosen)
        if plan.needs:
            return refused(verdict, plan.needs)
        # Before the decision: afterwards what it exchanged does not show any more.
        about = [result.hunk.id for result in plan.results]
        linked = linked_hunks(project.store.index.screens, about)
        try:
            if dry_run:
                return _imagined(project, plan, linked)
            if not plan.files and queue.contradicts(plan):
                paths = {file.live.path for file, _ in selection.files.values()}
                return self._project.heard(queue.put_off(verdict, selection, paths, chosen, reason, by))
            if not plan.files:
                return answer(None, plan, [], linked)
            number, written = project.carrier.make(plan, reason, selection.turns, by)
        except MovedOn as conflict:
            paths = {one.path for one in conflict.conflicts}
            if queue.is_command_running() and not dry_run:
                # It has the file in its hands just now; what it leaves is known at its end.
                return self._project.heard(queue.put_off(verdict, selection, paths, chosen, reason, by))
            return refused(verdict, [Need(path=path, why="moved-on") for path in sorted(paths)])
        document = answer(number, plan, written, linked)
        return self._project.heard(followed(document, project.store.ledger, selection.turns))

    @writing_once(_decision_written)
    def undo(self, decision: str | None, *, decider: Decider | None = None) -> DecisionDocument:
        """Take a decision back: the last, or the one named. `decider` as in `decide`."""
        self._project.look_at_all()
        by = decider or _decider(self._environ, "undo")
        return self._project.heard(self._project.undo.undo(decision, by))

    @writing_once(_decision_written)
    def redo(self) -> DecisionDocument:
        """Take back the latest undo."""
        self._project.look_at_all()
        return self._project.heard(self._project.undo.redo(_decider(self._environ, "redo")))


def _imagined(project: OpenProject, plan: Plan, linked: Sequence[str]) -> DecisionDocument:
    """What a decision would come to."""
    written = [write.path for write in project.carrier.writes(plan.files)]
    diff = project.reports.effect(plan.files)
    return {**answer(None, plan, written, linked), "dry_run": True, "diff": diff}
