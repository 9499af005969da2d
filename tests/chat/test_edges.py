"""The edges of a turn: nothing done, broken off, refused, and what people did meanwhile."""

from __future__ import annotations

import os
import signal

import pytest

from blueline.chat import talk as talk_module
from blueline.chat.agents import NoSuchAgent, settings
from blueline.chat.conversations import Conversations
from blueline.chat.talk import ConversationBusy
from blueline.chat.transcript import WAITING
from blueline.chat.turn_decisions import StillRunning
from tests.chat.place import FILES, TWO_TURNS, Place, ended, say, texts, until


def test_h08_a_turn_without_edits_offers_nothing(place: Place) -> None:
    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        turn = await say(hub, talk, "just talk")
        done = await hub.reject(turn, {})
        assert (done["edits"], done["decisions"]) == (0, [])
        assert texts(await hub.document(talk.id), "user") == ["just talk"]

    place.run(work)
    assert place.project.hunks() == []


@pytest.mark.parametrize("way", [["die"], ["fail", "out of ideas"]])
def test_an_agent_that_fails_leaves_what_landed_and_the_prompt(place: Place, way: list[str]) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["say", "and then"], way]})

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        turn = await say(hub, talk, "go")
        found = await hub.document(talk.id)
        assert found["composer"]["text"] == "go"
        assert found["rounds"][0]["stop"] == "failed"
        assert ("a pity" if way == ["die"] else "out of ideas") in texts(found, "note")[0]
        assert texts(found, "agent") == ["and then"]
        # It is started again for the next one.
        await say(hub, talk, "once more")
        assert (await hub.document(talk.id))["rounds"][1]["stop"] == "end_turn"
        await hub.reject(turn, {})

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]


def test_an_agent_killed_in_the_middle(place: Place) -> None:
    place.script(
        {"go": [["say", "a long story"], ["edit", "a.md", "a.md one", "a.md ONE"], ["wait", "for ever"]]}
    )

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await hub.prompt(talk.id, "go", [])
        await until(lambda: any(entry.about.get("status") == "completed" for entry in talk.thread.entries))
        assert talk.agent_pid is not None
        os.kill(talk.agent_pid, signal.SIGKILL)
        await ended(talk)
        found = await hub.document(talk.id)
        assert (found["rounds"][0]["stop"], found["composer"]["text"]) == ("failed", "go")
        assert "signal 9" in texts(found, "note")[0]

    place.run(work)
    (hunk,) = place.project.hunks()
    assert hunk["path"] == "a.md"


