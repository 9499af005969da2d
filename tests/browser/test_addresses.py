"""Every place of the workbench has an address, and a page finds its way back to it."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Open
from tests.support.bench import Bench
from tests.support.project import POEM, Make, Project
from tests.support.workbench import running


def test_an_open_page_finds_its_workbench_again_after_a_restart(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 2\n", "LINE 2\n")
    p.edit("b.txt", "line 2\n", "LINE 2\n")
    b = bench(p, port=None)
    b.choose("b.txt")
    b.server.stop(signal.SIGKILL)
    expect(b.at(".banner")).to_contain_text("does not answer")
    with running(p, port=None) as again:
        assert again.port == b.server.port
        expect(b.at(".banner")).to_contain_text("was started again")
        tab = b.context.new_page()
        tab.goto(again.address)
        expect(b.at(".banner")).to_have_count(0)
        expect(b.at(".file-header h1")).to_have_text("b.txt")
        b.press("a")
        expect(b.left).to_contain_text("1")
        assert [one["path"] for one in p.hunks()] == ["a.txt"]
        tab.close()


@pytest.fixture
def three_changes(project: Make) -> Project:
    p = project({"src/a b&c.txt": POEM, "z.txt": POEM})
    p.prompt()
    p.edit("src/a b&c.txt", "line 2\n", "LINE 2\n")
    p.edit("src/a b&c.txt", "line 12\n", "LINE 12\n")
    p.edit("z.txt", "line 9\n", "LINE 9\n")
    return p


def current(b: Bench) -> Locator:
    return b.at(".hunk-bar.current")


def test_a_reload_comes_back_to_the_file_and_the_change(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes)
    first, second, third = (hunk["id"] for hunk in three_changes.hunks())
    expect(b.page).to_have_url(re.compile(rf"#file=src/a%20b%26c\.txt&line=2&change={first}$"))
    b.press("n")
    expect(b.page).to_have_url(re.compile(rf"&line=12&change={second}$"))
    b.press("g", "t")
    b.page.reload()
    expect(b.at(".file-header h1")).to_have_text("src/a b&c.txt")
    expect(current(b)).to_have_attribute("data-hunk", second)
    expect(b.at(".entry").first).to_be_visible()
    b.press("a")
    expect(current(b)).to_have_attribute("data-hunk", third)
    assert [hunk["id"] for hunk in three_changes.hunks()] == [first, third]


def test_a_line_without_a_change_has_an_address_too(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes)
    expect(current(b)).to_be_visible()
    b.press("j", "j", "j")
    expect(b.page).to_have_url(re.compile(r"#file=src/a%20b%26c\.txt&line=5$"))
    b.page.reload()
    expect(b.at(".file-header h1")).to_have_text("src/a b&c.txt")
    expect(b.at(".cm-activeLine")).to_have_text("line 5")


def test_back_and_forward_go_from_place_to_place(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes)
    ids = [hunk["id"] for hunk in three_changes.hunks()]
    for hunk in ids[1:]:
        b.press("n")
        expect(current(b)).to_have_attribute("data-hunk", hunk)
    expect(b.at(".file-header h1")).to_have_text("z.txt")
    for hunk in reversed(ids[:-1]):
        b.page.go_back()
        expect(current(b)).to_have_attribute("data-hunk", hunk)
    expect(b.at(".file-header h1")).to_have_text("src/a b&c.txt")
    b.page.go_forward()
    expect(current(b)).to_have_attribute("data-hunk", ids[1])


def test_an_address_can_be_handed_on_to_another_tab(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes)
    b.choose("z.txt")
    expect(b.page).to_have_url(re.compile("change="))
    tab = b.another_tab()
    tab.goto(b.page.url)
    expect(tab.locator(".file-header h1")).to_have_text("z.txt")


def test_an_address_of_what_is_no_more_leads_to_what_is(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes)
    b.page.evaluate("location.hash = '#file=gone.txt&line=3'")
    expect(b.at(".message")).to_contain_text("gone.txt")
    b.page.reload()
    expect(current(b)).to_be_visible()
    first = three_changes.hunks()[0]["id"]
    b.page.evaluate("id => location.hash = `#file=z.txt&line=9&change=${id}x`", first)
    expect(b.at(".file-header h1")).to_have_text("z.txt")
    b.page.evaluate("location.hash = '#file=../../etc/passwd'")
    expect(b.at(".message").last).to_contain_text("passwd")
    expect(b.at(".editor-pane")).not_to_contain_text("root:")


def test_on_a_phone_back_leads_from_a_file_to_the_list(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes, width=390, height=844, has_touch=True, is_mobile=True)
    expect(b.page).to_have_url(re.compile("#list"))
    b.at(".stream-file h2 button", has_text="z.txt").tap()
    expect(b.at(".file-header h1")).to_have_text("z.txt")
    b.page.reload()
    expect(b.at(".file-header h1")).to_have_text("z.txt")
    b.page.go_back()
    expect(b.at(".stream-card").first).to_be_visible()


def test_rails_are_as_wide_as_one_makes_them(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes)

    def widths() -> list[int]:
        return [round(b.at(rail).bounding_box()["width"]) for rail in (".files-rail", ".side-rail")]  # type: ignore[index]

    files, groups = widths()
    edge = b.page.get_by_role("separator", name="Width of the files")
    box = edge.bounding_box()
    assert box is not None
    b.page.mouse.move(box["x"] + 4, 400)
    b.page.mouse.down()
    b.page.mouse.move(box["x"] + 104, 420, steps=4)
    b.page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", re.compile("3[0-9][0-9]"))
    assert files + 95 <= widths()[0] <= files + 105
    other = b.page.get_by_role("separator", name="Width of the groups")
    other.focus()
    b.press("ArrowLeft", "ArrowLeft")
    assert widths()[1] == groups + 32
    wide = widths()
    b.page.reload()
    expect(current(b)).to_be_visible()
    assert widths() == wide
    edge.dblclick()
    other.focus()
    b.press("Enter")
    assert widths() == [files, groups]
    b.press("Home")
    assert widths()[1] == 160
    b.press("End")
    b.page.set_viewport_size({"width": 1024, "height": 768})
    assert widths()[1] <= 410


def test_who_goes_on_before_the_page_has_come_back_stays_there(three_changes: Project, bench: Open) -> None:
    b = bench(three_changes)
    b.choose("src/a b&c.txt")
    b.press("n")
    expect(b.at(".place")).to_have_text("2 / 3")
    address = b.page.url
    held: list[Route] = []
    b.page.route(re.compile("/api/file.*src"), lambda route: held.append(route))
    b.page.goto("about:blank")
    b.page.goto(address)
    expect(b.at(".place")).to_have_text("2 / 3")
    b.press("n")
    expect(b.at(".file-header h1")).to_have_text("z.txt")
    for route in held:
        route.continue_()
    b.press("p")
    expect(b.at(".file-header h1")).to_have_text("src/a b&c.txt")
    expect(b.at(".place")).to_have_text("2 / 3")
