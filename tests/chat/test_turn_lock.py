"""Two programs that are in one conversation."""

from __future__ import annotations

import os

import pytest

from blueline.chat.conversations import Conversations
from blueline.chat.turn_lock import ConversationBusy
from tests.chat.place import TWO_TURNS, Place, ended, say, texts, until


def test_only_one_of_them_has_a_turn(place: Place) -> None:
    place.script({"go": [["wait", "on"], ["say", "Done."]]}, "load")

    async def work(page: Conversations) -> None:
        here = await page.create("scripted")
        await page.prompt(here.id, "go", [])
        await until(lambda: bool(place.log("prompt")))
        async with place.conversations("a terminal") as other:
            there = await other.talk(here.id)
            assert there.thread.running is not None  # and not ended by whoever came by
            with pytest.raises(ConversationBusy, match=rf"the workbench .process {os.getpid()}"):
                await other.prompt(here.id, "me too", [])
            with pytest.raises(ConversationBusy):
                there.must_be_free()
            place.let("on")
            await ended(here)
            assert await say(other, there, "me too") == "t2"
        found = await page.document(here.id)
        assert texts(found, "user") == ["go", "me too"]
        assert [one["stop"] for one in found["rounds"]] == ["end_turn", "end_turn"]

    place.run(work)


def test_what_only_that_one_can_do_is_refused_by_the_other(place: Place) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"]]}, "load")

    async def work(page: Conversations) -> None:
        here = await page.create("scripted")
        await page.prompt(here.id, "go", [])
        await until(lambda: bool(here.thread.waiting()))
        async with place.conversations("a terminal") as other:
            there = await other.talk(here.id)
            (asked,) = there.thread.waiting()
            with pytest.raises(ConversationBusy, match="in the workbench"):
                await there.answer(asked.number, "yes")
            with pytest.raises(ConversationBusy, match="in the workbench"):
                there.must_be_here()
            with pytest.raises(ConversationBusy, match="in the workbench"):
                await other.reject("t1", {})
            assert here.is_running
        await here.answer(asked.number, "yes")
        await ended(here)

    place.run(work)
    assert "a.md ONE" in place.text("a.md")


def test_a_turn_of_another_program_is_remembered_here(place: Place) -> None:
    place.script(TWO_TURNS, "load")

    async def work(page: Conversations) -> None:
        here = await page.create("scripted")
        await say(page, here, "first")
        async with place.conversations("a terminal") as other:
            await say(other, await other.talk(here.id), "second")
        await say(page, here, "third")

    place.run(work)
    last = place.log("prompt")[-1]
    assert last["remembers"] == ["first", "second"]
    # The process that knew nothing of the second turn was not asked.
    assert len({entry["pid"] for entry in place.log("prompt")}) == 3


def test_a_turn_that_was_left_behind_ends_with_the_next_prompt(place: Place) -> None:
    place.script({"go": [["die"]]}, "load")

    async def work(page: Conversations) -> None:
        here = await page.create("scripted")
        await say(page, here, "first")
        # As a program leaves it that was ended in the middle of a turn.
        turn = {"kind": "turn", "turn": 2, "prompt": "lost", "context": [], "before": {}, "session": ""}
        await here._kept.keep({**turn, "at": "2026-01-01T00:00:00.000Z"})
        await say(page, here, "third")
        rounds = (await page.document(here.id))["rounds"]
        assert [one["stop"] for one in rounds] == ["end_turn", "failed", "end_turn"]

    place.run(work)
