"""What the journal says, looked up fast: an SQLite file that can be deleted at any time.

It holds plain documents, knows nothing of their meaning, and is written by one process at a time, which holds
the project's lock. Whatever is wrong with it, the answer is to build it anew.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cached_property
from itertools import groupby

from blueline.contract import VERSION
from blueline.journal.database import Database, IndexDamaged, IndexUnwritable, remove, unwritable
from blueline.journal.decision_table import DecisionTable
from blueline.journal.file_table import FileTable
from blueline.journal.tables import Table, column, load, text_of

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any

    from _typeshed import StrPath

    from blueline.contract.stored import StoredCall, StoredNote, StoredSubagent, StoredTurn
    from blueline.journal.rows import IndexRow
    from blueline.journal.screens import Screens
    from blueline.journal.tellings import Tellings

__all__ = ["Index", "IndexDamaged", "IndexState", "IndexUnwritable", "new_index", "open_index"]

_SCHEMA = """
create table meta (key text primary key, value text not null) without rowid;
create table turns (id integer primary key, running integer not null, agent text not null,
                    conversation text not null, doc text not null);
create index turns_by_running on turns (running) where running = 1;
create index turns_by_conversation on turns (conversation);
create index turns_by_agent on turns (agent);
create table subagents (id integer primary key, turn integer not null, key text not null,
                        open integer not null, doc text not null);
create index subagents_by_turn on subagents (turn);
create index subagents_by_key on subagents (key);
create index subagents_by_open on subagents (open) where open = 1;
create table calls (id integer primary key, turn integer not null, subagent integer, key text not null,
                    path text, open integer not null, tool text not null, doubtful integer not null,
                    doc text not null);
create index calls_by_subagent on calls (subagent) where subagent is not null;
create index calls_by_key on calls (key);
create index calls_by_turn on calls (turn);
create index calls_by_path on calls (path);
create index calls_by_open on calls (open) where open = 1;
create index calls_by_doubtful on calls (doubtful) where doubtful = 1;
create table decisions (id integer primary key, finished integer not null, whole_turns integer not null,
                        stands integer not null, by_nobody integer not null, put_off integer not null,
                        turned integer, at text not null, request text not null, doc text not null);
create index decisions_by_finished on decisions (finished) where finished = 0;
create index decisions_by_nobody on decisions (by_nobody) where by_nobody = 1;
create index decisions_by_put_off on decisions (put_off) where put_off = 1;
create index decisions_by_turned on decisions (turned) where turned is not null;
create index decisions_by_time on decisions (at);
create index decisions_by_request on decisions (request) where request <> '';
create table files (id integer primary key, path text not null, kind text not null,
                    undecided integer not null, places text not null, doc text not null);
create index files_by_path on files (path);
create table operations (op integer not null, file integer not null, call integer not null,
                         hunk integer not null, primary key (op, call)) without rowid;
create index operations_by_call on operations (call);
create index operations_by_file on operations (file, op, hunk);
create index operations_by_hunk on operations (hunk);
create table hunks (file integer not null, op integer not null, id text not null, call integer,
                    turn integer, path text not null, line integer not null, status text not null,
                    listed integer not null, exchanged text, doc text not null,
                    primary key (file, op, id)) without rowid;
create unique index hunks_by_id on hunks (id);
create index hunks_by_turn on hunks (turn);
create index hunks_by_call on hunks (call, op);
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


class IndexState:
    """What an index knows: how far the journal was read, the last numbers given out, what has not ended."""

    def __init__(
        self,
        *,
        cursor: int,
        event: tuple[int, str] | None,
        counters: dict[str, int],
        turns: list[int],
        subagents: list[int],
        calls: list[int],
        decisions: list[int],
        git: tuple[str, str],
    ) -> None:
        self.cursor, self.event = cursor, event
        self.counters = counters
        self.turns, self.subagents = turns, subagents
        self.calls, self.decisions = calls, decisions
        self.git = git
        """The current commit and the stash, when they were last looked at."""


def open_index(path: Path) -> tuple[Index, IndexState]:
    """The index, and what it knows. In the place of one that is no use: as it was at the last checkpoint, if
    that is; else a new one."""
    with suppress(IndexDamaged):
        if path.exists():
            return _opened(path)
    from blueline.journal import checkpoint  # only who has lost an index needs it

    if checkpoint.restore(path):
        with suppress(IndexDamaged):
            index, _ = _opened(path)
            index.forget_replies()
            return index, index.state()
    return new_index(path)


def new_index(path: Path) -> tuple[Index, IndexState]:
    """An index that knows nothing; nor does any checkpoint count from now on. If not even that one is in
    order, it is the disk that is not."""
    from blueline.journal import checkpoint  # as above

    checkpoint.discard(path)
    remove(path)
    try:
        return _opened(path)
    except IndexDamaged as error:
        raise unwritable(str(error), os.fspath(path)) from error


def _opened(path: Path) -> tuple[Index, IndexState]:
    index = Index(path)
    try:
        return index, index.state()
    except IndexDamaged:
        index.close()
        raise


