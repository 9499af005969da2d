"""The same change in many places is one decision, with exceptions picked by hand."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import Make

PATHS = ("a.php", "b.php", "c.php", "d.php")


def test_it_is_decided_once_with_exceptions_by_hand(project: Make, bench: Open) -> None:
    p = project(dict.fromkeys(PATHS, "one();\nassertEqual(1, f());\ntwo();\n"))
    p.prompt("compare strictly")
    for path in PATHS:
        p.edit(path, "assertEqual", "assertSame")
    p.stop()
    b = bench(p)
    b.choose("a.php")
    b.bars.first.get_by_role("button", name="same in 4 places").click()
    expect(b.dialog).to_contain_text("The same change in 4 places")
    expect(b.dialog.locator(".same-example")).to_have_count(3)
    assert violations(b.page) == []
    b.dialog.get_by_label("c.php:2").uncheck()
    b.dialog.get_by_role("button", name="Accept 3 changes").click()
    expect(b.left).to_have_text("1 change in 1 file")
    assert [hunk["path"] for hunk in p.hunks()] == ["c.php"]
    b.press("u")
    expect(b.left).to_have_text("4 changes in 4 files")


def test_very_many_places_are_looked_at_once_and_exceptions_are_picked(project: Make, bench: Open) -> None:
    paths = [f"f{number:02}.php" for number in range(30)]
    body = "".join(f"assertEqual({n}, f());\nother{n}();\n" for n in range(20))
    p = project({**dict.fromkeys(paths, body), "z.php": "one();\n"})
    p.prompt("compare strictly")
    p.bash("sed -i s/assertEqual/assertSame/ f*.php")
    p.edit("z.php", "one", "two")
    p.stop()
    b = bench(p)
    # One thing to look at, and another.
    expect(b.at(".place")).to_contain_text("1 / 2")
    b.press("n")
    expect(b.at(".file-header h1")).to_have_text("z.php")
    b.press("n")
    expect(b.at(".file-header h1")).to_have_text("f00.php")
    b.at(".hunk-bar.current").get_by_role("button", name="same in 600 places").click()
    expect(b.dialog.locator(".same-example")).to_have_count(3)
    assert violations(b.page) == []
    b.dialog.get_by_label("Filter places").fill("f29.php:39")
    b.dialog.get_by_label("f29.php:39").uncheck()
    assert violations(b.page) == []
    b.dialog.get_by_role("button", name="Accept 599 changes").click()
    expect(b.left).to_have_text("2 changes in 2 files")
    assert [(hunk["path"], hunk["new_start"]) for hunk in p.hunks()] == [("f29.php", 39), ("z.php", 1)]
    expect(b.at(".place")).to_contain_text("/ 2")


def test_several_changes_of_one_line_are_one_decision_with_steps(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\nthree\n", "b.txt": "one\ntwo\nthree\n"})
    for path in ("a.txt", "b.txt"):
        p.prompt(f"louder in {path}")
        p.edit(path, "two\n", "two, loud\n")
        p.edit(path, "two, loud\n", "TWO, loud\n")
        p.stop()
        p.prompt("louder still")
        p.edit(path, "TWO, loud\n", "TWO, LOUD\n")
        p.stop()
    b = bench(p)
    b.choose("a.txt")
    place = b.at(".place-bar")
    expect(place).to_contain_text("3 steps")
    expect(place.locator(".line-counts")).to_have_text("+1\N{MINUS SIGN}1")
    assert violations(b.page) == []
    place.get_by_role("button", name="Reject").click()
    expect(b.left).to_have_text("3 changes in 1 file")
    assert p.text("a.txt") == "one\ntwo\nthree\n"
    b.choose("b.txt")
    place.get_by_role("button", name="Accept").click()
    expect(b.left).to_have_text("Nothing undecided")
    assert p.text("b.txt") == "one\nTWO, LOUD\nthree\n"