def test_a_turn_that_is_stopped(place: Place) -> None:
    place.script(
        {"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["wait", "for ever"], ["edit", "b.md", "b", "B"]]}
    )

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await hub.prompt(talk.id, "go", [{"path": "a.md", "line": 1}])
        await until(lambda: any(entry.about.get("status") == "completed" for entry in talk.thread.entries))
        with pytest.raises(ConversationBusy):
            await hub.prompt(talk.id, "another", [])
        with pytest.raises(StillRunning):
            await hub.reject("t1", {})
        await talk.compose("what I typed meanwhile", [])
        await talk.stop()
        await ended(talk)
        found = await hub.document(talk.id)
        assert found["rounds"][0]["stop"] == "cancelled"
        assert found["composer"]["text"] == "go\n\nwhat I typed meanwhile"
        assert found["composer"]["context"] == [{"path": "a.md", "line": 1}]

    place.run(work)
    assert place.log("cancel")
    assert [hunk["path"] for hunk in place.project.hunks()] == ["a.md"]


@pytest.mark.parametrize(("answer", "is_edited"), [("yes", True), ("no", False)])
def test_permission_is_asked_for_with_the_diff(place: Place, answer: str, is_edited: bool) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"], ["say", "so be it"]]})

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await hub.prompt(talk.id, "go", [])
        await until(lambda: bool(talk.thread.waiting()))
        found = await hub.document(talk.id)
        (question,) = [entry for entry in found["entries"] if entry["kind"] == "permission"]
        assert question["about"]["state"] == WAITING
        assert question["about"]["diffs"] == [
            {"path": "a.md", "long": False, "old": "a.md one", "new": "a.md ONE"}
        ]
        assert [one["name"] for one in question["about"]["options"]] == ["Allow", "Refuse"]
        await talk.answer(question["number"], answer)
        await ended(talk)
        found = await hub.document(talk.id)
        (question,) = [entry for entry in found["entries"] if entry["kind"] == "permission"]
        assert (question["about"]["state"], question["about"]["answer"]) == ("answered", answer)

    place.run(work)
    assert place.log("answer")[0]["answer"] == answer
    assert ("a.md ONE" in place.text("a.md")) is is_edited
    assert len(place.project.hunks()) == is_edited


def test_stopping_answers_what_the_agent_asked(place: Place) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"]]})

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await hub.prompt(talk.id, "go", [])
        await until(lambda: bool(talk.thread.waiting()))
        await talk.stop()
        await ended(talk)
        assert not talk.thread.waiting()

    place.run(work)
    assert place.log("answer")[0]["answer"] == "cancelled"
    assert place.text("a.md") == FILES["a.md"]


def test_what_a_person_typed_during_the_turn_is_kept(place: Place) -> None:
    place.script(
        {
            "go": [
                ["edit", "a.md", "a.md one", "a.md ONE"],
                ["wait", "typed"],
                ["edit", "a.md", "three", "THREE"],
            ]
        }
    )

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await hub.prompt(talk.id, "go", [])
        await until(lambda: any(entry.about.get("status") == "completed" for entry in talk.thread.entries))
        place.project.sub("a.md", "a.md two", "a.md two, by me")
        place.project.status()  # somebody looks
        place.let("typed")
        await ended(talk)
        done = await hub.reject("t1", {})
        assert done["needs"] == []

    place.run(work)
    assert place.text("a.md") == FILES["a.md"].replace("a.md two", "a.md two, by me")


def test_f11_a_file_that_a_person_deleted_meanwhile_is_skipped_and_said(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        (place.root / "a.md").unlink()
        done = await hub.reject("t1", {})
        assert "b.md" in done["files"]

    place.run(work)
    assert not (place.root / "a.md").exists()
    assert place.text("b.md") == FILES["b.md"]


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("keep", "a.md UNO\na.md two\na.md three\n"),
        ("anyway", FILES["a.md"]),
        ("alone", None),
    ],
)
def test_d02_a_file_that_has_moved_on_is_asked_about(place: Place, choice: str, left: str | None) -> None:
    place.script({**TWO_TURNS, "second": [["edit", "a.md", "a.md ONE", "a.md UNO"]]})

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        await say(hub, talk, "second")
        before = {name: place.text(name) for name in FILES}
        asked = await hub.reject("t1", {})
        assert [need["path"] for need in asked["needs"]] == ["a.md"]
        assert asked["needs"][0]["choices"] == ["anyway", "alone", "keep"]
        assert {name: place.text(name) for name in FILES} == before
        assert texts(await hub.document(talk.id), "user") == ["first", "second"]
        done = await hub.reject("t1", {"a.md": choice})
        assert done["needs"] == []
        assert texts(await hub.document(talk.id), "user") == ["second"]
        await hub.undo(done["decisions"])
        assert {name: place.text(name) for name in FILES} == before
        assert texts(await hub.document(talk.id), "user") == ["first", "second"]
        await hub.reject("t1", {"a.md": choice})

    place.run(work)
    assert place.text("b.md") == FILES["b.md"]
    assert left is None or place.text("a.md") == left


