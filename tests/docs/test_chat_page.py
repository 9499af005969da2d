"""docs/chat.md says what the chat does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.routing import Route

from blueline.chat.agents import KNOWN, ChatAgent
from blueline.chat.conversation_documents import PAGE
from blueline.chat.draft import FLUSH_SECONDS
from blueline.model.dependents import FILE_CHOICES
from blueline.surfaces.web.chat_routes import ChatRoutes, Chats
from blueline.surfaces.web.live import Lives
from blueline.surfaces.web.project import Projects
from tests.docs.test_docs import page, section

ROUTES = ChatRoutes(Projects([]), Chats(Projects([]), Lives(str), str)).all()
TRANSCRIPT = Path(__file__).parents[2] / "blueline" / "chat" / "transcript.py"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_every_route_is_described(route: Route) -> None:
    method = "POST" if "POST" in (route.methods or ()) else "GET"
    assert re.search(rf"`{method} {re.escape(route.path)}[`?]", section(page("chat.md"), "## The API"))


def test_no_route_is_described_that_is_not_there() -> None:
    known = {route.path for route in ROUTES}
    assert set(re.findall(r"`(?:GET |POST )(/api/[\w{}/]+)", page("chat.md"))) == known


@pytest.mark.parametrize("agent", KNOWN, ids=lambda agent: agent.name)
def test_every_agent_is_described(agent: ChatAgent) -> None:
    row = f"| `{agent.name}` | {agent.label} | `{' '.join(agent.command)}` | `{agent.install}` |"
    assert row in page("chat.md")


def test_choices_and_numbers_are_described() -> None:
    text = page("chat.md")
    assert all(f"`{choice}`" in text for choice in FILE_CHOICES)
    assert f"the last {PAGE} messages" in text
    assert f"every {FLUSH_SECONDS} seconds" in page("format.md")


def test_every_record_of_a_conversation_is_described() -> None:
    known = set(re.findall(r'^            case "([a-z]+)":', TRANSCRIPT.read_text(), re.MULTILINE))
    rows = set(re.findall(r"^\| `([a-z]+)` \|", section(page("format.md"), "## Conversations"), re.MULTILINE))
    assert known == rows - {"kind"}
