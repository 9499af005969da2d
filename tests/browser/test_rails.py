"""Files on the left; groups, timeline and notes on the right."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_calm import CUT
from tests.support.project import POEM, Make, Project


def test_dots_letters_and_the_smart_order(project: Make, bench: Open) -> None:
    p = project({"src/a.py": POEM, "tests/test_a.py": POEM, "yarn.lock": POEM, "gone.py": "x\n"})
    p.prompt()
    for path in ("src/a.py", "tests/test_a.py", "yarn.lock"):
        p.edit(path, "line 2\n", "LINE 2\n")
        p.edit(path, "line 9\n", "LINE 9\n")
    p.remove("gone.py")
    p.write("new.py", "fresh\n")
    p.accept("src/a.py:2-2")
    p.accept("tests/test_a.py")
    b = bench(p)
    rows = b.at(".files-rail [role=treeitem] .name")
    expect(rows).to_have_text(["gone.py", "new.py", "src", "a.py", "tests", "test_a.py", "yarn.lock"])
    expect(b.at('[data-path="src/a.py"] .dot-partly')).to_have_count(1)
    expect(b.at('[data-path="src/a.py"] .tally')).to_have_text("1/2")
    expect(b.at('[data-path="tests/test_a.py"] .dot-done')).to_have_count(1)
    expect(b.at('[data-path="gone.py"] .letter')).to_have_text("D")
    expect(b.at('[data-path="new.py"] .letter')).to_have_text("A")
    expect(b.at('[data-path="yarn.lock"]')).to_have_class("row muted ")


def test_filters_narrow_the_rail_and_what_is_visited(project: Make, bench: Open) -> None:
    p = project({"src/a.py": POEM, "src/b.py": POEM, "c.txt": POEM})
    p.prompt()
    for path in ("src/a.py", "src/b.py", "c.txt"):
        p.edit(path, "line 2\n", "LINE 2\n")
    b = bench(p)
    b.press("t")
    b.page.keyboard.type("py !b")
    expect(b.at(".files-rail [data-path$='.py'], .files-rail [data-path$='.txt']")).to_have_count(1)
    b.press("Escape", "n", "n")
    expect(b.at(".file-header h1")).to_have_text("src/a.py")
    b.at(".filter").fill("nothing like it")
    expect(b.at(".files-rail")).to_contain_text("No file matches")


def test_a_viewed_file_says_when_it_has_changed(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 2\n", "LINE 2\n")
    p.edit("b.txt", "line 2\n", "LINE 2\n")
    b = bench(p)
    b.choose("a.txt")
    b.press("v")
    expect(b.at('[data-path="a.txt"] .viewed')).to_have_count(1)
    b.press("V")
    expect(b.at(".file-header h1")).to_have_text("b.txt")
    p.edit("a.txt", "line 12\n", "LINE 12\n")
    expect(b.at('[data-path="a.txt"] .dot-changed')).to_have_count(1)
    expect(b.at('[data-path="a.txt"] .viewed')).to_have_count(0)


def two_turns(project: Make) -> Project:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("first things first")
    p.edit("a.txt", "line 2\n", "LINE 2\n")
    p.edit("b.txt", "line 2\n", "LINE 2\n")
    p.stop()
    p.prompt("second helping")
    p.edit("a.txt", "line 12\n", "LINE 12\n")
    p.stop()
    p.sub("b.txt", "line 9\n", "line 9, by an editor\n")
    return p


def test_groups_are_a_tree_of_turns_calls_and_hunks(project: Make, bench: Open) -> None:
    p = two_turns(project)
    b = bench(p)
    rows = b.at(".group-row")
    expect(rows.nth(0)).to_contain_text("Turn 2 second helping")
    expect(rows.nth(1)).to_contain_text("Edit a.txt")
    expect(b.at(".group-row.turn").nth(1)).to_contain_text("Turn 1 first things first")
    expect(b.at(".group-row.people")).to_contain_text("Outside")
    rows.nth(1).get_by_role("button", name="Open").click()
    expect(b.at(".group-row.hunk")).to_contain_text("a.txt")
    expect(b.at(".group-row.turn").nth(1).locator(".tally")).to_have_text("2 undecided")


def test_a_group_is_lit_hidden_hovered_and_gone_to(project: Make, bench: Open) -> None:
    p = two_turns(project)
    b = bench(p)
    second = b.at(".group-row.turn").nth(0)
    second.click()
    expect(b.at(".file-header h1")).to_have_text("a.txt")
    expect(b.at(".cm-editor.dimmed .added-line.lit")).to_have_text("LINE 12")
    b.at(".group-row.turn").nth(1).hover()
    # One frame: the bar has its upper edge, the last line the lower one.
    expect(b.at(".hunk-bar.hovered")).to_have_count(1)
    expect(b.at(".removed-block.framed")).to_have_text("line 2")
    expect(b.at(".added-line.framed.frame-end")).to_have_text("LINE 2")
    expect(b.at(".added-line.framed")).to_have_css("outline-style", "none")
    second.get_by_role("button", name="Hide turn 2").click()
    expect(b.at(".added-line")).to_have_text("LINE 2")
    b.click("Show everything")
    expect(b.at(".added-line")).to_have_count(2)
    expect(b.at(".cm-editor.dimmed")).to_have_count(0)


def test_a_group_is_decided_from_the_rail(project: Make, bench: Open) -> None:
    p = two_turns(project)
    b = bench(p)
    first = b.at(".group-row.turn").nth(1)
    first.hover()
    first.get_by_role("button", name="Reject 2 changes of turn 1").click()
    expect(b.dialog).to_contain_text("This rejects 2 changes in 2 files")
    b.press("Enter")
    expect(b.left).to_have_text("1 change in 1 file")
    assert "LINE 2" not in p.text("a.txt") + p.text("b.txt")
    b.at(".panel-verbs").get_by_role("button", name="Clear").click()
    expect(b.at(".group-row.turn")).to_have_count(1)
    b.pick("All changes", "Accept all")
    b.dialog.get_by_role("button", name="Accept 1 change").click()
    expect(b.left).to_have_text("Nothing undecided")


def test_the_timeline_takes_decisions_back_and_brings_rejected_text_back(project: Make, bench: Open) -> None:
    p = two_turns(project)
    p.reject("a.txt:2-2", reason="not this")
    p.accept("b.txt")
    b = bench(p)
    b.press("g", "t")
    rejected = b.at(".entry.decision", has_text="Rejected 1 change")
    expect(rejected).to_contain_text("not this")
    rejected.get_by_role("button", name="Show").click()
    expect(rejected.locator(".added-line")).to_contain_text("LINE 2")
    rejected.get_by_role("button", name="Accept").click()
    expect(b.at(".message").first).to_contain_text("Accepted")
    assert "LINE 2\n" in p.text("a.txt")
    b.at(".entry.decision", has_text="Accepted 1 change").last.get_by_role("button", name="Undo").click()
    expect(b.at(".entry.decision.fallen")).to_have_count(1)
    assert [hunk["path"] for hunk in p.hunks()] == ["a.txt", "b.txt"]


def test_modes_and_the_gate(project: Make, bench: Open) -> None:
    p = two_turns(project)
    b = bench(p)
    expect(b.at(".gate-light")).to_contain_text("Gate closed")
    b.at(".gate-light").click()
    expect(b.dialog).to_contain_text("3 changes in 2 files are undecided")
    b.dialog.get_by_role("button", name="Go to the first").click()
    expect(b.dialog).to_have_count(0)
    b.pick("How edits arrive", "Direct")
    expect(b.at(".mode-direct")).to_have_count(1)
    assert p.status()["mode"] == "direct"
    b.pick("How edits arrive", "Review")
    expect(b.at(".mode-review")).to_have_count(1)


def test_a_turn_without_changes_says_why_it_is_listed(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt("louder")
    p.edit("a.txt", "one\n", "ONE\n")
    p.stop()
    p.prompt("what do you think?")
    p.stop()
    b = bench(p)
    row = b.at(".group-row.turn").first
    expect(row).to_contain_text("what do you think?")
    expect(row).to_contain_text("no changes, listed for its prompt")
    assert b.page.evaluate(CUT) == []
