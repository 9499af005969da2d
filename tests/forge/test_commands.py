"""What a comment asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.forge.blocks import block
from blueline.forge.commands import MARK, is_own, parse
from blueline.forge.comment_sizes import comments
from tests.forge.offering import suggestion


def check(body: str, verb: str, numbers: str, *, head: str = "", reason: str = "") -> None:
    (found,) = parse(body).commands
    wanted = frozenset(int(one) for one in numbers.split()) if numbers != "all" else frozenset()
    assert (found.verb, found.everything, found.numbers) == (verb, numbers == "all", wanted)
    assert (found.head, found.reason, found.problem) == (head, reason, "")


@pytest.mark.parametrize(
    ("body", "verb", "numbers"),
    [
        ("/apply all", "apply", "all"),
        ("/apply 1,3,5", "apply", "1 3 5"),
        ("/apply 2-4", "apply", "2 3 4"),
        ("/apply 1, 3 and 5", "apply", "1 3 5"),
        ("/apply #2", "apply", "2"),
        ("/APPLY All", "apply", "all"),
        ("Looks good.\r\n/apply 1\r\n", "apply", "1"),
        ("/reject", "reject", "all"),
        ("/reject all", "reject", "all"),
        ("/reject 2", "reject", "2"),
        ("/reject 2 - 4", "reject", "2 3 4"),
    ],
)
def test_a_command_is_understood(body: str, verb: str, numbers: str) -> None:
    check(body, verb, numbers)


def test_a_reason_is_kept() -> None:
    check("/reject 2 because the name is wrong", "reject", "2", reason="the name is wrong")
    check("/reject because it is late", "reject", "all", reason="it is late")
    check("/reject 1,2: not now", "reject", "1 2", reason="not now")


def test_a_command_can_name_the_head_it_is_meant_for() -> None:
    check("/apply all at 1a2b3c4d5e6f", "apply", "all", head="1a2b3c4d5e6f")
    check("/apply 1,3 @1A2B3C4", "apply", "1 3", head="1a2b3c4")
    check("/reject 2 at 1a2b3c4 because no", "reject", "2", head="1a2b3c4", reason="no")


@pytest.mark.parametrize(
    "body",
    [
        "/apply",
        "/apply foo",
        "/apply 0",
        "/apply 4-2",
        "/apply 1 && rm -rf /",
        "/reject this",
        "/apply 9999999",
    ],
)
def test_what_is_not_understood_asks_for_nothing_and_says_so(body: str) -> None:
    (found,) = parse(body).commands
    assert found.problem
    assert not found.everything
    assert not found.numbers


@pytest.mark.parametrize(
    "body",
    [
        "> /apply all",
        "```\n/apply all\n```",
        "~~~~\n```\n/apply all\n~~~~",
        "please /apply all",
        "/applyall",
        "/apply/all",
        "/apply-all now",
        "    \n text /reject",
        "<!-- /apply all -->",
        "<!--\n/apply all\n-->",
        "thanks <!--\n/apply all\n-->",
        "<pre>\n/apply all\n</pre>",
        "<details>\n/apply all\n</details>",
        "<details><summary>more</summary>\n\n/apply all\n\n</details>",
        "<details>\n\n/apply all",
        "a <details>\n/apply all\n</details>",
        "<div hidden/>\n\n/apply all",
        "<!-- never closed\n\n/apply all",
        "    /apply all",
        "- /apply all",
        "1. yes\n\n   /apply all",
        "``\n/apply all\n``",
        "[x]: y '\n/apply all'",
        "| a |\n| - |\n| /apply all |",
    ],
)
def test_quoted_text_code_and_words_inside_a_line_are_no_commands(body: str) -> None:
    assert parse(body).commands == ()


@pytest.mark.parametrize(
    "body",
    [
        "<details>\nlong\n</details>\n\n/apply all",
        "<!-- a template -->\n\n/apply all",
        "line one<br>\n/apply all",
        "<img src='x'>\n\n/apply all",
        "**thanks**\n/apply all",
    ],
)
def test_a_command_in_the_open_is_obeyed_whatever_else_is_there(body: str) -> None:
    check(body, "apply", "all")


def test_anything_else_is_feedback() -> None:
    assert parse("Could you use a dict here?").feedback == "Could you use a dict here?"
    mixed = parse("/apply 1\nand please rename the rest")
    assert [one.numbers for one in mixed.commands] == [frozenset({1})]
    assert mixed.feedback == "and please rename the rest"
    assert parse("> only a quote\n\n").feedback == ""
    assert parse("/apply all\n").feedback == ""


@given(st.text(alphabet=st.sampled_from("/aplyrejct 0123,-@#\n`>because"), max_size=80))
def test_parsing_never_fails_and_is_bounded(body: str) -> None:
    found = parse(body)
    for one in found.commands:
        assert bool(one.problem) != bool(one.everything or one.numbers)


def test_qb5_our_own_text_is_known_by_its_mark() -> None:
    texts = comments([suggestion("a\n", "b\n")], offer="x", head="0" * 40, branch="main")
    assert all(is_own(text) for text in texts)
    assert not is_own("/apply all")


def test_qb5_no_suggestion_can_make_our_own_text_hold_a_command_of_its_own() -> None:
    hostile = "/apply all\n```\n/apply all\n````\n" + MARK
    text = block(suggestion("a\n", hostile, rationale="why\n/apply all\n@everybody"))
    assert parse(text).commands == ()
