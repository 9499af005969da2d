"""The page about the architecture names every room, and what it says of imports is what is checked."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "blueline"
PAGE = (ROOT / "docs" / "architecture.md").read_text()
ROWS = re.findall(
    r"^\|[^|]*\| `([\w/]+)/` \|[^|]*\|([^|]*)\|$",
    PAGE.partition("## Rooms")[2].partition("###")[0],
    re.MULTILINE,
)


def test_every_room_is_described() -> None:
    rooms = {str(path.parent.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py")} - {".", "surfaces"}
    assert rooms == {room for room, _ in ROWS}


def test_where_to_begin_is_there() -> None:
    for room, names in ROWS:
        for name in re.findall(r"`([\w.]+)`", names):
            assert (PACKAGE / room / name).is_file(), (room, name)


def test_the_core_runs_and_asks_nothing_outside() -> None:
    """As the page says: no program, no network. The hook starts its own interpreter."""
    core = ("kernel", "hook", "model", "contract", "diff", "review", "journal", "blobs", "workspace", "desk")
    source = "".join(path.read_text() for room in core for path in (PACKAGE / room).rglob("*.py"))
    imported = set(re.findall(r"^\s*(?:import|from) ([a-z_]+)", source, re.MULTILINE))
    assert not imported & {"subprocess", "socket", "http", "urllib", "ssl", "asyncio", "httpx"}
