"""Documents by number: put one by one or many at once, and found by what their columns hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from blueline.journal.database import Database
from blueline.journal.tables import MOST_ASKED, Table

SCHEMA = """create table things (id integer primary key, key text not null, open integer not null, doc text);
            create index things_by_key on things (key);
            create index things_by_open on things (open) where open = 1;"""
ODD = ["", "a\\b", "naïve", "\udcff", "a'b", "?"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table[dict[str, int]]]:
    database = Database(tmp_path / "index.sqlite", SCHEMA, 1)
    made: Table[dict[str, int]] = Table(database, "things")
    with database.saving():
        made.put_each([(n, {"n": n}, {"key": f"k{n % 700}", "open": n % 3 == 0}) for n in range(1, 1000)])
        for number, key in enumerate(ODD, 2000):
            made.put(number, {"n": number}, key=key, open=False)
    yield made
    database.close()


def test_many_are_put_as_each_would_be(table: Table[dict[str, int]]) -> None:
    assert table.get(7) == {"n": 7}
    assert table.get(2002) == {"n": 2002}
    assert table.get(1000) is None
    assert table.last(key="k5") == 705


def test_the_last_of_each_is_the_last_of_one_by_one(table: Table[dict[str, int]]) -> None:
    asked = [*ODD, *(f"k{n}" for n in range(710))]
    assert len(asked) > MOST_ASKED
    found = table.last_each("key", asked)
    assert found == {key: table.last(key=key) for key in asked}
    assert found["k705"] is None
    assert table.last_each("key", []) == {}


@pytest.mark.parametrize("is_open", [True, False])
def test_yes_and_no_are_found_with_or_without_an_index(table: Table[dict[str, int]], is_open: bool) -> None:
    expected = [n for n in range(1, 1000) if (n % 3 == 0) is is_open]
    assert table.numbers(open=is_open) == (expected if is_open else [*expected, *range(2000, 2006)])
    assert table.last(open=is_open, key="k6") == (6 if is_open else 706)
    assert [one["n"] for one in table.scan(open=True, key="k9")] == [9]
