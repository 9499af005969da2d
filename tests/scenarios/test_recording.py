"""What agents and their hooks get wrong: doubled, shuffled, missing, killed and garbled events."""

from __future__ import annotations

import itertools
import os
import shlex
import subprocess

import pytest

from blueline.errors import BluelineError
from blueline.journal.frames import EVENT, OBSERVATION
from blueline.kernel import disk
from tests.support.hook_process import command
from tests.support.project import POEM, Make, Project


def essence(p: Project) -> list[tuple[object, ...]]:
    """What there is to decide, without names that depend on the order of events."""
    keys = ("path", "kind", "old", "new", "tool", "complete", "status")
    return sorted(tuple(hunk[key] for key in keys) for hunk in p.hunks())


def test_qc2_events_delivered_twice_are_one_edit(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    call = p.call("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    for _ in range(2):
        p.record(p.before(call))
    p.sub("a.md", "line 3\n", "THREE\n")
    for _ in range(3):
        p.record(p.after(call))
        assert len(p.hunks()) == 1
    p.sub("a.md", "line 9\n", "nine, by hand\n")
    p.record(p.after(call))  # once more, when the file has long gone on
    assert len(p.calls()) == 1
    p.record(p.before(call))  # behind its end, this may as well be another call that got the same name
    p.stop()
    p.stop()
    assert [hunk["new"] for hunk in p.hunks()] == ["THREE\n"]
    assert [call["outcome"] for call in p.calls()] == ["done", "lost"]
    p.reject()
    assert p.text("a.md") == POEM.replace("line 9\n", "nine, by hand\n")


def test_qc3_a_call_without_an_end_is_closed_and_marked(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    p.sub("a.md", "line 9\n", "NINE\n")
    # The agent was killed. Until something is heard, nobody knows whether it is still at work.
    assert p.calls()[1]["ended"] is None
    assert [hunk["new"] for hunk in p.hunks()] == ["THREE\n"]
    p.prompt("second")
    lost = p.calls()[1]
    assert (lost["outcome"], lost["ended"] is None) == ("lost", False)
    p.reject(p.turn("first"))
    assert "THREE" not in p.text("a.md")


def test_qc3_an_end_that_comes_after_the_turn_still_counts(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    call = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    p.sub("a.md", "line 9\n", "NINE\n")
    p.stop()
    p.end(call)
    (hunk,) = p.hunks()
    assert (hunk["new"], hunk["actor"]["kind"], hunk["call"]) == ("NINE\n", "agent", "c1")


def test_qc4_shuffled_events_of_parallel_calls_give_the_same_as_ordered(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    one = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    two = p.begin("Write", "b.md", content="B\n")
    three = p.begin("Write", "deep/new.md", content="new\n")
    p.sub("a.md", "line 3\n", "THREE\n")
    p.put("b.md", "B\n")
    p.put("deep/new.md", "new\n")
    for call in (one, two, three):
        p.end(call)
    first, *rest = [disk.frame(frame.kind, frame.payload) for frame in p.frames()]
    ordered = essence(p)
    assert len(ordered) == 3
    for number, order in enumerate(itertools.permutations(rest)):
        if number % 11:  # 66 of the 720
            continue
        p.journal.write_bytes(first + b"".join(order))
        p.lose_index()
        assert essence(p) == ordered
    p.reject()
    assert (p.text("a.md"), p.text("b.md"), p.exists("deep")) == (POEM, "b\n", False)


def test_qc4_hooks_that_run_at_once_lose_nothing(project: Make) -> None:
    names = [f"f{number}.md" for number in range(8)]
    p = project(dict.fromkeys(names, "one\ntwo\n"))
    p.prompt()
    calls = [p.call("Edit", name, old_string="one", new_string="ONE") for name in names]
    for event in (p.before, p.after):
        running = [start(p, event(call)) for call in calls]
        assert [process.wait() for process in running] == [0] * len(names)
        if event == p.before:
            for name in names:
                p.put(name, "ONE\ntwo\n")
    assert [hunk["path"] for hunk in p.hunks()] == names
    p.reject()
    assert {p.text(name) for name in names} == {"one\ntwo\n"}


def start(p: Project, raw: bytes) -> subprocess.Popen[bytes]:
    read, write = os.pipe()
    process = subprocess.Popen(
        shlex.split(command()), cwd=p.root, env={**p.environ, "CLAUDE_PROJECT_DIR": str(p.root)}, stdin=read
    )
    os.close(read)
    os.write(write, raw)
    os.close(write)
    return process


GARBAGE: dict[str, bytes] = {
    "nothing": b"",
    "cut": b'{"hook_event_name": "PreToolUse", "tool_na',
    "no object": b"[1, 2]",
    "no text": b"\xff\xfe\x00",
    "two": b"{} {}",
    "wrong types": b'{"hook_event_name": 5, "session_id": [], "tool_input": "x"}',
    "deep": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "long": b'{"session_id": "s", "hook_event_name": "Stop", "prompt": "' + b"x" * 5_000_000 + b'"}',
    "a later version": b'{"hook_event_name": "ToolDreamt", "session_id": "s", "tool_input": {"path": "a"}}',
    "half a character": b'{"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "\\ud800"}',
    "a number": b'{"session_id": "s", "hook_event_name": "Stop", "n": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("raw", GARBAGE.values(), ids=GARBAGE)
def test_qc12_a_garbled_event_is_stored_and_in_nobodys_way(project: Make, raw: bytes) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    pending = p.hunks()
    assert p.hook(raw) == (0, b"", b"")
    assert p.hunks() == pending
    (seen,) = [frame.payload for frame in p.frames() if frame.kind == OBSERVATION][-1:]
    assert raw in seen or b"\nraw " in seen
    p.edit("a.md", "line 9\n", "NINE\n")
    p.reject()
    assert p.text("a.md") == POEM


def test_qc13_a_hook_killed_by_the_agents_timeout_is_a_gap_that_heals(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    call = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.sub("a.md", "line 3\n", "THREE\n")
    hook = subprocess.Popen(shlex.split(command()), cwd=p.root, env=p.environ, stdin=subprocess.PIPE)
    assert hook.stdin is not None
    hook.stdin.write(p.after(call)[:50])
    hook.stdin.flush()
    hook.kill()
    hook.wait()
    hook.stdin.close()
    assert p.calls()[0]["ended"] is None
    p.stop()
    assert p.calls()[0]["outcome"] == "lost"
    # The next call on the file is known exactly, whatever became of the one before.
    p.prompt("second")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.reject(p.turn("second"))
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n")


def test_qc17_records_of_a_recorder_with_more_to_say_are_read(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    data = p.journal.read_bytes()
    frames = p.frames()
    newer = [frame.payload.replace(b"\nmode ", b"\nweather sunny\nmode ", 1) for frame in frames]
    p.journal.write_bytes(data + b"".join(disk.frame(OBSERVATION, payload) for payload in newer))
    assert [hunk["new"] for hunk in p.hunks()] == ["THREE\n"]
    assert p.warnings == []


def test_qc17_a_record_that_cannot_be_read_is_said_and_the_others_are(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    later = b"blueline-observation 7\nin other words\n\n{}"
    disk.append(os.fsencode(p.journal), disk.frame(OBSERVATION, later))
    p.edit("a.md", "line 3\n", "THREE\n")
    with p.desk() as desk:
        assert [hunk["new"] for hunk in desk.list()["hunks"]] == ["THREE\n"]
        assert len(desk.warnings) == 1


def test_qc17_an_event_that_this_version_does_not_know_is_refused_and_nothing_is_written(
    project: Make,
) -> None:
    p = project({"a.md": POEM})
    p.is_damaged = True
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.hunks()
    later = b'{"n": 99, "at": "", "source": null, "facts": [{"fact": "mind.read", "thought": "?"}]}'
    disk.append(os.fsencode(p.journal), disk.frame(EVENT, later))
    journal, standing = p.journal.read_bytes(), p.on_disk()
    with pytest.raises(BluelineError) as refused:
        p.reject()
    assert "update" in refused.value.hint.lower()
    assert (p.journal.read_bytes(), p.on_disk()) == (journal, standing)
    # The agent's hook knows nothing of events, and goes on.
    assert p.hook(p.event("Stop")) == (0, b"", b"")


def test_qc17_facts_with_more_keys_than_this_version_knows_are_read(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    known = p.known()
    # Where a record stands means something to the events, so each keeps its place.
    observed = [disk.frame(frame.kind, frame.payload) for frame in p.frames() if frame.kind == OBSERVATION]
    events = [frame.payload for frame in p.frames() if frame.kind == EVENT]
    newer = [payload.replace(b'{"fact":', b'{"mood":"good","fact":') for payload in events]
    assert newer != events
    p.journal.write_bytes(b"".join([*observed, *(disk.frame(EVENT, payload) for payload in newer)]))
    p.lose_index()
    assert p.known() == known
