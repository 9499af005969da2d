"""Looking back: who wrote each line, what became of what agents wrote, and what need not be kept of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from blueline.desk.damaged_index import rebuilding
from blueline.desk.line_blame import Blame
from blueline.desk.open_project import OpenProject
from blueline.desk.work_report import AgentChange, counted, work_report
from blueline.model.ids import DECISION

if TYPE_CHECKING:
    from blueline.contract.blame import BlameDocument
    from blueline.contract.checks import PurgeDocument
    from blueline.contract.report import ReportDocument


class History:
    """What few commands ask for, about all that ever was."""

    def __init__(self, project: OpenProject) -> None:
        self._project = project

    @rebuilding
    def report(self, since: str = "") -> ReportDocument:
        """What agents wrote, and what became of it."""
        return work_report(self._project.store, since)

    @rebuilding
    def counted(self) -> Counter[AgentChange]:
        """The same, as it is counted."""
        return counted(self._project.store)

    @rebuilding
    def blame(self, path: str) -> BlameDocument:
        """Who wrote each line of a file."""
        return Blame(self._project.store, self._project.selectors, self._project.tree).of(path)

    def carried_out(self, request: str) -> str | None:
        """The decision that carried out a request of a hub; None if none did."""
        return DECISION.id_or_none(self._project.store.index.decisions.for_request(request))

    @rebuilding
    def purge(self, before: str, *, dry_run: bool) -> PurgeDocument:
        """Really remove what only folded history names, of files as they were before a time."""
        from blueline.desk.history_purge import HistoryPurge  # looking back does not wait for it

        if not dry_run:
            self._project.must_be_a_person("purge")
        purged = HistoryPurge(self._project.store, before).purge(dry_run=dry_run)
        if not dry_run:
            self._project.take_in()
        return purged
