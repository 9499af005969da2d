"""Which operation a new content is: rules A4 and A5, each in a short history."""

from __future__ import annotations

from tests.review.histories import LONG_POEM, poem
from tests.support.history import History, agent, check, person, reject

# A4: what an edit says, and what is a change


def test_context_around_an_edit_is_not_the_agents() -> None:
    check(
        LONG_POEM,
        [agent(poem(_3="THREE\n"), edit=("line 2\nline 3\nline 4\n", "line 2\nTHREE\nline 4\n"))],
        expect=poem(_3="THREE\n"),
        pending=[("line 3\n", "THREE\n")],
    )


def test_bytes_that_are_not_what_was_said_are_compared_as_a_whole() -> None:
    check(
        LONG_POEM,
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
        LONG_POEM,
        [agent(poem(_3="alpha\n", _4="bravo\n", _5="charlie\n")), reject((4, 4))],
        expect=poem(_3="alpha\n", _5="charlie\n"),
    )


def test_a_deleted_line_beside_a_changed_word_leaves_the_line_to_its_author() -> None:
    check(
        "top\nend\n",
        [
            agent("top\nsome line to go\nan agent wrote these words\nend\n"),
            person("top\nan agent wrote THESE words\nend\n"),
            reject(dependents="keep"),
        ],
        expect="top\nan agent wrote THESE words\nend\n",  # D1
    )


def test_a_line_that_a_person_only_indents_stays_whose_it_is() -> None:
    history = History("a one\nb two\nc three\nd four\n")
    history.agent("a ONE\nb two\nc three\nd four\n")
    history.person("a ONE\nb two\nc three\n    d four\n")
    typed = [run.text for run in history.file.weaves[0].runs if run.insertion.op == 2]
    assert typed == ["    "]
