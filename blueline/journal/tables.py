"""Documents by number, in a table of the index, with columns to find them by."""

from __future__ import annotations

import functools
import json
from types import GenericAlias

from blueline.journal.database import Database, IndexDamaged

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Generic, TypeVar

    Kept = TypeVar("Kept")
    Made = TypeVar("Made")
else:

    class Generic:
        """In the place of the one that is for types alone."""

        __class_getitem__ = classmethod(GenericAlias)


MOST_ASKED = 500
"""Values in one question."""


class Table(Generic["Kept"]):
    """One table: a number, some columns, and a document that the columns repeat a part of."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name

    def get(self, number: int) -> Kept | None:
        """The document with a number."""
        found: list[Kept] = documents(self._database, f"select doc from {self._name} where id = ?", number)
        return found[0] if found else None

    def made(self, make: Callable[[Kept], Made], number: int) -> Made | None:
        """What is made of the document with a number."""
        document = self.get(number)
        try:
            return None if document is None else make(document)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise IndexDamaged(f"not a document of {self._name}: {error}") from error

    def put(self, number: int, document: Any, **columns: object) -> None:
        """Keep a document, in the place of an earlier one."""
        self.put_each([(number, document, columns)])

    def put_each(self, rows: Sequence[tuple[int, Any, Mapping[str, object]]]) -> None:
        """The same for several numbers, with their documents; all have the same columns."""
        columns = rows[0][2]
        names = ", ".join(("id", *columns, "doc"))
        marks = ", ".join("?" for _ in range(len(columns) + 2))
        self._database.run_each(
            f"insert or replace into {self._name} ({names}) values ({marks})",
            [(number, *map(column, known.values()), dump(document)) for number, document, known in rows],
        )

    def scan(self, **columns: object) -> list[Kept]:
        """All documents whose columns hold this, oldest first."""
        where, values = _where(columns)
        return documents(self._database, f"select doc from {self._name}{where} order by id", *values)

    def numbers(self, **columns: object) -> list[int]:
        """As `scan`, but the numbers of the rows alone."""
        where, values = _where(columns)
        found = self._database.rows(f"select id from {self._name}{where} order by id", *values)
        return [number for (number,) in found]

    def last(self, **columns: object) -> int | None:
        """The highest of their numbers."""
        where, values = _where(columns)
        ((number,),) = self._database.rows(f"select max(id) from {self._name}{where}", *values)
        return None if number is None else int(number)

    def last_each(self, name: str, values: Iterable[str]) -> dict[str, int | None]:
        """For each of some texts that a column may hold, the highest number; None if there is none."""
        found: dict[str, int | None] = dict.fromkeys(values)
        asked = [*map(column, found)]
        for at in range(0, len(asked), MOST_ASKED):
            some = asked[at : at + MOST_ASKED]
            where = f"{name} in ({', '.join('?' for _ in some)}) group by {name}"
            rows = self._database.rows(f"select {name}, max(id) from {self._name} where {where}", *some)
            found.update((text_of(value), number) for value, number in rows)
        return found


def _where(columns: dict[str, object]) -> tuple[str, list[object]]:
    """Yes and no are said in the query itself: then SQLite knows that an index of the few others will do."""
    where = " and ".join(
        f"{name} = {value:d}" if isinstance(value, bool) else f"{name} = ?" for name, value in columns.items()
    )
    values = [column(value) for value in columns.values() if not isinstance(value, bool)]
    return (f" where {where}" if where else ""), values


def documents(database: Database, query: str, *values: object) -> list[Any]:
    """Each row's one column, as a document."""
    return loaded(database.rows(query, *values))


def loaded(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The first column of each row, as a document."""
    # One document: loading a thousand small ones takes three times as long.
    found: list[Any] = load("[" + ",".join([row[0] for row in rows]) + "]") if rows else []
    return found


def dump(document: Any) -> str:
    """A document as text. Values that events hold as well stand in it as they do in the journal."""
    return _encoder().encode(document)


@functools.cache
def _encoder() -> json.JSONEncoder:
    """One for all: of thousands of small documents, making it would take longer than using it."""
    from blueline.journal.event_bytes import plain  # who only reads has no use for all kinds of events

    return json.JSONEncoder(separators=(",", ":"), default=plain, check_circular=False)


def load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise IndexDamaged(f"not JSON: {error}") from error


def column(value: object) -> object:
    """A value as SQLite takes it: bytes that are not UTF-8 are lone surrogates, which it refuses."""
    if not isinstance(value, str) or (value.isascii() and "\\" not in value):
        return value
    return json.dumps(value)[1:-1]


def text_of(found: str) -> str:
    """The reverse of `column`, of a text."""
    return str(json.loads(f'"{found}"')) if "\\" in found else found
