"""The process of an agent: it fails, is killed, does not stop."""

from __future__ import annotations

import os
import signal

import pytest

from blueline.chat import talk as talk_module
from blueline.chat.conversations import Conversations
from tests.chat.place import FILES, Place, ended, say, texts, until


@pytest.mark.parametrize("way", [["die"], ["fail", "out of ideas"]])
def test_an_agent_that_fails_leaves_what_landed_and_the_prompt(place: Place, way: list[str]) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["say", "and then"], way]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        turn = await say(conversations, talk, "go")
        found = await conversations.document(talk.id)
        assert found["composer"]["text"] == "go"
        assert found["rounds"][0]["stop"] == "failed"
        assert ("a pity" if way == ["die"] else "out of ideas") in texts(found, "note")[0]
        assert texts(found, "agent") == ["and then"]
        # It is started again for the next one.
        await say(conversations, talk, "once more")
        assert (await conversations.document(talk.id))["rounds"][1]["stop"] == "end_turn"
        await conversations.reject(turn, {})

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]


def test_an_agent_killed_in_the_middle(place: Place) -> None:
    place.script(
        {"go": [["say", "a long story"], ["edit", "a.md", "a.md one", "a.md ONE"], ["wait", "for ever"]]}
    )

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: any(entry.about.get("status") == "completed" for entry in talk.thread.entries))
        assert talk.agent_pid is not None
        os.kill(talk.agent_pid, signal.SIGKILL)
        await ended(talk)
        found = await conversations.document(talk.id)
        assert (found["rounds"][0]["stop"], found["composer"]["text"]) == ("failed", "go")
        assert "signal 9" in texts(found, "note")[0]

    place.run(work)
    (hunk,) = place.project.hunks()
    assert hunk["path"] == "a.md"


def test_an_agent_that_does_not_stop_is_ended(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk_module, "STOP_SECONDS", 0.1)
    place.script({"go": [["say", "on"], ["deaf"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: any(entry.kind == "agent" for entry in talk.thread.entries))
        await talk.stop()
        await ended(talk)
        found = await conversations.document(talk.id)
        assert (found["rounds"][0]["stop"], found["composer"]["text"]) == ("cancelled", "go")
        assert talk.agent_pid is None

    place.run(work)
