"""What hooks record is on the page at once, and does not move what is being read."""

from __future__ import annotations

import re
import signal

from playwright.sync_api import expect

from blueline.sdk import Session
from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import Make
from tests.support.waiting import wait_until
from tests.support.workbench import Workbench

LONG = "".join(f"line {number}\n" for number in range(1, 401))


def test_the_first_change_of_all_appears_by_itself(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\n"})
    b = bench(p)
    expect(b.at(".editor-pane")).to_contain_text("Nothing to review yet")
    p.prompt("begin")
    p.edit("a.txt", "two\n", "TWO\n")
    expect(b.left).to_have_text("1 change in 1 file")
    expect(b.at('[data-path="a.txt"]')).to_be_visible()
    expect(b.at(".agent-state")).to_contain_text("turn 1")
    p.stop()
    expect(b.at(".agent-state")).to_have_count(0)


def test_a_change_where_somebody_reads_waits_until_they_want_it(project: Make, bench: Open) -> None:
    path = "quite/a/long/way/down/to/the/file/that/is/read/just/now.txt"
    p = project({path: LONG})
    p.prompt()
    p.edit(path, "line 100\n", "LINE 100\n")
    b = bench(p, width=1024)
    expect(b.line("LINE 100")).to_be_visible()
    before = b.line("LINE 100").bounding_box()
    p.edit(path, "line 98\n", "line 98\nsqueezed in\n")
    expect(b.at(".news-pill")).to_contain_text("1 new change in this file")
    assert b.line("LINE 100").bounding_box() == before
    expect(b.line("squeezed in")).to_have_count(0)
    b.press("r")
    expect(b.line("squeezed in")).to_be_visible()
    expect(b.at(".news-pill")).to_have_count(0)
    # What leaves the text as it is, and would come to stand between its lines or above them, waits too.
    before = b.line("LINE 100").bounding_box()
    p.set_mode("hold")
    p.edit(path, "line 97\n", "proposed\n")
    expect(b.at(".news-pill")).to_contain_text("1 new change in this file")
    expect(b.at(".proposed")).to_have_count(0)
    assert b.line("LINE 100").bounding_box() == before
    b.press("r")
    expect(b.at(".proposed")).to_have_count(1)
    before = b.line("LINE 100").bounding_box()
    p.accept(p.hunk("squeezed in\n"))
    expect(b.at(".news-pill")).to_contain_text("This file has changed")
    assert b.line("LINE 100").bounding_box() == before
    b.server.stop(signal.SIGKILL)
    expect(b.at(".banner")).to_contain_text("does not answer")
    assert b.line("LINE 100").bounding_box() == before


def test_a_change_out_of_sight_is_taken_in_without_moving_anything(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG})
    p.prompt()
    p.edit("a.txt", "line 300\n", "LINE 300\n")
    b = bench(p)
    b.press("Z", ".")
    expect(b.line("LINE 300")).to_be_visible()
    before = b.line("LINE 300").bounding_box()
    p.edit("a.txt", "line 2\n", "".join(f"new {number}\n" for number in range(30)))
    expect(b.left).to_have_text("2 changes in 1 file")
    expect(b.at(".file-header")).to_contain_text("0 of 2 decided")
    # The number of the line says that the text above it has grown.
    expect(b.at(".cm-lineNumbers")).to_contain_text("329")
    after = b.line("LINE 300").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 2
    expect(b.at(".news-pill")).to_have_count(0)


