"""Turns of a conversation: sent, streamed, kept, taken back with the conversation, and given back."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from tests.chat.place import FILES, TWO_TURNS, Place, say, texts


def test_a_turn_streams_in_and_its_edits_are_in_the_ledger(place: Place) -> None:
    place.script(
        {"hello": [["think", "hm"], ["say", "Good morning.", 3], ["edit", "a.md", "a.md one", "a.md ONE"]]}
    )

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        turn = await say(hub, talk, "hello")
        assert turn == "t1"
        found = await hub.document(talk.id)
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


@pytest.mark.parametrize("order", [("t2", "t1"), ("t1", "t2")])
def test_two_turns_are_taken_back_in_both_orders_and_given_back(place: Place, order: tuple[str, str]) -> None:
    place.script(TWO_TURNS)
    prompts = {"t1": "first", "t2": "second"}

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        assert [await say(hub, talk, prompt) for prompt in ("first", "second")] == ["t1", "t2"]
        after = {name: place.text(name) for name in FILES}
        one, other = order
        done = await hub.reject(one, {})
        assert (done["edits"], done["conversation"], done["needs"]) == (2, talk.id, [])
        found = await hub.document(talk.id)
        assert texts(found, "user") == [prompts[other]]
        assert found["composer"]["text"] == prompts[one]
        again = await hub.reject(other, {})
        found = await hub.document(talk.id)
        assert texts(found, "user") == []
        assert found["composer"]["text"] == f"{prompts[other]}\n\n{prompts[one]}"
        assert {name: place.text(name) for name in FILES} == FILES
        await hub.undo(again["decisions"])
        assert texts(await hub.document(talk.id), "user") == [prompts[other]]
        await hub.undo(done["decisions"])
        # And once more, in the other order.
        done, again = await hub.reject(one, {}), await hub.reject(other, {})
        await hub.undo(done["decisions"])
        found = await hub.document(talk.id)
        assert (texts(found, "user"), found["composer"]["text"]) == ([prompts[one]], prompts[other])
        await hub.undo(again["decisions"])
        found = await hub.document(talk.id)
        assert texts(found, "user") == ["first", "second"]
        assert texts(found, "agent") == ["Done one.", "Done two."]
        assert found["composer"]["text"] == ""
        assert {name: place.text(name) for name in FILES} == after

    place.run(work)
    assert len(place.project.hunks()) == 4


def test_the_agent_does_not_remember_what_was_taken_back(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        await say(hub, talk, "second")
        await hub.reject("t2", {})
        await say(hub, talk, "third")
        found = await hub.document(talk.id)
        assert "A new conversation was started" in texts(found, "note")[0]

    place.run(work)
    last = place.log("prompt")[-1]
    assert last["remembers"] == []
    told = last["prompt"][-1]
    assert "Person: first" in told
    assert "You: Done one." in told
    assert "second" not in told


def test_an_agent_that_can_fork_goes_back_by_itself(place: Place) -> None:
    place.script(TWO_TURNS, "fork", "load")

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        await say(hub, talk, "second")
        done = await hub.reject("t2", {})
        await say(hub, talk, "third")
        assert texts(await hub.document(talk.id), "note") == []
        await hub.undo(done["decisions"])

    place.run(work)
    assert place.log("prompt")[-1]["remembers"] == ["first"]


def test_what_was_decided_is_said_at_the_next_prompt(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(hub: Conversations) -> None:
        talk = await hub.create("scripted")
        await say(hub, talk, "first")
        await hub.reject("t1", {"b.md": "keep"}, "too loud")
        await say(hub, talk, "again")
        await say(hub, talk, "once more")

    place.run(work)
    told = [" ".join(entry["prompt"]) for entry in place.log("prompt")]
    assert "too loud" in told[1]
    assert "too loud" not in told[2]
