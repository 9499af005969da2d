"""What surfaces are shown of conversations."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import Place, say


def test_two_thousand_messages_are_handed_out_in_parts(place: Place) -> None:
    place.script({"talk": [["many", 2000]]})

    async def work(conversations: Conversations) -> str:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "talk")
        return talk.id

    name = place.run(work)

    async def read(conversations: Conversations) -> None:
        found = await conversations.document(name)
        assert len(found["entries"]) == 100
        assert found["entries"][-1]["text"] == "message 1999"
        before = await conversations.document(name, before=found["entries"][0]["number"])
        assert before["entries"][-1]["text"] == "message 1899"
        assert (await conversations.document(name, after=found["seq"]))["entries"] == []
        assert (found["first"], found["count"]) == (0, 2001)

    place.run(read)
