"""The decisions of a project, found by what is asked of them: who looks at one does not read all of them."""

from __future__ import annotations

from blueline.journal.tables import Table, documents

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from blueline.contract.stored import StoredDecision
    from blueline.journal.database import Database

NAME = "decisions"


class DecisionTable(Table["StoredDecision"]):
    """Decisions by number."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, NAME)

    def by_nobody(self) -> list[StoredDecision]:
        """Those that an agent or a commit made, took back or renewed; with all that were ever taken back or
        renewed with them. Oldest first."""
        numbers = "select coalesce(turned, id) from decisions where by_nobody = 1"
        query = f"""select doc from decisions where id in
                        (select id from decisions where id in ({numbers})
                         union select id from decisions where turned in ({numbers})) order by id"""
        return documents(self._database, query)

    def last_before(self, at: str) -> int:
        """The number of the last one that was made before a time; 0 if none was."""
        query = "select id from decisions where at < ? order by at desc, id desc limit 1"
        return next((int(number) for (number,) in self._database.rows(query, at)), 0)

    def for_request(self, request: str) -> int | None:
        """The first one that carried out a request of a hub."""
        query = "select min(id) from decisions where request = ? and request <> ''"
        ((number,),) = self._database.rows(query, request)
        return None if number is None else int(number)
