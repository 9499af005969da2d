"""What is to be seen besides the text: the list, ways through it, the diffs, and questions."""

from __future__ import annotations

from tests.editors.vscode.real_vscode import VSCode, until
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

    # A row of the list is what its buttons are about.
    until("two", lambda: vscode.undecided() == 2)
    rows.nth(0).hover()
    rows.nth(0).get_by_role("button", name="Reject").click()
    until("all", lambda: vscode.text("sub/a.md") == POEM and p.text("b.md") == POEM)
    until("none", lambda: vscode.undecided() == 0)


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
    vscode.at_line(9)
    vscode.command("editor.action.dirtydiff.next")
    vscode.page.get_by_role("button", name="Reject This Change").click()
    until("rejected", lambda: "line 8\nline 9\nline 10\nline 11\n" in (vscode.text("sub/a.md") or ""))
    until("one mark", lambda: marks.count() == 1)
    vscode.command("closeDirtyDiff")
    vscode.at_line(1)
    vscode.command("editor.action.dirtydiff.next")
    vscode.page.get_by_role("button", name="Accept This Change").click()
    until("accepted", lambda: vscode.undecided() == 0)
    until("no mark", lambda: marks.count() == 0)
    assert p.text("sub/a.md") == POEM.replace("line 3\n", "line three\n")
