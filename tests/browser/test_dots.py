"""Signs tell accepted from rejected, and running from pending, not by colour alone; turns have colours."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import POEM, Make


def test_a_rejected_file_is_not_an_accepted_one_and_running_is_a_ring(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM, "b.txt": POEM, "c.txt": POEM})
    p.prompt()
    for path in ("a.txt", "b.txt", "c.txt"):
        p.edit(path, "line 5\n", "LINE 5\n")
    p.accept("a.txt")
    p.reject("b.txt")
    p.begin("Edit", "c.txt", old_string="line 7", new_string="LINE 7")
    b = bench(p)
    expect(b.at('[data-path="a.txt"] .dot')).to_have_text("✓")
    expect(b.at('[data-path="b.txt"] .dot')).to_have_text("✗")
    expect(b.at('[data-path="c.txt"] .dot')).to_have_text("")
    expect(b.at('[data-path="c.txt"] .running')).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_no_two_turns_on_a_screen_look_alike_and_no_rail_has_the_lines_of_the_chat(
    project: Make, bench: Open
) -> None:
    p = project({"a.txt": POEM})
    for number in range(1, 15):
        p.prompt(f"wish {number}")
        p.edit("a.txt", f"line {number}\n", f"LINE {number}\n")
        p.stop()
    b = bench(p)
    expect(b.at(".group-row.turn")).to_have_count(14)
    looks = b.at(".group-row.turn .swatch").evaluate_all(
        "all => all.map(one => { const {backgroundColor, backgroundImage} = getComputedStyle(one);"
        " return backgroundColor + backgroundImage; })"
    )
    assert len({*looks}) == 14
    lines = b.at(".rail .tally").evaluate_all(
        "all => all.flatMap(one => { const style = getComputedStyle(one);"
        " return [style.borderTopWidth, style.borderBottomWidth]; })"
    )
    assert lines
    assert {*lines} == {"0px"}