def test_a_new_prompt_leaves_the_last_turn_undecided_unless_chosen(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        place.configure(auto_accept=True)
        await say(hub, talk, "second")

    place.run(work)
    assert {hunk["turn"] for hunk in place.project.hunks()} == {"t2"}
    assert {hunk["turn"] for hunk in place.project.hunks(status="accepted")} == {"t1"}


def test_h11_a_decision_made_elsewhere_shows_in_the_conversation(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        done = await hub.reject("t1", {})
        assert texts(await hub.document(talk.id), "user") == []
        place.project.undo(done["decisions"][0])
        found = await hub.document(talk.id)
        assert (texts(found, "user"), found["composer"]["text"]) == (["first"], "")
        place.project.redo()
        assert texts(await hub.document(talk.id), "user") == []

    place.run(work)


def test_everything_is_there_again_after_a_restart(place: Place) -> None:
    place.script(
        {**TWO_TURNS, "wait": [["edit", "c.md", "c.md two", "c.md TWO"], ["wait", "for ever"]]}, "load"
    )

    async def one(hub: Conversations) -> str:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        await hub.prompt(talk.id, "wait", [])
        await until(
            lambda: sum(entry.about.get("status") == "completed" for entry in talk.thread.entries) == 3
        )
        return talk.id

    name = place.run(one)

    async def two(hub: Conversations) -> None:
        (listed,) = await hub.all()
        assert (listed["id"], listed["running"]) == (name, False)
        found = await hub.document(name)
        assert texts(found, "user") == ["first", "wait"]
        assert (found["rounds"][1]["stop"], found["composer"]["text"]) == ("failed", "wait")
        talk = await hub.talk(name)
        await say(hub, talk, "go on")

    place.run(two)
    assert place.log("load")
    assert place.log("prompt")[-1]["remembers"] == ["first", "wait"]
    assert all(turn["ended"] for turn in place.project.turns())


def test_ten_conversations_at_once(place: Place) -> None:
    place.script(
        {f"go {n}": [["say", "word " * 50, 5], ["edit", f"new{n}.md", "", f"text {n}\n"]] for n in range(10)}
    )

    async def work(hub: Conversations) -> None:
        talks = [await hub.create("scripted") for _ in range(10)]
        for number, talk in enumerate(talks):
            await hub.prompt(talk.id, f"go {number}", [])
        for talk in talks:
            await ended(talk)
        for number, talk in enumerate(talks):
            found = await hub.document(talk.id)
            assert texts(found, "agent") == ["word " * 50]
            assert found["rounds"][0]["stop"] == "end_turn"
            (turn,) = found["turns"]
            assert [hunk["path"] for hunk in place.project.hunks() if hunk["turn"] == turn] == [
                f"new{number}.md"
            ]

    place.run(work)


def test_two_thousand_messages_are_handed_out_in_parts(place: Place) -> None:
    place.script({"talk": [["many", 2000]]})

    async def work(hub: Conversations) -> str:
        talk = await hub.create("scripted")
        await say(hub, talk, "talk")
        return talk.id

    name = place.run(work)

    async def read(hub: Conversations) -> None:
        found = await hub.document(name)
        assert len(found["entries"]) == 100
        assert found["entries"][-1]["text"] == "message 1999"
        before = await hub.document(name, before=found["entries"][0]["number"])
        assert before["entries"][-1]["text"] == "message 1899"
        assert (await hub.document(name, after=found["seq"]))["entries"] == []
        assert (found["first"], found["count"]) == (0, 2001)

    place.run(read)


def test_files_and_commands_through_the_client(place: Place) -> None:
    outside = place.root.parent / "outside.md"
    outside.write_text("not yours\n")
    (place.root / "link").symlink_to(outside)
    steps = [
        ["read", "a.md"],
        ["read", "../outside.md"],
        ["read", "link"],
        ["read", ".git/config"],
        ["write", "made/by/agent.md", "made\n"],
        ["write", "../outside.md", "mine\n"],
        ["terminal", "echo changed > b.md; echo said; exit 3"],
        ["terminal", "echo no", ".."],
    ]
    place.script({"go": steps})

    async def work(hub: Conversations) -> None:
        await say(hub, await hub.create("scripted"), "go")

    place.run(work)
    assert {entry["read"]: entry["text"] for entry in place.log("read")} == {"a.md": FILES["a.md"]}
    assert {entry["refused"] for entry in place.log("refused")} == {
        "../outside.md",
        "link",
        ".git/config",
        "echo no",
    }
    assert outside.read_text() == "not yours\n"
    (ran,) = place.log("ran")
    assert (ran["code"], ran["output"]) == (3, "said\n")
    assert {(hunk["path"], hunk["tool"]) for hunk in place.project.hunks()} == {
        ("made/by/agent.md", "write_file"),
        ("b.md", "terminal"),
    }
    (call,) = [call for call in place.project.calls() if call["tool"] == "terminal"]
    assert "echo changed" in call["about"]["command"]


def test_in_hold_mode_an_edit_that_is_asked_for_becomes_a_proposal(place: Place) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"]]})
    place.project.set_mode("hold")

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "go")
        assert "proposal" in texts(await hub.document(talk.id), "note")[0]

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]
    (hunk,) = place.project.hunks()
    assert (hunk["held"], hunk["new"]) == (True, "a.md ONE\n")


