"""Large projects and large files stay usable."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import Make

FILES = 2000
LINES = 100_000


def test_two_thousand_changed_files(project: Make, bench: Open) -> None:
    p = project({f"folder{n % 40}/file{n}.txt": "one\ntwo\n" for n in range(FILES)})
    p.prompt("everywhere")
    p.bash("for f in folder*/*.txt; do printf 'one\\nTWO %s\\n' $f > $f; done")
    b = bench(p)
    expect(b.left).to_have_text("2,000 changes in 2,000 files")
    # Only the rows on the screen are there.
    assert b.at(".files-rail [role=treeitem]").count() < 120
    for _ in range(5):
        here = b.at(".file-header h1").inner_text()
        b.press("n")
        expect(b.at(".file-header h1")).not_to_have_text(here)
    b.press("t")
    b.page.keyboard.type("file1999")
    expect(b.at(".files-rail [data-path='folder39/file1999.txt']")).to_be_visible()
    b.press("Escape", "n", "a")
    expect(b.left).to_have_text("1,999 changes in 1,999 files")
    b.press("l")
    expect(b.at(".stream .empty")).to_contain_text("No undecided change matches")
    b.click("Show all files")
    expect(b.at(".stream-card .diff-line").first).to_be_visible()
    # Cards that are far from the screen are not filled.
    assert b.at(".stream-card .diff-line").count() < 400


def test_a_file_of_a_hundred_thousand_lines(project: Make, bench: Open) -> None:
    text = "".join(f"line {number} of a long, long file\n" for number in range(LINES))
    p = project({"long.txt": text})
    p.prompt()
    p.edit("long.txt", "line 70000 of", "LINE 70000 of")
    p.edit("long.txt", "line 99990 of", "LINE 99990 of")
    b = bench(p)
    expect(b.line("LINE 70000")).to_be_visible()
    b.press("n")
    expect(b.line("LINE 99990")).to_be_visible()
    b.press("Z")
    expect(b.at(".fold")).to_have_count(0)
    # Only the lines on the screen are there.
    assert b.at(".cm-line").count() < 300
    b.line("LINE 99990").click()
    b.press("e", "End")
    b.page.keyboard.type(" typed")
    expect(b.line("LINE 99990")).to_contain_text("typed")


def test_a_line_of_three_million_characters(project: Make, bench: Open) -> None:
    p = project({"min.js": "x" * 3_000_000 + "\nend\n"})
    p.prompt()
    p.edit("min.js", "end", "END")
    p.write("other.js", "y" * 3_000_000)
    p.edit("min.js", "x" * 3_000_000 + "\n", "")
    b = bench(p)
    b.choose("min.js")
    expect(b.at(".removed-block .more").first).to_contain_text("2,998,000 more characters")
    expect(b.line("END")).to_be_visible()
    b.choose("other.js")
    expect(b.at(".whole-file")).to_be_visible()
