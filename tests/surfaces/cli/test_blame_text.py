"""Who wrote each line, as text."""

from __future__ import annotations

from typing import Any

from blueline.surfaces.cli.blame_text import blamed
from blueline.surfaces.cli.terminal import Screen

LINE: dict[str, Any] = {
    "line": 1,
    "text": "x\x1b = 1",
    "actor": {"kind": "agent", "name": "claude-code"},
    "call": "c1",
    "turn": "t12",
    "at": "2026-01-01T12:00:00Z",
    "pending": True,
    "commit": None,
    "author": None,
    "summary": None,
}


def test_it_reads_like_gits() -> None:
    older = {
        **LINE,
        "line": 2,
        "actor": None,
        "turn": None,
        "pending": False,
        "text": "",
        "commit": "0123456789abcdef",
    }
    lines: Any = [
        LINE,
        {**older, "author": "A very long name \x1b indeed"},
        {**older, "line": 3, "commit": None, "at": None, "text": "y"},
        {**older, "line": 4, "commit": None, "actor": {"kind": "external", "name": ""}, "text": "z"},
    ]
    assert [*blamed({"path": "a", "lines": lines}, Screen())] == [
        "t12     * (claude-code          2026-01-01 1) x\\x1b = 1",
        "01234567  (A very long name \\x… 2026-01-01 2)",
        "-         (not committed                   3) y",
        "-         (you                  2026-01-01 4) z",
    ]
