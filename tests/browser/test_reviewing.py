"""Reading changes one after the other, and deciding about them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Open
from tests.support.project import POEM, Make, Project


@pytest.fixture
def poem(project: Make) -> Project:
    """Two turns in two files."""
    p = project({"poem.txt": POEM, "src/a.py": "one\ntwo\nthree\n"})
    p.prompt("make it louder")
    p.edit("poem.txt", "line 5\n", "LINE 5\n")
    p.edit("poem.txt", "line 12\n", "LINE 12\n")
    p.stop()
    p.prompt("and this one")
    p.edit("src/a.py", "two\n", "TWO\n")
    p.stop()
    return p


def test_every_hunk_has_a_bar_and_the_counts_are_those_of_the_command_line(
    poem: Project, bench: Open
) -> None:
    b = bench(poem)
    expect(b.left).to_have_text("3 changes in 2 files")
    b.choose("poem.txt")
    expect(b.bars).to_have_count(2)
    expect(b.at(".removed-block")).to_have_text(["line 5", "line 12"])
    shown = b.page.eval_on_selector_all(".hunk-bar", "bars => bars.map(bar => bar.dataset.hunk)")
    assert shown == [hunk["id"] for hunk in poem.hunks("poem.txt")]


def test_accept_with_a_key_goes_on_to_the_next_change(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")
    b.press("a")
    expect(b.left).to_have_text("2 changes in 2 files")
    expect(b.at(".hunk-bar.current")).to_have_count(1)
    expect(b.at(".decided-row.accepted")).to_have_count(1)
    assert [hunk["new"] for hunk in poem.hunks("poem.txt")] == ["LINE 12\n"]


def test_a_decision_and_its_undo_are_one_request_each(poem: Project, bench: Open) -> None:
    """The answer shows what became of the file and of everything around it: nothing else is asked for."""
    b = bench(poem)
    b.choose("poem.txt")
    expect(b.bars).to_have_count(2)
    asked: list[str] = []
    b.page.on("request", lambda request: asked.append(request.url.partition("?")[0].rpartition("/api/")[2]))
    b.bars.nth(0).get_by_role("button", name="Accept").click()
    expect(b.left).to_have_text("2 changes in 2 files")
    expect(b.at(".decided-row.accepted")).to_have_count(1)
    expect(b.bars).to_have_count(1)
    b.press("u")
    expect(b.left).to_have_text("3 changes in 2 files")
    expect(b.bars).to_have_count(2)
    # A browser asks for the icon whenever the address is another one.
    assert [one for one in asked if one not in ("events", "gate") and "/" not in one] == ["decide", "undo"]


def test_u_takes_a_decision_back_and_shift_u_makes_it_again(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")
    b.press("x")
    expect(b.left).to_have_text("2 changes in 2 files")
    b.press("u")
    expect(b.left).to_have_text("3 changes in 2 files")
    assert "LINE 5" in poem.text("poem.txt")
    b.press("U")
    expect(b.left).to_have_text("2 changes in 2 files")
    assert "LINE 5" not in poem.text("poem.txt")


def test_undo_does_not_overtake_a_decision_that_takes_long(poem: Project, bench: Open) -> None:
    b = bench(poem)
    held: list[Route] = []
    is_held = False

    def hold(route: Route) -> None:
        held.append(route) if is_held else route.continue_()

    # From the start on: a request that follows at once may be sent before the browser knows.
    b.page.route("**/api/decide**", hold)
    before = b.left.inner_text()
    b.press("a")
    expect(b.left).not_to_have_text(before)
    expect(b.at(".file-header h1")).to_have_text("poem.txt")
    after = b.left.inner_text()
    is_held = True
    b.press("a", "u")
    # It is named while it lasts.
    expect(b.at(".message")).to_contain_text("Accepting line")
    assert len(held) == 1
    held[0].continue_()
    b.page.unroute("**/api/decide**")
    expect(b.at(".message")).to_contain_text("Undone")
    expect(b.left).to_have_text(after)


def test_the_buttons_of_a_bar_do_what_they_say(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")
    b.bars.nth(1).get_by_role("button", name="Accept").click()
    expect(b.left).to_have_text("2 changes in 2 files")
    b.choose("poem.txt")
    expect(b.bars).to_have_count(1)
    b.bars.nth(0).get_by_role("button", name="Reject").click()
    expect(b.left).to_have_text("1 change in 1 file")
    assert (poem.text("poem.txt").count("LINE 5"), poem.text("poem.txt").count("LINE 12")) == (0, 1)


def test_next_and_previous_go_through_all_files(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")
    expect(b.at(".place")).to_have_text("2 / 3")
    b.press("n")
    expect(b.at(".place")).to_have_text("3 / 3")
    b.press("n")
    expect(b.at(".file-header h1")).to_have_text("src/a.py")
    b.press("p")
    expect(b.at(".file-header h1")).to_have_text("poem.txt")
    expect(b.at(".place")).to_have_text("3 / 3")
    b.press("]")
    expect(b.at(".file-header h1")).to_have_text("src/a.py")


THIRD = re.compile("^Change 3 of 3")

PRESS_P_BEFORE_THE_SCREEN_IS_DRAWN = """path => new MutationObserver((_, observer) => {
  if (document.querySelector(".file-header h1")?.textContent !== path) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "p", bubbles: true }));
}).observe(document.body, { childList: true, subtree: true, characterData: true })"""


def test_a_file_that_is_left_takes_no_key_meant_for_the_next_one(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")
    b.press("n")
    expect(b.at(".hunk-bar.current")).to_have_attribute("aria-label", THIRD)
    b.page.evaluate(PRESS_P_BEFORE_THE_SCREEN_IS_DRAWN, "src/a.py")
    b.press("n")
    expect(b.at(".file-header h1")).to_have_text("poem.txt")
    expect(b.at(".hunk-bar.current")).to_have_attribute("aria-label", THIRD)
    expect(b.at(".place")).to_have_text("3 / 3")


def test_what_is_said_late_about_a_file_that_was_left_closes_no_other(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")
    held: list[Route] = []
    b.page.route(re.compile("/api/file.*poem"), lambda route: held.append(route))
    with b.page.expect_request(re.compile("/api/file.*poem")):
        poem.edit("poem.txt", "line 1\n", "LINE 1\n")
    b.choose("src/a.py")
    with b.page.expect_response(re.compile("/api/file.*poem")):
        held[0].fulfill(status=404, json={"error": "gone"})
    b.page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))")
    expect(b.at(".file-header h1")).to_have_text("src/a.py")


def test_selected_lines_are_decided_by_themselves(project: Make, bench: Open) -> None:
    p = project({"a.txt": "top\nend\n"})
    p.prompt()
    p.edit("a.txt", "top\n", "top\none\ntwo\nthree\n")
    b = bench(p)
    b.press("j", "J")
    expect(b.at(".review-bar")).to_contain_text("Accept 1 line")
    b.press("x")
    expect(b.line("two")).to_have_count(0)
    assert p.text("a.txt") == "top\none\nthree\nend\n"


def test_a_file_is_decided_with_one_key(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")
    b.press("A")
    expect(b.left).to_have_text("1 change in 1 file")
    expect(b.at(".message")).to_contain_text("Accepted: 2 changes in poem.txt")


def test_a_turn_is_rejected_with_its_chord(poem: Project, bench: Open) -> None:
    b = bench(poem)
    # Both turns have to be seen, or there would be a question.
    b.choose("src/a.py")
    expect(b.bars.first).to_be_in_viewport()
    b.choose("poem.txt")
    # The one that is being read.
    expect(b.at(".turn-control")).to_contain_text("2 edits in 1 file")
    b.press("Control+Shift+Backspace")
    expect(b.left).to_have_text("1 change in 1 file")
    assert poem.text("poem.txt") == POEM
    expect(b.at(".turn-control")).to_contain_text("Turn 2")
    b.press("Control+Shift+Enter")
    expect(b.at(".turn-control")).to_have_count(0)
    expect(b.left).to_have_text("Nothing undecided")


def test_what_builds_on_a_change_is_asked_about(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt()
    p.edit("a.txt", "one\n", "one\ntwo\nthree\n")
    p.edit("a.txt", "two\n", "2\n")
    b = bench(p)
    expect(b.bars).to_have_count(2)
    b.bars.filter(has_text="1 change on top").get_by_role("button", name="Reject").click()
    asked = b.at(".decision-question")
    expect(asked).to_contain_text("1 later change builds on this")
    expect(b.dialog).to_have_count(0)
    expect(asked.locator(".question-answer").first).to_contain_text("three")
    asked.get_by_role("button", name="Reject with 1 later change").click()
    expect(b.left).to_have_text("Nothing undecided")
    assert p.text("a.txt") == "one\n"


def test_a_change_that_is_not_what_was_seen_is_not_decided(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("poem.txt")

    def change_first(route: Route) -> None:
        poem.sub("poem.txt", "LINE 5", "LINE 5, typed into")
        poem.hunks()
        route.continue_()

    # Between the click and the server, somebody types into the line.
    b.page.route("**/api/decide*", change_first, times=1)
    b.bars.first.get_by_role("button", name="Accept").click()
    expect(b.at(".message")).to_contain_text("This changed while you read it")
    assert len(poem.hunks("poem.txt")) == 2


def test_new_deleted_and_binary_files_are_one_decision_each(project: Make, bench: Open) -> None:
    p = project({"old.txt": "going\n", "image.png": b"\x89PNG\0one"})
    p.prompt()
    p.write("new.txt", "fresh\n")
    p.remove("old.txt")
    p.write("image.png", b"\x89PNG\0two")
    b = bench(p)
    b.choose("new.txt")
    expect(b.at(".whole-file")).to_contain_text("New file")
    b.choose("image.png")
    expect(b.at(".pictures")).to_contain_text("No picture that can be shown.")
    b.choose("old.txt")
    expect(b.at(".all-removed")).to_contain_text("going")
    b.at(".whole-file").get_by_role("button", name="Reject").click()
    expect(b.left).to_have_text("2 changes in 2 files")
    assert p.text("old.txt") == "going\n"


def test_a_proposal_is_shown_where_it_would_stand(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\nthree\n"})
    p.set_mode("hold")
    p.prompt()
    p.edit("a.txt", "two\n", "TWO\n")
    b = bench(p)
    expect(b.at(".proposed")).to_contain_text("TWO")
    expect(b.at(".held-line")).to_have_text("two")
    expect(b.at(".sign-proposed")).to_have_text("\N{MINUS SIGN}")
    expect(b.bars.first.get_by_role("button", name="Reject")).to_be_visible()
    expect(b.at(".mode-hold")).to_have_text("Hold")
    b.press("a")
    expect(b.left).to_have_text("Nothing undecided")
    assert p.text("a.txt") == "one\nTWO\nthree\n"
