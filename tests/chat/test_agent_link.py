"""The process of an agent: one at a time, and another when it has gone."""

from __future__ import annotations

import os
import signal

from blueline.chat.conversations import Conversations
from tests.chat.place import Place, say, until


def test_a_process_serves_many_turns_and_its_end_is_no_end_of_the_conversation(place: Place) -> None:
    place.script({}, "load")

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        assert talk.agent_pid is None  # not before somebody says something
        await say(conversations, talk, "one")
        first = talk.agent_pid
        await say(conversations, talk, "two")
        assert first is not None
        assert talk.agent_pid == first
        os.kill(first, signal.SIGKILL)
        await until(lambda: talk.agent_pid is None)
        await say(conversations, talk, "three")
        assert talk.agent_pid not in (None, first)
        await talk.set_closed(True)
        assert talk.agent_pid is None

    place.run(work)
    assert place.log("prompt")[-1]["remembers"] == ["one", "two"]
