"""The editor of the file that comes next is made ahead: it is as if it had been made when it is looked at."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.bench import Bench
from tests.support.project import Make, Project
from tests.support.waiting import wait_until

NAMES = ("a.py", "b.py", "c.py")
TEXT = "".join(f"row {number}\n" for number in range(1, 60))


def changed(project: Make) -> Project:
    """One change in each of three files, which differ in all their lines."""
    p = project({name: TEXT.replace("row", name) for name in NAMES})
    p.prompt()
    for name in NAMES:
        p.edit(name, f"{name} 30\n", f"{name} THIRTY\n")
    return p


ASKED_FOR = """name => performance.getEntriesByType("resource")
    .some(one => one.name.includes("/api/file?") && one.name.endsWith(name))"""


def at_rest(b: Bench, coming: str) -> None:
    """Whatever the page does when nobody waits for it is done: it has a file that is not open yet."""
    expect(b.at(".connection.live")).to_be_visible()
    b.page.wait_for_function(ASKED_FOR, arg=coming)
    for _ in range(3):
        b.page.evaluate("new Promise(done => requestIdleCallback(done))")


def shown(b: Bench, name: str) -> None:
    """A file, at its change, and nothing of another."""
    expect(b.at(".file-header h1")).to_have_text(name)
    expect(b.at(".hunk-bar.current")).to_be_in_viewport()
    expect(b.at("[data-text=open] .cm-line", f"{name} THIRTY")).to_be_in_viewport()
    for other in NAMES:
        if other != name:
            expect(b.at(".proof", other)).to_have_count(0)
    expect(b.at(".proof")).to_have_count(1)


@pytest.mark.parametrize("width", [1440, 1600])
def test_nothing_of_one_file_is_left_in_the_next(project: Make, bench: Open, width: int) -> None:
    p = changed(project)
    b = bench(p, width=width)
    shown(b, "a.py")
    at_rest(b, "b.py")
    # All that an editor can hold: what was typed and can be undone, opened folds, selected lines.
    b.at("[data-text=open] .fold button").first.click()
    b.line("a.py 31").first.click()
    b.press("e", "End")
    b.page.keyboard.type(" mine")
    b.press("Escape", "Shift+ArrowDown", "Shift+ArrowDown")
    expect(b.at(".here-verbs")).to_contain_text("Accept selection")
    b.press("n")
    shown(b, "b.py")
    wait_until(lambda: "a.py 31 mine\n" in p.text("a.py"))
    expect(b.at(".here-verbs")).to_contain_text("Accept change")
    expect(b.at("[data-text=open] .fold").first).to_contain_text("unchanged lines")
    expect(b.at("[data-text=open] .cm-line", "b.py 20")).to_have_count(0)
    b.press("e", "Control+z", "Control+z")
    b.page.keyboard.type("yours ")
    wait_until(lambda: "yours b.py THIRTY\n" in p.text("b.py"))
    assert p.text("b.py").replace("yours ", "") == TEXT.replace("row", "b.py").replace("30", "THIRTY")
    b.press("Escape", "p")
    shown(b, "a.py")
    expect(b.line("a.py 31 mine")).to_be_visible()
    assert "a.py 31 mine\n" in p.text("a.py")


def test_a_decision_goes_on_to_a_file_that_is_as_it_is_by_now(project: Make, bench: Open) -> None:
    p = changed(project)
    b = bench(p)
    shown(b, "a.py")
    at_rest(b, "b.py")
    p.edit("b.py", "b.py 28\n", "b.py TWENTY-EIGHT\n")
    expect(b.at('[data-path="b.py"] .tally')).to_have_text("2")
    b.press("a")
    expect(b.left).to_have_text("3 changes in 2 files")
    expect(b.at(".file-header h1")).to_have_text("b.py")
    expect(b.line("b.py TWENTY-EIGHT")).to_be_in_viewport()
    b.press("a")
    expect(b.left).to_have_text("2 changes in 2 files")
    b.press("a")
    expect(b.left).to_have_text("1 change in 1 file")
    shown(b, "c.py")
    assert [p.text(name).count("THIRTY") for name in NAMES] == [1, 1, 1]


def test_how_texts_look_is_the_same_in_the_next_file(project: Make, bench: Open) -> None:
    p = changed(project)
    b = bench(p)
    shown(b, "a.py")
    at_rest(b, "b.py")
    b.pick("File", "Split")
    expect(b.at(".proof .cm-mergeView")).to_have_count(1)
    b.press("n")
    shown(b, "b.py")
    expect(b.at(".proof .cm-mergeView")).to_have_count(1)
    at_rest(b, "c.py")
    b.pick("File", "Unified")
    b.press("n")
    shown(b, "c.py")
    expect(b.at(".proof .cm-mergeView")).to_have_count(0)
    expect(b.at(".removed-line", "c.py 30")).to_be_visible()


def test_changes_of_a_file_that_was_only_made_ready_count_as_not_opened(project: Make, bench: Open) -> None:
    p = changed(project)
    b = bench(p)
    shown(b, "a.py")
    at_rest(b, "b.py")
    b.pick("All changes", "Accept all 3 changes")
    expect(b.dialog).to_contain_text("2 files you have not opened")
    b.press("Escape", "n")
    shown(b, "b.py")
    # Those that were opened before a reload were opened.
    b.page.reload()
    shown(b, "b.py")
    b.pick("All changes", "Accept all 3 changes")
    expect(b.dialog).to_contain_text("1 file you have not opened")
    assert p.text("b.py") == TEXT.replace("row", "b.py").replace("30", "THIRTY")
