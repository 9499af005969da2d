"""What the page asks for when it is opened, and in which order."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import Make


@pytest.mark.parametrize("is_named", [False, True])
def test_the_first_change_comes_after_two_answers_and_before_all_else(
    project: Make, bench: Open, is_named: bool
) -> None:
    p = project({"poem.txt": "one\ntwo\n"})
    p.prompt()
    p.edit("poem.txt", "two", "TWO")
    b = bench(p)
    asked: list[str] = []
    b.page.on("request", lambda request: asked.append(request.url.partition("?")[0].rpartition("/api/")[2]))
    known = b.page.evaluate("fetch('/api/projects').then(answer => answer.json())")["projects"][0]["id"]
    asked.clear()
    b.page.goto(f"http://127.0.0.1:{b.server.port}/{f'?project={known}' if is_named else ''}")
    expect(b.at(".hunk-bar.current")).to_be_visible()
    expect(b.at(".connection.live")).to_be_visible()
    api = [one for one in asked if "/" not in one]
    assert api[:3] == ["projects", "overview", "file"]
    # What was asked for before the page's own script was there is not asked for again.
    assert (api.count("projects"), api.count("overview"), api.count("file")) == (1, 1, 1)
