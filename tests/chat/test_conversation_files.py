"""What is stored of conversations."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import TWO_TURNS, Place, say, texts, until


def test_everything_is_there_again_after_a_restart(place: Place) -> None:
    place.script(
        {**TWO_TURNS, "wait": [["edit", "c.md", "c.md two", "c.md TWO"], ["wait", "for ever"]]}, "load"
    )

    async def one(conversations: Conversations) -> str:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await conversations.prompt(talk.id, "wait", [])
        await until(
            lambda: sum(entry.about.get("status") == "completed" for entry in talk.thread.entries) == 3
        )
        return talk.id

    name = place.run(one)

    async def two(conversations: Conversations) -> None:
        (listed,) = await conversations.all()
        assert (listed["id"], listed["running"]) == (name, False)
        found = await conversations.document(name)
        assert texts(found, "user") == ["first", "wait"]
        assert (found["rounds"][1]["stop"], found["composer"]["text"]) == ("failed", "wait")
        talk = await conversations.talk(name)
        await say(conversations, talk, "go on")

    place.run(two)
    assert place.log("load")
    assert place.log("prompt")[-1]["remembers"] == ["first", "wait"]
    assert all(turn["ended"] for turn in place.project.turns())
