"""A review by single letters: it stays where letters are no text, and decides what was seen."""

from __future__ import annotations

import json

from tests.editors.vscode.real_vscode import VSCode, until
from tests.support.notebooks import LOUDER, NAME, agent, dumped, set_source, three
from tests.support.project import POEM, Project

TAB = "return vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ''"
TABS = "return vscode.window.tabGroups.all.flatMap(group => group.tabs.map(tab => tab.label))"
PLACE = (
    "const e = vscode.window.activeTextEditor;"
    "return [e?.document.uri.path.split('/').pop() ?? '', (e?.selection.active.line ?? -1) + 1]"
)


def reviewing(vscode: VSCode, undecided: int) -> None:
    """The diff of everything, at its first change."""
    until("counted", lambda: vscode.undecided() == undecided)
    vscode.command("blueline.diffAll")
    until("buttons", lambda: "Reject" in vscode.lenses())


def test_a_diff_of_many_files_stays_when_one_of_them_is_done(vscode: VSCode, p: Project) -> None:
    p.edit("b.md", "line 5\n", "line five\n")
    vscode.open(p)
    reviewing(vscode, 3)
    tab = vscode.run(TAB)
    vscode.at_line(5)
    until("the first", lambda: vscode.run(PLACE) == ["b.md", 5])
    vscode.page.keyboard.press("x")
    until("on", lambda: vscode.run(PLACE) == ["a.md", 3])
    until("followed", lambda: p.text("b.md") == POEM == vscode.text("b.md"))
    assert vscode.run(TABS) == [tab]
    # What is typed and not saved is taken in, and nothing else is saved or shown instead.
    vscode.page.keyboard.press("e")
    vscode.page.locator(".statusbar-item", has_text="typing; Escape").wait_for()
    vscode.page.keyboard.type("typed ")
    until("typed", lambda: "typed line three" in (vscode.text("sub/a.md") or ""))
    vscode.page.keyboard.press("Escape")
    vscode.page.locator(".statusbar-item", has_text="Blueline: reviewing").wait_for()
    until("two places", lambda: sum(text == "Reject" for text in vscode.lenses()) == 2)
    vscode.page.keyboard.press("n")
    until("the second", lambda: vscode.run(PLACE)[1] == 9)
    vscode.page.keyboard.press("x")
    until("rejected", lambda: "line 9\nline 10\n" in p.text("sub/a.md"))
    until("saved", lambda: not vscode.is_dirty("sub/a.md"))
    assert "typed line three\n" in p.text("sub/a.md")
    # VS Code itself gives a text with typing in it a tab, which stays behind.
    until("still that diff", lambda: vscode.run(TAB) == tab)


def test_on_from_a_renaming_in_diffs_alone(vscode: VSCode, p: Project) -> None:
    p.accept()
    p.bash("mv b.md bb.md")
    p.edit("sub/a.md", "line 15\n", "line fifteen\n")
    vscode.open(p)
    until("counted", lambda: vscode.undecided() == 2)
    uri = json.dumps(str(p.root / "bb.md"))
    vscode.run(f'await vscode.commands.executeCommand("blueline.diffFile", vscode.Uri.file({uri}))')
    until("buttons", lambda: "Reject" in vscode.lenses())
    vscode.at_line(1)
    vscode.page.keyboard.press("x")
    until("back at its name", lambda: p.exists("b.md") and not p.exists("bb.md"))
    until("on", lambda: vscode.run(TAB).startswith("a.md (agreed"))
    # Letters still review; and a diff in which nothing is left is not in the way.
    until("its button", lambda: "Reject" in vscode.lenses())
    before = p.text("sub/a.md")
    vscode.page.keyboard.press("w")
    vscode.page.locator(".statusbar-item", has_text="letters review here").wait_for()
    assert vscode.text("sub/a.md") == before
    assert vscode.run(TABS) == [vscode.run(TAB)]


def test_what_is_no_text_comes_behind_the_diff_of_many(vscode: VSCode, p: Project) -> None:
    p.accept()
    p.put("c.bin", bytes(range(256)))
    p.put(f"sub/{NAME}", dumped(three()))
    p.edit("b.md", "line 5\n", "line five\n")
    p.bash("printf '\\1\\2' > c.bin")
    agent(p, lambda found: set_source(found, "load", LOUDER), f"sub/{NAME}")
    before = p.read(f"sub/{NAME}")
    vscode.open(p)
    reviewing(vscode, 4)
    assert vscode.run(TAB).startswith("Undecided changes (1 ")
    vscode.at_line(5)
    vscode.page.keyboard.press("a")
    until("no text", lambda: vscode.run(TAB).startswith("c.bin (agreed"))
    vscode.page.keyboard.press("Control+Alt+a")
    until("accepted", lambda: vscode.undecided() == 2)
    vscode.page.keyboard.press("Alt+F7")
    until("its diff", lambda: vscode.run(TAB).startswith(f"{NAME} (agreed"))
    # In a notebook, x would cut a cell.
    vscode.page.keyboard.press("x")
    vscode.page.get_by_role("button", name="Accept All Changes in This File").click()
    until("everything", lambda: vscode.undecided() == 0)
    assert p.read(f"sub/{NAME}") == before
    assert [one["verdict"] for one in p.log("decision")] == ["accept"] * 4


def test_a_letter_decides_nothing_that_was_not_seen(vscode: VSCode, p: Project) -> None:
    vscode.open(p)
    vscode.show_diff(p, "sub/a.md")
    vscode.at_line(3)
    # As fast as keys can come: before the first is decided.
    vscode.run(
        "const press = () => vscode.commands.executeCommand('blueline.accept', { goOn: true });"
        "await Promise.all([press(), press(), press()])"
    )
    until("on", lambda: vscode.run(PLACE) == ["a.md", 9])
    until("one", lambda: vscode.undecided() == 1)
    assert [one["verdict"] for one in p.log("decision")] == ["accept"]