def test_a_running_call_is_marked_and_its_change_can_be_put_off(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt()
    p.edit("a.txt", "one\n", "one\ntwo\n")
    b = bench(p)
    call = p.begin("Edit", "a.txt", old_string="two", new_string="TWO")
    expect(b.at('[data-path="a.txt"] .running')).to_be_visible()
    expect(b.at(".group-row.call .running")).to_be_visible()
    b.press("x")
    expect(b.at(".message")).to_contain_text("Put off: line 2 of a.txt")
    p.end(call)
    expect(b.left).to_have_text("Nothing undecided")
    assert p.text("a.txt") == "one\n"


def test_a_stream_grows_in_place_and_what_a_person_types_in_it_survives_its_rejection(
    project: Make, bench: Open
) -> None:
    p = project({"a.txt": "top\nend\n"})
    b = bench(p)
    with Session(p.root, "my-agent", environ=p.environ).turn("tell a story") as turn:
        with turn.stream("a.txt", at=len("top\n")) as stream:
            stream.write("once upon\n")
            expect(b.left).to_have_text("1 change in 1 file")
            b.press("n")
            expect(b.at(".hunk-bar .running")).to_be_visible()
            expect(b.at(".group-row.call .running")).to_be_visible()
            b.line("once upon").click()
            b.press("e", "End")
            b.page.keyboard.type(" MY TIME")
            wait_until(lambda: "once upon MY TIME\n" in p.text("a.txt"))
            stream.write("there was\n")
            stream.write("a stream\n")
            stream.flush()
            expect(b.line("a stream")).to_have_count(1)
            b.page.keyboard.type("!")
            wait_until(lambda: "MY TIME!\n" in p.text("a.txt"))
            stream.write("of words\n")
        expect(b.line("of words")).to_have_count(1)
        expect(b.at(".hunk-bar .running")).to_have_count(0)
        assert p.text("a.txt") == "top\nonce upon MY TIME!\nthere was\na stream\nof words\nend\n"
        # While the turn goes on: once it has ended, it is rejected as a whole turn, which asks otherwise.
        b.press("Escape", "Control+Shift+Backspace")
        # Typed into a line of the agent's: which of the two is meant is asked (rule D1).
        b.dialog.get_by_role("button", name="Keep yours").click()
        expect(b.left).to_have_text("Nothing undecided")
    assert p.text("a.txt") == "top\nonce upon MY TIME!\nend\n"


def test_two_tabs_show_the_same_and_hear_of_each_other(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG, "b.txt": LONG})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    p.edit("b.txt", "line 5\n", "LINE 5\n")
    b = bench(p)
    other = b.another_tab()
    expect(other.locator(".left-over")).to_have_text("2 changes in 2 files")
    b.press("a")
    expect(other.locator(".left-over")).to_have_text("1 change in 1 file")
    other.keyboard.press("u")
    expect(b.left).to_have_text("2 changes in 2 files")
    # The tab that listened for both is gone: the other one takes over.
    b.page.close()
    p.edit("a.txt", "line 50\n", "LINE 50\n")
    expect(other.locator(".left-over")).to_have_text("3 changes in 2 files")


