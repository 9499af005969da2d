"""Which memory of its own an agent goes on with."""

from __future__ import annotations

from blueline.chat.agent_sessions import TOLD_ANEW
from blueline.chat.conversations import Conversations
from tests.chat.place import TWO_TURNS, Place, say, texts


def test_an_agent_that_can_fork_goes_back_by_itself(place: Place) -> None:
    place.script(TWO_TURNS, "fork", "load")

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        done = await conversations.reject("t2", {})
        await say(conversations, talk, "third")
        assert texts(await conversations.document(talk.id), "note") == []
        await conversations.undo(done["decisions"])

    place.run(work)
    assert place.log("prompt")[-1]["remembers"] == ["first"]


def test_an_agent_that_only_says_it_can_fork_is_not_believed(place: Place) -> None:
    place.script(TWO_TURNS, "fork", "load", "no copies")

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        await conversations.reject("t2", {})
        await say(conversations, talk, "third")
        assert texts(await conversations.document(talk.id), "note") == [TOLD_ANEW]

    place.run(work)
    last = place.log("prompt")[-1]
    assert last["remembers"] == []
    assert "Person: first" in last["prompt"][-1]


def test_an_agent_that_does_not_tell_what_it_loads_is_not_believed(place: Place) -> None:
    place.script(TWO_TURNS, "fork", "resume")

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        await conversations.reject("t2", {})
        await say(conversations, talk, "third")
        assert texts(await conversations.document(talk.id), "note") == [TOLD_ANEW]

    place.run(work)
    assert place.log("prompt")[-1]["remembers"] == []
