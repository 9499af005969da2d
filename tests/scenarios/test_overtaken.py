"""A decision between a hook's look at a file and its record of it: nobody brought anything back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from blueline.kernel import disk
from tests.support.project import Call, Make, Project

TEXT = "one\ntwo\n"


def before_the_record(p: Project, raw: bytes, act: Callable[[], object], patch: pytest.MonkeyPatch) -> None:
    """Something is decided when a hook has looked, and has not written yet."""
    write = disk.append

    def append(journal: bytes, data: bytes) -> int:
        patch.setattr(disk, "append", write)
        act()
        return write(journal, data)

    patch.setattr(disk, "append", append)
    p.record(raw)


def in_the_middle(p: Project, raw: bytes, act: Callable[[], object], patch: pytest.MonkeyPatch) -> None:
    """A hook writes when the one who decides has read all that there was, and has not written yet."""
    write, frames = disk.append, list[bytes]()

    def keep(journal: bytes, data: bytes) -> int:
        frames.append(data)
        return 0

    def append(journal: bytes, data: bytes) -> int:
        patch.setattr(disk, "append", write)
        write(journal, frames[0])
        return write(journal, data)

    patch.setattr(disk, "append", keep)
    p.record(raw)
    patch.setattr(disk, "append", append)
    act()


VERBS = ("reject", "undo", "redo")
"""Each after those before it."""


def about_to(p: Project, verb: str) -> Callable[[], object]:
    """An agent has added a line, and all that comes before the verb is done; what does the verb."""
    p.prompt()
    p.edit("a.md", "two\n", "two\nadded\n")
    added = p.hunk("added\n")
    acts: dict[str, Callable[[], object]] = {
        "reject": lambda: p.reject(added),
        "undo": p.undo,
        "redo": p.redo,
    }
    for earlier in VERBS[: VERBS.index(verb)]:
        acts[earlier]()
    return acts[verb]


@pytest.mark.parametrize("meet", [before_the_record, in_the_middle])
@pytest.mark.parametrize("verb", VERBS)
def test_what_a_hook_saw_before_a_decision_is_nobodys_change(
    project: Make, meet: Callable[..., None], verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": TEXT})
    act = about_to(p, verb)
    call = p.call("Edit", "a.md", old_string="one", new_string="ONE")
    meet(p, p.before(call), act, monkeypatch)
    p.sub("a.md", "one", "ONE")
    p.record(p.after(call))
    is_there = verb == "undo"
    assert p.text("a.md") == ("ONE\ntwo\nadded\n" if is_there else "ONE\ntwo\n")
    found = {(one["new"], one["actor"]["kind"], one["status"]) for one in p.hunks(status="all")}
    status = "pending" if is_there else "rejected"
    assert found == {("ONE\n", "agent", "pending"), ("added\n", "agent", status)}
    assert len(p.log("decision")) == VERBS.index(verb) + 1
    p.assert_sound()


def test_what_a_shells_hook_saw_before_a_decision_is_nobodys_change(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": TEXT, "b.md": TEXT})
    p.prompt()
    p.bash("true")
    p.edit("a.md", "two\n", "two\nadded\n")
    added = p.hunk("added\n")
    call = Call("toolu_9", "Bash", {"command": "echo three >> b.md"}, p.conversation, refused=False)
    before_the_record(p, p.before(call), lambda: p.reject(added), monkeypatch)
    p.put("b.md", TEXT + "three\n")
    p.record(p.after(call))
    found = {(one["new"], one["actor"]["kind"], one["status"]) for one in p.hunks(status="all")}
    assert found == {("three\n", "agent", "pending"), ("added\n", "agent", "rejected")}
    assert p.text("a.md") == TEXT
    p.assert_sound()


def test_what_a_person_brings_back_is_still_seen(project: Make) -> None:
    p = project({"a.md": TEXT})
    p.prompt()
    p.edit("a.md", "two\n", "two\nadded\n")
    p.reject(p.hunk("added\n"))
    p.put("a.md", TEXT + "added\n")
    (hunk,) = p.hunks()
    assert (hunk["new"], hunk["actor"]["kind"]) == ("added\n", "agent")


@pytest.mark.parametrize("is_over", [False, True], ids=["the call goes on", "the call is over"])
@pytest.mark.parametrize("verb", VERBS)
def test_what_a_call_writes_while_a_decision_lands_is_the_calls(
    project: Make, verb: str, is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": TEXT})
    act = about_to(p, verb)
    call = p.call("Edit", "a.md", old_string="one", new_string="ONE")
    write = disk.append

    def append(journal: bytes, data: bytes) -> int:
        monkeypatch.setattr(disk, "append", write)
        done = write(journal, data)
        p.record(p.before(call))
        p.sub("a.md", "one", "ONE")
        if is_over:
            p.record(p.after(call))
        return done

    monkeypatch.setattr(disk, "append", append)
    act()
    if not is_over:
        p.record(p.after(call))
    is_there = verb == "undo"
    assert p.text("a.md") == ("ONE\ntwo\nadded\n" if is_there else "ONE\ntwo\n")
    found = {(one["new"], one["actor"]["kind"], one["status"]) for one in p.hunks(status="all")}
    status = "pending" if is_there else "rejected"
    assert found == {("ONE\n", "agent", "pending"), ("added\n", "agent", status)}
    assert {one["call"] for one in p.hunks()} >= {"c2"}
    p.assert_sound()