def test_the_page_goes_on_when_the_server_was_killed_and_started_again(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    b = bench(p)
    b.server.stop(signal.SIGKILL)
    expect(b.at(".banner")).to_contain_text("does not answer")
    p.edit("a.txt", "line 200\n", "LINE 200\n")
    server = Workbench(p, port=b.server.port)
    try:
        expect(b.at(".banner")).to_contain_text("was started again")
        # The address that it printed, opened in another tab, lets this browser in.
        other = b.context.new_page()
        other.goto(server.address)
        expect(b.at(".banner")).to_have_count(0)
        expect(b.left).to_have_text("2 changes in 1 file")
    finally:
        b.page.close()
        server.stop()


def test_another_program_decides_meanwhile(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n", "b.txt": "one\n"})
    p.prompt()
    p.edit("a.txt", "one\n", "ONE\n")
    p.edit("b.txt", "one\n", "ONE\n")
    b = bench(p)
    p.reject("a.txt")
    expect(b.left).to_have_text("1 change in 1 file")
    p.set_mode("direct")
    expect(b.at(".mode-direct")).to_have_text("Direct")


ROWS = """() => [...document.querySelectorAll(
    '.files-rail .row, .group-row, .tabs button, .filter, .file-header h1, .cm-line, .steps button')]
    .map(one => [one.dataset.path ?? one.dataset.group ?? one.ariaLabel ?? one.textContent, one])
    .filter(([, one]) => one.checkVisibility())
    .map(([name, one]) => { const {x, y} = one.querySelector('.said, .name')?.getBoundingClientRect() ??
        one.getBoundingClientRect(); return [name, x, y]; })"""
"""What stands where, by name."""


def test_news_moves_no_row_of_the_rails(project: Make, bench: Open) -> None:
    p = project(dict.fromkeys(("a.txt", "c.txt", "e.txt", "in/g.txt"), LONG))
    p.prompt("louder")
    for path in ("a.txt", "c.txt", "e.txt"):
        p.edit(path, "line 5\n", "LINE 5\n")
    p.stop()
    p.prompt("louder still")
    call = p.begin("Edit", "c.txt", old_string="line 9\n", new_string="LINE 9\n")
    b = bench(p)
    b.choose("e.txt")
    expect(b.at(".group-row .running").first).to_be_visible()
    before = {str(name): (x, y) for name, x, y in b.page.evaluate(ROWS)}
    p.sub("c.txt", "line 9\n", "LINE 9\n")
    p.end(call)
    p.write("b.txt", "a new file\n")
    p.write("in/a.txt", "and one in a folder\n")
    p.stop()
    p.prompt("once more")
    p.edit("in/g.txt", "line 9\n", "LINE 9\n")
    p.stop()
    expect(b.left).to_have_text("7 changes in 6 files")
    expect(b.at(".group-row.turn")).to_have_count(3)
    expect(b.at('[data-path="in/a.txt"]')).to_have_count(1)
    expect(b.at(".files-rail .row").last).to_have_attribute("data-path", "in/g.txt")
    after = {str(name): (x, y) for name, x, y in b.page.evaluate(ROWS)}
    assert {name: after.get(name) for name in before} == before
    assert violations(b.page) == []
    # What is new is above: one click shows it.
    b.page.get_by_role("button", name="new above").click()
    expect(b.at(".group-row.turn").first).to_be_in_viewport(ratio=1)
    expect(b.page.get_by_role("button", name="new above")).to_have_count(0)
    # So is what the turn did that was open.
    rows = b.at(".group-row.call")
    expect(rows.filter(has_text="b.txt")).to_have_count(0)
    b.page.get_by_role("button", name="Show 2 new").click()
    expect(rows.filter(has_text="b.txt")).to_have_count(1)
    expect(b.page.get_by_role("button", name="Show 2 new")).to_have_count(0)
    # Arranged by hand, each file is in its place.
    b.at("[aria-label='Order of files']").select_option("path")
    expect(b.at(".files-rail .row").nth(1)).to_have_attribute("data-path", "b.txt")


def test_news_moves_no_row_of_a_list_with_the_most_undecided_first(project: Make, bench: Open) -> None:
    p = project(dict.fromkeys(("a.txt", "b.txt", "c.txt"), LONG))
    p.prompt()
    for path, lines in (("a.txt", (5,)), ("b.txt", (5, 30)), ("c.txt", (5, 30, 60))):
        for line in lines:
            p.edit(path, f"line {line}\n", f"LINE {line}\n")
    b = bench(p)
    order = b.at("[aria-label='Order of files']")
    order.select_option("pending")
    rows = b.at(".files-rail .row .name")
    expect(rows).to_have_text(["c.txt", "b.txt", "a.txt"])
    for line in (30, 60, 90, 120):
        p.edit("a.txt", f"line {line}\n", f"LINE {line}\n")
    grown = b.at('.files-rail [data-path="a.txt"]')
    expect(grown).to_have_attribute("aria-label", re.compile("5 undecided"))
    expect(rows).to_have_text(["c.txt", "b.txt", "a.txt"])
    order.select_option("path")
    order.select_option("pending")
    expect(rows).to_have_text(["a.txt", "c.txt", "b.txt"])
    # The same for what a filter lets through: what joins them stands at the end.
    p.accept("a.txt")
    expect(grown).to_have_attribute("aria-label", re.compile("0 undecided"))
    b.at("[aria-label='Which files']").select_option("pending")
    expect(rows).to_have_text(["c.txt", "b.txt"])
    p.edit("a.txt", "line 150\n", "LINE 150\n")
    expect(rows).to_have_text(["c.txt", "b.txt", "a.txt"])
    # What somebody decides elsewhere stays where it is; what is decided here goes.
    p.accept("c.txt")
    decided = b.at('.files-rail [data-path="c.txt"]')
    expect(decided).to_have_attribute("aria-label", re.compile("0 undecided"))
    expect(rows).to_have_text(["c.txt", "b.txt", "a.txt"])
    b.choose("a.txt")
    b.press("a")
    expect(rows).to_have_text(["b.txt"])
