"""Calls that an agent reports through the protocol."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import FILES, Place, say, texts


def test_in_hold_mode_an_edit_that_is_asked_for_becomes_a_proposal(place: Place) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"]]})
    place.project.set_mode("hold")

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "go")
        assert "proposal" in texts(await conversations.document(talk.id), "note")[0]

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]
    (hunk,) = place.project.hunks()
    assert (hunk["held"], hunk["new"]) == (True, "a.md ONE\n")
