"""One turn from its prompt to its end."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from blueline.chat.turn_lock import ConversationBusy
from tests.chat.place import FILES, TWO_TURNS, Place, ended, say, texts, until
from tests.support.subagents import start


def test_a_turn_that_is_stopped(place: Place) -> None:
    place.script(
        {"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["wait", "for ever"], ["edit", "b.md", "b", "B"]]}
    )

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [{"path": "a.md", "line": 1}])
        await until(lambda: any(entry.about.get("status") == "completed" for entry in talk.thread.entries))
        with pytest.raises(ConversationBusy):
            await conversations.prompt(talk.id, "another", [])
        await talk.compose("what I typed meanwhile", [])
        await talk.stop()
        await ended(talk)
        found = await conversations.document(talk.id)
        assert found["rounds"][0]["stop"] == "cancelled"
        assert found["composer"]["text"] == "go\n\nwhat I typed meanwhile"
        assert found["composer"]["context"] == [{"path": "a.md", "line": 1}]

    place.run(work)
    assert place.log("cancel")
    assert [hunk["path"] for hunk in place.project.hunks()] == ["a.md"]


RUNNING = {"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["edit", "b.md", "b.md", "B", "ask"]]}


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_h11_a_running_turn_that_is_taken_back_is_stopped(place: Place, where: str) -> None:
    place.script(RUNNING)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: bool(talk.thread.waiting()))
        if where == "here":
            assert (await conversations.reject("t1", {}))["edits"] == 1
        else:
            place.project.reject("t1")
            conversations.refresh_soon()
        await ended(talk)
        found = await conversations.document(talk.id)
        assert (found["running"], found["rounds"][0]["stop"]) == (False, "cancelled")
        assert (texts(found, "user"), found["composer"]["text"], found["waiting"]) == ([], "go", 0)
        place.project.undo()
        assert texts(await conversations.document(talk.id), "user") == ["go"]

    place.run(work)
    assert place.log("cancel")
    assert [hunk["path"] for hunk in place.project.hunks()] == ["a.md"]
    assert place.text("b.md") == FILES["b.md"]


def test_a_turn_streams_in_and_its_edits_are_in_the_ledger(place: Place) -> None:
    place.script(
        {"hello": [["think", "hm"], ["say", "Good morning.", 3], ["edit", "a.md", "a.md one", "a.md ONE"]]}
    )

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        turn = await say(conversations, talk, "hello")
        assert turn == "t1"
        found = await conversations.document(talk.id)
        assert [entry["kind"] for entry in found["entries"]] == ["user", "thought", "agent", "tool"]
        assert texts(found, "agent") == ["Good morning."]
        tool = found["entries"][-1]["about"]
        assert (tool["status"], tool["ledger"], tool["paths"]) == (
            "completed",
            "c1",
            [{"path": "a.md", "line": None}],
        )

    place.run(work)
    (hunk,) = place.project.hunks()
    assert (hunk["turn"], hunk["call"], hunk["path"]) == ("t1", "c1", "a.md")
    assert hunk["actor"] == {"kind": "agent", "name": "scripted"}
    (turn,) = place.project.turns()
    assert turn["prompt"] == "hello"
    assert turn["ended"] is not None


def test_what_was_decided_is_said_at_the_next_prompt(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await conversations.reject("t1", {"b.md": "keep"}, "too loud")
        await say(conversations, talk, "again")
        await say(conversations, talk, "once more")

    place.run(work)
    told = [" ".join(entry["prompt"]) for entry in place.log("prompt")]
    assert "too loud" in told[1]
    assert "too loud" not in told[2]


def test_what_an_agent_suggests_is_offered_until_the_turn_is_taken_back(place: Place) -> None:
    script = {
        "first": [*TWO_TURNS["first"], ["suggest", "Run the tests", " "]],
        "second": [*TWO_TURNS["second"], ["suggest", "Commit it", "Go on"]],
        "third": [["suggest"]],
    }
    place.script(script)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")

        async def offered() -> list[str]:
            return (await conversations.document(talk.id))["suggestions"]

        await say(conversations, talk, "first")
        assert await offered() == ["Run the tests"]
        await say(conversations, talk, "second")
        assert await offered() == ["Commit it", "Go on"]
        done = await conversations.reject("t2", {})
        assert await offered() == ["Run the tests"]
        await conversations.undo(done["decisions"])
        assert await offered() == ["Commit it", "Go on"]
        await say(conversations, talk, "third")
        assert await offered() == []

    place.run(work)


def test_d9_a_subagent_ends_with_the_process_of_its_agent(place: Place) -> None:
    place.script({"go": [["say", "Started."]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: bool(talk.thread.turns[1].session))
        # A hook tells of it, and never of its end.
        place.project.conversation = talk.thread.turns[1].session
        start(place.project, "helper")
        await ended(talk)
        assert [turn["ended"] for turn in place.project.turns()] == [None]
        await talk.set_closed(True)
        assert [turn["ended"] is not None for turn in place.project.turns()] == [True]

    place.run(work)
