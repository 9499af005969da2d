"""Calls that an agent reports through the protocol."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blueline.chat.call_recorder import CallRecorder, Diff, Told
from blueline.chat.conversations import Conversations
from blueline.sdk.conversation_record import ConversationRecord
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
    # The protocol has no words for a refusal, so the agent was told before what it means.
    (asked,) = place.log("prompt")
    assert "kept as a proposal" in asked["prompt"][1]


@pytest.mark.parametrize("is_told_first", [True, False], ids=["protocol first", "hook first"])
def test_what_a_hook_holds_is_offered_whoever_tells_of_it_first(place: Place, is_told_first: bool) -> None:
    project = place.project
    project.set_mode("hold")
    project.prompt("go")
    chat = ConversationRecord(project.state, "claude-code", project.conversation)
    recorder = CallRecorder(place.root, project.state, chat)
    call = project.call("Edit", "a.md", old_string="a.md one", new_string="a.md ONE")
    diff = Diff(path=str(place.root / "a.md"), old="a.md one", new="a.md ONE")
    told = Told(id=call.key, tool="Edit", kind="edit", diffs=(diff,))
    if is_told_first:
        recorder.told(told)
    assert project.record(project.before(call)) == 2
    recorder.told(replace(told, status="failed", error="This edit was not made."))
    project.stop()
    (hunk,) = project.hunks()
    assert (hunk["held"], hunk["tool"], hunk["new"]) == (True, "Edit", "a.md ONE\n")
    (known,) = project.calls()
    assert known["hunks"] == [hunk["id"]]


def test_in_review_mode_an_agent_hears_nothing_of_hold_mode(place: Place) -> None:
    place.script({})

    async def work(conversations: Conversations) -> None:
        await say(conversations, await conversations.create("scripted"), "go")

    place.run(work)
    assert place.log("prompt")[0]["prompt"] == ["go"]
