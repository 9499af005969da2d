"""Questions of an agent, and who may answer what."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from blueline.chat.questions import NotWaiting
from tests.chat.place import FILES, Place, ended, until


def test_only_what_is_offered_is_an_answer_and_only_once(place: Place) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: bool(talk.thread.waiting()))
        (question,) = talk.thread.waiting()
        with pytest.raises(NotWaiting, match="not offered"):
            await talk.answer(question.number, "maybe")
        with pytest.raises(NotWaiting, match="any more"):
            await talk.answer(0, "yes")
        await talk.refuse(question.number)
        await ended(talk)
        with pytest.raises(NotWaiting):
            await talk.answer(question.number, "yes")

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]
