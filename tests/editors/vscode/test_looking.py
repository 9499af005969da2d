"""What is to be seen besides the text: the list, ways through it, the diffs, and questions."""

from __future__ import annotations

import re

from tests.editors.vscode.real_vscode import INSTALLED, ROOT, VSCode, set_to, until
from tests.support.project import POEM, Project

PLACE = (
    "const e = vscode.window.activeTextEditor; return [e?.document.uri.path ?? '', e?.selection.active.line]"
)


def test_the_list_ways_through_it_and_diffs(vscode: VSCode, p: Project) -> None:
    p.edit("b.md", "line 5\n", "line five\n")
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 3)

    vscode.command("blueline.showReview")
    rows = vscode.page.locator(".pane-body .monaco-list-row")
    until("listed", lambda: rows.count() == 6)
    assert "write numbers as words" in rows.nth(0).inner_text()

    seen = []
    for _ in range(4):
        vscode.command("blueline.next")
        path, line = vscode.run(PLACE)
        seen.append((path.removeprefix(f"{p.root}/"), line + 1))
    assert seen == [("b.md", 5), ("sub/a.md", 3), ("sub/a.md", 9), ("b.md", 5)]

    # The diff of everything has the same buttons.
    vscode.command("blueline.diffAll")
    until("in the diff", lambda: sum(text == "Reject" for text in vscode.lenses()) == 3)
    vscode.command("workbench.action.closeAllEditors")

    # A selection is decided by itself.
    vscode.show(p, "sub/a.md")
    until("buttons", lambda: len(vscode.lenses()) == 6)
    vscode.run("vscode.window.activeTextEditor.selection = new vscode.Selection(2, 0, 2, 4)")
    vscode.command("blueline.reject")
    until("rejected", lambda: (vscode.text("sub/a.md") or "").startswith("line 1\nline 2\nline 3\n"))

    # From a file in which all is decided, on to the one behind it.
    vscode.show(p, "b.md")
    until("its button", lambda: len(vscode.lenses()) == 3)
    vscode.command("blueline.acceptFile")
    until("decided", lambda: vscode.undecided() == 1)
    vscode.command("blueline.next")
    assert vscode.run(PLACE)[0] == str(p.root / "sub/a.md")
    vscode.command("blueline.undo")

    # A row of the list is what its buttons are about: a turn, two files, and a change in each.
    until("two", lambda: vscode.undecided() == 2 and rows.count() == 5)
    vscode.row_button(0, "Reject")
    until("all", lambda: vscode.text("sub/a.md") == POEM and p.text("b.md") == POEM)
    until("none", lambda: vscode.undecided() == 0)


def test_every_icon_is_one_that_vscode_has() -> None:
    sources = [
        *(ROOT / "editors" / "vscode" / "src").glob("*.ts"),
        ROOT / "editors" / "vscode" / "package.json",
    ]
    wanted = {name for one in sources for name in re.findall(r"\$\(([a-z-]+)\)", one.read_text())}
    page = INSTALLED / "code-server/lib/vscode/out/vs/code/browser/workbench/workbench.js"
    known = set(re.findall(r'\("([a-z-]+)",\d+\)', page.read_text()))
    assert wanted > {"check", "reply"}
    assert wanted <= known


def test_a_correction_is_asked_about_with_both_results(vscode: VSCode, p: Project) -> None:
    p.sub("sub/a.md", "line three\n", "line drei\n")
    vscode.open(p)
    vscode.show(p, "sub/a.md")
    until("buttons", lambda: len(vscode.lenses()) == 6)
    vscode.lens("Reject").click()
    dialog = vscode.page.locator(".monaco-dialog-box")
    dialog.wait_for()
    said = dialog.inner_text()
    assert "Keep what I wrote: line drei" in said
    assert "Go back to the original: line 3" in said
    dialog.get_by_role("button", name="Go back to the original").click()
    until("original", lambda: (vscode.text("sub/a.md") or "").startswith("line 1\nline 2\nline 3\n"))


