"""What the journal says, looked up fast: an SQLite file that can be deleted at any time.

It holds plain documents, knows nothing of their meaning, and is written by one process at a time, which holds
the project's lock. Whatever is wrong with it, the answer is to build it anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blueline.contract import VERSION
from blueline.journal.database import Database, IndexDamaged, IndexUnwritable, remove
from blueline.journal.file_table import FileRow, FileTable
from blueline.journal.tables import Table, column, load, text_of
from blueline.journal.tellings import Tellings

if TYPE_CHECKING:
    from blueline.contract.stored import StoredCall, StoredDecision, StoredNote, StoredTurn

__all__ = ["Index", "IndexDamaged", "IndexUnwritable", "remove"]

_SCHEMA = """
create table meta (key text primary key, value text not null) without rowid;
create table turns (id integer primary key, running integer not null, agent text not null,
                    doc text not null);
create index turns_by_running on turns (running);
create table calls (id integer primary key, turn integer not null, key text not null, path text,
                    open integer not null, tool text not null, doubtful integer not null,
                    doc text not null);
create index calls_by_key on calls (key);
create index calls_by_turn on calls (turn);
create index calls_by_path on calls (path);
create index calls_by_open on calls (open);
create index calls_by_doubtful on calls (doubtful);
create table decisions (id integer primary key, finished integer not null, whole_turns integer not null,
                        doc text not null);
create index decisions_by_finished on decisions (finished);
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
                    key text not null, doc text not null);
create index notes_by_key on notes (key);
create table looks (path text primary key, signature text not null) without rowid;
"""


class Index:
    """The tables of one project, and what is kept beside them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = Database(path, _SCHEMA, VERSION)
        self.turns: Table[StoredTurn] = Table(self.database, "turns")
        self.calls: Table[StoredCall] = Table(self.database, "calls")
        self.decisions: Table[StoredDecision] = Table(self.database, "decisions")
        self.notes: Table[StoredNote] = Table(self.database, "notes")
        self.files = FileTable(self.database)
        self.tellings = Tellings(self.database)

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def saving(self) -> AbstractContextManager[None]:
        """All that is put inside becomes true at once, or not at all."""
        return self.database.saving()

    def meta(self, key: str) -> Any:
        """One value kept beside the documents."""
        found = self.database.rows("select value from meta where key = ?", key)
        return load(found[0][0]) if found else None

    def put_meta(self, key: str, value: Any) -> None:
        self.database.run("insert or replace into meta values (?, ?)", key, json.dumps(value))

    def put_file(self, row: FileRow) -> None:
        """Keep a file, its hunks, and what there is to say of them."""
        self.files.put_row(row)
        if row.kind != "absent":
            # A look that found nothing there says nothing about a file that has come since.
            self.database.run("delete from looks where path = ? and signature = '[]'", column(row.path))
        self.tellings.put_file(row)

    def drop_file(self, number: int) -> None:
        """Forget a file, its hunks, and what there was to say of them."""
        self.tellings.drop_file(number)
        self.files.drop(number)

    def looks(self) -> dict[str, list[int]]:
        """For each path, what its signature was when its bytes were last read, and when that was."""
        found = self.database.rows("select path, signature from looks")
        return {text_of(name): load(value) for name, value in found}

    def put_looks(self, looks: Iterable[tuple[str, list[int] | None]]) -> None:
        """Remember signatures; None forgets one."""
        for path, signature in looks:
            if signature is None:
                self.database.run("delete from looks where path = ?", column(path))
            else:
                self.database.run(
                    "insert or replace into looks values (?, ?)", column(path), json.dumps(signature)
                )

    def verify(self) -> list[str]:
        """What SQLite finds wrong with its file."""
        return self.database.wrong()
