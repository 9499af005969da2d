"""What goes on beside a command or after it: processes it left behind, people, decisions, hooks that fail."""

from __future__ import annotations

import subprocess

import pytest

from blueline.journal.frames import OBSERVATION
from blueline.kernel import disk
from tests.support.conversations import overlapping, whose
from tests.support.orders import reject_one_by_one
from tests.support.project import POEM, Make
from tests.support.systems import needs_proc
from tests.support.waiting import wait_until, working

THREE = POEM.replace("line 3\n", "THREE\n")

# Processes that stay


@needs_proc
def test_z44_what_a_process_left_behind_writes_belongs_to_the_command_that_started_it(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    before = p.on_disk()
    with working(p) as server:
        p.prompt()
        p.bash(server.command + "; echo more >> b.md")
        assert p.calls()[0]["about"]["stays"] >= 1
        server.do("sed -i 's/line 3$/THREE/' a.md; echo built > out.md")
        p.bash("ls")
        assert whose(p) == {"a.md": ("agent", "c1"), "b.md": ("agent", "c1"), "out.md": ("agent", "c1")}
        server.do("echo more >> out.md")
        p.stop()
        assert whose(p)["out.md"] == ("agent", "c1")
    p.reject()
    assert p.on_disk() == before


@needs_proc
def test_z44_after_the_turn_what_such_a_process_writes_is_its_calls(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n", "c.md": "c\n"})
    with working(p) as server:
        p.prompt()
        p.bash(server.command + "; sed -i 's/line 3$/THREE/' a.md")
        p.stop()
        server.do("sed -i 's/line 9$/NINE/' a.md")
        p.prompt("next")
        calls = {hunk["new"]: (hunk["actor"]["kind"], hunk["call"]) for hunk in p.hunks()}
        assert calls == {"THREE\n": ("agent", "c1"), "NINE\n": ("agent", "c1")}
    p.reject()
    assert p.text("a.md") == POEM


@needs_proc
def test_z44_when_the_process_is_gone_everything_is_as_before(project: Make) -> None:
    p = project({"a.md": POEM})
    with working(p) as server:
        p.prompt()
        p.bash(server.command + "; sed -i 's/line 3$/THREE/' a.md")
        server.end()
        p.bash("ls")
    p.sub("a.md", "line 9\n", "by hand\n")
    p.bash("ls")
    assert {hunk["new"] for hunk in p.hunks()} == {"THREE\n"}
    p.stop()
    assert not (p.state / "calls").exists()
    p.reject()
    assert p.text("a.md") == POEM.replace("line 9\n", "by hand\n")


@needs_proc
def test_z45_a_command_killed_by_a_timeout_whose_children_survive(project: Make) -> None:
    p = project({"a.md": POEM})
    before = p.on_disk()
    with working(p) as survivor:
        p.prompt()
        p.bash(survivor.command + "; echo begun > b.md; exit 143", code=143)
        (call,) = p.calls()
        assert (call["outcome"], call["about"]["stays"] >= 1) == ("failed", True)
        survivor.do("rm a.md; echo late > c.md")
        p.bash("ls")
        assert {call for _, call in whose(p).values()} == {"c1"}
    assert set(whose(p)) == {"a.md", "b.md", "c.md"}
    p.reject()
    assert p.on_disk() == before


@needs_proc
def test_z44_a_process_that_somebody_else_started_is_nobodys_clue(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    with working(p) as server:
        p.shell(server.command)
        p.prompt()
        p.bash("echo more >> b.md")
        assert "stays" not in p.calls()[0]["about"]
        server.do("echo mine >> a.md")
        p.bash("ls")
        assert set(whose(p)) == {"b.md"}


@needs_proc
def test_z44_a_command_that_runs_beside_another_is_not_left_behind_by_it(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    one, two = overlapping(p)
    go = p.root.parent / "go"
    running = subprocess.Popen(["sh", "-c", f"until [ -e {go} ]; do sleep 0.01; done"], cwd=p.root)
    p.end(one)
    go.touch()
    running.wait()
    p.shell("echo more >> b.md")
    p.end(two)
    p.sub("a.md", "line 9\n", "by hand\n")
    p.bash("ls")
    assert set(whose(p)) == {"b.md"}


# Somebody else at the same time


def test_x07_what_a_person_saves_while_a_command_runs_is_not_silently_accepted(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    call = p.begin_bash("long")
    p.shell("echo more >> b.md")
    p.sub("a.md", "line 9\n", "by hand\n")
    p.end(call)
    assert set(whose(p)) == {"a.md", "b.md"}
    p.reject("b.md")
    assert p.text("a.md") == POEM.replace("line 9\n", "by hand\n")


def test_z08_what_a_person_does_between_two_commands_is_the_persons(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n", "c.md": "c\n"})
    p.prompt()
    p.bash("sed -i 's/line 3$/THREE/' a.md; echo x > d.md; mkdir made")
    p.sub("a.md", "line 9\n", "by hand\n")
    p.put("made/mine.md", "mine\n")
    (p.root / "b.md").unlink()
    (p.root / "c.md").chmod(0o600)
    p.shell("mv d.md e.md")
    p.bash("sed -i 's/line 15$/FIFTEEN/' a.md")
    assert {(hunk["path"], hunk["call"]) for hunk in p.hunks()} == {
        ("a.md", "c1"),
        ("a.md", "c2"),
        ("e.md", "c1"),
        *({("made", "c1")} if "made" in whose(p) else ()),
    }
    p.reject()
    assert p.text("a.md") == POEM.replace("line 9\n", "by hand\n")
    assert (p.exists("b.md"), p.mode("c.md"), p.text("made/mine.md")) == (False, 0o600, "mine\n")
    assert (p.exists("d.md"), p.exists("e.md")) == (False, False)


def test_b9_a_decision_while_a_command_runs_is_carried_out_at_once(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.bash("echo new > new.md")
    call = p.begin_bash("long")
    p.shell("sed -i 's/line 9$/NINE/' a.md")
    p.reject("new.md")
    assert not p.exists("new.md")
    # What the command has in its hands just now waits for it, or is refused: nothing is written over it.
    answer = p.decide("reject", [p.hunk("THREE")])
    assert answer["needs"] or [result["outcome"] for result in answer["results"]] == ["queued"]
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "NINE\n")
    p.shell("echo more >> b.md")
    p.end(call)
    # What the decision wrote is nobody's edit.
    assert {(hunk["path"], hunk["new"], hunk["call"]) for hunk in p.hunks()} >= {
        ("a.md", "NINE\n", "c3"),
        ("b.md", "more\n", "c3"),
    }
    assert "new.md" not in whose(p)
    p.reject()
    assert (p.text("a.md"), p.text("b.md"), p.exists("new.md")) == (POEM, "b\n", False)


def test_what_decisions_write_between_commands_is_nobodys_edit(project: Make) -> None:
    p = project({"a.md": POEM, "sub/b.md": "b\n"})
    before = p.on_disk()
    p.prompt()
    p.bash("mkdir -p x/y && mv sub/b.md x/y/ && rmdir sub && chmod +x a.md && mkdir hollow && ln -s a.md l")
    for step in (p.reject, p.undo, p.redo, p.undo):
        step()
        known = [(hunk["id"], hunk["status"]) for hunk in p.hunks(status="all")]
        p.bash("ls")
        assert [(hunk["id"], hunk["status"]) for hunk in p.hunks(status="all")] == known
        assert {hunk["call"] for hunk in p.hunks()} <= {"c1"}
    reject_one_by_one(p, 5)
    assert p.on_disk() == before


def test_c3_a_command_is_not_held(project: Make) -> None:
    p = project({"a.md": POEM})
    p.set_mode("hold")
    p.prompt()
    p.bash("sed -i 's/line 3$/THREE/' a.md")
    (hunk,) = p.hunks()
    assert (hunk["new"], hunk["status"], p.text("a.md")) == ("THREE\n", "pending", THREE)
    p.reject()
    assert p.text("a.md") == POEM


def test_what_happens_in_direct_mode_is_not_asked_about_later(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.bash("ls")
    p.set_mode("direct")
    p.bash("sed -i 's/line 3$/THREE/' a.md; rm b.md")
    p.set_mode("review")
    p.bash("sed -i 's/line 9$/NINE/' a.md")
    assert [(hunk["path"], hunk["new"]) for hunk in p.hunks()] == [("a.md", "NINE\n")]
    p.reject()
    assert (p.text("a.md"), p.exists("b.md")) == (THREE, False)


# What could not be looked at


def test_z58_a_hook_that_dies_after_its_record_changes_nothing(project: Make) -> None:
    """Between record and index: the next look tells the same again, and that makes no second edit."""
    p = project({"a.md": POEM, "b.md": "b\n"})
    before = p.on_disk()
    p.prompt()
    call = p.begin_bash("x")
    p.shell("sed -i 's/line 3$/THREE/' a.md; mkdir hollow; mv b.md c.md")
    kept = {name: (p.state / name).read_bytes() for name in ("tree", "calls")}
    p.end(call)
    for name, content in kept.items():
        (p.state / name).write_bytes(content)
    (p.state / "tree-since").unlink()
    known = p.hunks(status="all")
    p.bash("ls")
    assert p.hunks(status="all") == known
    p.bash("sed -i 's/line 9$/NINE/' a.md")
    assert p.hunk("NINE")
    p.reject()
    assert p.on_disk() == before


@pytest.mark.parametrize("damage", [b"", b"garbage", None], ids=["empty", "garbage", "gone"])
def test_an_index_of_ours_that_is_lost_between_two_looks_is_said(project: Make, damage: bytes | None) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    call = p.begin_bash("x")
    p.shell("echo more >> a.md")
    if damage is None:
        (p.state / "tree").unlink()
    else:
        (p.state / "tree").write_bytes(damage)
    p.end(call)
    assert "gap" in p.calls()[0]["about"]
    assert p.gate()
    p.bash("echo more >> b.md")
    (hunk,) = p.hunks("b.md")
    assert hunk["complete"]
    p.reject("b.md")
    assert p.text("b.md") == "b\n"


def test_a_look_that_fails_is_recorded_as_such(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.bash("ls")
    call = p.call("Bash", "a.md")._replace(given={"command": "x"})
    trouble = "import tree_scan\ndef fail(*_): raise RuntimeError('of a bug')\ntree_scan.TreeScan.run = fail"
    for event in (p.before(call), p.after(call)):
        code, out, _ = p.hook(event, trouble)
        assert (code, out) == (0, b"")
    seen = [frame.payload for frame in p.frames() if frame.kind == OBSERVATION][-2:]
    assert all(b"\ntree-unknown " in payload for payload in seen)
    assert "gap" in p.calls()[-1]["about"]
    assert p.gate()


def test_z56_a_file_that_vanishes_or_changes_while_it_is_read_is_never_half_stored(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    with working(p) as writer:
        p.bash(writer.command)
        for number in range(3):
            call = p.begin_bash("x")
            writer.do(f"(for i in $(seq 300); do echo $i > a.md; rm -f b.md; echo {number} > b.md; done) &")
            p.end(call)
        writer.do("wait")
        p.bash("ls")
        wait_until(lambda: p.text("a.md") == "300\n")
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM, "b\n")


# A file that a tool writes another one through


@pytest.mark.parametrize("ends", ["the edit", "the command"])
@pytest.mark.parametrize("also", [False, True], ids=["alone", "beside another command"])
def test_what_an_edit_is_written_through_is_no_question_once_it_is_gone(
    project: Make, ends: str, also: bool
) -> None:
    p = project({"a.md": POEM})
    before = p.on_disk()
    p.prompt()
    p.bash("true")
    other = p.begin_bash() if also else None
    write = p.begin("Write", "new.md", content="new\n")
    p.put("new.md.tmp.12.0a1b", "new\n")
    command = p.begin_bash()
    if ends == "the command":
        p.end(command)
        command = p.begin_bash()
    (p.root / "new.md.tmp.12.0a1b").rename(p.root / "new.md")
    if ends == "the edit":
        p.end(write)
        p.end(command)
    else:
        p.end(command)
        p.end(write)
    if other is not None:
        p.end(other)
    p.stop()
    assert [(hunk["path"], hunk["kind"], hunk["tool"]) for hunk in p.hunks()] == [
        ("new.md", "create", "Write")
    ]
    p.reject("t1")
    assert p.on_disk() == before


def test_what_an_edit_was_written_through_is_not_taken_away_by_the_command_that_misses_it(
    project: Make,
) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.bash("true")
    write = p.begin("Write", "new.md", content="new\n")
    p.put("new.md.tmp.12.0a1b", "new\n")
    p.conversation = "conversation-2"
    p.prompt()
    command = p.begin_bash()
    (p.root / "new.md.tmp.12.0a1b").rename(p.root / "new.md")
    p.conversation = "conversation-1"
    p.end(write)
    p.conversation = "conversation-2"
    p.put("b.md", "the command's\n")
    p.end(command)
    p.reject("t2")
    assert sorted(path for path in p.on_disk() if path.endswith((".md", "0a1b"))) == ["a.md", "new.md"]


def test_what_an_edit_was_written_through_is_told_of_after_its_end(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": POEM})
    before = p.on_disk()
    p.prompt()
    p.bash("true")
    write = p.begin("Write", "new.md", content="new\n")
    p.put("new.md.tmp.12.0a1b", "new\n")
    append = disk.append

    def late(path: bytes, frame: bytes) -> None:
        """The look has been taken; before it is written down, the edit ends."""
        monkeypatch.setattr(disk, "append", append)
        (p.root / "new.md.tmp.12.0a1b").rename(p.root / "new.md")
        p.end(write)
        append(path, frame)

    monkeypatch.setattr(disk, "append", late)
    p.end(p.begin_bash())
    assert [(hunk["path"], hunk["kind"], hunk["tool"]) for hunk in p.hunks()] == [
        ("new.md", "create", "Write")
    ]
    p.reject("t1")
    assert p.on_disk() == before


def test_what_an_edit_is_written_through_is_asked_about_if_it_stays(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.bash("true")
    write = p.begin("Write", "new.md", content="new\n")
    p.put("new.md.tmp.12.0a1b", "ne")
    command = p.begin_bash()
    p.end(write, failed=True)
    p.end(command)
    p.stop()
    assert whose(p) == {"new.md.tmp.12.0a1b": ("agent", "c2")}


@pytest.mark.parametrize("known", [False, True], ids=["the first look of all", "a later look"])
def test_what_a_person_typed_before_a_command_is_theirs_at_whatever_look(project: Make, known: bool) -> None:
    p = project({"a.md": POEM})
    if known:
        p.bash("true")
    p.prompt()
    p.edit("a.md", "line 2\n", "line two\n")
    p.sub("a.md", "line 18\n", "line 18\nmine\n")
    p.bash("sed -i 's/line 10$/line ten/' a.md")
    assert [hunk["new"] for hunk in p.hunks()] == ["line two\n", "line ten\n"]
    p.reject()
    assert p.text("a.md") == POEM.replace("line 18\n", "line 18\nmine\n")