def test_the_gutter_shows_what_is_not_as_agreed_with_buttons(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    vscode.show(p, "sub/a.md")
    until("buttons", lambda: len(vscode.lenses()) == 6)
    marks = vscode.page.locator(".dirty-diff-glyph")
    until("marks", lambda: marks.count() == 2)
    # Lines that went are between two lines, so the borders of VS Code's own diff are not ours.
    vscode.at_line(5)
    vscode.command("editor.action.dirtydiff.next")
    vscode.page.locator('.peekview-actions [aria-label*="Reject This Change"]').click()
    until("rejected", lambda: "line 8\nline 9\nline 10\nline 11\n" in (vscode.text("sub/a.md") or ""))
    until("one mark", lambda: marks.count() == 1)
    vscode.page.keyboard.press("Escape")
    vscode.at_line(1)
    vscode.command("editor.action.dirtydiff.next")
    vscode.page.locator('.peekview-actions [aria-label*="Accept This Change"]').click()
    until("accepted", lambda: vscode.undecided() == 0)
    until("no mark", lambda: marks.count() == 0)
    assert p.text("sub/a.md") == POEM.replace("line 3\n", "line three\n")


REVIEWED = (
    "const e = vscode.window.activeTextEditor; return [e?.document.uri.scheme, e?.selection.active.line]"
)


def test_single_keys_in_a_diff_and_nowhere_else(vscode: VSCode, p: Project) -> None:
    file = "sub/a.md"
    before = p.text(file)
    vscode.open(p)
    vscode.show(p, file)
    until("buttons", lambda: len(vscode.lenses()) == 6)
    # In the ordinary editor letters are letters.
    vscode.type(1, "a")
    until("typed", lambda: (vscode.text(file) or "").startswith("aline"))
    vscode.command("undo")
    until("clean", lambda: not vscode.is_dirty(file))

    vscode.command("blueline.diffFile")
    until("in the diff", lambda: "Reject" in vscode.lenses())
    vscode.at_line(1)
    vscode.page.keyboard.press("n")
    until("the first", lambda: vscode.run(REVIEWED) == ["file", 2])
    vscode.page.keyboard.press("x")
    until("rejected", lambda: (vscode.text(file) or "").startswith("line 1\nline 2\nline 3\n"))
    # On to the next; and back to the one that is undone.
    until("on", lambda: vscode.run(REVIEWED) == ["file", 8])
    vscode.page.keyboard.press("u")
    until("undone", lambda: vscode.text(file) == before)
    until("saved", lambda: not vscode.is_dirty(file))
    until("back", lambda: vscode.run(REVIEWED) == ["file", 2])
    # A letter that means nothing is not typed.
    vscode.page.keyboard.press("w")
    vscode.page.locator(".statusbar-item", has_text="letters review here").wait_for()
    assert vscode.text(file) == before

    # Who says so, types, until Escape; with the setting, or with Vim's keys, always.
    def typed(letter: str) -> None:
        vscode.page.keyboard.press(letter)
        until(f"{letter} typed", lambda: vscode.text(file) != before)
        vscode.command("undo")
        until("as before", lambda: vscode.text(file) == before)

    vscode.page.keyboard.press("e")
    vscode.page.locator(".statusbar-item", has_text="typing; Escape").wait_for()
    typed("x")
    vscode.page.keyboard.press("Escape")
    vscode.page.locator(".statusbar-item", has_text="reviewing").wait_for()
    vscode.command("setContext", "vim.active", True)
    typed("x")
    vscode.command("setContext", "vim.active", False)
    set_to(vscode, "blueline.singleKeys", False)
    typed("a")
    set_to(vscode, "blueline.singleKeys", True)
    vscode.page.keyboard.press("Shift+X")
    until("all", lambda: vscode.text(file) == POEM)
    assert [one["verdict"] for one in p.log("decision")] == ["reject", "undo", "reject"]


def test_single_keys_in_a_diff_of_many_files(vscode: VSCode, p: Project) -> None:
    p.edit("b.md", "line 5\n", "line five\n")
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 3)
    vscode.command("blueline.diffAll")
    until("in the diff", lambda: sum(text == "Reject" for text in vscode.lenses()) == 3)
    vscode.at_line(1)
    seen = []
    for _ in range(4):
        before = vscode.run(PLACE)
        vscode.page.keyboard.press("n")
        path, line = until("elsewhere", lambda: vscode.run(PLACE) if vscode.run(PLACE) != before else None)  # noqa: B023
        seen.append((path.removeprefix(f"{p.root}/"), line + 1))
    assert seen == [("b.md", 5), ("sub/a.md", 3), ("sub/a.md", 9), ("b.md", 5)]
    vscode.page.keyboard.press("a")
    until("accepted", lambda: vscode.undecided() == 2)
    until("on", lambda: vscode.run(PLACE) == [str(p.root / "sub/a.md"), 2])
    vscode.page.keyboard.press("x")
    until("rejected", lambda: vscode.undecided() == 1)
    assert [one["verdict"] for one in p.log("decision")] == ["reject", "accept"]
    assert p.text("sub/a.md").startswith("line 1\nline 2\nline 3\n")
    assert p.text("b.md") == POEM.replace("line 5\n", "line five\n")


