"""The same file from several sides, in several arrangements."""

from __future__ import annotations

import re
import struct
import zlib

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import Make

LONG = "".join(f"line {number}\n" for number in range(1, 201))


def test_final_diff_and_original(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\nthree\n"})
    p.prompt()
    p.edit("a.txt", "two\n", "TWO\n")
    b = bench(p)
    expect(b.at(".removed-block")).to_have_text("two")
    b.press("f")
    expect(b.at(".added-line")).to_have_count(0)
    expect(b.at(".removed-block")).to_have_count(0)
    expect(b.line("TWO")).to_have_count(1)
    b.press("f")
    expect(b.at(".reading .cm-content")).to_have_text("onetwothree")
    b.press("f")
    expect(b.at(".removed-block")).to_have_text("two")


def test_split_pairs_the_lines_of_our_hunks(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG})
    p.prompt()
    p.edit("a.txt", "line 50\n", "LINE 50\nand one more\n")
    p.edit("a.txt", "line 55\n", "LINE 55\n")
    p.edit("a.txt", "line 60\n", "")
    b = bench(p)
    b.press("m")
    left, right = b.at(".cm-merge-a"), b.at(".cm-merge-b")
    expect(left.locator(".removed-line")).to_have_text(["line 50", "line 55", "line 60"])
    expect(left.locator(".signs .sign-removed")).to_have_count(3)
    # The row that a decision leaves has its room on the other side, too.
    b.press("n", "a")
    expect(b.at(".decided-row.accepted")).to_have_count(1)
    expect(right.locator(".added-line")).to_have_text(["LINE 50", "and one more"])
    for line in ("line 49", "line 51", "line 54", "LINE 55", "line 57", "line 59", "line 61"):
        a = left.locator(".cm-line", has_text=line).bounding_box()
        c = right.locator(".cm-line", has_text=line).bounding_box()
        assert a is not None
        assert c is not None
        assert abs(a["y"] - c["y"]) < 2, line
    right.locator(".cm-line", has_text="line 51").click()
    b.press("e", "End")
    b.page.keyboard.type(" typed here")
    expect(left.locator(".cm-line", has_text="line 51 typed here")).to_have_count(1)
    b.press("Escape", "m")
    expect(b.at(".cm-mergeView")).to_have_count(0)
    expect(b.line("line 51 typed here")).to_have_count(1)


def test_unchanged_lines_are_folded_and_come_back(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG})
    p.prompt()
    p.edit("a.txt", "line 100\n", "LINE 100\n")
    b = bench(p)
    expect(b.at(".fold")).to_have_count(2)
    expect(b.at(".fold").first).to_contain_text("96 unchanged lines")
    b.at(".fold").first.get_by_role("button", name="↑ 20 more").click()
    expect(b.at(".fold").first).to_contain_text("76 unchanged lines")
    expect(b.line("line 80")).to_be_visible()
    b.press("Z")
    expect(b.at(".fold")).to_have_count(0)
    b.press("z")
    expect(b.at(".fold")).to_have_count(2)


def test_what_is_folded_stays_folded_when_news_comes_and_after_a_decision(project: Make, bench: Open) -> None:
    p = project({"a.txt": "".join(f"line {number}\n" for number in range(1, 301))})
    p.prompt()
    for number in (100, 200):
        p.edit("a.txt", f"line {number}\n", f"LINE {number}\n")
    b = bench(p)
    folds = b.at(".fold")
    expect(folds.first).to_contain_text("unchanged lines")
    first = folds.first.inner_text()
    p.edit("a.txt", "line 290\n", "LINE 290\n")
    expect(b.left).to_have_text("3 changes in 1 file")
    expect(folds.first).to_have_text(first, use_inner_text=True)
    b.press("a")
    expect(b.at(".decided-row.accepted")).to_have_count(1)
    expect(folds.first).to_have_text(first, use_inner_text=True)
    b.press("u")
    expect(b.left).to_have_text("3 changes in 1 file")
    expect(folds.first).to_have_text(first, use_inner_text=True)


def test_large_blocks_are_folded_with_an_expander(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG})
    p.prompt()
    p.write("a.txt", "top\n" + "".join(f"new {number}\n" for number in range(300)))
    b = bench(p)
    expect(b.at(".removed-block del")).to_have_count(24)
    b.at(".removed-block").get_by_role("button", name="Show 176 more removed lines").click()
    expect(b.at(".removed-block del")).to_have_count(200)
    for _ in range(23):
        b.press("j")
    expect(b.at(".fold")).to_contain_text("274 more added lines")
    # What is accepted does not open.
    b.press("a")
    expect(b.left).to_have_text("Nothing undecided")
    expect(b.at(".fold")).to_contain_text("274 unchanged lines")


