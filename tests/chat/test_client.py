"""What an agent asks its client for."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from blueline.chat.transcript import WAITING
from tests.chat.place import FILES, Place, ended, until


@pytest.mark.parametrize(("answer", "is_edited"), [("yes", True), ("no", False)])
def test_permission_is_asked_for_with_the_diff(place: Place, answer: str, is_edited: bool) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"], ["say", "so be it"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: bool(talk.thread.waiting()))
        found = await conversations.document(talk.id)
        (question,) = [entry for entry in found["entries"] if entry["kind"] == "permission"]
        assert question["about"]["state"] == WAITING
        lines = "@@ -1,3 +1,3 @@\n-a.md one\n+a.md ONE\n a.md two\n a.md three\n"
        shown = {"path": "a.md", "long": False, "diff": lines, "line": 1}
        assert question["about"]["diffs"] == [shown]
        assert [one["name"] for one in question["about"]["options"]] == ["Allow", "Refuse"]
        await talk.answer(question["number"], answer)
        await ended(talk)
        found = await conversations.document(talk.id)
        (question,) = [entry for entry in found["entries"] if entry["kind"] == "permission"]
        assert (question["about"]["state"], question["about"]["answer"]) == ("answered", answer)

    place.run(work)
    assert place.log("answer")[0]["answer"] == answer
    assert ("a.md ONE" in place.text("a.md")) is is_edited
    assert len(place.project.hunks()) == is_edited


def test_stopping_answers_what_the_agent_asked(place: Place) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: bool(talk.thread.waiting()))
        await talk.stop()
        await ended(talk)
        assert not talk.thread.waiting()

    place.run(work)
    assert place.log("answer")[0]["answer"] == "cancelled"
    assert place.text("a.md") == FILES["a.md"]
