"""The page about the MCP server has all tools, with all that they take."""

from __future__ import annotations

import re
from pathlib import Path

from blueline.surfaces.mcp.callers import NEW_TURN_AFTER_SECONDS
from blueline.surfaces.mcp.mcp_server import VERSIONS
from blueline.surfaces.mcp.offered import TOOLS
from blueline.surfaces.mcp.quoted import LONGEST_TEXT, MOST_ENTRIES

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text()


def test_every_tool_and_what_it_takes_is_described() -> None:
    described = dict(re.findall(r"^\| `(\w+)\((.*)\)` \|", PAGE, re.MULTILINE))
    assert {tool.name: [one.name for one in tool.parameters] for tool in TOOLS} == {
        name: [word for word in given.split(", ") if word] for name, given in described.items()
    }
    assert f"from {min(VERSIONS)} to {max(VERSIONS)}" in PAGE


def test_the_limits_are_described() -> None:
    assert f"{LONGEST_TEXT:,} characters" in PAGE
    assert f"{MOST_ENTRIES} entries" in PAGE
    assert NEW_TURN_AFTER_SECONDS == 10 * 60
    assert "ten minutes" in PAGE
