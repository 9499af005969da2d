"""Notes to the agent: threads beside the lines that they are about."""

from __future__ import annotations

from tests.editors.vscode.real_vscode import VSCode, until
from tests.support.project import Project


def written(p: Project) -> list[tuple[str, str, str, int]]:
    """Kind, text, status and line of each note."""
    found = [(one["note"], one["text"], one["status"], one["line"]) for one in p.log("note")]
    return sorted(found, key=lambda one: one[1])


def test_notes_are_written_answered_and_resolved(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    vscode.show(p, "sub/a.md")
    until("buttons", lambda: len(vscode.lenses()) == 6)
    # In a text that is not saved: the note is about the line of the file.
    vscode.type(1, "typed\n")
    vscode.at_line(6)
    vscode.command("workbench.action.addComment")
    field = vscode.page.locator(".comment-form .monaco-editor").first
    field.click()
    vscode.page.keyboard.type("as *words* too")
    vscode.page.get_by_role("button", name="Please Change").click()
    until("written", lambda: written(p) == [("change", "as *words* too", "sent", 5)])
    body = vscode.page.locator(".review-comment .comment-body")
    until("shown as it was typed", lambda: body.all_inner_texts() == ["as *words* too"])

    # Beside it, one more.
    form = vscode.page.locator(".review-thread-reply-button, .comment-form .monaco-editor")
    form.locator("visible=true").first.click()
    vscode.page.keyboard.type("or why not?")
    vscode.page.get_by_role("button", name="Ask", exact=True).click()
    until("answered", lambda: len(written(p)) == 2)
    assert written(p)[1] == ("question", "or why not?", "sent", 5)
    until("both", lambda: body.count() == 2)

    # Written anew.
    comment = vscode.page.locator(".review-comment").nth(1)
    comment.hover()
    comment.get_by_role("button", name="Edit Note").click()
    comment.locator(".monaco-editor").wait_for()
    vscode.page.keyboard.press("Control+A")
    vscode.page.keyboard.type("why not?")
    comment.get_by_role("button", name="Send").click()
    until("edited", lambda: written(p)[1][1] == "why not?")
    until("shown", lambda: body.all_inner_texts() == ["as *words* too", "why not?"])

    vscode.page.get_by_role("button", name="Resolve Notes").click()
    until("resolved", lambda: [one[2] for one in written(p)] == ["resolved", "resolved"])
    assert vscode.is_dirty("sub/a.md")


def test_a_note_is_written_in_a_diff_by_keys_that_are_no_decisions(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    vscode.show_diff(p, "sub/a.md")
    vscode.at_line(3)
    field = vscode.page.locator(".comment-form .monaco-editor.focused")

    def asked() -> bool:
        # Where notes can be written is known a moment after the diff is there.
        if not field.count():
            vscode.page.keyboard.press("c")
            vscode.page.wait_for_timeout(500)
        return bool(field.count())

    until("a box", asked)
    vscode.page.keyboard.type("a box: next, up, exact")
    vscode.page.get_by_role("button", name="Please Change").click()
    until("written", lambda: written(p) == [("change", "a box: next, up, exact", "sent", 3)])
    assert p.log("decision") == []
    assert len(p.hunks("sub/a.md")) == 2
    assert not vscode.is_dirty("sub/a.md")
