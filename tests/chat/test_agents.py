"""Which agents can be talked to."""

from __future__ import annotations

import pytest

from blueline.chat.agents import NoSuchAgent, settings
from blueline.chat.conversations import Conversations
from tests.chat.place import Place, say, texts


def test_agents_come_from_the_persons_config_and_never_from_the_project(place: Place) -> None:
    (place.root / ".blueline" / "config.toml").write_text(
        'format = 1\n[chat.agents.evil]\ncommand = ["evil"]\n'
    )
    assert "evil" not in settings(place.project.environ).agents
    here = place.root / "gemini"
    here.write_text("#!/bin/sh\ntouch ran\n")
    here.chmod(0o755)
    place.project.environ["PATH"] = f"{place.root}:{place.project.environ['PATH']}"

    async def work(conversations: Conversations) -> None:
        with pytest.raises(NoSuchAgent):
            await conversations.create("evil")
        talk = await conversations.create("gemini")
        await say(conversations, talk, "hello")
        assert "lies in the project" in texts(await conversations.document(talk.id), "note")[0]

    place.run(work)
    assert not (place.root / "ran").exists()