def test_proposals_are_shown_as_a_diff(vscode: VSCode, p: Project) -> None:
    p.accept()
    before = p.text("b.md")
    p.set_mode("hold")
    p.edit("b.md", "line 5\n", "line five\n")
    p.edit("b.md", "line 9\n", "line nine\n")
    assert p.text("b.md") == before
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 2)
    vscode.command("blueline.next")
    until("as proposed", lambda: "line five" in (vscode.run(SHOWN_TEXT) or ""))
    until("buttons", lambda: sum(text == "Accept" for text in vscode.lenses()) == 2)
    vscode.lens("Accept").click()
    until("written", lambda: p.text("b.md") == POEM.replace("line 5\n", "line five\n"))
    until("one", lambda: sum(text == "Reject" for text in vscode.lenses()) == 1)
    vscode.lens("Reject").click()
    until("none", lambda: vscode.undecided() == 0)
    assert p.text("b.md") == POEM.replace("line 5\n", "line five\n")


def test_a_deleted_file_is_shown_and_comes_back(vscode: VSCode, p: Project) -> None:
    p.accept()
    p.remove("b.md")
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 1)
    vscode.command("blueline.next")
    until("its text", lambda: vscode.page.locator(".original .view-line", has_text="line 5").count() == 1)
    until("buttons", lambda: vscode.lenses() == ["Accept", "Reject", "claude-code deleted this file"])
    vscode.command("workbench.action.keepEditor")
    vscode.command("blueline.diffAll")
    until("among all", lambda: vscode.lenses() == ["Accept", "Reject", "claude-code deleted this file"])
    vscode.lens("Reject").click()
    until("back", lambda: p.exists("b.md"))
    until("none", lambda: vscode.undecided() == 0)
    assert p.text("b.md") == POEM
    # A tab keeps its title, and none says that it is deleted.
    tabs = "return vscode.window.tabGroups.all.flatMap(group => group.tabs.map(tab => tab.label))"
    assert "b.md (agreed ↔ if accepted)" in vscode.run(tabs)


def test_past_a_file_that_is_no_text(vscode: VSCode, p: Project) -> None:
    p.put("b.bin", bytes(range(256)))
    p.bash("printf '\\1\\2' > b.bin; printf '\\0' > c.bin")
    p.edit("b.md", "line 5\n", "line five\n")
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 5)
    tab = "return vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ''"
    vscode.command("blueline.next")
    until("the first", lambda: vscode.run(tab).startswith("b.bin"))
    vscode.page.keyboard.press("Alt+F7")
    until("behind it", lambda: vscode.run(tab).startswith("b.md"))
    vscode.page.keyboard.press("Alt+F7")
    until("no text", lambda: vscode.run(tab).startswith("c.bin"))
    # What is shown is what is decided about.
    vscode.page.keyboard.press("Control+Alt+x")
    until("rejected", lambda: not p.exists("c.bin"))
    until("four", lambda: vscode.undecided() == 4)


SHOWN_TEXT = (
    "return vscode.window.visibleTextEditors.map(one => one.document)"
    ".find(one => one.uri.scheme === 'blueline-proposed')?.getText()"
)
