"""Messages of the protocol, and those that are none."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import Place, say, texts


def test_an_agent_that_talks_nonsense_is_understood_where_it_makes_sense(place: Place) -> None:
    place.script({"go": [["say", "before. "], ["garbage"], ["say", "after"], ["edit", "a.md", "one", "ONE"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "go")
        found = await conversations.document(talk.id)
        assert "".join(texts(found, "agent")) == "before. after"
        assert found["rounds"][0]["stop"] == "end_turn"

    place.run(work)
    assert [hunk["path"] for hunk in place.project.hunks()] == ["a.md"]
