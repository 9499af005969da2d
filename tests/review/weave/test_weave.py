"""How an operation enters a weave: rules A1 to A3, A6 and rule A16, each in a short history."""

from __future__ import annotations

from itertools import product

import pytest

from tests.review.histories import LONG_POEM, poem
from tests.support.history import History, agent, check, person, reject

# A1: where inserted text stands among hidden text


def test_what_was_typed_above_and_below_a_rewritten_line_keeps_its_side() -> None:  # A06
    check(
        LONG_POEM,
        [agent(poem(_3="THREE\n")), person(poem(_3="above\nTHREE\nbelow\n")), reject()],
        expect=poem(_3="above\nline 3\nbelow\n"),
    )


def test_restored_lines_stand_before_what_was_typed_in_their_place() -> None:  # A08
    check(
        LONG_POEM,
        [agent(poem(_3="", _4="")), person(poem(_3="", _4="mine\n")), reject()],
        expect=poem(_4="line 4\nmine\n"),
    )


def test_a_new_line_never_stands_in_the_middle_of_a_restored_one() -> None:
    check(
        "one two\n",
        [agent("two\n"), person("mine\ntwo\n"), reject()],
        expect="mine\none two\n",
    )


def test_what_was_edited_above_and_below_deleted_lines_stays_there() -> None:  # A07
    check(
        LONG_POEM,
        [agent(poem(_4="", _5="")), person(poem(_3="line 3!\n", _4="", _5="", _6="line 6!\n")), reject()],
        expect=poem(_3="line 3!\n", _6="line 6!\n"),
    )


# A2: whose a line end is


def test_words_typed_into_an_agents_line_leave_no_line_of_their_own() -> None:  # A03, rule D1
    steps = [agent("top\nagent wrote this\nend\n"), person("top\nagent wrote and I typed this\nend\n")]
    check("top\nend\n", [*steps, reject(dependents="with")], expect="top\nend\n")
    check(
        "top\nend\n", [*steps, reject(dependents="keep")], expect="top\nagent wrote and I typed this\nend\n"
    )


def test_a_line_end_that_was_deleted_alone_joins_two_lines_exactly() -> None:
    check("one\ntwo\n", [agent("onetwo\n"), reject()], expect="one\ntwo\n")
    check("one two\n", [agent("one\ntwo\n"), reject()], expect="one two\n")


def test_lines_typed_inside_an_agents_block_stay_when_it_goes() -> None:  # A03
    check(
        "top\nend\n",
        [agent("top\na 1\na 2\nend\n"), person("top\na 1\nmine\na 2\nend\n"), reject()],
        expect="top\nmine\nend\n",
    )


# A3: a line deleted whole takes along what is hidden inside it


def test_a_word_hidden_in_a_line_goes_with_the_line() -> None:
    check(
        "one two three four\nnext\n",
        [agent("one TWO three four\nnext\n"), person("next\n"), reject()],
        expect="next\n",
    )


def test_a_line_hidden_whole_is_not_inside_the_lines_around_it() -> None:
    check(
        "one\ntwo\nthree\nnext\n",
        [agent("one\nthree\nnext\n"), person("next\n"), reject()],
        expect="two\nnext\n",
    )


# A6: a changed word does not make the line somebody's


def test_an_undecided_line_with_a_word_of_a_person_is_still_undecided() -> None:
    history = check(
        "top\nend\n",
        [agent("top\nan agent wrote these words\nend\n"), person("top\nan agent WROTE these words\nend\n")],
        expect="top\nan agent WROTE these words\nend\n",
        agreed="top\nend\n",  # D1: decided with the line
    )
    assert [seen.hunk.modified for seen in history.hunks()] == [True]  # H13


def test_two_words_of_one_line_have_two_authors() -> None:  # A02
    check(
        "one two three four\n",
        [agent("ONE two three four\n"), person("ONE two three FOUR\n"), reject()],
        expect="one two three FOUR\n",
    )


# Rule A16: a character is the smallest piece


def test_no_piece_cuts_a_character() -> None:
    check("\u00e4\n", [agent("\u00f6\n"), person("\u00fc\n"), reject(dependents="with")], expect="\u00e4\n")
    check("x \u00e4 y\n", [agent("x \u00f6 y\n"), person("x \u00f6 z\n"), reject()], expect="x \u00e4 z\n")


# Bytes


@pytest.mark.parametrize("ends", [("\n", "\n"), ("\n", ""), ("\r\n", "\n"), ("\r\n", "")])
def test_one_or_two_steps_of_an_agent_go_back_to_the_byte(ends: tuple[str, str]) -> None:  # R03, F15, P06
    texts = [*_short_texts(("", "a", "b", "a b"), *ends)]
    for before, first in product(texts, texts):
        for second in texts[::5]:
            history = History(before)
            history.agent(first)
            history.agent(second)
            (last,) = {op.number for op in history.file.operations.values() if op.call == 2} or {0}
            is_listed = any(seen.hunk.operation.number == last for seen in history.hunks())
            history.decide("reject", [piece for piece in history.everything() if piece.op == last])
            # D01; but what was only changed back is no question, and stays as it is (D4).
            assert history.text == first or (not is_listed and history.text == second), (
                before,
                first,
                second,
            )
            history.decide("reject", history.everything())
            assert history.text == before, (before, first, second)


def _short_texts(bodies: tuple[str, ...], end: str, last_end: str) -> list[str]:
    found = {"": None}
    for count in (1, 2):
        for lines in product(bodies, repeat=count):
            found[end.join(lines) + last_end] = None
    return [*found]
