"""Names and contents that would like to do something do nothing, and are seen for what they are."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import Make

SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
BIDI = "access\u202e\u2066// admin\u2069 \u2066check\u2069"
CONTROLS = "bell\x07 escape\x1b[31m nul\u200bwidth \ufeffbom"


def test_html_in_names_and_contents_is_text(project: Make, bench: Open) -> None:
    name = "<img src=x onerror=window.hacked=1>.html"
    p = project({name: f"{SCRIPT}\nplain\n"})
    p.prompt(f"prompt {SCRIPT}")
    p.edit(name, "plain", f"changed {SCRIPT}")
    p.edit(name, "<script>window.hacked=1</script>\nchanged", "\nchanged")
    p.write("second.txt", SCRIPT)
    b = bench(p)
    b.at(".files-rail .row", has_text="onerror").click()
    expect(b.at(".removed-block")).to_contain_text(["<script>window.hacked=1</script>", "plain"])
    b.press("b")
    expect(b.dialog).to_contain_text(SCRIPT)
    b.press("Escape", "x")
    b.at(".decided-row").get_by_role("button", name="Why?").first.click()
    b.page.keyboard.type(SCRIPT)
    b.press("Enter")
    expect(b.at(".decided-row").first).to_contain_text(SCRIPT)
    b.press("c")
    b.page.keyboard.type(SCRIPT)
    b.press("Control+Enter", "g", "t")
    expect(b.at(".timeline")).to_contain_text("prompt <img")
    b.press("g", "n", "l")
    expect(b.at(".stream-card").first).to_be_visible()
    assert b.page.evaluate("window.hacked") is None
    assert b.page.locator("#workbench img, #workbench script, #workbench iframe").count() == 0


def test_marks_of_direction_and_controls_are_drawn_as_their_names(project: Make, bench: Open) -> None:
    name = f"invoice{BIDI[6:8]}fdp.txt"
    p = project({name: f"{BIDI}\n{CONTROLS}\nend\n"})
    p.prompt(BIDI)
    p.edit(name, "end", f"end {BIDI}")
    p.edit(name, f"{CONTROLS}\n", "clean\n")
    b = bench(p)
    expect(b.at(".files-rail .row")).to_contain_text("invoice<U+202E><U+2066>fdp.txt")
    for char in ("<U+202E>", "<U+2066>", "<U+2069>"):
        expect(b.line("access").first).to_contain_text(char)
    for char in ("\\x07", "\\x1b", "<U+200B>", "<U+FEFF>"):
        expect(b.at(".removed-block", has_text="bell")).to_contain_text(char)
    expect(b.at(".group-row.turn")).to_contain_text("<U+202E>")
    drawn = b.page.evaluate("document.querySelector('#workbench').innerText")
    assert not any(char in drawn for char in "\u202e\u2066\u2069\x07\x1b\u200b\ufeff")


def test_a_name_that_is_not_utf8_can_be_opened_and_decided(project: Make, bench: Open) -> None:
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    p = project({name: "one\n"})
    p.prompt()
    p.edit(name, "one", "two")
    b = bench(p)
    expect(b.at(".files-rail .row")).to_contain_text("caf\\xe9.txt")
    expect(b.line("two")).to_be_visible()
    b.press("x")
    expect(b.left).to_have_text("Nothing undecided")
    assert p.text(name) == "one\n"


def test_names_that_look_like_selectors_mean_the_file(project: Make, bench: Open) -> None:
    names = ["t1", "h12345678", "a.txt:1-2", "--all", "x#y"]
    p = project(dict.fromkeys(names, "one\n"))
    p.prompt()
    for name in names:
        p.edit(name, "one", "two")
    b = bench(p)
    for number, name in enumerate(names, 1):
        b.choose(name)
        b.press("X")
        expect(b.at(".progress-words")).to_have_text(f"{number} of {len(names)} decided")
        assert p.text(name) == "one\n"


def test_nothing_is_loaded_from_elsewhere(project: Make, bench: Open) -> None:
    p = project({"a.md": "![](http://example.org/a.png) <http://example.org>\n"})
    p.prompt()
    p.edit("a.md", "a.png", "b.png")
    b = bench(p)
    asked: list[str] = []
    b.page.on("request", lambda request: asked.append(request.url))
    b.page.reload()
    expect(b.bars).to_have_count(1)
    assert [url for url in asked if not url.startswith(f"http://127.0.0.1:{b.server.port}/")] == []
