"""Commands that overlap, never end, end late, leave processes behind, or run while a person types."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import pytest

from blueline.kernel import disk
from tests.support.conversations import conversation, overlapping, whose
from tests.support.hook_process import command as hook_command
from tests.support.project import POEM, Make, Project
from tests.support.systems import needs_proc

THREE = POEM.replace("line 3\n", "THREE\n")


# Commands that overlap


def test_z07_what_two_commands_may_have_done_is_shared(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n", "c.md": "c\n"})
    p.prompt()
    one = p.begin_bash("one")
    p.shell("echo one alone >> a.md")
    with conversation(p, "two"):
        p.prompt("two")
        two = p.begin_bash("two")
        p.shell("echo both >> b.md; rm c.md; echo new > d.md")
        p.end(one)
        p.shell("echo two alone > e.md")
        p.end(two)
    assert whose(p) == {
        "a.md": ("agent", "c1"),
        "b.md": ("shared", "c1"),
        "c.md": ("shared", "c1"),
        "d.md": ("shared", "c1"),
        "e.md": ("agent", "c2"),
    }
    for call in ("c1", "c2"):
        needs = p.asked("reject", call)
        assert {need["path"] for need in needs} == {"b.md", "c.md", "d.md"}
    p.reject("c1", dependents="keep")
    assert set(whose(p)) == {"b.md", "c.md", "d.md", "e.md"}
    p.undo()
    p.reject("c1", dependents="with")
    assert set(whose(p)) == {"e.md"}
    assert (p.text("b.md"), p.text("c.md"), p.exists("d.md")) == ("b\n", "c\n", False)


def test_z07_both_named_means_nothing_to_ask(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    before = p.on_disk()
    one, two = overlapping(p)
    p.shell("echo both >> b.md; rm a.md")
    p.end(one)
    p.end(two)
    p.reject("c1", "c2")
    assert (p.on_disk(), p.hunks()) == (before, [])


def test_z07_commands_one_after_the_other_share_nothing(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.bash("echo one >> a.md")
    with conversation(p, "two"):
        p.prompt("two")
        p.bash("echo two >> b.md; sed -i 's/line 3$/THREE/' a.md")
    p.bash("echo three >> b.md")
    assert {(hunk["path"], hunk["call"], hunk["actor"]["kind"]) for hunk in p.hunks()} == {
        ("a.md", "c1", "agent"),
        ("a.md", "c2", "agent"),
        ("b.md", "c2", "agent"),
        ("b.md", "c3", "agent"),
    }
    p.reject("c2")
    assert (p.text("a.md"), p.text("b.md")) == (POEM + "one\n", "b\nthree\n")


def test_an_edit_during_a_command_is_told_apart(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    bash = p.begin_bash("long")
    with conversation(p, "two"):
        p.prompt("two")
        p.edit("a.md", "line 3\n", "THREE\n")
    p.shell("echo more >> b.md")
    p.end(bash)
    assert whose(p) == {"a.md": ("agent", "c2"), "b.md": ("agent", "c1")}
    p.reject("c1")
    assert (p.text("a.md"), p.text("b.md")) == (THREE, "b\n")


@pytest.mark.parametrize("when", ["before it", "during it", "after it"])
def test_an_edit_during_a_command_that_writes_to_the_same_file(project: Make, when: str) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    bash = p.begin_bash("long")
    with conversation(p, "two"):
        p.prompt("two")
        if when == "before it":
            p.shell("sed -i 's/line 9$/NINE/' a.md")
        edit = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
        if when == "during it":
            p.shell("sed -i 's/line 9$/NINE/' a.md")
        p.sub("a.md", "line 3\n", "THREE\n")
        p.end(edit)
        if when == "after it":
            p.shell("sed -i 's/line 9$/NINE/' a.md")
    p.end(bash)
    assert {(hunk["new"], hunk["call"], hunk["actor"]["kind"]) for hunk in p.hunks()} == {
        ("THREE\n", "c2", "agent"),
        ("NINE\n", "c1", "agent"),
    }
    p.reject("c1")
    assert p.text("a.md") == THREE


def test_an_edit_that_cannot_be_told_from_a_command_is_shared(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    bash = p.begin_bash("long")
    with conversation(p, "two"):
        p.prompt("two")
        edit = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
        p.put("a.md", POEM.replace("line 3\n", "something else\n"))
        p.end(edit)
    p.end(bash)
    # Either both may have done it, or the command went over what the edit had done.
    assert {hunk["actor"]["kind"] for hunk in p.hunks()} <= {"shared", "agent"}
    assert {hunk["new"] for hunk in p.hunks()} >= {"something else\n"}
    p.reject()
    assert p.text("a.md") == POEM


def test_qc4_commands_whose_hooks_run_at_once_lose_nothing(project: Make) -> None:
    p = project({f"f{number}.md": "one\n" for number in range(6)})
    before = p.on_disk()
    p.prompt()
    calls = [p.call("Bash", "f0.md")._replace(given={"command": f"{number}"}) for number in range(6)]
    for event in (p.before, p.after):
        running = [start(p, event(call)) for call in calls]
        assert [process.wait() for process in running] == [0] * len(calls)
        if event == p.before:
            for number in range(6):
                p.put(f"f{number}.md", "two\n")
    assert sorted(whose(p)) == [f"f{number}.md" for number in range(6)]
    assert {actor for actor, _ in whose(p).values()} <= {"shared", "agent"}
    assert all(hunk["complete"] for hunk in p.hunks())
    p.reject()
    assert p.on_disk() == before


def start(p: Project, raw: bytes) -> subprocess.Popen[bytes]:
    read, write = os.pipe()
    process = subprocess.Popen(
        ["sh", "-c", hook_command()],
        cwd=p.root,
        env={**p.environ, "CLAUDE_PROJECT_DIR": str(p.root)},
        stdin=read,
    )
    os.close(read)
    os.write(write, raw)
    os.close(write)
    return process


# Events that are missing, doubled or late


def test_qc2_events_of_a_command_delivered_twice_are_one(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    call = p.begin_bash("x")
    p.record(p.before(call))
    p.shell("sed -i 's/line 3$/THREE/' a.md")
    for _ in range(3):
        p.end(call)
    p.sub("a.md", "line 9\n", "by hand\n")
    p.end(call)
    assert [hunk["new"] for hunk in p.hunks()] == ["THREE\n"]
    assert len(p.calls()) == 1
    p.reject()
    assert p.text("a.md") == POEM.replace("line 9\n", "by hand\n")


def test_qc4_an_end_without_a_beginning_still_tells_what_changed(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.bash("ls")
    call = p.call("Bash", "a.md")._replace(given={"command": "x"})
    p.shell("echo more >> a.md; rm b.md")
    p.end(call)
    assert set(whose(p)) == {"a.md", "b.md"}
    assert {actor for actor, _ in whose(p).values()} <= {"agent", "unknown"}
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM, "b\n")


def test_qc4_an_end_that_is_the_first_thing_ever_seen_says_that_it_does_not_know(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    call = p.call("Bash", "a.md")._replace(given={"command": "x"})
    p.shell("echo more >> a.md")
    p.end(call)
    assert "gap" in p.calls()[-1]["about"]
    assert p.gate()


def test_qc4_records_in_any_order_give_the_same(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    one = p.begin_bash("one")
    p.shell("echo more >> a.md")
    p.end(one)
    two = p.begin_bash("two")
    p.shell("rm b.md; echo new > c.md")
    p.end(two)
    first, *rest = [disk.frame(frame.kind, frame.payload) for frame in p.frames()]
    kept = ("path", "kind", "old", "new", "tool", "complete", "status")
    ordered = sorted(tuple(hunk[key] for key in kept) for hunk in p.hunks())
    for order in itertools.permutations(rest):
        p.journal.write_bytes(first + b"".join(order))
        p.lose_index()
        assert sorted(tuple(hunk[key] for key in kept) for hunk in p.hunks()) == ordered


def test_qc3_a_command_whose_end_never_comes_is_closed_by_the_next_prompt(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt("first")
    p.begin_bash("killed")
    p.shell("echo more >> a.md; rm b.md")
    p.prompt("second")
    assert p.calls()[0]["outcome"] == "lost"
    assert whose(p) == {"a.md": ("agent", "c1"), "b.md": ("agent", "c1")}
    # What comes after that is somebody else's.
    p.put("a.md", p.text("a.md") + "by hand\n")
    p.bash("echo new > new.md")
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM + "by hand\n", "b\n")


def test_qc3_an_end_that_comes_after_the_turn_still_counts(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt("first")
    call = p.begin_bash("slow")
    p.shell("echo more >> a.md")
    p.stop()
    p.shell("rm b.md")
    p.end(call)
    assert whose(p) == {"a.md": ("agent", "c1"), "b.md": ("agent", "c1")}
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM, "b\n")


AGENT = "import subprocess, sys; sys.exit(subprocess.run(['sh', '-c', sys.argv[1]]).returncode)"


@needs_proc
def test_qc3_an_agent_that_was_killed_does_not_keep_its_command_open(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n", "c.md": "c\n"})
    p.prompt("first")
    call = p.call("Bash", "a.md")._replace(given={"command": "killed"})
    agent = [sys.executable, "-c", AGENT, hook_command()]
    environ = {**p.environ, "CLAUDE_PROJECT_DIR": str(p.root)}
    assert subprocess.run(agent, cwd=p.root, env=environ, input=p.before(call)).returncode == 0
    p.shell("echo half done >> a.md; rm b.md")  # then agent and command were killed
    with conversation(p, "two"):
        p.prompt("two")
        p.bash("echo two >> c.md")
    (first, *_) = p.calls()
    assert (first["outcome"], first["ended"] is None) == ("lost", False)
    # The dead agent's work is still asked about, and is not the living one's.
    assert whose(p)["c.md"] == ("agent", "c2")
    assert {path: call for path, (_, call) in whose(p).items()} == {"a.md": "c1", "b.md": "c1", "c.md": "c2"}
    p.put("a.md", p.text("a.md") + "by hand\n")
    with conversation(p, "two"):
        p.bash("echo more >> c.md")
    p.reject()
    assert p.text("a.md") == POEM + "by hand\n"
    assert (p.text("b.md"), p.text("c.md")) == ("b\n", "c\n")
