"""What stands above a change says what matters, once; sizes are everywhere; what programs make comes last."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import POEM, Make

NUMBERS = "".join(f"{number}\n" for number in range(40))


def test_what_a_call_is_for_is_said_once(project: Make, bench: Open) -> None:
    p = project({"a.txt": NUMBERS.replace("5\n", "five\n")})
    p.prompt("say it louder")
    p.edit("a.txt", "five", "FIVE", every=True)
    b = bench(p)
    expect(b.bars).to_have_count(4)
    expect(b.bars.filter(has_text="Edit")).to_have_count(1)
    expect(b.bars.first).to_contain_text("say it louder")
    for number in range(4):
        expect(b.bars.nth(number).locator(".line-counts")).to_have_text("+1\N{MINUS SIGN}1")


def test_a_command_is_said_as_it_was_run(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM})
    p.prompt("say it louder")
    p.bash("sed -i 's/line 5/LINE 5/' a.txt")
    b = bench(p)
    expect(b.bars.first).to_contain_text("sed -i 's/line 5/LINE 5/' a.txt")
    expect(b.bars.first).not_to_contain_text("say it louder")


def test_sizes_are_in_rail_header_and_groups(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 3\n", "LINE 3\nand more\n")
    p.edit("a.txt", "line 9\n", "")
    b = bench(p)
    for place in ('[data-path="a.txt"]', ".file-header", ".group-row.turn"):
        expect(b.at(place).locator(".line-counts")).to_have_text("+2\N{MINUS SIGN}2")


def test_nothing_starts_on_what_nobody_reads(project: Make, bench: Open) -> None:
    p = project({"a.png": b"\x89PNG\0one", "dist/app.min.js": "a\n", "z.py": "one = 1\n"})
    p.prompt()
    p.write("a.png", b"\x89PNG\0two")
    p.write("dist/app.min.js", "b\n")
    p.edit("z.py", "1", "2")
    b = bench(p)
    expect(b.at(".file-header h1")).to_have_text("z.py")
    expect(b.at(".files-rail .row").first).to_contain_text("z.py")
    # A folder of nothing else is closed at first, and visited last all the same.
    expect(b.at('[data-path="dist"]')).to_have_attribute("aria-expanded", "false")
    b.at('[data-path="dist"]').click()
    expect(b.at('[data-path="dist/app.min.js"]')).to_be_visible()
    b.press("l")
    expect(b.at(".stream-file", has_text="dist/app.min.js").locator(".stream-card")).to_have_count(0)


def test_another_name_shows_just_that(project: Make, bench: Open) -> None:
    p = project({"old.txt": NUMBERS, "run.sh": "echo\n"})
    (p.root / "run.sh").chmod(0o644)
    p.prompt()
    p.bash("mv old.txt new.txt")
    p.bash("chmod 755 run.sh")
    b = bench(p)
    b.choose("new.txt")
    expect(b.at(".whole-file")).to_contain_text("Renamed from old.txt to new.txt")
    expect(b.at(".fold")).to_contain_text("unchanged lines")
    expect(b.line("17")).to_have_count(0)
    b.choose("run.sh")
    expect(b.at(".whole-file")).to_contain_text("Mode changed from 644 to 755")
    # The pair of verbs is in the bar below; the row's own is there for who points at it.
    own = b.at(".whole-file").get_by_role("button", name="Accept")
    b.page.mouse.move(700, 880)
    expect(own).to_have_css("opacity", "0")
    b.at(".whole-file").hover()
    expect(own).to_have_css("opacity", "1")
    b.press("l")
    expect(b.at(".stream-card .what", has_text="Mode")).to_have_text("Mode changed from 644 to 755")


def test_after_a_renaming_is_rejected_one_goes_on_in_the_file_of_the_old_name(
    project: Make, bench: Open
) -> None:
    p = project({"old.txt": NUMBERS})
    p.prompt()
    p.bash("mv old.txt new.txt")
    p.edit("new.txt", "17\n", "seventeen\n")
    p.stop()
    b = bench(p)
    expect(b.at(".whole-file.current")).to_contain_text("Renamed")
    b.press("x")
    expect(b.at(".file-header h1")).to_have_text("old.txt")
    expect(b.at(".hunk-bar.current")).to_have_count(1)
    b.press("a")
    expect(b.left).to_have_text("Nothing undecided")
    assert "seventeen\n" in p.text("old.txt")


def test_a_deleted_folder_is_folded_last_and_one_decision(project: Make, bench: Open) -> None:
    files = ["gone/a.py", "gone/deep/b.py", "gone/deep/c.py", "kept/d.py", "z.py"]
    p = project(dict.fromkeys(files, "one = 1\n"))
    p.prompt()
    p.bash("rm -r gone && rm kept/d.py")
    p.edit("z.py", "1", "2")
    p.stop()
    b = bench(p)
    rows = b.at(".files-rail .row")
    expect(b.at('[data-path="gone"]')).to_have_attribute("aria-expanded", "false")
    expect(rows.last).to_have_attribute("data-path", "gone")
    expect(rows.last).to_have_attribute("aria-label", "Folder gone, 3 files deleted, 3 undecided")
    # One file of a folder is no folder.
    expect(b.at('[data-path="kept/d.py"]')).to_be_visible()
    b.press("l")
    expect(b.at(".stream-file")).to_have_count(5)
    expect(b.at(".stream-file", has_text="gone/").locator(".stream-card")).to_have_count(0)
    b.press("l")
    rows.last.hover()
    assert violations(b.page) == []
    rows.last.get_by_role("button", name="Accept the deletion of gone").click()
    expect(b.dialog).to_contain_text("3 files you have not opened")
    b.dialog.locator("button[type=submit]").click()
    expect(b.left).to_have_text("2 changes in 2 files")
    b.press("u")
    expect(b.left).to_have_text("5 changes in 5 files")


def test_a_held_replacement_looks_like_one(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\nthree\n"})
    p.set_mode("hold")
    p.prompt()
    p.edit("a.txt", "two\n", "TWO\n")
    b = bench(p)
    expect(b.at(".held-line")).to_have_text("two")
    expect(b.at(".sign-proposed")).to_have_text("\N{MINUS SIGN}")
    expect(b.at(".proposed .diff-line .sign")).to_have_text("+")
