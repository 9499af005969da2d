"""docs/workbench.md says what the server does."""

from __future__ import annotations

import re

import pytest
from starlette.routing import Route

from blueline.desk.screens import pages, project_overview
from blueline.desk.talkback import notes
from blueline.surfaces.web import body, connections, inbox_routes, live, routes, server
from blueline.surfaces.web.project import Projects
from tests.docs.test_docs import page, section

ROUTES = [*routes.Routes(Projects([]), live.Lives(str)).all(), *inbox_routes.InboxRoutes(Projects([])).all()]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{sorted(route.methods or ())[-1]} {route.path}")
def test_every_route_is_described(route: Route) -> None:
    if not route.path.startswith("/api/"):
        return
    method = "POST" if "POST" in (route.methods or ()) else "GET"
    assert re.search(rf"`{method} {re.escape(route.path)}[`?]", section(page("workbench.md"), "## The API"))


def test_no_route_is_described_that_is_not_there() -> None:
    known = {route.path for route in ROUTES}
    found = set(re.findall(r"`(?:GET |POST )?(/api/[\w{}/]+)", page("workbench.md")))
    assert found <= known


def test_kinds_and_states_of_notes_are_described() -> None:
    text = section(page("workbench.md"), "## Notes")
    rows = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))
    assert {*notes.KINDS, *notes.STATES} - {"removed"} | {"answered", "outdated"} == rows


def test_limits_are_described() -> None:
    text = page("workbench.md")
    assert f"heads over {connections.LONGEST_HEAD >> 10} KB" in text
    assert f"bodies over {body.LARGEST >> 20} MB" in text
    assert f"within {connections.REQUEST_SECONDS:.0f} seconds" in text
    assert f"at most {connections.MOST_CONNECTIONS}" in text
    assert f"the last {project_overview.RECENT_TURNS} turns" in text
    assert f"the last {project_overview.MOST_OUTSIDE} edits" in text
    assert f"{routes.PAGE_OF_ENTRIES} at a time" in text
    assert f"up to {body.LONGEST_KEY} characters" in text
    assert f"Every {live.HEARTBEAT_SECONDS} seconds" in text
    assert f"more than {pages.LARGEST_TEXT >> 20} million characters" in text
    assert server.SOON_SECONDS == 60