def test_a_long_removal_is_shown_from_its_beginning(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG + "".join(f"tail {number}\n" for number in range(200))})
    p.prompt()
    p.edit("a.txt", "line 2\n", "LINE 2\n")
    gone = "".join(f"line {number}\n" for number in range(120, 160))
    p.edit("a.txt", gone, "")
    b = bench(p, height=600)
    for _ in range(2):
        b.press("n")
        expect(b.at(".hunk-bar.current")).to_be_in_viewport(ratio=1)
    b.press("p")
    expect(b.at(".hunk-bar.current")).to_be_in_viewport(ratio=1)


def test_words_blanks_and_wrapping_can_be_switched(project: Make, bench: Open) -> None:
    p = project({"a.txt": "a word here\nsame words\nend\n"})
    p.prompt()
    p.edit("a.txt", "a word here\n", "a term here\n")
    p.edit("a.txt", "end\n", "  end\n")
    b = bench(p)
    expect(b.at(".added-word")).to_have_text(["term", "  "])
    expect(b.at(".removed-word")).to_have_text("word")
    b.press("W")
    expect(b.at(".added-word")).to_have_count(0)
    b.press("\\")
    expect(b.at(".added-line")).to_have_count(1)
    b.press("w")
    expect(b.at(".cm-lineWrapping")).to_have_count(1)


def test_syntax_has_colours_in_what_came_and_in_what_went(project: Make, bench: Open) -> None:
    p = project({"a.py": "def one():\n    return 1\n"})
    p.prompt()
    p.edit("a.py", "return 1", "return 2")
    b = bench(p)
    inside = "element => getComputedStyle(element).color"
    plain = b.line("def one").evaluate(inside)
    for line in (b.line("return 2"), b.at(".removed-line")):
        keyword = line.locator("span", has_text="return").first
        expect(keyword).to_be_visible()
        assert keyword.evaluate(inside) != plain


def test_themes(project: Make, bench: Open) -> None:
    p = project()
    b = bench(p, color_scheme="dark")
    expect(b.at("html")).to_have_attribute("data-theme", "dark")
    b.pick("Workbench", "Settings")
    for name, theme in (("Light", "light"), ("High contrast", "contrast"), ("As the system", "dark")):
        b.dialog.get_by_label("Colours").select_option(name)
        expect(b.at("html")).to_have_attribute("data-theme", theme)
    # The choice is kept.
    b.dialog.get_by_label("Colours").select_option("Light")
    b.page.reload()
    expect(b.at("html")).to_have_attribute("data-theme", "light")


def test_why_says_who_wrote_what_for_which_prompt(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\n"})
    p.prompt("please shout")
    p.edit("a.txt", "two\n", "TWO\n")
    b = bench(p)
    b.press("b")
    expect(b.dialog).to_contain_text("please shout")
    expect(b.dialog).to_contain_text("Edit")
    expect(b.dialog.locator(".removed-line")).to_contain_text("two")
    b.press("Escape", "k", "b")
    expect(b.dialog).to_contain_text("It was there before any agent came.")


def test_search_in_the_file(project: Make, bench: Open) -> None:
    p = project({"a.txt": LONG})
    p.prompt()
    p.edit("a.txt", "line 100\n", "LINE 100\n")
    b = bench(p)
    b.press("/")
    expect(b.at(".finder input[type=search]")).to_be_focused()
    b.page.keyboard.type("line 17")
    expect(b.at(".found-count")).to_have_text("11")
    b.press("Enter", "Enter")
    expect(b.at(".found-count")).to_have_text("3 of 11")
    expect(b.at(".cm-panels")).not_to_contain_text("replace", ignore_case=True)
    # It stood in a fold.
    expect(b.line("line 17").first).to_be_visible()


def png(red: int, green: int, blue: int) -> bytes:
    """A picture of one colour, eight by eight."""

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes((red, green, blue)) * 8) * 8
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def test_a_picture_is_shown_as_it_was_and_as_it_is(project: Make, bench: Open) -> None:
    p = project({"dot.png": png(255, 0, 0)})
    p.prompt()
    p.write("dot.png", png(0, 0, 255))
    b = bench(p)
    b.choose("dot.png")
    expect(b.at(".pictures figcaption")).to_have_text([re.compile("Before 8 . 8"), re.compile("After 8 . 8")])
    b.press("x")
    expect(b.left).to_have_text("Nothing undecided")
    assert p.read("dot.png") == png(255, 0, 0)


def test_a_line_that_went_from_a_long_string_is_coloured_as_one(project: Make, bench: Open) -> None:
    old = 'def one():\n    """First.\n\n    return 5 for\n    the second\n    """\n    return 1\n'
    p = project({"a.py": old})
    p.prompt()
    p.edit("a.py", "    return 5 for\n", "    return 6 for\n")
    b = bench(p, width=1400)
    went = b.at(".removed-line", "return 5 for")
    expect(went.locator(".tok-string").first).to_be_visible()
    expect(went.locator(".tok-keyword, .tok-number")).to_have_count(0)
