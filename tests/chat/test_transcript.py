"""What a conversation keeps besides words."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import Place, say


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
