"""How an operation enters a weave: rules A1 to A9 and A16, each in a short history."""

from __future__ import annotations

from itertools import product

import pytest

from tests.support.history import History, accept, agent, check, person, reject, undo

POEM = "".join(f"line {number}\n" for number in range(1, 10))


def poem(**lines: str) -> str:
    """The poem with some lines, named by their words, made into something else."""
    text = POEM
    for name, new in lines.items():
        text = text.replace(f"line {name[1:]}\n", new)
    return text


# A1: where inserted text stands among hidden text


def test_what_was_typed_above_and_below_a_rewritten_line_keeps_its_side() -> None:  # A06
    check(
        POEM,
        [agent(poem(_3="THREE\n")), person(poem(_3="above\nTHREE\nbelow\n")), reject()],
        expect=poem(_3="above\nline 3\nbelow\n"),
    )


def test_restored_lines_stand_before_what_was_typed_in_their_place() -> None:  # A08
    check(
        POEM,
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
        POEM,
        [agent(poem(_4="", _5="")), person(poem(_3="line 3!\n", _4="", _5="", _6="line 6!\n")), reject()],
        expect=poem(_3="line 3!\n", _6="line 6!\n"),
    )


# A2: whose a line end is


def test_words_typed_into_an_agents_line_keep_a_line_of_their_own() -> None:  # A03
    check(
        "top\nend\n",
        [agent("top\nagent wrote this\nend\n"), person("top\nagent wrote and I typed this\nend\n"), reject()],
        expect="top\nand I typed \nend\n",
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


# A4: what an edit says, and what is a change


def test_context_around_an_edit_is_not_the_agents() -> None:
    check(
        POEM,
        [agent(poem(_3="THREE\n"), edit=("line 2\nline 3\nline 4\n", "line 2\nTHREE\nline 4\n"))],
        expect=poem(_3="THREE\n"),
        pending=[("line 3\n", "THREE\n")],
    )


def test_bytes_that_are_not_what_was_said_are_compared_as_a_whole() -> None:
    check(
        POEM,
        [agent(poem(_3="THREE\n"), edit=("line 7\n", "SEVEN\n"))],
        expect=poem(_3="THREE\n"),
        pending=[("line 3\n", "THREE\n")],
    )


def test_of_two_equal_lines_the_one_that_was_said_goes_back() -> None:  # A15
    check(
        "x\ny\nx\nz\n",
        [agent("x\ny\nx\nx\nz\n", edit=("y\nx\n", "y\nx\nx\n")), person("x\nx!\ny\nx\nx\nz\n"), reject()],
        expect="x\nx!\ny\nx\nz\n",
    )


# A5: which line of a block became which


def test_one_line_of_a_rewritten_block_goes_back_alone() -> None:
    check(
        POEM,
        [agent(poem(_3="alpha\n", _4="bravo\n", _5="charlie\n")), reject((4, 4))],
        expect=poem(_3="alpha\n", _5="charlie\n"),
    )


def test_a_deleted_line_beside_a_changed_word_leaves_the_line_to_its_author() -> None:
    check(
        "top\nend\n",
        [
            agent("top\nsome line to go\nan agent wrote these words\nend\n"),
            person("top\nan agent wrote THESE words\nend\n"),
            reject(),
        ],
        expect="top\nTHESE\nend\n",
    )


# A6: a changed word does not make the line somebody's


def test_an_undecided_line_with_a_word_of_a_person_is_still_undecided() -> None:
    history = check(
        "top\nend\n",
        [agent("top\nan agent wrote these words\nend\n"), person("top\nan agent WROTE these words\nend\n")],
        expect="top\nan agent WROTE these words\nend\n",
        agreed="top\nWROTE\nend\n",
    )
    assert [seen.hunk.modified for seen in history.hunks()] == [True]  # H13


def test_two_words_of_one_line_have_two_authors() -> None:  # A02
    check(
        "one two three four\n",
        [agent("ONE two three four\n"), person("ONE two three FOUR\n"), reject()],
        expect="one two three FOUR\n",
    )


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


# A8: what a hunk shows


def test_two_calls_in_one_line_are_two_hunks_that_show_the_same_line() -> None:
    check(
        "one two three\n",
        [agent("ONE two three\n"), agent("ONE two THREE\n")],
        expect="ONE two THREE\n",
        pending=[("one two three\n", "ONE two THREE\n"), ("one two three\n", "ONE two THREE\n")],
    )


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


# A16: a character is the smallest piece


def test_no_piece_cuts_a_character() -> None:
    check("\u00e4\n", [agent("\u00f6\n"), person("\u00fc\n"), reject()], expect="\u00fc\n\u00e4\n")
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
            history.decide("reject", [piece for piece in history.everything() if piece.op == last])
            assert history.text == first, (before, first, second)  # D01
            history.decide("reject", history.everything())
            assert history.text == before, (before, first, second)


def _short_texts(bodies: tuple[str, ...], end: str, last_end: str) -> list[str]:
    found = {"": None}
    for count in (1, 2):
        for lines in product(bodies, repeat=count):
            found[end.join(lines) + last_end] = None
    return [*found]
