"""Texts that are not saved: nothing typed is lost, no wrong text is decided, and a save is no accept."""

from __future__ import annotations

from tests.editors.vscode.real_vscode import VSCode, set_to, until
from tests.support.project import POEM, Project

FILE = "sub/a.md"


def opened(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    vscode.show(p, FILE)
    until("buttons", lambda: len(vscode.lenses()) == 6)


def typed(vscode: VSCode, text: str) -> None:
    """Type above everything, and wait until the hunks have moved."""
    vscode.type(1, text)
    until("typed", lambda: (vscode.text(FILE) or "").startswith(text))


def test_reject_takes_in_what_is_typed(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    typed(vscode, "typed \U0001f600\n")
    assert vscode.is_dirty(FILE)
    vscode.lens("Reject").click()
    wanted = "typed \U0001f600\n" + POEM.replace("line 9\nline 10\n", "")
    until("rejected", lambda: vscode.text(FILE) == wanted)
    until("saved", lambda: not vscode.is_dirty(FILE))
    assert p.text(FILE) == wanted
    # The editor's own undo, and a save: undecided again.
    vscode.command("undo")
    until("back", lambda: "line three" in (vscode.text(FILE) or ""))
    vscode.command("workbench.action.files.save")
    until("pending again", lambda: len(p.hunks(FILE)) == 2)


def test_accept_saves_nothing(vscode: VSCode, p: Project) -> None:
    before = p.text(FILE)
    opened(vscode, p)
    typed(vscode, "typed\n")
    vscode.lens("Accept").click()
    until("accepted", lambda: len(vscode.lenses()) == 3)
    assert vscode.is_dirty(FILE)
    assert p.text(FILE) == before
    assert (vscode.text(FILE) or "").startswith("typed\n")


def test_a_save_is_no_accept(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    typed(vscode, "typed\n")
    vscode.command("workbench.action.files.save")
    until("saved", lambda: not vscode.is_dirty(FILE))
    until("still there", lambda: len(vscode.lenses()) == 6)
    assert len(p.hunks(FILE)) == 2
    assert p.log("decision") == []


def test_what_is_saved_by_itself_is_no_accept(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    set_to(vscode, "files.autoSaveDelay", 50)
    set_to(vscode, "files.autoSave", "afterDelay")
    vscode.type(1, "typed\n")
    until("saved by itself", lambda: p.text(FILE).startswith("typed\n") and not vscode.is_dirty(FILE))
    until("still there", lambda: len(vscode.lenses()) == 6)
    assert p.log("decision") == []
    vscode.lens("Reject").click()
    wanted = "typed\n" + POEM.replace("line 9\nline 10\n", "")
    until("rejected", lambda: vscode.text(FILE) == wanted and not vscode.is_dirty(FILE))
    assert p.text(FILE) == wanted
    assert [one["verdict"] for one in p.log("decision")] == ["reject"]


def test_a_text_that_followed_a_decision_made_elsewhere_is_undone(vscode: VSCode, p: Project) -> None:
    before = p.text(FILE)
    opened(vscode, p)
    p.reject(FILE)
    until("followed", lambda: vscode.text(FILE) == POEM and not vscode.is_dirty(FILE))
    vscode.command("undo")
    until("undone", lambda: vscode.text(FILE) == before and vscode.is_dirty(FILE))
    assert p.text(FILE) == POEM
    vscode.command("workbench.action.files.save")
    until("undecided again", lambda: len(p.hunks(FILE)) == 2)
    until("buttons again", lambda: len(vscode.lenses()) == 6)
    assert p.text(FILE) == before


def test_a_save_over_what_an_agent_wrote_is_refused(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    typed(vscode, "typed\n")
    p.edit(FILE, "line 15\n", "line fifteen\n")
    written = p.text(FILE)
    until("known", lambda: vscode.undecided() == 3)
    vscode.command("workbench.action.files.save")
    vscode.page.locator(".notification-list-item", has_text="is newer").wait_for()
    assert vscode.is_dirty(FILE)
    assert p.text(FILE) == written
    # To go back to the file loses no typing either: the editor's undo has it.
    vscode.command("workbench.action.files.revert")
    until("as the file", lambda: vscode.text(FILE) == written and not vscode.is_dirty(FILE))
    until("all three", lambda: len(vscode.lenses()) == 9)
    vscode.command("undo")
    until("typed again", lambda: (vscode.text(FILE) or "").startswith("typed\n"))
    assert p.text(FILE) == written
    assert p.log("decision") == []


def test_typing_goes_on_while_a_decision_is_made(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    vscode.at_line(3)
    # Which of both the server hears of first is anybody's guess: nothing is lost either way.
    vscode.run(
        'const decided = vscode.commands.executeCommand("blueline.reject");'
        "const first = new vscode.Position(0, 0);"
        'await vscode.window.activeTextEditor.edit(text => text.insert(first, "typed\\n"));'
        "await decided"
    )
    until("one left", lambda: vscode.undecided() == 1)
    assert (vscode.text(FILE) or "").startswith("typed\n")
    vscode.command("blueline.rejectAll")
    until("all", lambda: vscode.text(FILE) == "typed\n" + POEM and not vscode.is_dirty(FILE))
    assert p.text(FILE) == "typed\n" + POEM
    assert not p.hunks(FILE)


def test_line_ends_stay_what_they_are(vscode: VSCode, p: Project) -> None:
    file = "sub/dos.md"
    p.put(file, POEM.replace("\n", "\r\n"))
    p.edit(file, "line 3\r\n", "line three\r\n")
    vscode.open(p)
    vscode.show(p, file)
    until("buttons", lambda: len(vscode.lenses()) == 3)
    vscode.type(1, "typed\n")
    vscode.lens("Reject").click()
    until("rejected", lambda: "line three" not in (vscode.text(file) or "") and not vscode.is_dirty(file))
    assert p.read(file) == ("typed\n" + POEM).replace("\n", "\r\n").encode()


def test_what_formats_on_save_does_not_get_at_a_decision(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    set_to(vscode, "files.trimTrailingWhitespace", True)
    set_to(vscode, "files.insertFinalNewline", True)
    typed(vscode, "typed   \n")
    vscode.lens("Reject").click()
    wanted = "typed   \n" + POEM.replace("line 9\nline 10\n", "")
    until("rejected", lambda: vscode.text(FILE) == wanted)
    until("saved", lambda: not vscode.is_dirty(FILE))
    assert p.text(FILE) == wanted
    assert [one["verdict"] for one in p.log("decision")] == ["reject"]


FIX = """
const fix = { provideCodeActions(document) {
  const action = new vscode.CodeAction("fix", vscode.CodeActionKind.SourceFixAll);
  action.edit = new vscode.WorkspaceEdit();
  const isFixed = document.getText().startsWith("fixed\\n");
  if (!isFixed) action.edit.insert(document.uri, new vscode.Position(0, 0), "fixed\\n");
  return [action];
} };
const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.SourceFixAll] };
vscode.languages.registerCodeActionsProvider({ scheme: "file" }, fix, kinds);
"""


def test_what_fixes_on_save_does_not_get_at_a_decision(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    vscode.run(FIX)
    set_to(vscode, "editor.codeActionsOnSave", {"source.fixAll": "always"})
    # It fixes.
    typed(vscode, "one\n")
    vscode.command("workbench.action.files.save")
    until("fixed", lambda: p.text(FILE).startswith("fixed\none\n"))
    until("buttons", lambda: len(vscode.lenses()) == 6 and not vscode.is_dirty(FILE))
    typed(vscode, "two\n")
    vscode.lens("Reject").click()
    wanted = "two\nfixed\none\n" + POEM.replace("line 9\nline 10\n", "")
    until("rejected", lambda: vscode.text(FILE) == wanted and not vscode.is_dirty(FILE))
    assert p.text(FILE) == wanted
    assert [one["verdict"] for one in p.log("decision")] == ["reject"]


TIDY = """{
    "name": "one",
    "size": 1
}
"""


def test_a_formatter_on_save_does_not_get_at_a_decision(vscode: VSCode, p: Project) -> None:
    file = "sub/c.json"
    p.write(file, TIDY)
    p.accept()
    p.edit(file, '"one"', '"two"')
    vscode.open(p)
    set_to(vscode, "editor.formatOnSave", True)
    vscode.show(p, file)
    until("buttons", lambda: len(vscode.lenses()) == 3)
    # It formats: what somebody typed is put in order by a save, which decides nothing.
    vscode.type(3, '"kind":    "x",\n')
    vscode.command("workbench.action.files.save")
    until("formatted", lambda: '    "kind": "x",\n' in p.text(file))
    until("still there", lambda: len(p.hunks(file)) == 1)
    assert len(p.log("decision")) == 1
    # A decision takes the typing in as it is, and nothing formats it on the way.
    until("buttons again", lambda: len(vscode.lenses()) == 3)
    vscode.type(4, '"more":    "y",\n')
    vscode.lens("Reject").click()
    until("rejected", lambda: '"one"' in (vscode.text(file) or ""))
    until("saved", lambda: not vscode.is_dirty(file))
    assert p.text(file) == vscode.text(file)
    assert '"more":    "y",\n' in p.text(file)
    assert not p.hunks(file)
    assert p.log("decision")[0]["verdict"] == "reject"


def test_an_agent_writes_while_one_types(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    typed(vscode, "typed\n")
    p.edit(FILE, "line 15\n", "line fifteen\n")
    until("known", lambda: vscode.undecided() == 3)
    # The text has not what the agent wrote, and says so. A decision merges both.
    until("said so", lambda: "claude-code changed 1 line, in the file" in vscode.lenses())
    vscode.at_line(4)
    vscode.command("blueline.reject")
    wanted = "typed\n" + POEM.replace("line 9\nline 10\n", "").replace("line 15\n", "line fifteen\n")
    until("rejected", lambda: vscode.text(FILE) == wanted)
    until("saved", lambda: not vscode.is_dirty(FILE))
    assert p.text(FILE) == wanted
    assert len(p.hunks(FILE)) == 2


def test_a_text_that_is_not_looked_at(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    typed(vscode, "typed\n")
    vscode.show(p, "b.md")
    vscode.command("blueline.rejectAll")
    until("rejected", lambda: vscode.text(FILE) == "typed\n" + POEM)
    until("saved", lambda: not vscode.is_dirty(FILE))
    assert p.text(FILE) == "typed\n" + POEM
    active = "return vscode.window.activeTextEditor.document.uri.path"
    until("back", lambda: vscode.run(active).endswith("/b.md"))
