"""What is printed, compared."""

from __future__ import annotations

import sys

from tests.support.command import text

BLUELINE = [sys.executable, "-m", "blueline"]


def check(done: tuple[int, str, str], expect: str, *, code: int = 0) -> None:
    assert (done[0], done[2]) == (code, "")
    assert done[1] == text(expect)
