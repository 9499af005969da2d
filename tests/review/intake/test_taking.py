"""What an observation becomes: rules A11 to A14, each in a short history."""

from __future__ import annotations

from tests.review.histories import POEM, THREE
from tests.support.history import History, agent, check, person, redo, reject, undo

# Rule A11: bytes are a list of settings


def test_bytes_that_are_not_text_go_back_step_by_step() -> None:  # F14
    history = History(b"\0one")
    history.agent(b"\0two")
    history.agent(b"\0three")
    first, second = (history.call(number) for number in (1, 2))
    assert history.decide("reject", first).needs
    assert history.content == b"\0three"
    history.decide("reject", second)
    assert history.content == b"\0two"
    history.decide("reject", first)
    assert history.content == b"\0one"


# Rule A12: a created file into which a person typed


def test_a_created_file_goes() -> None:  # F01
    check(None, [agent("one\ntwo\n"), reject()], expect=None)


def test_a_created_file_keeps_what_a_person_typed_into_it() -> None:
    check(None, [agent("one\ntwo\n"), person("one\nmine\ntwo\n"), reject()], expect="mine\n")


def test_a_created_file_that_was_taken_back_comes_again() -> None:  # H07
    check(None, [agent("one\n"), reject(), undo(1)], expect="one\n", pending=[("", "one\n")])
    check(None, [agent("one\n"), reject(), undo(1), redo(1)], expect=None, pending=[])


# Rule A13: a file that is gone


def test_what_is_undecided_in_a_file_that_was_deleted_is_not_asked_about() -> None:  # F11
    check(POEM, [agent(THREE), person(None)], expect=None, pending=[])
    check(POEM, [agent(THREE), person(None), reject()], expect=None, pending=[])


def test_a_file_that_returns_brings_what_was_undecided_in_it() -> None:  # F11
    check(POEM, [agent(THREE), person(None), person(THREE)], expect=THREE, pending=[("line 3\n", "THREE\n")])


def test_a_file_written_anew_has_nothing_to_do_with_what_was_there() -> None:
    check(POEM, [agent(None), person("mine\n"), reject()], expect="mine\n")


# Rule A14: all in a file builds on what created it


def test_accepting_an_edit_of_a_new_file_accepts_the_file() -> None:
    history = History(None)
    history.agent("one\n")
    history.agent("one\ntwo\n")
    history.decide("accept", history.call(2))
    assert history.agreed == "one\ntwo\n"


def test_rejecting_a_new_file_asks_about_its_edits() -> None:
    history = History(None)
    history.agent("one\n")
    history.agent("one\ntwo\n")
    assert [need.why for need in history.decide("reject", history.call(1)).needs] == [""]
    assert history.text == "one\ntwo\n"


def test_accepting_that_a_file_goes_accepts_what_is_undecided_in_it() -> None:
    history = History(POEM)
    history.agent(THREE)
    history.agent(None)
    history.decide("accept", history.call(2))
    assert history.everything() == []
    assert history.agreed is None


# A block that is cut and pasted


def test_a_block_that_was_moved_is_still_the_agents() -> None:  # A12
    history = check(
        "top\nmiddle\nend\n",
        [agent("top\nagent 1\nagent 2\nmiddle\nend\n"), person("top\nmiddle\nend\nagent 1\nagent 2\n")],
        expect="top\nmiddle\nend\nagent 1\nagent 2\n",
        agreed="top\nmiddle\nend\n",
    )
    history.decide("reject", history.everything(), dependents="with")
    assert history.text == "top\nmiddle\nend\n"
