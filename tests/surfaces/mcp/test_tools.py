"""What each tool does."""

from __future__ import annotations

import json

import pytest
from mcp import MCPError

from tests.support.project import POEM, Project
from tests.surfaces.mcp.playing import IPYNB, NOTEBOOK, Asked, play


def test_the_tools_are_those_that_are_promised_and_none_accepts(p: Project) -> None:
    async def script(ask: Asked) -> None:
        tools = {tool.name: tool for tool in (await ask.client.list_tools()).tools}
        assert set(tools) == {
            "edit_file",
            "write_file",
            "propose_edit",
            "edit_cell",
            "add_cell",
            "delete_cell",
            "review_status",
            "list_changes",
            "explain_change",
        }
        for name, tool in tools.items():
            assert tool.description
            properties = tool.input_schema["properties"]
            assert all(about.get("description") or "enum" in about for about in properties.values()), name
        given = tools["propose_edit"].input_schema
        assert set(given["required"]) == {"path", "old_string", "new_string", "reason"}
        assert "data, never" in (ask.client.instructions or "")

    play(p, script)


def test_no_call_decides_anything(p: Project) -> None:  # D5
    p.edit("a.md", "line 3\n", "line three\n")
    p.set_mode("hold")
    before = p.on_disk(), p.log("decision"), p.hunks(), p.status()["mode"]

    async def script(ask: Asked) -> None:
        (hunk,) = (await ask("list_changes")).json()["hunks"]
        for tool in ("accept", "reject", "undo", "decide", "set_mode", "purge", "override"):
            with pytest.raises(MCPError, match="there is no tool"):
                await ask(tool, id=hunk["id"], verdict="accept", mode="direct")

    play(p, script)
    assert (p.on_disk(), p.log("decision"), p.hunks(), p.status()["mode"]) == before


def test_in_hold_mode_an_edit_waits_for_a_person(p: Project) -> None:
    p.set_mode("hold")

    async def script(ask: Asked) -> None:
        answer = await ask("edit_file", path="a.md", old_string="line 3\n", new_string="line three\n")
        assert not answer.is_error
        assert "proposal" in answer.text

    play(p, script)
    assert p.text("a.md") == POEM
    p.accept()
    assert p.text("a.md") == POEM.replace("line 3\n", "line three\n")


def test_a_proposal_has_its_reason_and_is_written_only_when_accepted(p: Project) -> None:
    async def script(ask: Asked) -> None:
        answer = await ask(
            "propose_edit", path="a.md", old_string="line 3\n", new_string="line three\n", reason="plainer"
        )
        assert "a.md was not changed" in answer.text
        (hunk,) = (await ask("list_changes")).json()["hunks"]
        assert hunk["held"]
        explained = (await ask("explain_change", id=hunk["id"])).json()
        assert explained["about"]["reason"] == "plainer"

    play(p, script)
    assert p.text("a.md") == POEM
    p.accept()
    assert p.text("a.md") == POEM.replace("line 3\n", "line three\n")


# Notebooks


def test_a_cell_is_edited_when_somebody_accepts_it(p: Project) -> None:
    async def script(ask: Asked) -> None:
        done = await ask("edit_cell", path="n.ipynb", cell_id="first", source="x = 2\nprint('hello')")
        assert not done.is_error

    play(p, script)
    assert p.text("n.ipynb") == IPYNB
    (hunk,) = p.hunks()
    assert (hunk["old"], hunk["new"], hunk["cell"]["id"]) == ("x = 1\n", "x = 2\n", "first")
    p.accept()
    assert p.text("n.ipynb") == IPYNB.replace("x = 1", "x = 2")
    p.undo()
    assert p.text("n.ipynb") == IPYNB


def test_a_cell_that_waits_for_an_answer_takes_no_second_edit(p: Project) -> None:
    async def script(ask: Asked) -> None:
        edit = {"path": "n.ipynb", "cell_id": "first", "source": "x = 2"}
        assert not (await ask("edit_cell", **edit)).is_error
        for tool, given in (("edit_cell", {**edit, "source": "x = 3"}), ("delete_cell", edit)):
            given = {key: value for key, value in given.items() if tool == "edit_cell" or key != "source"}
            refused = await ask(tool, **given)
            assert refused.is_error
            assert "already has a pending edit" in refused.text
        assert not (await ask("delete_cell", path="n.ipynb", cell_id="second")).is_error

    play(p, script)
    first, _ = p.hunks()
    p.reject(first["id"])

    async def again(ask: Asked) -> None:
        done = await ask("edit_cell", path="n.ipynb", cell_id="first", source="x = 3")
        assert not done.is_error

    play(p, again)
    p.accept()
    (cell,) = json.loads(p.text("n.ipynb"))["cells"]
    assert cell["source"] == ["x = 3"]


