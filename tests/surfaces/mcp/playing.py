"""The real server, as a process of its own, asked by the real client library."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import Implementation, TextContent

from tests.support.project import Project

SOURCES = str(Path(__file__).parents[3])
NOTEBOOK: dict[str, Any] = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": 1,
            "id": "first",
            "metadata": {},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["hello\n"]}],
            "source": ["x = 1\n", "print('hello')"],
        },
        {"cell_type": "markdown", "id": "second", "metadata": {}, "source": ["# Title"]},
    ],
    "metadata": {"z": 1, "a": 2},
    "nbformat": 4,
    "nbformat_minor": 5,
}
IPYNB = json.dumps(NOTEBOOK, indent=1) + "\n"


class Answer(NamedTuple):
    text: str
    is_error: bool
    document: dict[str, Any] | None

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found


class Asked:
    """An agent with a connection to the server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **given: object) -> Answer:
        result = await self.client.call_tool(tool, given)
        (content,) = result.content
        assert isinstance(content, TextContent)
        return Answer(content.text, bool(result.is_error), result.structured_content)


Mode = Literal["auto", "legacy"]


@asynccontextmanager
async def connected(
    project: Project, mode: Mode = "auto", name: str = "test-client", **environ: str
) -> AsyncIterator[Asked]:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "blueline", "mcp"],
        cwd=str(project.root),
        env={**project.environ, "PYTHONPATH": SOURCES, "PYTHONSAFEPATH": "1", **environ},
    )
    info = Implementation(name=name, version="1")
    async with Client(stdio_client(parameters), mode=mode, client_info=info) as client:
        yield Asked(client)


def play(
    project: Project, script: Callable[[Asked], Awaitable[None]], mode: Mode = "auto", **options: str
) -> None:
    async def run() -> None:
        async with connected(project, mode, **options) as ask:
            await script(ask)

    asyncio.run(run())
