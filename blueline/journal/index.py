"""What the journal says, looked up fast: an SQLite file that can be deleted at any time.

It holds plain documents, knows nothing of their meaning, and is written by one process at a time, which holds
the project's lock. Whatever is wrong with it, the answer is to build it anew.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from blueline.errors import BluelineError

SCHEMA_VERSION = 1

_SCHEMA = """
create table meta (key text primary key, value text not null) without rowid;
create table turns (id integer primary key, running integer not null, doc text not null);
create table calls (id integer primary key, turn integer not null, key text not null, path text,
                    open integer not null, doc text not null);
create index calls_by_key on calls (key);
create index calls_by_turn on calls (turn);
create index calls_by_path on calls (path);
create table decisions (id integer primary key, finished integer not null, doc text not null);
create table files (id integer primary key, path text not null, undecided integer not null,
                    doc text not null);
create index files_by_path on files (path);
create table operations (op integer primary key, file integer not null, call integer, hunk integer not null);
create index operations_by_call on operations (call);
create index operations_by_hunk on operations (hunk);
create table hunks (id text primary key, file integer not null, call integer, turn integer,
                    path text not null, line integer not null, op integer not null, status text not null,
                    listed integer not null, doc text not null) without rowid;
create index hunks_by_file on hunks (file);
create index hunks_to_decide on hunks (path, line, op) where listed and status = 'pending';
create table looks (path text primary key, signature text not null) without rowid;
"""

Document = dict[str, Any]


class IndexDamaged(Exception):
    """The index cannot be read, or is of another version."""


class HunkRow(NamedTuple):
    """A hunk as it is listed."""

    id: str
    file: int
    call: int | None
    turn: int | None
    path: str
    line: int
    op: int
    status: str
    listed: bool
    doc: Document


class FileRow(NamedTuple):
    """A file, with what is needed to find it."""

    id: int
    path: str
    undecided: bool
    exists: bool
    doc: Document
    operations: list[tuple[int, int | None, int]]
    """Number, call and first hunk of each of its operations that are new."""
    hunks: list[HunkRow]


class Index:
    """The documents of one project."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = _connect(path)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @contextmanager
    def saving(self) -> Iterator[None]:
        """All that is put inside becomes true at once, or not at all."""
        with _translated():
            self._connection.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        with _translated():
            self._connection.commit()

    def _one(self, query: str, *values: object) -> Any:
        with _translated():
            row = self._connection.execute(query, values).fetchone()
        return None if row is None else row[0]

    def _all(self, query: str, *values: object) -> list[Any]:
        with _translated():
            return self._connection.execute(query, values).fetchall()

    def _put(self, statement: str, *values: object) -> None:
        with _translated():
            self._connection.execute(statement, values)

    def _number(self, query: str, *values: object) -> int | None:
        found: int | None = self._one(query, *values)
        return found

    def _numbers(self, query: str, *values: object) -> list[int]:
        return [row[0] for row in self._all(query, *values)]

    def _document(self, query: str, *values: object) -> Document | None:
        found = self._one(query, *values)
        return None if found is None else _load(found)

    def meta(self, key: str) -> Any:
        """One value kept beside the documents."""
        found = self._one("select value from meta where key = ?", key)
        return None if found is None else _load(found)

    def put_meta(self, key: str, value: Any) -> None:
        """Keep one value."""
        self._put("insert or replace into meta values (?, ?)", key, json.dumps(value))

    def turn(self, number: int) -> Document | None:
        """A turn."""
        return self._document("select doc from turns where id = ?", number)

    def turns(self) -> list[Document]:
        """All turns, oldest first."""
        return [_load(row[0]) for row in self._all("select doc from turns order by id")]

    def running_turns(self) -> list[int]:
        """Turns without an end."""
        return self._numbers("select id from turns where running")

    def put_turn(self, number: int, *, running: bool, doc: Document) -> None:
        """Keep a turn."""
        self._put("insert or replace into turns values (?, ?, ?)", number, running, _dump(doc))

    def call(self, number: int) -> Document | None:
        """A call."""
        return self._document("select doc from calls where id = ?", number)

    def calls(self, turn: int | None = None) -> list[Document]:
        """All calls, or those of a turn, oldest first."""
        if turn is None:
            return [_load(row[0]) for row in self._all("select doc from calls order by id")]
        return [_load(row[0]) for row in self._all("select doc from calls where turn = ? order by id", turn)]

    def calls_in_doubt(self) -> list[Document]:
        """Calls of which something says that we could not see all they did."""
        query = """select doc from calls where instr(doc, '"gap":') or instr(doc, '"unseen":')"""
        found = [_load(row[0]) for row in self._all(query)]
        return [call for call in found if call["about"].keys() & {"gap", "unseen"}]

    def call_named(self, key: str) -> int | None:
        """The number of the call with this key."""
        return self._number("select id from calls where key = ?", key)

    def open_calls(self) -> list[int]:
        """Calls without an end."""
        return self._numbers("select id from calls where open")

    def last_call_on(self, path: str) -> int | None:
        """The latest call that named a path."""
        return self._number("select max(id) from calls where path = ?", _name(path))

    def put_call(
        self, number: int, *, turn: int, key: str, path: str | None, is_open: bool, doc: Document
    ) -> None:
        """Keep a call."""
        values = (number, turn, key, _name(path), is_open, _dump(doc))
        self._put("insert or replace into calls values (?, ?, ?, ?, ?, ?)", *values)

    def decision(self, number: int) -> Document | None:
        """A decision."""
        return self._document("select doc from decisions where id = ?", number)

    def decisions(self) -> list[Document]:
        """All decisions, oldest first."""
        return [_load(row[0]) for row in self._all("select doc from decisions order by id")]

    def unfinished(self) -> list[int]:
        """Decisions whose writes may not all be on disk."""
        return self._numbers("select id from decisions where not finished")

    def put_decision(self, number: int, *, finished: bool, doc: Document) -> None:
        """Keep a decision."""
        self._put("insert or replace into decisions values (?, ?, ?)", number, finished, _dump(doc))

    def file(self, number: int) -> Document | None:
        """A file."""
        return self._document("select doc from files where id = ?", number)

    def file_at(self, path: str) -> int | None:
        """The number of the file that stands, or last stood, at a path."""
        return self._number("select max(id) from files where path = ?", _name(path))

    def files(self) -> list[tuple[int, str]]:
        """Number and path of every file."""
        return [(number, _path(name)) for number, name in self._all("select id, path from files order by id")]

    def files_with(self, status: str) -> list[int]:
        """Files with listed hunks of a status, or of any (`all`)."""
        where, values = ("", ()) if status == "all" else (" and status = ?", (status,))
        return self._numbers(f"select distinct file from hunks where listed{where}", *values)

    def undecided_files(self) -> list[int]:
        """Files with anything undecided in them, also what does not show."""
        return self._numbers("select id from files where undecided order by id")

    def files_of_call(self, call: int) -> list[tuple[int, int]]:
        """File and operation for each operation of a call."""
        return self._all("select file, op from operations where call = ? order by op", call)

    def file_of_hunk(self, number: int) -> int | None:
        """The file whose operation this hunk number belongs to."""
        return self._number("select file from operations where hunk <= ? order by hunk desc limit 1", number)

    def put_file(self, row: FileRow) -> None:
        """Keep a file and its hunks."""
        self._put(
            "insert or replace into files values (?, ?, ?, ?)",
            row.id,
            _name(row.path),
            row.undecided,
            _dump(row.doc),
        )
        with _translated():
            self._connection.executemany(
                "insert or replace into operations values (?, ?, ?, ?)",
                [(op, row.id, call, hunk) for op, call, hunk in row.operations],
            )
        if row.exists:
            # A look that found nothing there says nothing about a file that has come since.
            self._put("delete from looks where path = ? and signature = '[]'", _name(row.path))
        self._put_hunks(row)

    def _put_hunks(self, row: FileRow) -> None:
        """Only what differs is written: most hunks of a file stay as they are."""
        known = {entry[0]: entry for entry in self._all("select * from hunks where file = ?", row.id)}
        new = [(*hunk[:4], _name(hunk.path), *hunk[5:9], _dump(hunk.doc)) for hunk in row.hunks]
        gone = known.keys() - {entry[0] for entry in new}
        with _translated():
            self._connection.executemany("delete from hunks where id = ?", [(one,) for one in gone])
            self._connection.executemany(
                "insert or replace into hunks values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [entry for entry in new if known.get(entry[0]) != entry],
            )

    def drop_file(self, number: int) -> None:
        """Forget a file and its hunks."""
        for table, column in (("files", "id"), ("hunks", "file"), ("operations", "file")):
            self._put(f"delete from {table} where {column} = ?", number)

    def hunks(self, status: str) -> list[Document]:
        """The listed hunks with a status (`all` for every one), by path, line and age."""
        where, values = ("", ()) if status == "all" else (" and status = ?", (status,))
        rows = self._all(f"select doc from hunks where listed{where} order by path, line, op", *values)
        # One document: loading a thousand small ones takes three times as long.
        found: list[Document] = _load("[" + ",".join(row[0] for row in rows) + "]")
        return found

    def counts(self) -> dict[str, int]:
        """How many pending hunks, and in how many files, calls and turns."""
        query = """select count(*), count(distinct file), count(distinct call), count(distinct turn)
                   from hunks where listed and status = 'pending'"""
        return dict(zip(("hunks", "files", "calls", "turns"), self._all(query)[0], strict=True))

    def looks(self) -> dict[str, list[int]]:
        """For each path, what its signature was when its bytes were last read, and when that was."""
        return {_path(name): _load(value) for name, value in self._all("select path, signature from looks")}

    def put_looks(self, looks: Iterable[tuple[str, list[int] | None]]) -> None:
        """Remember signatures; None forgets one."""
        for path, signature in looks:
            if signature is None:
                self._put("delete from looks where path = ?", _name(path))
            else:
                self._put("insert or replace into looks values (?, ?)", _name(path), json.dumps(signature))

    def verify(self) -> list[str]:
        """What SQLite finds wrong with its file."""
        return [row[0] for row in self._all("pragma integrity_check") if row[0] != "ok"]


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "readonly" in str(error) or "disk" in str(error) or "full" in str(error):
            raise IndexUnwritable(
                f"cannot write the index: {error}",
                hint="free some space or check the permissions of the state folder",
            ) from error
        raise IndexDamaged(str(error)) from error
    except sqlite3.Error as error:
        raise IndexDamaged(str(error)) from error


