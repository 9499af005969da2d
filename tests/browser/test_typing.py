"""People type at any time; neither their text nor the agent's is lost."""

from __future__ import annotations

import signal

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support.bench import Bench
from tests.support.project import POEM, Make
from tests.support.waiting import wait_until
from tests.support.workbench import Workbench


def put_cursor(b: Bench, line: str) -> None:
    """Type at the end of a line of the text."""
    b.line(line).first.click()
    b.press("e", "End")


def saved(b: Bench, text: str, path: str = "a.txt") -> None:
    wait_until(lambda: text in b.p.text(path))


def test_typing_is_saved_as_the_persons_own_and_is_no_change_to_review(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    b = bench(p)
    put_cursor(b, "line 2")
    b.page.keyboard.type(" and mine")
    saved(b, "line 2 and mine\n")
    expect(b.left).to_have_text("1 change in 1 file")
    expect(b.at(".added-line")).to_have_count(1)
    b.press("Escape", "n", "a")
    expect(b.left).to_have_text("Nothing undecided")
    with p.desk() as desk:
        (edit,) = desk.workbench.overview()["outside"]
    assert edit["actor"]["kind"] == "person"


def test_letters_type_in_the_text_and_undo_there_undoes_typing_only(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    b = bench(p)
    put_cursor(b, "line 2")
    b.page.keyboard.type("axnu")
    saved(b, "line 2axnu\n")
    expect(b.left).to_have_text("1 change in 1 file")
    b.press("Control+z")
    wait_until(lambda: "axnu" not in p.text("a.txt"))
    assert "LINE 5" in p.text("a.txt")
    expect(b.left).to_have_text("1 change in 1 file")


def test_a_person_types_into_a_change_that_still_grows_and_then_rejects_it(
    project: Make, bench: Open
) -> None:
    p = project({"a.txt": "top\nend\n"})
    p.prompt()
    p.edit("a.txt", "top\n", "top\nagent one\nagent two\n")
    b = bench(p)
    put_cursor(b, "agent one")
    b.page.keyboard.type(" MINE")
    p.edit("a.txt", "agent two\n", "agent two\nagent three\nagent four\n")
    b.page.keyboard.type(" TOO")
    saved(b, "agent one MINE TOO\n")
    expect(b.line("agent four")).to_have_count(1)
    assert p.text("a.txt") == "top\nagent one MINE TOO\nagent two\nagent three\nagent four\nend\n"
    # The cursor is where it was.
    b.page.keyboard.type("!")
    saved(b, "MINE TOO!\n")
    b.press("Escape", "Control+Shift+Backspace")
    # Typed into a line of the agent's: which of the two is meant is asked (rule D1).
    b.dialog.get_by_role("button", name="Keep yours").click()
    expect(b.left).to_have_text("Nothing undecided")
    assert p.text("a.txt") == "top\nagent one MINE TOO!\nend\n"


def test_an_agent_writes_elsewhere_in_the_file_while_a_person_types(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    b = bench(p)
    put_cursor(b, "line 8")
    for number in range(4):
        b.page.keyboard.type(f" w{number}")
        p.edit("a.txt", f"line {number + 1}\n", f"line {number + 1} by the agent\n")
    saved(b, "line 8 w0 w1 w2 w3\n")
    wait_until(lambda: all(f"line {number} by the agent" in p.text("a.txt") for number in range(1, 5)))
    expect(b.line("line 1 by the agent")).to_have_count(1)
    expect(b.line("line 8 w0 w1 w2 w3")).to_have_count(1)
    expect(b.left).to_have_text("5 changes in 1 file")


def test_two_tabs_type_in_one_file(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    b = bench(p)
    other = b.another_tab()
    put_cursor(b, "line 2")
    b.page.keyboard.type(" first")
    saved(b, "line 2 first\n")
    place(other, "line 8")
    other.keyboard.type(" second")
    saved(b, "line 8 second\n")
    assert "line 2 first\n" in p.text("a.txt")
    expect(other.locator(".cm-line", has_text="line 2 first")).to_have_count(1)
    place(b.page, "line 2 first")
    b.page.keyboard.type("!")
    saved(b, "line 2 first!\n")
    assert "line 8 second\n" in p.text("a.txt")


def place(page: Page, line: str) -> None:
    page.locator(".cm-content[data-text=open] .cm-line", has_text=line).first.click()
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.keyboard.press("End")


def test_line_ends_and_a_missing_last_one_stay_as_they_are(project: Make, bench: Open) -> None:
    p = project({"dos.txt": "one\r\ntwo\r\nthree", "mixed.txt": "one\r\ntwo\nthree\r\n"})
    p.prompt()
    p.edit("dos.txt", "two", "TWO")
    p.edit("mixed.txt", "two", "TWO")
    b = bench(p)
    b.choose("dos.txt")
    put_cursor(b, "three")
    b.page.keyboard.type("!")
    wait_until(lambda: p.read("dos.txt") == b"one\r\nTWO\r\nthree!")
    b.press("Escape")
    b.choose("mixed.txt")
    expect(b.line("one")).to_contain_text("\\r")
    put_cursor(b, "TWO")
    b.page.keyboard.type("!")
    wait_until(lambda: p.read("mixed.txt") == b"one\r\nTWO!\nthree\r\n")


def test_what_was_typed_while_the_server_was_away_is_saved_when_it_is_back(
    project: Make, bench: Open
) -> None:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    b = bench(p)
    expect(b.line("line 2")).to_have_count(1)
    b.server.stop(signal.SIGKILL)
    put_cursor(b, "line 2")
    b.page.keyboard.type(" kept")
    expect(b.at(".saving-line")).to_contain_text("not saved yet")
    server = Workbench(p, port=b.server.port)
    try:
        other = b.context.new_page()
        other.goto(server.address)
        saved(b, "line 2 kept\n")
        expect(b.at(".saving-line")).to_have_count(0)
    finally:
        b.page.close()
        server.stop()


def test_typing_that_has_no_place_any_more_is_kept_and_said(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\nthree\n"})
    p.prompt()
    p.edit("a.txt", "two\n", "TWO\n")
    b = bench(p)
    put_cursor(b, "TWO")
    b.context.set_offline(True)
    b.page.keyboard.type(" mine")
    p.remove("a.txt")
    b.context.set_offline(False)
    expect(b.at(".saving-line")).to_contain_text("there is no text in its place any more")
    expect(b.line("TWO mine")).to_have_count(1)
    b.at(".saving-line").get_by_role("button", name="Discard my text").click()
    expect(b.at(".whole-file")).to_contain_text("File deleted")
