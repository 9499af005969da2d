"""Who builds on whom: rules B1 and B3, each in a short history."""

from __future__ import annotations

from tests.review.histories import POEM, built_inside, rewritten
from tests.support.history import History

# B1: accepting includes what it builds on, whole hunks of it


def test_accepting_a_rewrite_accepts_what_it_rewrote() -> None:
    history = rewritten()
    history.decide("accept", history.call(2))
    assert history.everything() == []
    assert history.agreed == history.text == POEM.replace("line 3\n", "second try\n")


def test_accepting_leaves_alone_what_was_rejected() -> None:
    history = built_inside()
    history.decide("reject", history.call(1), dependents="keep")
    history.decide("accept", history.call(2))
    assert history.agreed == history.text == "top\nb\nend\n"


# B2: rejecting what others build on


def test_rejecting_what_others_build_on_asks_and_does_nothing() -> None:  # D02
    history = rewritten()
    planned = history.decide("reject", history.call(1))
    (need,) = planned.needs
    assert len(need.built_on_by) == 1
    assert history.text == POEM.replace("line 3\n", "second try\n")


def test_what_a_person_typed_inside_is_kept_without_asking() -> None:
    history = History("top\nend\n")
    history.agent("top\na 1\na 2\nend\n")
    history.person("top\na 1\nmine\na 2\nend\n")
    planned = history.decide("reject", history.everything())
    assert [(kept.line, kept.text) for kept in planned.kept] == [(2, "mine")]
    assert history.text == "top\nmine\nend\n"


def test_two_calls_apart_do_not_ask_about_each_other() -> None:  # D03, M01
    history = History(POEM)
    history.agent(POEM.replace("line 2\n", "TWO\n"))
    history.agent(POEM.replace("line 2\n", "TWO\n").replace("line 5\n", "FIVE\n"), conversation="two")
    history.decide("reject", history.call(1))
    assert history.text == POEM.replace("line 5\n", "FIVE\n")


# B3: when a range of lines asks


def test_a_range_of_lines_asks_only_about_what_stands_between_its_characters() -> None:
    history = built_inside()
    assert history.decide("reject", history.lines(2, 2)).needs == []
    assert history.text == "top\nb\na 2\nend\n"
    history = built_inside()
    assert history.decide("reject", history.lines(2, 4)).needs == []
    history = History("top\nend\n")
    history.agent("top\none two\nend\n")
    history.agent("top\none b two\nend\n", conversation="two")
    words = [piece for piece in history.lines(2, 2) if piece.op == 1]
    assert history.decide("reject", words).needs
