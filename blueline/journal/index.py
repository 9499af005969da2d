"""What the journal says, looked up fast: an SQLite file that can be deleted at any time.

It holds plain documents, knows nothing of their meaning, and is written by one process at a time, which holds
the project's lock. Whatever is wrong with it, the answer is to build it anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from blueline.contract import VERSION
from blueline.journal.database import Database, IndexDamaged, IndexUnwritable, remove
from blueline.model.ids import NOTE

if TYPE_CHECKING:
    from blueline.contract.groups import CountsDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.stored import StoredCall, StoredDecision, StoredNote, StoredTurn

__all__ = ["FileRow", "HunkRow", "Index", "IndexDamaged", "IndexUnwritable", "TellingRow", "remove"]

NO_CALL = 0
"""Stands for the call of what happened outside any."""

_SCHEMA = """
create table meta (key text primary key, value text not null) without rowid;
create table turns (id integer primary key, running integer not null, doc text not null);
create table calls (id integer primary key, turn integer not null, key text not null, path text,
                    open integer not null, doc text not null);
create index calls_by_key on calls (key);
create index calls_by_turn on calls (turn);
create index calls_by_path on calls (path);
create table decisions (id integer primary key, finished integer not null, doc text not null);
create table files (id integer primary key, path text not null, kind text not null,
                    undecided integer not null, places text not null, doc text not null);
create index files_by_path on files (path);
create table operations (op integer not null, file integer not null, call integer not null,
                         hunk integer not null, primary key (op, call));
create index operations_by_call on operations (call);
create index operations_by_hunk on operations (hunk);
create table hunks (id text primary key, file integer not null, call integer, turn integer,
                    path text not null, line integer not null, op integer not null, status text not null,
                    listed integer not null, doc text not null) without rowid;
create index hunks_by_file on hunks (file);
create index hunks_to_decide on hunks (path, line, op) where listed and status = 'pending';
create table tellings (hunk text not null, conversation text not null, file integer, op integer,
                       told text not null, now text, primary key (hunk, conversation)) without rowid;
create index tellings_by_file on tellings (file);
create index tellings_to_make on tellings (conversation) where now <> told;
create table listeners (conversation text primary key, waiting integer not null) without rowid;
create table notes (id integer primary key, file integer, open integer not null, kind text not null,
                    doc text not null);
