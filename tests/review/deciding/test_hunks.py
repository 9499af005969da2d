"""What a hunk is: rules A7 to A9, each in a short history."""

from __future__ import annotations

from tests.support.history import History, accept, agent, check, reject, undo

# A7: what a hunk is


def test_a_hunk_is_fixed_whatever_is_typed_into_it() -> None:
    history = History("1\n2\n3\n4\n5\n")
    history.agent("1\ntwo\nthree\nfour\n5\n")
    (before,) = history.hunks()
    history.person("1\ntwo\nmine\nthree\nfour\n5\n")
    (after,) = history.hunks()
    assert after.hunk.id == before.hunk.id


def test_a_decision_about_a_part_splits_a_hunk_and_undo_makes_it_whole() -> None:  # P01
    history = History("top\nend\n")
    history.agent("top\n1\n2\n3\nend\n")
    (whole,) = history.hunks()
    history.decide("reject", history.lines(3, 3))
    parts = history.hunks()
    assert [seen.new for seen in parts] == ["1\n", "3\n"]
    assert all(seen.hunk.id.startswith(f"{whole.hunk.id}.") for seen in parts)
    history.turn(history.decision, stands=False)
    assert [seen.hunk.id for seen in history.hunks()] == [whole.hunk.id]


def test_a_part_is_called_the_same_whatever_formatting_joins_it() -> None:  # D2 (b)
    history = History("top\nend\n")
    history.agent("top\na=1\nb=2\nc=3\nend\n")
    history.decide("reject", history.lines(3, 3))
    before = [seen.hunk.id for seen in history.hunks()]
    history.person("top\na = 1\nc=3\nend\n")
    assert [(seen.hunk.id, seen.new) for seen in history.hunks()] == [
        (before[0], "a = 1\n"),
        (before[1], "c=3\n"),
    ]


# A8: what a hunk shows


def test_two_calls_in_one_line_are_two_hunks_that_show_the_same_line() -> None:
    check(
        "one two three\n",
        [agent("ONE two three\n"), agent("ONE two THREE\n")],
        expect="ONE two THREE\n",
        pending=[("one two three\n", "ONE two THREE\n"), ("one two three\n", "ONE two THREE\n")],
    )


# A9: pieces that show nowhere


def test_what_came_and_went_is_not_listed_and_goes_along() -> None:
    check(
        "top\nend\n",
        [agent("top\nfirst\nend\n"), agent("top\nend\n")],
        expect="top\nend\n",
        pending=[],
    )
    check(
        "top\nend\n",
        [agent("top\nfirst\nend\n"), agent("top\nend\n"), reject(), undo(1), accept()],
        expect="top\nend\n",
        agreed="top\nend\n",
    )
