"""A notebook in the workbench: each state of a cell, each button, and what must never happen there."""

from __future__ import annotations

import base64
import json
import re

import pytest
from playwright.sync_api import Locator, expect

from blueline.sdk import Session
from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.bench import Bench
from tests.support.notebooks import (
    LOUDER,
    NAME,
    Notebook,
    agent,
    cell_of,
    code,
    dumped,
    ids,
    markdown,
    notebook,
    notebook_edit,
    printed,
    sources,
    three,
)
from tests.support.project import Make, Project

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def p(project: Make) -> Project:
    """A notebook in which an agent edited, added and deleted a cell."""
    found = project({NAME: dumped(three())})
    found.prompt("make it louder")
    notebook_edit(found, "load", LOUDER)

    def change(made: Notebook) -> None:
        made["cells"].insert(1, code("new", "brand_new = 1"))
        made["cells"].pop()

    agent(found, change)
    found.stop()
    return found


def cell(b: Bench, name: str) -> Locator:
    return b.at(f'.cell[data-cell="{name}"]')


def button(b: Bench, name: str, label: str) -> Locator:
    return cell(b, name).get_by_role("button", name=label, exact=True)


def test_each_state_of_a_cell_is_seen(p: Project, bench: Open) -> None:
    b = bench(p)
    expect(b.at(".notebook-bar")).to_contain_text("3 cell changes")
    edited = cell(b, "load")
    expect(edited).to_have_class("cell edited current")
    expect(edited.locator(".cell-text .cm-deletedChunk").first).to_contain_text("import csv")
    expect(edited.locator(".cell-text .cm-content")).to_contain_text("import csv, json")
    expect(edited.locator(".cell-hunk")).to_have_count(2)
    added = cell(b, "new")
    expect(added).to_have_class(re.compile("added"))
    expect(added).to_contain_text("brand_new = 1")
    deleted = b.at(".cell.deleted")
    expect(deleted).to_contain_text("for row in rows:")
    dimmed = deleted.locator(".cell-source").evaluate("one => getComputedStyle(one).opacity")
    assert float(dimmed) < 1
    edges = {
        name: b.at(f".cell.{name}").first.evaluate("one => getComputedStyle(one).borderLeftColor")
        for name in ("edited", "added", "deleted")
    }
    assert len({*edges.values()}) == 3
    expect(b.at(".cell.same")).to_contain_text("What they say.")


def test_a_cell_is_accepted_and_another_rejected(p: Project, bench: Open) -> None:
    b = bench(p)
    button(b, "new", "Accept").click()
    expect(b.at(".notebook-bar")).to_contain_text("2 cell changes")
    expect(cell(b, "new").locator(".decided-row")).to_contain_text("Accepted")
    b.at(".cell.deleted").get_by_role("button", name="Reject").click()
    expect(b.at(".notebook-bar")).to_contain_text("1 cell change")
    assert ids(p) == ["load", "new", "about", "show"]
    button(b, "load", "Reject cell").click()
    expect(b.left).to_have_text("Nothing undecided")
    assert sources(p)[0].startswith("import csv\n")


def test_a_cell_that_was_rejected_leaves_its_row_where_it_stood(p: Project, bench: Open) -> None:
    b = bench(p)
    before = cell(b, "new").bounding_box()
    button(b, "new", "Reject").click()
    row = b.at(".decided-row.rejected")
    expect(row).to_contain_text("Rejected")
    after = row.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 40
    row.get_by_role("button", name="Undo").click()
    expect(b.at(".notebook-bar")).to_contain_text("3 cell changes")


def test_one_of_two_changes_in_a_cell_is_rejected(p: Project, bench: Open) -> None:
    b = bench(p)
    second = cell(b, "load").locator(".cell-hunk").nth(1)
    second.get_by_role("button", name="Reject").click()
    expect(cell(b, "load").locator(".hunk-bar")).to_have_count(1)
    assert sources(p)[0].split("\n")[0::2] == ["import csv, json", "len(rows)"]


def test_the_menu_decides_about_the_whole_notebook(p: Project, bench: Open) -> None:
    b = bench(p)
    # One pair of verbs: the bar counts.
    expect(b.at(".notebook-bar").get_by_role("button")).to_have_count(0)
    b.pick("File", "Reject file")
    expect(b.left).to_have_text("Nothing undecided")
    assert p.read(NAME) == dumped(three())
    expect(b.at(".notebook-bar")).to_have_count(0)


def test_keys_go_from_cell_to_cell(p: Project, bench: Open) -> None:
    b = bench(p)
    expect(cell(b, "load")).to_have_attribute("aria-current", "true")
    b.page.keyboard.press("n")
    b.page.keyboard.press("n")
    expect(cell(b, "new")).to_have_attribute("aria-current", "true")
    b.page.keyboard.press("a")
    expect(b.at(".notebook-bar")).to_contain_text("2 cell changes")


def test_somebody_types_into_a_cell(p: Project, bench: Open) -> None:
    b = bench(p)
    button(b, "about", "Edit").click()
    text = cell(b, "about").locator(".cm-content[contenteditable=true]")
    text.click()
    b.page.keyboard.press("Control+End")
    b.page.keyboard.type(" And more.")
    button(b, "about", "Save").click()
    expect(cell(b, "about").locator(".markdown")).to_contain_text("What they say. And more.")
    assert sources(p)[2] == "# Rows\n\nWhat they say. And more."
    expect(b.at(".notebook-bar")).to_contain_text("3 cell changes")