def test_agents_come_from_the_persons_config_and_never_from_the_project(place: Place) -> None:
    (place.root / ".blueline" / "config.toml").write_text(
        'format = 1\n[chat.agents.evil]\ncommand = ["evil"]\n'
    )
    assert "evil" not in settings(place.project.environ).agents
    here = place.root / "gemini"
    here.write_text("#!/bin/sh\ntouch ran\n")
    here.chmod(0o755)
    place.project.environ["PATH"] = f"{place.root}:{place.project.environ['PATH']}"

    async def work(hub: Conversations) -> None:
        with pytest.raises(NoSuchAgent):
            await hub.create("evil")
        talk = await hub.create("gemini")
        await say(hub, talk, "hello")
        assert "lies in the project" in texts(await hub.document(talk.id), "note")[0]

    place.run(work)
    assert not (place.root / "ran").exists()


def test_suggestions_plans_and_the_state_before_are_kept(place: Place) -> None:
    place.script({"go": [["commands", "compact", "review"], ["plan", "look", "act"]]})

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await talk.compose("go", [])
        await say(hub, talk, "go")
        found = await hub.document(talk.id)
        assert [one["name"] for one in found["commands"]] == ["compact", "review"]
        (plan,) = [entry for entry in found["entries"] if entry["kind"] == "plan"]
        assert [step["text"] for step in plan["about"]["steps"]] == ["look", "act"]
        await say(hub, talk, "next")
        before = talk.thread.turns[2].before
        assert before["messages"] == 2
        assert before["suggestions"] == found["commands"]
        assert talk.thread.turns[1].before["typed"]["text"] == "go"

    place.run(work)


def test_an_agent_that_talks_nonsense_is_understood_where_it_makes_sense(place: Place) -> None:
    place.script({"go": [["say", "before. "], ["garbage"], ["say", "after"], ["edit", "a.md", "one", "ONE"]]})

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "go")
        found = await hub.document(talk.id)
        assert "".join(texts(found, "agent")) == "before. after"
        assert found["rounds"][0]["stop"] == "end_turn"

    place.run(work)
    assert [hunk["path"] for hunk in place.project.hunks()] == ["a.md"]


def test_an_agent_that_does_not_stop_is_ended(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk_module, "STOP_SECONDS", 0.1)
    place.script({"go": [["say", "on"], ["deaf"]]})

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await hub.prompt(talk.id, "go", [])
        await until(lambda: any(entry.kind == "agent" for entry in talk.thread.entries))
        await talk.stop()
        await ended(talk)
        found = await hub.document(talk.id)
        assert (found["rounds"][0]["stop"], found["composer"]["text"]) == ("cancelled", "go")
        assert talk.agent_pid is None

    place.run(work)