class IndexUnwritable(BluelineError):
    """The disk is full, or closed to us."""


def remove(path: Path) -> None:
    """Delete an index with all that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        # What an earlier one left beside it would be played back into the new one.
        remove(path)
    with _translated():
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600))
        except OSError as error:
            raise IndexUnwritable(
                f"cannot write the index: {error.strerror}",
                hint=f"check the permissions of {path.parent}",
            ) from error
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.execute("pragma synchronous = normal")
            (version,) = connection.execute("pragma user_version").fetchone()
            if version == 0:
                connection.executescript(f"begin; {_SCHEMA} pragma user_version = {SCHEMA_VERSION}; commit;")
            elif version != SCHEMA_VERSION:
                raise IndexDamaged(f"made by another version ({version})")
        except BaseException:
            connection.close()
            raise
    return connection


def _dump(document: Document) -> str:
    return json.dumps(document, separators=(",", ":"))


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise IndexDamaged(f"not JSON: {error}") from error


def _name(path: str | None) -> str | None:
    """A path as text that SQLite takes: bytes that are not UTF-8 are lone surrogates, which it refuses."""
    return None if path is None else json.dumps(path)[1:-1] if not path.isascii() or "\\" in path else path


def _path(name: str) -> str:
    return str(json.loads(f'"{name}"')) if "\\" in name else name
