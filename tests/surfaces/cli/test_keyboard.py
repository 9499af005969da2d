"""Keys, one at a time."""

from __future__ import annotations

import pytest

from blueline.surfaces.cli.keyboard import edited, first_key, redrawn


@pytest.mark.parametrize(
    ("typed", "key", "expected"),
    [
        ("ab", "c", "abc"),
        ("ab", "\x7f", "a"),
        ("", "\x08", ""),
        ("one two ", "\x17", "one "),
        ("  ", "\x17", ""),
        ("one two", "\x15", ""),
        ("ab", "\t", "ab"),
        ("ab", "\x1b", "ab"),
        ("na", "ï", "naï"),
    ],
)
def test_a_line_after_a_key(typed: str, key: str, expected: str) -> None:
    assert edited(typed, key) == expected


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        ("ab", ("a", "b")),
        ("\x1b[Aa", ("", "a")),
        ("\x1b[1;5Cx", ("", "x")),
        ("\x1bOPq", ("", "q")),
        ("\x1bq", ("", "q")),
    ],
)
def test_arrows_are_no_letters(waiting: str, expected: tuple[str, str]) -> None:
    assert first_key(waiting) == expected


@pytest.mark.parametrize(
    ("shown", "can_move", "sent"),
    [
        ("? abc", True, "\r     \r? ab"),
        ("? abcdefgh", True, "\r          \r? ab"),
        ("? abcdefghi", True, "\r\x1b[1A\x1b[J? ab"),
        ("? abcdefghi" * 3, True, "\r\x1b[3A\x1b[J? ab"),
        ("? abcdefghi", False, "\n? ab"),
    ],
)
def test_a_line_that_is_wider_than_the_terminal_is_drawn_again_in_its_place(
    shown: str, can_move: bool, sent: str
) -> None:
    assert redrawn(shown, "? ab", 10, can_move=can_move) == sent
