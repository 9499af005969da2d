"""The inbox: from project to project without leaving the page."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import POEM, Project
from tests.support.several import beside, work_tree


@pytest.fixture
def several(tmp_path: Path) -> list[Project]:
    first = Project(tmp_path / "first", {"a.txt": POEM})
    first.git("init", "-q", "-b", "main")
    first.git("add", "a.txt")
    first.git("commit", "-q", "-m", "one")
    tree = work_tree(first, tmp_path / "tree<b>", "feature")
    other = beside(first, tmp_path / "other", {"b.txt": POEM})
    quiet = beside(first, tmp_path / "quiet", {"c.txt": POEM})
    for p, path in ((first, "a.txt"), (other, "b.txt"), (tree, "a.txt")):
        p.prompt()
        p.edit(path, "line 2\n", "LINE 2\n")
    quiet.prompt()
    return [first, tree, other]


def test_it_lists_what_waits_longest_first_and_work_trees_side_by_side(
    several: list[Project], bench: Open
) -> None:
    b = bench(several[0])
    b.page.get_by_role("button", name="Inbox 2").click()
    names = b.dialog.locator(".waiting-project strong")
    expect(names).to_have_text(["project", "tree<b>", "other"])
    expect(b.dialog.locator("li")).to_have_count(2)
    boxes = [names.nth(at).bounding_box() for at in range(3)]
    tops = [box["y"] for box in boxes if box]
    assert tops[0] == tops[1] < tops[2]
    expect(b.dialog.locator(".branch")).to_have_text(["main", "feature"])
    assert violations(b.page) == []


def test_by_the_keyboard_one_goes_to_another_project_and_back(several: list[Project], bench: Open) -> None:
    b = bench(several[0])
    b.press("g", "i")
    expect(b.dialog.locator(".waiting-project:focus strong")).to_have_text("project")
    b.press("j", "n")
    expect(b.dialog.locator(".waiting-project:focus strong")).to_have_text("other")
    b.press("Enter")
    expect(b.at(".file-header h1")).to_have_text("b.txt")
    expect(b.at(".project-name")).to_have_text("other")
    b.press("a")
    expect(b.bars).to_have_count(0)
    assert several[2].hunks() == []
    assert [len(p.hunks()) for p in several[:2]] == [1, 1]
    b.press("g", "i")
    expect(b.dialog.locator(".waiting-project strong")).to_have_text(["project", "tree<b>"])
    b.press("Escape")
    b.page.go_back()
    expect(b.at(".file-header h1")).to_have_text("a.txt")


def test_when_all_is_decided_the_next_project_is_offered(several: list[Project], bench: Open) -> None:
    b = bench(several[2])
    b.press("a")
    expect(b.bars).to_have_count(0)
    b.page.goto(f"http://127.0.0.1:{b.server.port}/")
    link = b.at(".empty a", has_text="Next project: project, 1 change")
    link.click()
    expect(b.at(".file-header h1")).to_have_text("a.txt")


def test_outside_any_project_the_inbox_is_what_opens(
    several: list[Project], bench: Open, tmp_path: Path
) -> None:
    elsewhere = copy.copy(several[0])
    elsewhere.root = tmp_path / "elsewhere"
    elsewhere.root.mkdir()
    b = bench(elsewhere)
    expect(b.dialog.locator(".waiting-project strong")).to_have_text(["project", "tree<b>", "other"])
    assert violations(b.page) == []
    b.press("Escape")
    expect(b.at(".empty h1")).to_have_text("Choose a project")
    b.page.get_by_role("button", name="Inbox", exact=True).click()
    b.dialog.locator(".waiting-project").nth(1).click()
    expect(b.page).to_have_url(re.compile("project="))
    expect(b.at(".file-header h1")).to_have_text("a.txt")
