"""What an agent remembers of turns that were taken back."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import TWO_TURNS, Place, say, texts


def test_the_agent_does_not_remember_what_was_taken_back(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        await conversations.reject("t2", {})
        await say(conversations, talk, "third")
        found = await conversations.document(talk.id)
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
