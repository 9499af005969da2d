"""What a hunk shows: rule A8, each in a short history; and that nothing is shown that did not happen."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from blueline.model.dependents import Dependents
from tests.support.history import History, agent, check
from tests.support.shown_changes import (
    is_accepted_whole,
    rejected,
    reversed_by_git,
    shown_changes,
    without,
)
from tests.support.texts import TEXTS

STEPS = st.tuples(st.sampled_from(("agent", "person")), TEXTS) | st.tuples(
    st.sampled_from(("accept", "reject", "with", "keep", "undo")), st.integers(0, 5)
)
"""Somebody leaves a text; or a hunk, or a decision, that is named by a number, gets an answer."""


def test_a_hunk_that_was_rewritten_shows_no_new_text() -> None:
    check(
        "top\nold\nend\n",
        [agent("top\nfirst version\nend\n"), agent("top\nsecond try\nend\n")],
        expect="top\nsecond try\nend\n",
        pending=[("", "second try\n"), ("old\n", "")],
    )


def test_a_held_hunk_shows_the_text_as_if_it_alone_were_accepted() -> None:
    check(
        "one\ntwo\n",
        [agent("ONE\ntwo\n", held=True), agent("one\nTWO\n", held=True)],
        expect="one\ntwo\n",
        pending=[("one\n", "ONE\n"), ("two\n", "TWO\n")],
    )


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        (
            "a = 1\nb = 2\nc = 3\n",
            "if x:\n    a = 1\n    b = 2\nc = 3\n",
            "a = 1\nb = 2\n",
            "if x:\n    a = 1\n    b = 2\n",
        ),
        ("x\n}\ny\n", "z\n  }\ny\n", "x\n}\n", "z\n  }\n"),
        ("aa bb\ncc dd\nz\n", "aa bb cc dd\nz\n", "aa bb\ncc dd\n", "aa bb cc dd\n"),
        ("aa bb cc dd\nz\n", "aa bb\ncc dd\nz\n", "aa bb cc dd\n", "aa bb\ncc dd\n"),
    ],
    ids=["indented", "closing bracket", "joined", "split"],
)
def test_a_line_is_shown_with_what_became_of_it(before: str, after: str, old: str, new: str) -> None:
    check(before, [agent(after)], expect=after, pending=[(old, new)])


@given(TEXTS, TEXTS)
def test_what_is_shown_of_one_call_is_what_changed(before: str, after: str) -> None:
    history = History(before)
    history.agent(after)
    assert without(before, after, shown_changes(history.file)) == before


BLANK = "a\n\nb\na b\n(a)\nab\nb a\n a\n"
"""And a word with blank lines after it: nothing of it is found again but a blank line in the middle."""


@given(TEXTS, TEXTS)
@example(BLANK, "ä.\n\n\n\n\n")
def test_accepting_what_is_shown_leaves_nothing_of_it(before: str, after: str) -> None:  # R08
    history = History(before)
    history.agent(after)
    assert all(is_accepted_whole(history.file, change.hunk) for change in shown_changes(history.file))


@given(before=TEXTS, after=TEXTS)
def test_git_takes_back_what_is_shown_as_a_reject_does(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str
) -> None:
    history = History(before)
    history.agent(after)
    folder = tmp_path_factory.mktemp("git")
    changes = shown_changes(history.file)
    # What changes nothing but line ends is one hunk, with others in the middle of it.
    assume(not any(change.hunk.endings for change in changes))
    for change in changes:
        assert reversed_by_git(folder, after, change) == rejected(history.file, change.hunk)


@given(TEXTS, st.lists(STEPS, max_size=8))
def test_what_is_shown_of_a_history_is_what_changed(before: str, steps: list[tuple[str, str | int]]) -> None:
    history = History(before)
    for who, what in steps:
        taken(history, who, what)
        live, agreed = history.text, history.agreed
        assert live is not None
        assert agreed is not None
        assert without(agreed, live, shown_changes(history.file)) == agreed


def taken(history: History, who: str, what: str | int) -> None:
    if who == "agent":
        history.agent(str(what))
    elif who == "person":
        history.person(str(what))
    elif who == "undo" and history.decision:
        history.turn(int(what) % history.decision + 1, stands=False)
    elif who != "undo" and (found := history.hunks()):
        dependents: Dependents = "with" if who == "with" else "keep" if who == "keep" else "ask"
        seen = found[int(what) % len(found)]
        history.decide("accept" if who == "accept" else "reject", seen.hunk.pieces, dependents=dependents)


@pytest.mark.parametrize("by", ["person", "agent"])
def test_what_took_the_place_of_an_accepted_hunk_did_not_stand_there_before(by: str) -> None:  # D1
    history = History("timeout = 30\n")
    history.agent("timeout = 60\n")
    (history.person if by == "person" else history.agent)("timeout = 45\n")
    history.decide("accept", history.everything())
    shown = [seen.old for seen in history.hunks(("accepted",)) if seen.hunk.operation.number == 1]
    assert shown == ["timeout = 30\n"]
