"""What each conversation was told of its hunks, what it should have heard, and for whom that may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from blueline.journal.database import Database
from blueline.journal.tables import column, text_of
from blueline.model.ids import NOTE

if TYPE_CHECKING:
    from blueline.journal.rows import FileRow

UNTOLD = "pending"
"""What a conversation takes for granted of a hunk of its own."""


class TellingRow(NamedTuple):
    """A hunk of which a conversation has to hear something."""

    hunk: str
    """Or the id of a note."""
    file: int | None
    """None for a note."""
    op: int
    told: str
    now: str


class Tellings:
    """The words for every hunk and note that somebody has to hear of."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put_file(self, row: FileRow) -> None:
        """What differs from before; of a hunk that nobody answered yet, nothing is kept."""
        if row.folded:
            query = "delete from tellings where file = ? and op between 1 and ?"
            self._database.run(query, row.id, row.folded)
        known = {(hunk, name): now for hunk, name, now in self._of(row.id)}
        heard = {hears: hunk.op for hunk in row.hunks for hears in hunk.hears}
        names = {conversation: column(conversation) for _, conversation, _ in heard}
        new = [
            (whole, names[conversation], row.id, op, UNTOLD, word)
            for (whole, conversation, word), op in heard.items()
            if known.get((whole, names[conversation]), UNTOLD) != word
        ]
        self._database.run_each(
            """insert into tellings values (?, ?, ?, ?, ?, ?)
               on conflict (hunk, conversation) do update set file = ?3, op = ?4, now = ?6""",
            new,
        )
        for name in {name for _, name, *_ in new}:
            self._await(name)

    def put_note(self, number: int, conversation: str, word: str) -> None:
        """What a conversation should have heard of a note; nothing new if `word` is empty."""
        self._database.run(
            """insert into tellings values (?, ?, null, 0, ?, ?) on conflict (hunk, conversation)
               do update set op = 0, now = coalesce(nullif(?5, ''), told)""",
            *(NOTE.id(number), column(conversation), UNTOLD, word or UNTOLD, word),
        )
        self._await(column(conversation))

    def put_told(self, conversation: str, told: dict[str, str]) -> None:
        """A conversation has heard this of its hunks."""
        for hunk, word in told.items():
            # A hunk without an entry is as it was made; one that is not known any more was purged.
            found = self._database.rows(
                "select file, op from hunks where id = ?1 or (id > ?1 || '.' and id < ?1 || '/') limit 1",
                hunk,
            )
            file, op, now = (*found[0], UNTOLD) if found else (None, None, None)
            self._database.run(
                """insert into tellings values (?, ?, ?, ?, ?, ?)
                   on conflict (hunk, conversation) do update set told = ?5""",
                *(hunk, column(conversation), file, op, word, now),
            )
        self._await(column(conversation))

    def drop_file(self, number: int) -> None:
        """Forget what there was to say of a file."""
        for _, name, _ in self._of(number):
            self._await(name)
        self._database.run("delete from tellings where file = ?", number)

    def waiting(self) -> list[tuple[str, list[TellingRow]]] | None:
        """Conversations for which there may be something else to say than there was, and what each has to
        hear; None if the index is new, so that what was written down to be said may be about anything."""
        if not self._database.rows("select 1 from meta where key = 'replies'"):
            return None
        query = "select conversation from listeners where waiting order by conversation"
        return [(text_of(name), self._due(name)) for (name,) in self._database.rows(query)]

    def begin(self) -> None:
        """Nothing that an earlier index had written down to be said is left."""
        self._database.run("insert or replace into meta values ('replies', 'true')")

    def _due(self, name: str) -> list[TellingRow]:
        """What a conversation has to hear, oldest first."""
        query = """select hunk, file, op, told, now from tellings
                   where conversation = ? and now <> told order by op, hunk"""
        return [TellingRow(*row) for row in self._database.rows(query, name)]

    def prepared(self, conversation: str) -> None:
        """What there is to say to a conversation is written down."""
        self._database.run("insert or replace into listeners values (?, 0)", column(conversation))

    def unprepared(self) -> None:
        """Nothing that was written down to be said can be counted on."""
        self._database.run("update listeners set waiting = 1")

    def _of(self, file: int) -> list[Any]:
        return self._database.rows("select hunk, conversation, now from tellings where file = ?", file)

    def _await(self, name: object) -> None:
        self._database.run("insert or replace into listeners values (?, 1)", name)
