"""Decisions that were made outside any chat."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import TWO_TURNS, Place, say, texts


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
