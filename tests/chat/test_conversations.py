"""Conversations side by side, and turns of one taken back in any order."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from tests.chat.place import FILES, TWO_TURNS, Place, ended, say, texts


def test_ten_conversations_at_once(place: Place) -> None:
    place.script(
        {f"go {n}": [["say", "word " * 50, 5], ["edit", f"new{n}.md", "", f"text {n}\n"]] for n in range(10)}
    )

    async def work(conversations: Conversations) -> None:
        talks = [await conversations.create("scripted") for _ in range(10)]
        for number, talk in enumerate(talks):
            await conversations.prompt(talk.id, f"go {number}", [])
        for talk in talks:
            await ended(talk)
        for number, talk in enumerate(talks):
            found = await conversations.document(talk.id)
            assert texts(found, "agent") == ["word " * 50]
            assert found["rounds"][0]["stop"] == "end_turn"
            (turn,) = found["turns"]
            assert [hunk["path"] for hunk in place.project.hunks() if hunk["turn"] == turn] == [
                f"new{number}.md"
            ]

    place.run(work)


@pytest.mark.parametrize("order", [("t2", "t1"), ("t1", "t2")])
def test_two_turns_are_taken_back_in_both_orders_and_given_back(place: Place, order: tuple[str, str]) -> None:
    place.script(TWO_TURNS)
    prompts = {"t1": "first", "t2": "second"}

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        assert [await say(conversations, talk, prompt) for prompt in ("first", "second")] == ["t1", "t2"]
        after = {name: place.text(name) for name in FILES}
        one, other = order
        done = await conversations.reject(one, {})
        assert (done["edits"], done["conversation"], done["needs"]) == (2, talk.id, [])
        found = await conversations.document(talk.id)
        assert texts(found, "user") == [prompts[other]]
        assert found["composer"]["text"] == prompts[one]
        again = await conversations.reject(other, {})
        found = await conversations.document(talk.id)
        assert texts(found, "user") == []
        assert found["composer"]["text"] == f"{prompts[other]}\n\n{prompts[one]}"
        assert {name: place.text(name) for name in FILES} == FILES
        await conversations.undo(again["decisions"])
        assert texts(await conversations.document(talk.id), "user") == [prompts[other]]
        await conversations.undo(done["decisions"])
        # And once more, in the other order.
        done, again = await conversations.reject(one, {}), await conversations.reject(other, {})
        await conversations.undo(done["decisions"])
        found = await conversations.document(talk.id)
        assert (texts(found, "user"), found["composer"]["text"]) == ([prompts[one]], prompts[other])
        await conversations.undo(again["decisions"])
        found = await conversations.document(talk.id)
        assert texts(found, "user") == ["first", "second"]
        assert texts(found, "agent") == ["Done one.", "Done two."]
        assert found["composer"]["text"] == ""
        assert {name: place.text(name) for name in FILES} == after

    place.run(work)
    assert len(place.project.hunks()) == 4
