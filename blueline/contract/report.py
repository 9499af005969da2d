"""What agents wrote, and what became of it."""

from typing import TypedDict


class OutcomesDocument(TypedDict):
    """How many changes came to what. Each is counted once."""

    changes: int
    kept: int
    """Accepted as they were."""
    corrected: int
    """Accepted, after somebody had typed into them or taken something away."""
    rejected: int
    pending: int


class ReportRowDocument(OutcomesDocument):
    """The changes of one agent, model, tool, folder, person, week or project."""

    name: str
    """Empty if it is not known."""


class ReportDocument(TypedDict):
    """The answer to `report`."""

    since: str | None
    """Older changes are not counted; null if all are."""
    total: OutcomesDocument
    agents: list[ReportRowDocument]
    """Most changes first, as in all but the last."""
    models: list[ReportRowDocument]
    """Agents say which one it was with a call, or do not."""
    tools: list[ReportRowDocument]
    folders: list[ReportRowDocument]
    """The first folder below the root; `.` for files of the root itself."""
    people: list[ReportRowDocument]
    """Who decided; what is undecided is not among them. An agent that was let decides in its own name."""
    weeks: list[ReportRowDocument]
    """As ISO counts and writes them, oldest first."""


class ReportProjectDocument(ReportRowDocument):
    """The changes in one project of a hub."""

    id: str


class HubReportDocument(ReportDocument):
    """The same over projects of a hub."""

    projects: list[ReportProjectDocument]
    """Those that were asked for and that somebody may see, if there are any changes in them."""
    uncounted: int
    """How many more there are whose changes could not be counted: what was sent of them cannot be read."""
