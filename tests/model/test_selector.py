"""What a word may mean, in the order in which it is tried."""

import pytest

from blueline.model.ids import CALL, DECISION, TURN
from blueline.model.selector import (
    RECORDS,
    CellSelector,
    HunkPrefix,
    HunkSelector,
    LinesSelector,
    NumberSelector,
    PathSelector,
    Selector,
    readings,
)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("t2", [NumberSelector(TURN, 2), PathSelector("t2")]),
        ("./t2", [PathSelector("./t2")]),
        ("c10", [NumberSelector(CALL, 10), PathSelector("c10")]),
        ("h0123abcd", [HunkSelector("h0123abcd"), PathSelector("h0123abcd")]),
        ("h012", [PathSelector("h012"), HunkPrefix("h012")]),
        ("h0123abcd.12", [PathSelector("h0123abcd.12"), HunkPrefix("h0123abcd.12")]),
        ("h", [PathSelector("h")]),
        ("a.py", [PathSelector("a.py")]),
        ("a.py:7", [PathSelector("a.py:7"), LinesSelector("a.py", 7, 7)]),
        ("a:b:7-9", [PathSelector("a:b:7-9"), LinesSelector("a:b", 7, 9)]),
        ("a.py:0", [PathSelector("a.py:0"), LinesSelector("a.py", 0, 0)]),
        ("t2:3", [PathSelector("t2:3"), LinesSelector("t2", 3, 3)]),
        ("n.ipynb#load", [PathSelector("n.ipynb#load"), CellSelector("n.ipynb", "load", None)]),
        (
            "n.ipynb#3:2-4",
            [
                PathSelector("n.ipynb#3:2-4"),
                LinesSelector("n.ipynb#3", 2, 4),
                CellSelector("n.ipynb", "3", (2, 4)),
            ],
        ),
        ("a\nb:1", [PathSelector("a\nb:1"), LinesSelector("a\nb", 1, 1)]),
        ("", []),
    ],
)
def test_an_id_before_a_path_before_lines_before_a_cell(typed: str, expected: list[Selector]) -> None:
    assert [*readings(typed)] == expected


def test_decisions_are_looked_at_and_not_decided_about() -> None:
    assert [*readings("d3")] == [PathSelector("d3")]
    assert [*readings("d3", RECORDS)] == [NumberSelector(DECISION, 3), PathSelector("d3")]


@pytest.mark.parametrize("typed", ["t%s", "a.py:%s", "a.py:1-%s", "a.py:%s-%s", "n.ipynb#a:%s"])
def test_a_number_that_nothing_can_have_is_part_of_a_name(typed: str) -> None:
    word = typed.replace("%s", "9" * 5000)
    assert not any(
        isinstance(one, NumberSelector | LinesSelector) or (isinstance(one, CellSelector) and one.lines)
        for one in readings(word, RECORDS)
    )
