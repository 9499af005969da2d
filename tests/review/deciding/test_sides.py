"""What a hunk shows: rule A8, each in a short history."""

from __future__ import annotations

from tests.support.history import agent, check


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