class Index:
    """The tables of one project, and what is kept beside them."""

    def __init__(self, path: StrPath) -> None:
        self.database = Database(path, _SCHEMA, VERSION)
        self.turns: Table[StoredTurn] = Table(self.database, "turns")
        self.subagents: Table[StoredSubagent] = Table(self.database, "subagents")
        self.calls: Table[StoredCall] = Table(self.database, "calls")
        self.decisions = DecisionTable(self.database)
        self.notes: Table[StoredNote] = Table(self.database, "notes")
        self._tables: dict[str, Table[Any]] = {
            "turns": self.turns,
            "subagents": self.subagents,
            "calls": self.calls,
            "decisions": self.decisions,
            "notes": self.notes,
        }
        self.files = FileTable(self.database)

    @cached_property
    def path(self) -> Path:
        from pathlib import Path  # who only reads has no use for it, and it takes long to load

        return Path(self.database.path)

    @cached_property
    def tellings(self) -> Tellings:
        """What conversations were told, and have to hear."""
        from blueline.journal.tellings import Tellings  # a list has no use for it

        return Tellings(self.database)

    @cached_property
    def screens(self) -> Screens:
        """What only the screens of the workbench, and some reports, ask for."""
        from blueline.journal.screens import Screens  # as above

        return Screens(self.database)

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def forget_replies(self) -> None:
        """It was put back: what was laid out for agents to hear then does not count. What files looked like
        does, as in any index that is older than the journal: see `Store.save`."""
        with self.saving():
            self.database.run("delete from meta where key = 'replies'")

    def saving(self) -> AbstractContextManager[None]:
        """All that is put inside becomes true at once, or not at all."""
        return self.database.saving()

    def state(self) -> IndexState:
        """What was kept when it was last saved."""
        kept = {key: load(value) for key, value in self.database.rows("select key, value from meta")}
        try:
            event = None if kept.get("anchor") is None else (int(kept["anchor"][0]), str(kept["anchor"][1]))
            return IndexState(
                cursor=int(kept.get("cursor") or 0),
                event=event,
                counters={name: int(value) for name, value in (kept.get("counters") or {}).items()},
                turns=self.turns.numbers(running=True),
                subagents=self.subagents.numbers(open=True),
                calls=self.calls.numbers(open=True),
                decisions=self.decisions.numbers(finished=False),
                git=(str((kept.get("git") or ("", ""))[0]), str((kept.get("git") or ("", ""))[1])),
            )
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            raise IndexDamaged(f"it does not say what it knows: {error}") from error

    def save(
        self,
        batches: Iterable[Sequence[IndexRow]],
        *,
        cursor: int,
        event: tuple[int, str] | None,
        counters: dict[str, int],
        git: tuple[str, str] = ("", ""),
        looks: Iterable[tuple[str, list[int] | None]] = (),
    ) -> None:
        """Keep what is new, and how far the journal was read for it: all of it or nothing."""
        kept = {"cursor": cursor, "anchor": event, "counters": counters, "git": git}
        with self.database.saving():
            for rows in batches:
                for table, some in groupby(rows, lambda row: getattr(row, "table", "")):
                    self._put_some(table, [*some])
            self.database.run_each(
                "insert or replace into meta values (?, ?)",
                [(key, json.dumps(value)) for key, value in kept.items()],
            )
            self._put_looks(looks)

    def _put_some(self, table: str, rows: Sequence[IndexRow]) -> None:
        """Rows of one table in one go; others, which have to do with more than one, each by itself."""
        from blueline.journal.rows import TableRow  # who only reads has no use for them

        if table:
            plain = [row for row in rows if isinstance(row, TableRow)]
            self._tables[table].put_each([(row.number, row.document, row.columns) for row in plain])
        else:
            for row in rows:
                self._put(row)

    def _put(self, row: IndexRow) -> None:
        from blueline.journal.rows import DroppedFile, FileRow, NoteRow, TableRow

        match row:
            case TableRow():
                self._put_some(row.table, [row])
            case NoteRow():
                self._put(row.row)
                if row.conversation:
                    self.tellings.put_note(row.row.number, row.conversation, row.word)
            case FileRow():
                self.files.put_row(row)
                if row.kind != "absent":
                    # A look that found nothing there says nothing about a file that has come since.
                    query = "delete from looks where path = ? and signature = '[]'"
                    self.database.run(query, column(row.path))
                self.tellings.put_file(row)
            case DroppedFile():
                self.tellings.drop_file(row.number)
                self.files.drop(row.number)

    def looks(self, paths: Iterable[str] | None = None) -> dict[str, list[int]]:
        """For each path, or some, what its signature was when its bytes were last read, and when that was."""
        query = "select path, signature from looks"
        if paths is None:
            found = self.database.rows(query)
        else:
            each = (self.database.rows(f"{query} where path = ?", column(path)) for path in paths)
            found = [row for rows in each for row in rows]
        # One document: loading each by itself takes three times as long.
        every = load(f"[{','.join(value for _, value in found)}]") if found else []
        return {text_of(name): value for (name, _), value in zip(found, every, strict=True)}

    def _put_looks(self, looks: Iterable[tuple[str, list[int] | None]]) -> None:
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
