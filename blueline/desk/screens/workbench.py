"""The verbs of the workbench: whole screens, and what happens while somebody looks at them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from blueline.desk.damaged_index import rebuilding, writing_once
from blueline.desk.documents import actor_document
from blueline.desk.open_project import OpenProject
from blueline.desk.screens.moments import Moments
from blueline.desk.screens.news import Following
from blueline.desk.screens.pages import Pages, is_ours
from blueline.desk.screens.project_overview import ProjectOverview, branch_of
from blueline.desk.screens.typed_text import Missed, Typing
from blueline.desk.selectors import UnknownSelector
from blueline.desk.talkback.notes import Notes, NoteTarget
from blueline.kernel import project_folder
from blueline.model.fact import DecisionExplained, Fact, NoteChanged, NoteWritten
from blueline.model.ids import CALL, DECISION

if TYPE_CHECKING:
    from blueline.contract.cells import CellSavedDocument, OutputsDocument
    from blueline.contract.decisions import ExplainedDocument
    from blueline.contract.files import FileDocument, MomentsDocument, MomentText, SavedDocument
    from blueline.contract.hunks import WhyDocument
    from blueline.contract.log import HunkPlaceDocument
    from blueline.contract.notes import NoteDocument
    from blueline.contract.overview import ChangeNews, FollowedDocument, OverviewDocument, OverviewPatch

Answer = TypeVar("Answer")


def _note_written(workbench: Workbench, facts: Sequence[Fact]) -> NoteDocument | None:
    numbers = [fact.note for fact in facts if isinstance(fact, NoteWritten | NoteChanged)]
    return workbench._notes.named(numbers[0]) if numbers else None


def _explained(bench: Workbench, facts: Sequence[Fact]) -> ExplainedDocument | None:
    said = [fact for fact in facts if isinstance(fact, DecisionExplained)]
    return {"decision": DECISION.id(said[0].decision), "reason": said[0].reason} if said else None


class Workbench:
    """A part of the desk, which has the project open."""

    def __init__(self, project: OpenProject, *, for_others: bool = False) -> None:
        """`for_others`: what is written are words of people elsewhere, whoever brings them here."""
        self._project = project
        self._for_others = for_others

    def _person(self, what: str) -> None:
        """What is typed here counts as a person's, and is asked about no more: so it has to be one (D5)."""
        if not self._for_others:
            self._project.must_be_a_person(what)

    @property
    def _pages(self) -> Pages:
        return Pages(self._project.store, self._project.reports, self._project.tree)

    @property
    def _overview(self) -> ProjectOverview:
        return ProjectOverview(self._project.store, self._project.reports)

    @property
    def version(self) -> int:
        """A number that grows with every event."""
        return self._project.store.ledger.counters.event

    def stamp(self, path: str | None = None) -> object:
        """Equal as long as the overview, or the page of a file, looks as it did."""
        mode = project_folder.read_mode(os.fsencode(self._project.store.state))
        warnings = [*self._project.store.warnings]
        if path is None:
            gate = self._project.reports.gatekeeper().stamp()
            return self.version, mode, warnings, branch_of(self._project.store.root), gate
        with suppress(ValueError):
            return self.version, mode, warnings, self._project.tree.signature(path) if is_ours(path) else None
        return None

    def news(self) -> Sequence[ChangeNews]:
        """The changes that were taken in since the project was opened, oldest first."""
        return [
            {
                "path": fact.path,
                "actor": actor_document(fact.actor),
                "call": CALL.id_or_none(fact.call),
            }
            for fact in self._project.store.news
        ]

    @rebuilding
    def overview(self) -> OverviewDocument:
        """The whole project at one look: files, turns, what is pending."""
        return self._overview.whole()

    @property
    def cursor(self) -> int:
        """The place in the journal that belongs to what is shown now."""
        return self._project.store.mark.cursor

    @rebuilding
    def overview_since(self, version: int, cursor: int, opened: str = "") -> OverviewPatch | None:
        """What is different in the overview since one that was of this version, but for the hunks of a file
        that is asked for besides; None if it has to be looked at as a whole."""
        decided = Following(self._project.store).decided_since(cursor)
        if decided is None:
            return None
        return self._overview.since(version, decided, opened if self._pages.shows_hunks(opened) else "")

    @rebuilding
    def file(self, path: str) -> FileDocument:
        """One file with its texts and all its hunks."""
        self._project.look_at({path})
        return self._pages.file(path)

    @rebuilding
    def places(self, hunks: Iterable[str]) -> dict[str, HunkPlaceDocument]:
        """Where some hunks stand, by their ids."""
        return self._pages.places(hunks)

    @rebuilding
    def moments(self, path: str) -> MomentsDocument:
        """What a file was after each change."""
        self._project.look_at({path})
        return Moments(self._project.store).of(path)

    @rebuilding
    def moment(self, path: str, moment: str) -> MomentText:
        """A file without all that came after a moment."""
        return Moments(self._project.store).text(path, moment)

    @rebuilding
    def bytes_of(self, path: str, side: str) -> bytes | None:
        """A file that is no text, as it was agreed on or as it is; None if there are no bytes."""
        return self._pages.bytes_of(path, side)

    @rebuilding
    def agreed(self, path: str) -> bytes | None:
        """A file as it was agreed on; None if there was none."""
        return self._pages.agreed(path)

    @rebuilding
    def hunk(self, identifier: str) -> WhyDocument:
        """One hunk with all that is known of it."""
        return self._pages.hunk(identifier)

    @rebuilding
    def stale(self, expected: Mapping[str, str]) -> Sequence[str] | None:
        """What took the place of hunks that are not what somebody saw, by id and digest; None if all are."""
        found = self._project.store.index.screens.hunks_named(expected)
        self._project.look_at({hunk["path"] for hunk in found})
        return self._pages.stale(expected)

    @rebuilding
    def digests(self, identifiers: Sequence[str]) -> Mapping[str, str]:
        """What hunks show now, for whoever asks about them later."""
        return self._pages.digests(identifiers)

    @rebuilding
    def since(self, cursor: int | None) -> FollowedDocument:
        """What happened after a cursor of the journal, the cursor to go on from, and the status."""
        return {**Following(self._project.store).since(cursor), **self._project.reports.status()}

    @rebuilding
    def save(self, path: str, revision: str, base: str, text: str) -> SavedDocument | Missed:
        """Let a file hold what a person typed, and what others wrote to it meanwhile."""
        self._person("type into a file as a person")
        typing = Typing(self._project, self._pages)
        return self._said(typing.save(path, revision, base, text))

    @rebuilding
    def save_cell(self, path: str, cell: str, base: str, source: str) -> CellSavedDocument | Missed:
        """Let a cell of a notebook hold what a person typed, and what others wrote to it meanwhile."""
        from blueline.desk.screens.typed_cells import CellTyping

        self._person("type into a cell as a person")
        typing = CellTyping(self._project, self._pages)
        return self._said(typing.save_cell(path, cell, base, source))

    @rebuilding
    def outputs(self, path: str, cell: int) -> OutputsDocument:
        """What running a cell of a notebook left in it."""
        return self._pages.outputs(path, cell)

    def _said(self, answer: Answer) -> Answer:
        """The answer; agents may have something else to hear now."""
        self._project.prepare()
        return answer

    @property
    def _notes(self) -> Notes:
        return Notes(self._project.store, self._pages, self._project.selectors)

    @rebuilding
    def notes(self) -> list[NoteDocument]:
        """All notes, oldest first."""
        return self._notes.all()

    @writing_once(_explained)
    def explain(self, decision: str, reason: str) -> ExplainedDocument:
        """Give the reason of a decision that was made without one, or another reason."""
        self._person("give the reason of a decision")
        number = DECISION.number(decision)
        if number is None or self._project.store.ledger.decision(number) is None:
            raise UnknownSelector(f"there is no decision {decision!r}", hint="see /api/timeline")
        self._project.store.record([DecisionExplained(decision=number, reason=reason)])
        explained: ExplainedDocument = {"decision": decision, "reason": reason}
        return self._said(explained)

    @writing_once(_note_written)
    def write_note(self, target: NoteTarget, kind: str, text: str) -> NoteDocument:
        """Keep a new note."""
        self._person("write a note")
        return self._said(self._notes.write(target, kind, text))

    @writing_once(_note_written)
    def change_note(self, identifier: str, *, text: str | None, status: str | None) -> NoteDocument:
        """Give a note another text or another status."""
        self._person("change a note")
        return self._said(self._notes.change(identifier, text=text, status=status))
