"""What a command came to, and how a test says what it expects to see."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent
from typing import NamedTuple


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]
"""A desk and the words of a command in."""


def text(block: str) -> str:
    """An indented block of a test as the text it stands for."""
    return dedent(block).removeprefix("\n")
