"""Patches of several files in one call, as Codex makes them."""

from __future__ import annotations

import json
import os

import pytest

from blueline.hook import recorder
from tests.support.project import POEM, Make, Project

THREE = POEM.replace("line 3\n", "THREE\n")


def event(p: Project, name: str, patch: str) -> bytes:
    about = {"session_id": "one", "turn_id": "t", "model": "gpt-5.5", "cwd": str(p.root)}
    call = {"tool_name": "apply_patch", "tool_use_id": "call_1", "tool_input": {"command": patch}}
    return json.dumps({**about, "hook_event_name": name, **call}).encode()


def record(p: Project, raw: bytes) -> None:
    arrival = recorder.Arrival(1, "codex", raw)
    arrival.root, arrival.mode = os.fsencode(p.root.resolve()), b"review"
    recorder.write(arrival, os.fsencode(p.state))


def move(p: Project, patch: str, old: str, new: str, text: str) -> None:
    """A call that moves one file, and writes it anew."""
    record(p, event(p, "PreToolUse", patch))
    (p.root / new).parent.mkdir(parents=True, exist_ok=True)
    (p.root / old).unlink()
    p.put(new, text)
    record(p, event(p, "PostToolUse", patch))


def patch(old: str, new: str, *change: str) -> str:
    lines = ("*** Begin Patch", f"*** Update File: {old}", f"*** Move to: {new}", *change, "*** End Patch")
    return "\n".join(lines) + "\n"


CHANGE = ("@@", "-line 3", "+THREE")


@pytest.mark.parametrize(("change", "text"), [((), POEM), (CHANGE, THREE)], ids=["as it is", "and edited"])
def test_a15_what_a_patch_says_it_moves_is_a_rename(
    project: Make, change: tuple[str, ...], text: str
) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    before = p.on_disk()
    move(p, patch("a.md", "deep/er/moved.md", *change), "a.md", "deep/er/moved.md", text)
    hunks = {(hunk["kind"], hunk["path"], hunk.get("from")) for hunk in p.hunks()}
    edited = {("modify", "deep/er/moved.md", None)} if change else set()
    assert hunks == {("rename", "deep/er/moved.md", "a.md"), *edited}
    end = p.on_disk()
    p.reject("c1")
    assert p.on_disk() == before
    p.undo()
    assert p.on_disk() == end
    p.accept("c1")
    assert (p.on_disk(), p.hunks()) == (end, [])


def test_a15_a_small_file_that_is_moved_and_rewritten_is_still_a_rename(project: Make) -> None:
    """By its lines alone nobody would know: the patch says so."""
    p = project({"a.md": "one\n"})
    move(p, patch("a.md", "b.md", "@@", "-one", "+two"), "a.md", "b.md", "two\n")
    assert {hunk["kind"] for hunk in p.hunks()} == {"rename", "modify"}
    rename = next(hunk["id"] for hunk in p.hunks() if hunk["kind"] == "rename")
    p.reject(rename)
    assert (p.exists("b.md"), p.text("a.md")) == (False, "two\n")


def test_a15_a_patch_that_names_its_files_in_full_moves_them_too(project: Make) -> None:
    p = project({"a.md": POEM})
    old, new = str(p.root / "a.md"), str(p.root / "moved.md")
    move(p, patch(old, new, *CHANGE), "a.md", "moved.md", THREE)
    assert {hunk["kind"] for hunk in p.hunks()} == {"rename", "modify"}


def test_what_was_to_be_moved_and_was_not_is_no_rename(project: Make) -> None:
    p = project({"a.md": POEM})
    text = patch("a.md", "b.md", *CHANGE)
    record(p, event(p, "PreToolUse", text))
    p.put("a.md", THREE)
    record(p, event(p, "PostToolUse", text))
    assert [(hunk["kind"], hunk["path"]) for hunk in p.hunks()] == [("modify", "a.md")]


def test_a_file_that_is_moved_onto_another_leaves_that_ones_content_to_come_back(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    before = p.on_disk()
    move(p, patch("a.md", "b.md"), "a.md", "b.md", POEM)
    p.reject("c1")
    assert p.on_disk() == before


def test_the_report_names_the_model_that_codex_says(project: Make) -> None:
    p = project({"a.md": POEM})
    move(p, patch("a.md", "b.md", *CHANGE), "a.md", "b.md", THREE)
    with p.desk() as desk:
        found = desk.history.report()
    assert [(row["name"], row["changes"] > 0) for row in found["models"]] == [("gpt-5.5", True)]
