"""Files and their hunks in the index: where each is, which operations made it, what is listed of it."""

from __future__ import annotations

from blueline.journal.database import Database
from blueline.journal.tables import Table, column, documents, dump, load, loaded, text_of

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from blueline.contract.groups import CountsDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.journal.rows import FileOperation, FileRow

    FileValues = dict[str, Any]

NO_CALL = 0
"""Stands for the call of what happened outside any."""


_PUT_HUNK = "insert or replace into hunks values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

_CHANGE_HUNK = """update hunks set line = ?, status = ?, listed = ?, exchanged = ?, doc = ?
                  where file = ? and op = ? and id = ?"""
"""Most that is ever new of a hunk: what it is found by otherwise is left as it is."""


class FileTable(Table["FileValues"]):
    """The files, as `review.file_values` writes them."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, "files")

    def at(self, path: str) -> list[int]:
        """The numbers of the files that stand, or last stood, at a path: the one that counts first."""
        # Of two that had the same path, one that is there counts before one that is gone.
        query = "select id from files where path = ? order by kind = 'absent', id desc"
        return [number for (number,) in self._database.rows(query, column(path))]

    def paths(self) -> list[tuple[int, str]]:
        """Number and path of every file."""
        # Put in order here: by number, SQLite would read all of every file to get at its path.
        found = sorted(self._database.rows("select id, path from files"))
        return [(number, text_of(name)) for number, name in found]

    def count(self) -> int:
        """How many files there are."""
        ((count,),) = self._database.rows("select count(*) from files")
        return int(count)

    def below(self, paths: Iterable[str]) -> list[tuple[int, str]]:
        """Number and path of the files at these paths, or below them."""
        query = "select id, path from files where path = ?1 or (path > ?1 || '/' and path < ?1 || '0')"
        found = [row for path in paths for row in self._database.rows(query, column(path))]
        return [(number, text_of(name)) for number, name in found]

    def places(self) -> list[tuple[int, list[str]]]:
        """Number and all paths that each file ever had."""
        found = self._database.rows("select id, places from files")
        return [(number, load(text_of(paths))) for number, paths in found]

    def with_hunks(self, status: str) -> list[int]:
        """Files with listed hunks of a status, or of any (`all`)."""
        where, values = _listed(status)
        # With `distinct`, SQLite would go through all hunks, file by file.
        return sorted({file for (file,) in self._database.rows(f"select file from hunks{where}", *values)})

    def of_call(self, call: int) -> list[FileOperation]:
        """The operations of a call."""
        from blueline.journal.rows import FileOperation  # a list has no use for them

        found = self._database.rows("select file, op from operations where call = ? order by op", call)
        return [FileOperation(*row) for row in found]

    def of_hunk(self, number: int) -> FileOperation | None:
        """The operation that this hunk number belongs to, and its file."""
        from blueline.journal.rows import FileOperation  # as above

        query = "select file, op from operations where hunk <= ? order by hunk desc limit 1"
        found = self._database.rows(query, number)
        return FileOperation(*found[0]) if found else None

    def hunks(self, status: str) -> list[HunkDocument]:
        """The listed hunks with a status (`all` for every one), by path, line and age."""
        where, values = _listed(status)
        return documents(self._database, f"select doc from hunks{where} order by path, line, op", *values)

    def pending(self) -> tuple[CountsDocument, list[HunkDocument]]:
        """What `counts` and `hunks` say of the hunks to decide, with one look at each."""
        where, values = _listed("pending")
        query = f"select doc, file, call, turn from hunks{where} order by path, line, op"
        rows = self._database.rows(query, *values)
        files, calls, turns = ({row[at] for row in rows} - {None} for at in (1, 2, 3))
        counts: CountsDocument = {
            "hunks": len(rows),
            "files": len(files),
            "calls": len(calls),
            "turns": len(turns),
        }
        return counts, loaded(rows)

    def pending_ids(self) -> list[str]:
        """The ids of the hunks to decide, in the same order."""
        where, values = _listed("pending")
        rows = self._database.rows(f"select id from hunks{where} order by path, line, op", *values)
        return [name for (name,) in rows]

    def hunks_from(self, start: str) -> list[str]:
        """The ids of listed hunks that begin so; `start` holds letters, digits and dots alone."""
        query = "select id from hunks where listed and id glob ? order by id"
        return [name for (name,) in self._database.rows(query, f"{start}*")]

    def counts(self) -> CountsDocument:
        """How many pending hunks, and in how many files, calls and turns."""
        query = """select count(*), count(distinct file), count(distinct call), count(distinct turn)
                   from hunks where listed and status = 'pending'"""
        ((hunks, files, calls, turns),) = self._database.rows(query)
        return {"hunks": hunks, "files": files, "calls": calls, "turns": turns}

    def put_row(self, row: FileRow) -> None:
        """Keep a file and its hunks."""
        columns = {"path": row.path, "kind": row.kind, "undecided": row.undecided}
        self.put(row.id, row.doc, **columns, places=dump(row.places))
        self._put_operations(row)
        self._put_hunks(row)

    def _put_operations(self, row: FileRow) -> None:
        """Only new ones: what is known of the others stays."""
        new = {(op, call or NO_CALL, hunk) for op, call, hunk in row.operations}
        oldest = min(new, default=(0,))[0]
        query = "select op, call, hunk from operations where file = ? and op >= ?"
        new.difference_update(self._database.rows(query, row.id, oldest) if new else ())
        self._run_each(
            "insert or replace into operations values (?, ?, ?, ?)",
            [(op, row.id, call, hunk) for op, call, hunk in sorted(new)],
        )

    def _put_hunks(self, row: FileRow) -> None:
        """Only what differs is written: most hunks of a file stay as they are, and those that are folded do
        for ever."""
        query = "select * from hunks where file = ? and op > ?"
        known = {entry[2]: entry for entry in self._database.rows(query, row.id, row.folded)}
        gone, changed, put = known.keys() - {hunk.id for hunk in row.hunks}, [], []
        for hunk in row.hunks:
            found_by = (row.id, hunk.op, hunk.id, hunk.call, hunk.turn, column(hunk.path))
            shown = (hunk.line, hunk.status, hunk.listed, listed(hunk.exchanged), hunk.doc)
            before = known.get(hunk.id)
            if before is None or before[:6] != found_by:
                put.append((*found_by, *shown))
            elif before[6:] != shown:
                changed.append((*shown, *found_by[:3]))
        self._run_each("delete from hunks where id = ?", [(one,) for one in gone])
        self._run_each(_CHANGE_HUNK, changed)
        self._run_each(_PUT_HUNK, put)

    def _run_each(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        if rows:
            self._database.run_each(statement, rows)

    def drop(self, number: int) -> None:
        """Forget a file and its hunks."""
        for table, name in (("files", "id"), ("hunks", "file"), ("operations", "file")):
            self._database.run(f"delete from {table} where {name} = ?", number)


def listed(names: Iterable[str] | None) -> str | None:
    """Names in a column, each of which can be looked for by itself."""
    return None if names is None else "".join(f"\n{name}\n" for name in names)


def _listed(status: str) -> tuple[str, tuple[str, ...]]:
    if status == "all":
        return " where listed", ()
    # As a value that is handed over, SQLite would not know that it has an index of these alone.
    if status == "pending":
        return " where listed and status = 'pending'", ()
    return " where listed and status = ?", (status,)
