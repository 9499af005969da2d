"""What whole screens need of the index."""

from __future__ import annotations

from blueline.journal.database import Database
from blueline.journal.file_table import listed
from blueline.journal.tables import column, documents, text_of

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from blueline.contract.groups import HunkStatus
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.log import ToolTallyDocument
    from blueline.journal.rows import ExchangeRow


AT_ONCE = 500
"""Names that are asked for in one query: SQLite takes 999 at the least."""

MOST_LOOKED_FOR = 20
"""To look for one of more names in each hunk would take longer than to compare those of each."""


class Screens:
    """Queries over the documents of one project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def hunks_since(self, turn: int, paths: Collection[str] | None = None) -> list[HunkDocument]:
        """The listed hunks of a turn, of later ones, and of every turn with something pending; if paths are
        named, those of these files."""
        if paths is not None:
            # Those of a few files are few: each is looked at by itself.
            names = [*map(column, paths)]
            query = f"""select doc from hunks where listed and path in ({_marks(paths)}) and
                        file in (select id from files where path in ({_marks(paths)})) and
                        (status = 'pending' or turn >= ? or {_is_open("hunks.turn")})
                        order by path, line, op"""
            return documents(self._database, query, *names, *names, turn)
        # Each part by an index of its own: with `or` between them, all hunks there ever were are looked at.
        query = """select doc from hunks where listed and id in
                    (select id from hunks where listed and status = 'pending'
                     union select id from hunks where turn >= ?
                     union select id from hunks where turn in
                         (select turn from hunks where listed and status = 'pending'))
                    order by path, line, op"""
        return documents(self._database, query, turn)

    def calls_in(self, turn: int, paths: Collection[str]) -> list[int]:
        """The calls of a turn, of later ones, and of every turn with something pending, that changed some
        files; oldest first."""
        query = f"""select distinct call from operations join calls on calls.id = call where file in
                        (select id from files where path in ({_marks(paths)})) and
                        (turn >= ? or {_is_open("calls.turn")}) order by call"""
        return [call for (call,) in self._database.rows(query, *map(column, paths), turn)]

    def hunks_of_calls(self, calls: Collection[int]) -> list[HunkDocument]:
        """The listed hunks of some calls, in the order of a list."""
        names = ", ".join(map(str, calls))
        where = f"listed and call in ({names}) order by path, line, op"
        return documents(self._database, f"select doc from hunks where {where}")

    def statuses_of(self, turn: int) -> list[HunkStatus]:
        """The status of each listed hunk of a turn."""
        query = "select status from hunks where listed and turn = ?"
        return [status for (status,) in self._database.rows(query, turn)]

    def hunks_of(self, turns: Iterable[int]) -> list[HunkDocument]:
        """The listed hunks of some turns, in the order of a list."""
        names = ", ".join(str(turn) for turn in turns)
        where = f"listed and turn in ({names}) order by path, line, op"
        return documents(self._database, f"select doc from hunks where {where}")

    def outside(self, most: int) -> list[tuple[int, list[str]]]:
        """The latest operations of no call that left hunks, newest first, each with these."""
        query = """select op, group_concat(id, ' ') from hunks where listed and call is null
                   group by op order by op desc limit ?"""
        return [(op, names.split()) for op, names in self._database.rows(query, most)]

    def hunks_named(self, names: Iterable[str]) -> list[HunkDocument]:
        """Hunks by their ids, as far as they are there."""
        found = [documents(self._database, "select doc from hunks where id = ?", name) for name in names]
        return [one for some in found for one in some]

    def turns_of(self, hunks: Iterable[str]) -> set[int]:
        """The turns that some hunks belong to."""
        names, found = [*hunks], set[int]()
        for at in range(0, len(names), AT_ONCE):
            some = names[at : at + AT_ONCE]
            query = f"select distinct turn from hunks where turn is not null and id in ({_marks(some)})"
            found.update(turn for (turn,) in self._database.rows(query, *some))
        return found

    def is_all(self, hunks: Collection[str]) -> bool:
        """Whether nothing else is pending in the turns that some hunks belong to."""
        known = set(hunks)
        # Mostly it is all there is, or few: then nobody has to find out which turns these are.
        if self._has_no_more(known, _PENDING):
            return True
        turns = self.turns_of(known)
        return not turns or self._has_no_more(known, _pending_in(turns))

    def _has_no_more(self, known: Collection[str], which: str) -> bool:
        ((count,),) = self._database.rows(f"select count(*) {which}")
        return count <= len(known) and all(
            name in known for (name,) in self._database.rows(f"select id {which}")
        )

    def exchanges(self, hunks: Collection[str]) -> list[ExchangeRow]:
        """What some hunks exchange."""
        names: list[str] = [*hunks]
        found: list[ExchangeRow] = []
        for at in range(0, len(names), AT_ONCE):
            some = names[at : at + AT_ONCE]
            found += self._exchanges(f"from hunks where id in ({_marks(some)})", *some)
        return found

    def exchanging(self, names: Collection[str], turns: Iterable[int], but: str) -> list[ExchangeRow]:
        """What is pending in some turns and exchanges one of some names, or may, in the order of a list, but
        for one file: of thousands, few are of interest."""
        few = [listed([name]) for name in names] if len(names) <= MOST_LOOKED_FOR else []
        has = " or ".join(("exchanged is null", *("instr(exchanged, ?)" for _ in few)))
        where = f"{_pending_in(turns)} and path <> ? {f'and ({has})' if few else ''}"
        return self._exchanges(f"{where} order by path, line, op", but, *few)

    def _exchanges(self, which: str, *values: object) -> list[ExchangeRow]:
        from blueline.journal.rows import ExchangeRow  # who only looks has no use for them

        query = f"select id, turn, path, exchanged, case when exchanged is null then doc end {which}"
        return [
            ExchangeRow(name, turn, path, [one for one in (names or "").split("\n") if one], doc)
            for name, turn, path, names, doc in self._database.rows(query, *values)
        ]

    def kinds(self, paths: Collection[str] | None = None) -> dict[str, str]:
        """What stands at the path of every file that has hunks; if paths are named, of these."""
        within = "" if paths is None else f"path in ({_marks(paths)}) and"
        query = f"""select path, kind from files where {within}
                    exists (select 1 from hunks where listed and file = files.id)"""
        return {text_of(name): kind for name, kind in self._database.rows(query, *map(column, paths or ()))}

    def paths_of(self, files: Iterable[int]) -> dict[int, str]:
        """Where some files are, by number."""
        found = [(file, self._database.rows("select path from files where id = ?", file)) for file in files]
        return {file: text_of(rows[0][0]) for file, rows in found if rows}

    def open_notes(self) -> dict[str, int]:
        """How many notes that are not settled each file has, by path."""
        query = """select path, count(*) from notes join files on files.id = notes.file
                   where open group by path"""
        return {text_of(name): count for name, count in self._database.rows(query)}

    def open_notes_of(self, kind: str) -> int:
        """How many notes of a kind are not settled."""
        (row,) = self._database.rows("select count(*) from notes where open and kind = ?", kind)
        return int(row[0])

    def agents(self) -> set[str]:
        """The agents that had a turn."""
        return {text_of(name) for (name,) in self._database.rows("select distinct agent from turns")}

    def tally(self) -> list[ToolTallyDocument]:
        """How much of what each agent did with each tool was kept, and how much was taken back."""
        query = """select agent, tool, count(*), sum(status = 'accepted'), sum(status = 'rejected'),
                          sum(status = 'pending')
                   from hunks join calls on calls.id = hunks.call join turns on turns.id = calls.turn
                   where listed or status = 'rejected' group by 1, 2 order by 5 desc, 3 desc, 1, 2"""
        return [
            {
                "agent": text_of(agent),
                "tool": text_of(tool),
                "edits": edits,
                "accepted": accepted,
                "rejected": rejected,
                "pending": pending,
            }
            for agent, tool, edits, accepted, rejected, pending in self._database.rows(query)
        ]


_PENDING = "from hunks where listed and status = 'pending'"


def _pending_in(turns: Iterable[int]) -> str:
    return f"{_PENDING} and turn in ({', '.join(map(str, turns))})"


def _is_open(turn: str) -> str:
    return f"""exists (select 1 from hunks as others where others.turn = {turn}
                       and others.listed and others.status = 'pending')"""


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" for _ in values)