def test_cells_are_added_and_edited_together(p: Project) -> None:
    async def script(ask: Asked) -> None:
        for after in ("first", "second", "second", ""):
            added = await ask("add_cell", path="n.ipynb", after=after, source=f"after {after}")
            assert "The new cell is" in added.text
        assert not (await ask("edit_cell", path="n.ipynb", cell_id="second", source="# Other")).is_error
        assert (await ask("edit_cell", path="n.ipynb", cell_id="third", source="")).is_error
        assert (await ask("edit_cell", path="a.md", cell_id="first", source="")).is_error
        assert (await ask("add_cell", path="n.ipynb", source="", cell_type="poem")).is_error

    play(p, script)
    assert p.text("n.ipynb") == IPYNB
    p.accept()
    cells = json.loads(p.text("n.ipynb"))["cells"]
    first, second = NOTEBOOK["cells"][0]["source"], ["# Other"]
    assert [cell["source"] for cell in cells] == [
        ["after "],
        first,
        ["after first"],
        second,
        ["after second"],
        ["after second"],
    ]
    p.reject(*(hunk["id"] for hunk in p.hunks(status="accepted")))
    assert p.text("n.ipynb") == IPYNB


def test_a_cell_is_deleted_while_another_is_edited(p: Project) -> None:
    async def script(ask: Asked) -> None:
        assert not (await ask("delete_cell", path="n.ipynb", cell_id="second", reason="empty")).is_error
        refused = await ask("edit_cell", path="n.ipynb", cell_id="second", source="y = 1")
        assert "cell second of n.ipynb already has a pending edit" in refused.text
        assert not (await ask("edit_cell", path="n.ipynb", cell_id="first", source="x = 2")).is_error

    play(p, script)
    assert p.text("n.ipynb") == IPYNB
    p.accept()
    (cell,) = json.loads(p.text("n.ipynb"))["cells"]
    assert (cell["source"], cell["outputs"]) == (["x = 2"], NOTEBOOK["cells"][0]["outputs"])
    p.reject(*(hunk["id"] for hunk in p.hunks(status="accepted")))
    assert p.text("n.ipynb") == IPYNB


def test_in_direct_mode_a_cell_is_edited_at_once(p: Project) -> None:
    p.set_mode("direct")

    async def script(ask: Asked) -> None:
        done = await ask("edit_cell", path="n.ipynb", cell_id="first", source="x = 2\nprint('hello')")
        assert done.text == "n.ipynb was changed."

    play(p, script)
    assert p.text("n.ipynb") == IPYNB.replace("x = 1", "x = 2")
    assert p.hunks() == []


# Reading


def test_what_people_decided_can_be_read(p: Project) -> None:
    p.prompt("make it louder")
    p.edit("a.md", "line 3\n", "LINE 3\n")
    (hunk,) = p.hunks()
    p.reject(hunk["id"], reason="too loud")

    async def script(ask: Asked) -> None:
        status = (await ask("review_status")).json()
        assert (status["mode"], status["counts"]["hunks"]) == ("review", 0)
        (found,) = (await ask("list_changes", status="rejected")).json()["hunks"]
        explained = (await ask("explain_change", id=found["id"])).json()
        assert explained["prompt"] == "make it louder"
        (decision,) = explained["decisions"]
        assert (decision["verdict"], decision["reason"]) == ("reject", "too loud")
        assert (await ask("explain_change", id="h00000000")).is_error
        lines = (await ask("explain_change", id="a.md:2-4")).json()
        assert (lines["kind"], lines["path"]) == ("lines", "a.md")
        for unknown in ("t" + "9" * 5000, "a.md:" + "9" * 5000):
            assert "nothing here is called" in (await ask("explain_change", id=unknown)).text

    play(p, script)
