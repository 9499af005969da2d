"""Notebooks, cell by cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.vscode.real_vscode import VSCode, until
from tests.support.notebooks import LOAD, LOUDER, NAME, agent, cell_of, dumped, set_source, sources, three
from tests.support.project import Project

ABOUT = "# Rows\n\nWhat they say."
SHOWN = "return vscode.window.activeNotebookEditor?.notebook.getCells().map(one => one.document.getText())"


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {f"sub/{NAME}": dumped(three())})
    found.prompt("louder")

    def change(notebook: dict[str, object]) -> None:
        set_source(notebook, "load", LOUDER)
        set_source(notebook, "about", "# Rows\n\nWhat they shout.")

    agent(found, change, f"sub/{NAME}")
    return found


def opened(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 3)
    vscode.run(
        f"const uri = vscode.Uri.file({str(p.root / 'sub' / NAME)!r});"
        "await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri))"
    )


def item(vscode: VSCode, words: str) -> None:
    """Click below a cell."""
    vscode.page.locator(".cell-statusbar-container .cell-status-item", has_text=words).first.click()


def test_cells_are_decided_by_themselves(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    items = vscode.page.locator(".cell-statusbar-container .cell-status-item")
    until("whose it is", lambda: any("edited this cell" in one for one in items.all_inner_texts()))
    # Two changes in this cell, each with buttons above its line; one of them goes.
    until("above lines", lambda: vscode.lenses() == ["Accept", "Reject"] * 2)
    vscode.lens("Reject", 1).click()
    one = LOUDER.replace("len(rows) + 1", "len(rows)")
    until("rejected", lambda: vscode.run(SHOWN)[0] == one)
    until("two", lambda: vscode.undecided() == 2)
    # The cell has another address now, and the same id.
    until("one above lines", lambda: vscode.lenses() == ["Accept", "Reject"])
    item(vscode, "Reject")
    until("all of the cell", lambda: vscode.run(SHOWN)[0] == LOAD)
    assert sources(p, f"sub/{NAME}")[0] == LOAD

    # Text has no bar below it: its buttons are at its top.
    vscode.command("blueline.next")
    button = vscode.page.locator('.markdown-cell-row a[aria-label="Reject Changes in This Cell"]')
    # It stands above what the text is drawn in, which Playwright does not see.
    box = until("the button", button.bounding_box)
    vscode.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until("text", lambda: vscode.run(SHOWN)[1] == ABOUT)
    until("none", lambda: vscode.undecided() == 0)


def test_a_notebook_that_is_not_saved_is_refused(vscode: VSCode, p: Project) -> None:
    opened(vscode, p)
    before = p.read(f"sub/{NAME}")
    vscode.run(
        "const edit = new vscode.WorkspaceEdit();"
        "const cell = vscode.window.activeNotebookEditor.notebook.cellAt(2);"
        "edit.insert(cell.document.uri, new vscode.Position(0, 0), 'typed = 1\\n');"
        "await vscode.workspace.applyEdit(edit)"
    )
    until("typed", lambda: vscode.run("return vscode.window.activeNotebookEditor.notebook.isDirty"))
    vscode.command("blueline.rejectFile")
    vscode.page.locator(".notification-list-item", has_text="save it first").wait_for()
    assert p.read(f"sub/{NAME}") == before
    assert vscode.run(SHOWN)[2].startswith("typed = 1\n")
    # To accept writes nothing.
    vscode.command("blueline.acceptFile")
    until("accepted", lambda: vscode.undecided() == 0)
    assert p.read(f"sub/{NAME}") == before


def test_a_diff_of_cells(vscode: VSCode, p: Project) -> None:
    agent(p, lambda found: found["cells"].remove(cell_of(found, "show")), f"sub/{NAME}")
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 4)
    vscode.command("blueline.next")
    vscode.command("blueline.diffFile")
    isnotebook = (
        "return vscode.window.tabGroups.activeTabGroup.activeTab?.input"
        " instanceof vscode.TabInputNotebookDiff"
    )
    until("a diff of notebooks", lambda: vscode.run(isnotebook))
    vscode.page.locator(".notebook-text-diff-editor").wait_for()
