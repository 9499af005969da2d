"""The page about the MCP server has all tools, with all that they take."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from blueline.surfaces.mcp.callers import NEW_TURN_AFTER_SECONDS
from blueline.surfaces.mcp.quoted import LONGEST_TEXT, MOST_ENTRIES
from blueline.surfaces.mcp.server import server_of
from blueline.surfaces.mcp.tools import Tools
from tests.support.project import Project

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text()


def test_every_tool_and_what_it_takes_is_described(tmp_path: Path) -> None:
    project = Project(tmp_path)
    server = server_of(Tools(project.root, project.environ, lambda start: project.desk()))
    tools = asyncio.run(server.list_tools())
    described = dict(re.findall(r"^\| `(\w+)\((.*)\)` \|", PAGE, re.MULTILINE))
    assert {tool.name: set(tool.input_schema["properties"]) for tool in tools} == {
        name: {word for word in given.split(", ") if word} for name, given in described.items()
    }


def test_the_limits_are_described() -> None:
    assert f"{LONGEST_TEXT:,} characters" in PAGE
    assert f"{MOST_ENTRIES} entries" in PAGE
    assert NEW_TURN_AFTER_SECONDS == 10 * 60
    assert "ten minutes" in PAGE
