"""Reviews in the ordinary editor: buttons, decisions, and texts that follow them."""

from __future__ import annotations

from tests.editors.vscode.real_vscode import VSCode, until
from tests.support.project import POEM, Project

BUTTONS = [
    *("Accept", "Reject", "claude-code changed 1 line"),
    *("Accept", "Reject", "claude-code removed 2 lines"),
]


def test_a_button_rejects_and_the_text_follows(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    vscode.show(p, "sub/a.md")
    until("buttons", lambda: vscode.lenses() == BUTTONS)
    vscode.lens("Reject").click()
    until("rejected", lambda: (vscode.text("sub/a.md") or "").startswith("line 1\nline 2\nline 3\n"))
    until("saved", lambda: not vscode.is_dirty("sub/a.md"))
    until("one left", lambda: vscode.lenses() == BUTTONS[3:])
    assert p.text("sub/a.md") == vscode.text("sub/a.md")
    vscode.command("blueline.undo")
    until("undone", lambda: "line three" in (vscode.text("sub/a.md") or ""))
    until("two again", lambda: vscode.lenses() == BUTTONS)
    vscode.command("blueline.redo")
    until("redone", lambda: "line three" not in (vscode.text("sub/a.md") or ""))
    assert not vscode.is_dirty("sub/a.md")
    assert [one["verdict"] for one in p.log("decision")][-1] == "reject"


def test_a_clean_text_follows_a_decision_that_was_made_elsewhere(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    vscode.show(p, "sub/a.md")
    until("buttons", lambda: vscode.lenses() == BUTTONS)
    p.reject("sub/a.md")
    until("followed", lambda: vscode.text("sub/a.md") == POEM)
    until("no buttons", lambda: not vscode.lenses())
    assert not vscode.is_dirty("sub/a.md")
    # So does the light, also where a review is all that happened.
    light = vscode.page.locator('[id="blueline-review.blueline.blueline.count"]')
    until("closed", lambda: "gate closed" in light.inner_text())
    p.looked_at()
    until("open", lambda: "may ship" in light.inner_text())