def test_nothing_is_saved_while_proposals_wait(project: Make, bench: Open) -> None:
    p = project({NAME: dumped(three())})
    with Session(p.root, environ=p.environ).turn("please") as turn:
        turn.add_cell(NAME, "proposed = 1", after="load")
        turn.edit_cell(NAME, "show", "print(rows)")
        turn.delete_cell(NAME, "about")
    before = p.read(NAME)
    b = bench(p)
    expect(b.at(".cell.added")).to_contain_text("proposed = 1")
    expect(b.at(".cell.added")).to_contain_text("proposed")
    expect(cell(b, "about")).to_have_class(re.compile("deleted"))
    button(b, "load", "Edit").click()
    cell(b, "load").locator(".cm-content[contenteditable=true]").click()
    b.page.keyboard.type("x")
    expect(button(b, "load", "Save")).to_be_disabled()
    expect(cell(b, "load")).to_contain_text("Decide the proposals first")
    button(b, "load", "Cancel").click()
    assert p.read(NAME) == before
    b.at(".cell.added").get_by_role("button", name="Accept", exact=True).click()
    expect(b.at(".notebook-bar")).to_contain_text("2 cell changes")
    assert sources(p)[1] == "proposed = 1"
    cell(b, "about").get_by_role("button", name="Accept", exact=True).click()
    expect(b.at(".notebook-bar")).to_contain_text("1 cell change")
    assert len(ids(p)) == 3


def test_outputs_are_folded_and_safe(project: Make, bench: Open) -> None:
    evil = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"text/html": "<img src=x onerror=document.title='html'>", "text/plain": "plain words"},
    }
    picture = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": base64.b64encode(PNG).decode()},
    }
    svg = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": base64.b64encode(b"<svg onload=document.title='svg'/>").decode()},
    }
    made = notebook(
        code("one", "x = 1", outputs=[*printed("\x1b[31mred\x1b[0m <b>b</b>\n"), evil, picture, svg])
    )
    p = project({NAME: dumped(made)})
    p.prompt()
    notebook_edit(p, "one", "x = 2")
    agent(p, lambda found: cell_of(found, "one").update(outputs=made["cells"][0]["outputs"]))
    b = bench(p)
    outputs = cell(b, "one").locator(".outputs")
    expect(outputs).not_to_have_attribute("open", "")
    outputs.locator("summary").click()
    expect(outputs.locator("pre").first).to_contain_text("red <b>b</b>")
    expect(outputs.locator("pre").nth(1)).to_have_text("plain words")
    expect(outputs.locator("img")).to_have_count(1)
    expect(outputs.locator(".left-out")).to_contain_text("image/png")
    assert b.page.title() not in ("html", "svg")


def test_markdown_is_drawn_and_runs_nothing(project: Make, bench: Open) -> None:
    text = (
        "# Heading\n\n**bold** and `code` <script>document.title='bad'</script>\n\n"
        "[click](javascript:document.title='bad') ![x](http://127.0.0.1:9/x.png)\n\n- one\n- two"
    )
    p = project({NAME: dumped(notebook(markdown("text", text), code("one", "x = 1")))})
    p.prompt()
    notebook_edit(p, "one", "x = 2")
    b = bench(p)
    drawn = cell(b, "text").locator(".markdown")
    expect(drawn.get_by_role("heading", name="Heading")).to_be_visible()
    expect(drawn.locator("strong")).to_have_text("bold")
    expect(drawn.locator("li")).to_have_count(2)
    expect(drawn).to_contain_text("<script>document.title='bad'</script>")
    assert drawn.locator("a, script, img").count() == 0
    assert b.page.title() != "bad"


def test_half_a_notebook_is_shown_as_text(p: Project, bench: Open) -> None:
    p.prompt("again")
    p.write(NAME, p.read(NAME)[:200])
    b = bench(p)
    expect(b.at(".cell")).to_have_count(0)
    expect(b.at(".cm-content").first).to_contain_text('"cells": [')
    expect(b.at(".as-text")).to_have_text("This notebook is shown as text: it is not valid JSON.")


def test_unchanged_cells_are_folded(project: Make, bench: Open) -> None:
    many = notebook(*(code(f"c{number}", f"x = {number}") for number in range(300)))
    p = project({NAME: dumped(many)})
    p.prompt()
    notebook_edit(p, "c150", "x = 'changed'")
    b = bench(p)
    expect(b.at(".cell")).to_have_count(3)
    expect(b.at(".unchanged-cells")).to_have_text(["149 unchanged cells", "148 unchanged cells"])
    b.at(".unchanged-cells").nth(1).click()
    expect(b.at(".cell")).to_have_count(151)
    assert json.loads(p.read(NAME))["cells"][150]["source"] == "x = 'changed'"


def test_axe_finds_nothing_in_a_notebook(p: Project, bench: Open) -> None:
    b = bench(p)
    expect(b.at(".cell.added .cm-content")).to_be_visible()
    button(b, "about", "Edit").click()
    expect(cell(b, "about").locator(".cm-content")).to_be_visible()
    assert violations(b.page) == []


def test_each_side_of_a_notebook_can_be_read(p: Project, bench: Open) -> None:
    b = bench(p)
    b.pick("File", "Original")
    expect(b.at(".cell")).to_have_count(3)
    expect(b.at(".notebook")).to_contain_text("for row in rows:")
    b.pick("File", "Final")
    expect(b.at(".notebook")).to_contain_text("brand_new = 1")
    expect(b.at(".notebook")).not_to_contain_text("for row in rows:")
