"""Functions of the agent's own, whose files are looked at before and after."""

from __future__ import annotations

import pytest

from blueline.sdk import Session
from tests.support.project import POEM, Make, Project


def agent(project: Project) -> Session:
    return Session(project.root, environ=project.environ)


def test_what_a_function_does_to_its_files_is_the_agents(project: Make) -> None:
    p = project({"a.md": POEM})

    def sort_lines(path: str, *, reverse: bool) -> int:
        lines = sorted(p.text(path).splitlines(keepends=True), reverse=reverse)
        p.put(path, "".join(lines))
        return len(lines)

    with agent(p).turn("sort it") as turn:
        assert turn.execute("sort", sort_lines, "a.md", paths=["a.md"], reverse=True) == 20
    (call,) = p.calls()
    assert (call["tool"], call["outcome"]) == ("sort", "done")
    assert {hunk["actor"]["kind"] for hunk in p.hunks()} == {"agent"}
    p.reject()
    assert p.text("a.md") == POEM


def test_what_a_function_did_before_it_failed_is_the_agents(project: Make) -> None:
    p = project({"a.md": POEM})

    def fail() -> None:
        p.put("a.md", "half\n")
        raise ZeroDivisionError("by zero")

    with agent(p).turn("please") as turn, pytest.raises(ZeroDivisionError):
        turn.execute("fail", fail, paths=["a.md"])
    (call,) = p.calls()
    assert (call["outcome"], call["about"]["error"]) == ("failed", "ZeroDivisionError: by zero")
    p.reject()
    assert p.text("a.md") == POEM


def test_several_files_of_one_call_go_together(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "one\n", "c.md": "stays\n"})

    def change() -> None:
        p.put("a.md", POEM.replace("line 3", "LINE 3"))
        (p.root / "b.md").unlink()
        p.put("new/d.md", "made\n")

    with agent(p).turn("please") as turn:
        turn.execute("change", change, paths=["a.md", "b.md", "c.md", "new/d.md"])
    (call,) = p.calls()
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "b.md", "new/d.md"}
    p.reject(call["id"])
    assert (p.text("a.md"), p.text("b.md"), p.text("c.md")) == (POEM, "one\n", "stays\n")
    assert not p.exists("new")


def test_without_names_the_whole_project_is_looked_at(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "one\n"})

    def change() -> None:
        p.put("a.md", POEM.replace("line 3", "LINE 3"))
        (p.root / "b.md").unlink()

    with agent(p).turn("please") as turn:
        turn.execute("change", change)
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "b.md"}
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM, "one\n")


def test_the_same_as_a_context(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn, turn.call("type", paths=["a.md"]):
        p.sub("a.md", "line 3", "LINE 3")
    (hunk,) = p.hunks()
    assert hunk["tool"] == "type"


def test_what_a_function_does_lands_in_hold_mode_too(project: Make) -> None:
    p = project({"a.md": POEM})
    p.set_mode("hold")
    with agent(p).turn("please") as turn:
        turn.execute("shell", lambda: p.sub("a.md", "line 3", "LINE 3"), paths=["a.md"])
    (hunk,) = p.hunks()
    assert not hunk["held"]
    assert "LINE 3" in p.text("a.md")


def test_a_file_outside_is_named_and_not_looked_at(project: Make) -> None:
    p = project()
    outside = p.root.parent / "outside.md"
    with agent(p).turn("please") as turn:
        turn.execute("write", lambda: outside.write_text("x"), paths=[outside])
    (call,) = p.calls()
    assert call["about"]["outside"] == str(outside)
