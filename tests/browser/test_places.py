"""Changes of the same lines are one place: one thing to read, one decision, with its steps in a fold."""

from __future__ import annotations

from playwright.sync_api import expect

from blueline.sdk import Session
from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import Make, Project
from tests.support.waiting import wait_until

WORDS = ("and", "then", "some", "more", "of", "it")


def six_times(project: Make) -> Project:
    """One turn edits a line six times, and another line once."""
    p = project({"a.txt": "one\ntwo\nthree\nfour\nfive\n", "b.txt": "one\ntwo\n"})
    p.prompt("louder")
    said = "two"
    for word in WORDS:
        p.edit("a.txt", f"{said}\n", f"{said} {word}\n")
        said = f"{said} {word}"
    p.edit("a.txt", "five\n", "FIVE\n")
    p.edit("b.txt", "two\n", "TWO\n")
    p.stop()
    return p


def test_a_line_that_a_turn_edits_six_times_is_visited_and_decided_once(project: Make, bench: Open) -> None:
    p = six_times(project)
    b = bench(p)
    expect(b.left).to_have_text("8 changes in 2 files")
    place = b.at(".place-bar")
    expect(place).to_contain_text("6 steps")
    expect(place).to_have_class("place-bar current")
    expect(place.locator(".line-counts")).to_have_text("+1\N{MINUS SIGN}1")
    expect(b.bars).to_have_count(1)
    expect(b.at(".place")).to_have_text("1 / 3 places")
    b.press("n")
    expect(b.at(".place")).to_have_text("2 / 3 places")
    expect(b.at(".hunk-bar.current")).to_have_count(1)
    b.press("p", "a")
    expect(b.left).to_have_text("2 changes in 2 files")
    expect(b.at(".decided-row")).to_have_count(1)
    expect(b.at(".decided-row")).to_contain_text("Accepted 6 steps")
    expect(b.at(".place")).to_have_text("1 / 2")
    assert [hunk["new"] for hunk in p.hunks()] == ["FIVE\n", "TWO\n"]
    b.press("u")
    expect(b.left).to_have_text("8 changes in 2 files")
    b.press("x")
    expect(b.left).to_have_text("2 changes in 2 files")
    assert p.text("a.txt") == "one\ntwo\nthree\nfour\nFIVE\n"


def test_the_steps_are_in_a_fold_below_the_net_change(project: Make, bench: Open) -> None:
    p = six_times(project)
    b = bench(p)
    toggle = b.at(".place-bar .steps-toggle")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    rows = b.at(".step-row")
    expect(rows).to_have_count(6)
    expect(rows.nth(3).locator(".diff-lines")).to_contain_text("two and then some")
    expect(rows.nth(3).locator(".diff-lines")).to_contain_text("two and then some more")
    net = b.line("two and then some more of it").bounding_box()
    first = rows.first.bounding_box()
    assert net is not None
    assert first is not None
    assert net["y"] + net["height"] <= first["y"] + 1
    assert violations(b.page) == []
    # One step by itself.
    rows.nth(5).get_by_role("button", name="Reject", exact=True).click()
    expect(b.left).to_have_text("7 changes in 2 files")
    assert p.text("a.txt").splitlines()[1] == "two and then some more of"


def test_overlapping_changes_of_several_turns_are_one_frame(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\ntwo\nthree\nfour\n"})
    p.prompt("more")
    p.edit("a.txt", "two\n", "two\nand a half\n")
    p.stop()
    p.prompt("louder")
    p.edit("a.txt", "and a half\nthree\n", "and a half, loud\nTHREE\n")
    p.stop()
    b = bench(p)
    expect(b.at(".place-bar")).to_contain_text("2 steps")
    expect(b.at(".place-bar")).to_contain_text("2 turns")
    expect(b.at(".place")).to_have_text("1 / 1 places")
    b.press("x")
    expect(b.left).to_have_text("Nothing undecided")
    assert p.text("a.txt") == "one\ntwo\nthree\nfour\n"


def test_a_new_file_and_what_was_done_to_it_since_is_one_decision(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt("a new one")
    p.write("new.txt", "one\ntwo\nthree\n")
    p.edit("new.txt", "two\n", "two, loud\n")
    p.edit("new.txt", "three\n", "three, loud\n")
    p.stop()
    b = bench(p)
    card = b.at(".whole-file.current")
    expect(card).to_contain_text("New file")
    expect(card).to_contain_text("3 steps")
    expect(b.bars).to_have_count(0)
    expect(b.at(".place")).to_have_text("1 / 1 places")
    card.get_by_role("button", name="3 steps").click()
    expect(b.at(".step-row")).to_have_count(3)
    assert violations(b.page) == []
    b.press("a")
    expect(b.left).to_have_text("Nothing undecided")
    assert not p.hunks()


def test_typing_into_what_an_agent_streams_does_not_cut_it(project: Make, bench: Open) -> None:
    p = project({"a.txt": "top\nend\n"})
    b = bench(p)
    with Session(p.root, "my-agent", environ=p.environ).turn("tell a story") as turn:
        with turn.stream("a.txt", at=len("top\n")) as stream:
            stream.write("once upon\n")
            expect(b.left).to_have_text("1 change in 1 file")
            b.press("n")
            b.line("once upon").click()
            b.press("e", "End")
            b.page.keyboard.type(" MY TIME")
            wait_until(lambda: "once upon MY TIME\n" in p.text("a.txt"))
            stream.write("there was\n")
            stream.flush()
            expect(b.line("there was")).to_have_count(1)
            b.line("there was").click()
            b.press("End")
            b.page.keyboard.type(" MY STREAM")
            wait_until(lambda: "there was MY STREAM\n" in p.text("a.txt"))
            stream.write("of words\n")
        expect(b.line("of words")).to_have_count(1)
        b.press("Escape")
        expect(b.at(".place-bar")).to_contain_text("3 parts")
        expect(b.bars).to_have_count(0)
        expect(b.at(".place")).to_have_text("1 / 1 places")
        b.press("a")
        expect(b.left).to_have_text("Nothing undecided")
    assert p.text("a.txt") == "top\nonce upon MY TIME\nthere was MY STREAM\nof words\nend\n"


def test_a_card_shows_the_net_change_of_a_place(project: Make, bench: Open) -> None:
    p = six_times(project)
    b = bench(p, width=390, height=844)
    card = b.at(".stream-card").first
    expect(b.at(".stream-card")).to_have_count(3)
    expect(card).to_contain_text("6 steps")
    expect(card.locator(".diff-lines")).to_contain_text("two and then some more of it")
    card.get_by_role("button", name="Reject").click()
    expect(b.at(".stream-card")).to_have_count(2)
    assert p.text("a.txt").splitlines()[1] == "two"