create table looks (path text primary key, signature text not null) without rowid;
"""

UNTOLD = "pending"
"""What a conversation takes for granted of a hunk of its own."""


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
    doc: HunkDocument
    hears: list[tuple[str, str, str]]
    """The hunk as it was recorded, a conversation that may have made it, and what that should have heard."""


class TellingRow(NamedTuple):
    """A hunk of which a conversation has to hear something."""

    hunk: str
    """Or the id of a note."""
    file: int | None
    """None for a note."""
    op: int
    told: str
    now: str


class FileRow(NamedTuple):
    """A file, with what is needed to find it."""

    id: int
    path: str
    undecided: bool
    places: list[str]
    """All paths it ever had."""
    kind: str
    """What stands there: text, bytes, link, folder, absent or unknown."""
    doc: dict[str, Any]
    operations: list[tuple[int, int | None, int]]
    """Number, call and first hunk of each operation; again for each other call that may have done it."""
    hunks: list[HunkRow]


class Index:
    """The documents of one project."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path, _SCHEMA, VERSION)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def saving(self) -> AbstractContextManager[None]:
        """All that is put inside becomes true at once, or not at all."""
        return self._database.saving()

    def _one(self, query: str, *values: object) -> Any:
        found = self._database.rows(query, *values)
        return found[0][0] if found else None

    def _all(self, query: str, *values: object) -> list[Any]:
        return self._database.rows(query, *values)

    def select(self, query: str, *values: object) -> list[Any]:
        """The rows of a query."""
        return self._all(query, *values)

    def _put(self, statement: str, *values: object) -> None:
        self._database.run(statement, *values)

    def _number(self, query: str, *values: object) -> int | None:
        found: int | None = self._one(query, *values)
        return found

    def _numbers(self, query: str, *values: object) -> list[int]:
        return [row[0] for row in self._all(query, *values)]

    def _document(self, query: str, *values: object) -> Any:
        found = self._one(query, *values)
        return None if found is None else _load(found)

    def documents(self, query: str, *values: object) -> list[Any]:
        """Each row's one column, as a document."""
        rows = self._all(query, *values)
        # One document: loading a thousand small ones takes three times as long.
        found: list[Any] = _load("[" + ",".join(row[0] for row in rows) + "]")
        return found

    def meta(self, key: str) -> Any:
        """One value kept beside the documents."""
        found = self._one("select value from meta where key = ?", key)
        return None if found is None else _load(found)

    def put_meta(self, key: str, value: Any) -> None:
        """Keep one value."""
        self._put("insert or replace into meta values (?, ?)", key, json.dumps(value))

    def turn(self, number: int) -> StoredTurn | None:
        """A turn."""
        found: StoredTurn | None = self._document("select doc from turns where id = ?", number)
        return found

    def turns(self) -> list[StoredTurn]:
        """All turns, oldest first."""
        return [_load(row[0]) for row in self._all("select doc from turns order by id")]

    def agents(self) -> set[str]:
        """The agents that had a turn."""
        return {row[0] for row in self._all("select distinct json_extract(doc, '$.agent') from turns")}

    def running_turns(self) -> list[int]:
        """Turns without an end."""
        return self._numbers("select id from turns where running")

    def put_turn(self, number: int, *, running: bool, doc: dict[str, Any]) -> None:
        """Keep a turn."""
        self._put("insert or replace into turns values (?, ?, ?)", number, running, _dump(doc))

    def call(self, number: int) -> StoredCall | None:
        """A call."""
        found: StoredCall | None = self._document("select doc from calls where id = ?", number)
        return found

    def calls(self, turn: int | None = None) -> list[StoredCall]:
        """All calls, or those of a turn, oldest first."""
        if turn is None:
            return [_load(row[0]) for row in self._all("select doc from calls order by id")]
        return [_load(row[0]) for row in self._all("select doc from calls where turn = ? order by id", turn)]

    def calls_in_doubt(self) -> list[StoredCall]:
        """Calls of which something says that we could not see all they did."""
        query = """select doc from calls where instr(doc, '"gap":') or instr(doc, '"unseen":')"""
        found = [_load(row[0]) for row in self._all(query)]
        return [call for call in found if call["about"].keys() & {"gap", "unseen"}]

    def call_named(self, key: str) -> int | None:
        """The number of the call with this key."""
        return self._number("select max(id) from calls where key = ?", key)

    def open_calls(self) -> list[int]:
        """Calls without an end."""
        return self._numbers("select id from calls where open")

    def last_call_on(self, path: str) -> int | None:
        """The latest call that named a path."""
        return self._number("select max(id) from calls where path = ?", name_of(path))

    def put_call(
        self, number: int, *, turn: int, key: str, path: str | None, is_open: bool, doc: dict[str, Any]
    ) -> None:
        """Keep a call."""
        values = (number, turn, key, name_of(path), is_open, _dump(doc))
        self._put("insert or replace into calls values (?, ?, ?, ?, ?, ?)", *values)

    def decision(self, number: int) -> StoredDecision | None:
        """A decision."""
        found: StoredDecision | None = self._document("select doc from decisions where id = ?", number)
        return found

    def decisions(self) -> list[StoredDecision]:
        """All decisions, oldest first."""
        return [_load(row[0]) for row in self._all("select doc from decisions order by id")]

    def unfinished(self) -> list[int]:
        """Decisions whose writes may not all be on disk."""
        return self._numbers("select id from decisions where not finished")

    def put_decision(self, number: int, *, finished: bool, doc: dict[str, Any]) -> None:
        """Keep a decision."""
        self._put("insert or replace into decisions values (?, ?, ?)", number, finished, _dump(doc))

    def note(self, number: int) -> StoredNote | None:
        """A note."""
        found: StoredNote | None = self._document("select doc from notes where id = ?", number)
        return found

    def put_note(
        self,
        number: int,
        *,
        file: int | None,
        is_open: bool,
        kind: str,
        hears: tuple[str, str],
        doc: dict[str, Any],
    ) -> None:
        """Keep a note. `hears` is a conversation, and what that should have heard; nothing new if empty."""
        values = (number, file, is_open, kind, _dump(doc))
        self._put("insert or replace into notes values (?, ?, ?, ?, ?)", *values)
        conversation, word = hears
        if conversation:
            self._put(
                """insert into tellings values (?, ?, null, 0, ?, ?) on conflict (hunk, conversation)
                   do update set op = 0, now = coalesce(nullif(?5, ''), told)""",
                *(NOTE.id(number), name_of(conversation), UNTOLD, word or UNTOLD, word),
            )
            self._await(name_of(conversation))

    def file(self, number: int) -> dict[str, Any] | None:
        """A file, as `review.file_values` writes it."""
        found: dict[str, Any] | None = self._document("select doc from files where id = ?", number)
        return found

    def file_at(self, path: str) -> int | None:
        """The number of the file that stands, or last stood, at a path."""
        # Of two that had the same path, one that is there counts before one that is gone.
        return self._number(
            "select id from files where path = ? order by kind = 'absent', id desc limit 1", name_of(path)
        )

    def files(self) -> list[tuple[int, str]]:
        """Number and path of every file."""
        return [
            (number, path_of(name)) for number, name in self._all("select id, path from files order by id")
        ]

    def places(self) -> list[tuple[int, list[str]]]:
        """Number and all paths that each file ever had."""
        return [(number, _load(paths)) for number, paths in self._all("select id, places from files")]

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
            "insert or replace into files values (?, ?, ?, ?, ?, ?)",
            row.id,
            name_of(row.path),
            row.kind,
            row.undecided,
            _dump(row.places),
            _dump(row.doc),
        )
        self._database.run_each(
            "insert or replace into operations values (?, ?, ?, ?)",
            [(op, row.id, call or NO_CALL, hunk) for op, call, hunk in row.operations],
        )
        if row.kind != "absent":
            # A look that found nothing there says nothing about a file that has come since.
            self._put("delete from looks where path = ? and signature = '[]'", name_of(row.path))
        self._put_hunks(row)
        self._put_tellings(row)

    def _put_hunks(self, row: FileRow) -> None:
        """Only what differs is written: most hunks of a file stay as they are."""
        known = {entry[0]: entry for entry in self._all("select * from hunks where file = ?", row.id)}
        new = [(*hunk[:4], name_of(hunk.path), *hunk[5:9], _dump(hunk.doc)) for hunk in row.hunks]
        gone = known.keys() - {entry[0] for entry in new}
        self._database.run_each("delete from hunks where id = ?", [(one,) for one in gone])
        self._database.run_each(
            "insert or replace into hunks values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [entry for entry in new if known.get(entry[0]) != entry],
        )

    def _put_tellings(self, row: FileRow) -> None:
        """What differs from before; of a hunk that nobody answered yet, nothing is kept."""
        known = {(hunk, name): now for hunk, name, now in self._tellings_of(row.id)}
        heard = {hears: hunk.op for hunk in row.hunks for hears in hunk.hears}
        new = [
            (whole, name, row.id, op, UNTOLD, word)
            for (whole, conversation, word), op in heard.items()
            if known.get((whole, name := name_of(conversation)), UNTOLD) != word
        ]
        self._database.run_each(
            """insert into tellings values (?, ?, ?, ?, ?, ?)
               on conflict (hunk, conversation) do update set file = ?3, op = ?4, now = ?6""",
            new,
        )
        for name in {name for _, name, *_ in new}:
            self._await(name)

    def _tellings_of(self, file: int) -> list[Any]:
        return self._all("select hunk, conversation, now from tellings where file = ?", file)

    def _await(self, name: str | None) -> None:
        self._put("insert or replace into listeners values (?, 1)", name)

    def put_told(self, conversation: str, told: dict[str, str]) -> None:
        """A conversation has heard this of its hunks."""
        for hunk, word in told.items():
            # A hunk without an entry is as it was made; one that is not known any more was purged.
            found = self._all(
                "select file, op from hunks where id = ?1 or (id > ?1 || '.' and id < ?1 || '/') limit 1",
                hunk,
            )
            file, op, now = (*found[0], UNTOLD) if found else (None, None, None)
            self._put(
                """insert into tellings values (?, ?, ?, ?, ?, ?)
                   on conflict (hunk, conversation) do update set told = ?5""",
                *(hunk, name_of(conversation), file, op, word, now),
            )
        self._await(name_of(conversation))

    def waiting(self) -> list[str]:
        """Conversations for which there may be something else to say than there was."""
        found = self._all("select conversation from listeners where waiting order by conversation")
        return [path_of(name) for (name,) in found]

    def tellings(self, conversation: str) -> list[TellingRow]:
        """What a conversation has to hear, oldest first."""
        query = """select hunk, file, op, told, now from tellings
                   where conversation = ? and now <> told order by op, hunk"""
        return [TellingRow(*row) for row in self._all(query, name_of(conversation))]

    def prepared(self, conversation: str) -> None:
        """What there is to say to a conversation is written down."""
        self._put("insert or replace into listeners values (?, 0)", name_of(conversation))

    def unprepared(self) -> None:
        """Nothing that was written down to be said can be counted on."""
        self._put("update listeners set waiting = 1")

    def drop_file(self, number: int) -> None:
        """Forget a file and its hunks."""
        for _, name, _ in self._tellings_of(number):
            self._await(name)
        for table, column in (
            ("files", "id"),
            ("hunks", "file"),
            ("operations", "file"),
            ("tellings", "file"),
        ):
            self._put(f"delete from {table} where {column} = ?", number)

    def hunks(self, status: str) -> list[HunkDocument]:
        """The listed hunks with a status (`all` for every one), by path, line and age."""
        where, values = ("", ()) if status == "all" else (" and status = ?", (status,))
        return self.documents(f"select doc from hunks where listed{where} order by path, line, op", *values)

    def counts(self) -> CountsDocument:
        """How many pending hunks, and in how many files, calls and turns."""
        query = """select count(*), count(distinct file), count(distinct call), count(distinct turn)
                   from hunks where listed and status = 'pending'"""
        hunks, files, calls, turns = self._all(query)[0]
        return {"hunks": hunks, "files": files, "calls": calls, "turns": turns}

    def looks(self) -> dict[str, list[int]]:
        """For each path, what its signature was when its bytes were last read, and when that was."""
        return {path_of(name): _load(value) for name, value in self._all("select path, signature from looks")}

    def put_looks(self, looks: Iterable[tuple[str, list[int] | None]]) -> None:
        """Remember signatures; None forgets one."""
        for path, signature in looks:
            if signature is None:
                self._put("delete from looks where path = ?", name_of(path))
            else:
                self._put("insert or replace into looks values (?, ?)", name_of(path), json.dumps(signature))

    def verify(self) -> list[str]:
        """What SQLite finds wrong with its file."""
        return self._database.wrong()


def _dump(document: Any) -> str:
    return json.dumps(document, separators=(",", ":"))


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise IndexDamaged(f"not JSON: {error}") from error


def name_of(path: str | None) -> str | None:
    """A path as text that SQLite takes: bytes that are not UTF-8 are lone surrogates, which it refuses."""
    return None if path is None else json.dumps(path)[1:-1] if not path.isascii() or "\\" in path else path


def path_of(name: str) -> str:
    return str(json.loads(f'"{name}"')) if "\\" in name else name
