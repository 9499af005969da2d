"""Looking back: who wrote each line, and what became of what agents wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blueline.desk.damaged_index import rebuilding
from blueline.desk.line_blame import Blame
from blueline.desk.open_project import OpenProject
from blueline.desk.work_report import work_report

if TYPE_CHECKING:
    from blueline.contract.blame import BlameDocument
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
    def blame(self, path: str) -> BlameDocument:
        """Who wrote each line of a file."""
        return Blame(self._project.store, self._project.selectors, self._project.tree).of(path)
