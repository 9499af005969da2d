"""What an agent remembers of turns that were taken back."""

from __future__ import annotations

import pytest

from blueline.chat import rewind
from blueline.chat.conversations import Conversations
from blueline.chat.transcript import Transcript
from tests.chat.place import TWO_TURNS, Place, say, texts


def test_the_agent_does_not_remember_what_was_taken_back(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        await conversations.reject("t2", {})
        await say(conversations, talk, "third")
        found = await conversations.document(talk.id)
        assert "a new conversation was started" in texts(found, "note")[0]

    place.run(work)
    last = place.log("prompt")[-1]
    assert last["remembers"] == []
    told = last["prompt"][-1]
    assert "Person: first" in told
    assert "You: Done one." in told
    assert "second" not in told


def told(*prompts: str) -> Transcript:
    thread = Transcript()
    for number, prompt in enumerate(prompts, 1):
        turn = {"kind": "turn", "turn": number, "prompt": prompt, "context": [], "before": {}}
        thread.take([{**turn, "session": "", "at": ""}])
    return thread


@pytest.mark.parametrize(
    ("history", "heard", "is_so"),
    [
        ((1, 2), ["one", "two"], True),
        ((1, 2), ["one", "[This is about a.md]", " two\n"], True),
        ((1, 2), ["two"], True),  # the first was retold, in other words
        ((1, 2), ["one"], False),
        ((1,), ["one", "two"], False),
        ((1, 3), ["one", "two", "three"], False),
        ((1,), ["one", "one"], False),  # the same prompt twice, of which one was taken back
        ((1,), [], False),
        ((), [], False),
    ],
)
def test_a_memory_is_believed_only_for_what_it_tells(
    history: tuple[int, ...], heard: list[str], is_so: bool
) -> None:
    assert rewind.holds_just(told("one", "two", "three", "one"), history, heard) == is_so
