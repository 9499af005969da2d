"""What became of agents' work, as tables."""

from __future__ import annotations

from typing import Any

from blueline.surfaces.cli.report_text import reported
from blueline.surfaces.cli.terminal import Screen

COUNTS: dict[str, Any] = {"changes": 10, "kept": 5, "corrected": 1, "rejected": 2, "pending": 2}


def document(name: str = "claude-code") -> Any:
    row = [{"name": name, **COUNTS}]
    nobody = [{"name": "", **COUNTS}]
    parts = {"agents": row, "models": nobody, "tools": row, "folders": row, "people": row, "weeks": row}
    return {"since": None, "total": COUNTS, **parts}


def test_a_table_each_that_fits_the_screen() -> None:
    for width in (100, 80, 60):
        lines = [*reported(document(), Screen(width=width))]
        assert max(map(len, lines[1:-1])) <= width
        assert lines[0] == "10 changes by agents: 5 kept, 1 corrected, 2 rejected, 2 undecided"
        assert "75%" in lines[3]
        assert "model" not in "".join(lines)
        heads = [line.split(maxsplit=1) for line in lines if "kept" in line][1:]
        assert [name for name, _ in heads] == ["agent", "tool", "folder", "person", "week"]
        assert len({" ".join(rest.split()) for _, rest in heads}) == 1, "tables of one kind"


def test_nothing_is_said_so_and_nothing_is_obeyed() -> None:
    nothing: Any = {**document(), "total": dict.fromkeys(COUNTS, 0)}
    assert next(reported(nothing, Screen())) == "Agents changed nothing."
    assert "\x1b" not in "".join(reported(document("\x1b[2J"), Screen()))
