"""What a selection of lines touches: rule B5, each in a short history."""

from __future__ import annotations

from tests.review.histories import POEM
from tests.support.history import History, agent, check, person, reject

# B5: what a range of lines touches


def test_some_lines_of_a_hunk_go_back() -> None:  # P01
    new = [f"new {number}\n" for number in range(1, 9)]
    check(
        "top\nend\n",
        [agent("".join(["top\n", *new, "end\n"])), reject((4, 6))],
        expect="".join(["top\n", *new[:2], *new[5:], "end\n"]),
        pending=[("", "".join(new[:2])), ("", "".join(new[5:]))],
    )


def test_a_deletion_goes_with_the_first_line_of_what_replaced_it() -> None:
    check(
        "top\nold old\nend\n",
        [agent("top\nalpha\nbravo\nend\n"), reject((3, 3))],
        expect="top\nalpha\nend\n",
    )
    check(
        "top\nold old\nend\n",
        [agent("top\nalpha\nbravo\nend\n"), reject((2, 2))],
        expect="top\nold old\nbravo\nend\n",
    )


def test_a_bare_deletion_stands_on_the_line_before_it() -> None:
    deleted = POEM.replace("line 3\n", "")
    check(POEM, [agent(deleted), reject((2, 2))], expect=POEM)
    check(POEM, [agent(deleted), reject((3, 3))], expect=deleted)


def test_a_bare_deletion_at_the_top_stands_on_the_first_line() -> None:
    check("one\ntwo\n", [agent("two\n"), reject((1, 1))], expect="one\ntwo\n")
    check("one\n", [agent(""), reject((1, 1))], expect="one\n")


def test_a_range_never_touches_what_a_person_typed() -> None:  # P05
    check(
        "top\nend\n",
        [agent("top\na 1\nend\n"), person("top\na 1\nmine\nend\n"), reject((1, 9))],
        expect="top\nmine\nend\n",
    )


def test_a_range_without_anything_pending_selects_nothing() -> None:  # P04
    history = History(POEM)
    history.agent(POEM.replace("line 3\n", "THREE\n"))
    assert history.lines(5, 6) == []
    assert history.decide("reject", []).files == []
