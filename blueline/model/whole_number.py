"""A number as somebody spells it."""

from __future__ import annotations

MOST_DIGITS = 18
"""Of a number that somebody may name: more would not fit into a column of the index."""


def whole_number(text: str) -> int | None:
    """The number that some digits spell, in the one way to spell it; None if it is anything else."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if is_number and (text[0] != "0" or text == "0") else None
