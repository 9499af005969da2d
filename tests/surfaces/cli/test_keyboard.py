"""Keys, one at a time."""

from __future__ import annotations

import pytest

from blueline.surfaces.cli.keyboard import edited, first_key


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
