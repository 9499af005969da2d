"""Turns that are taken back or kept, and what people did meanwhile."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from blueline.model.choices import FileChoice
from tests.chat.place import FILES, TWO_TURNS, Place, ended, say, texts, until


def test_h08_a_turn_without_edits_offers_nothing(place: Place) -> None:
    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        turn = await say(conversations, talk, "just talk")
        done = await conversations.reject(turn, {})
        assert (done["edits"], done["decisions"]) == (0, [])
        assert texts(await conversations.document(talk.id), "user") == ["just talk"]

    place.run(work)
    assert place.project.hunks() == []


def test_what_a_person_typed_during_the_turn_is_kept(place: Place) -> None:
    place.script(
        {
            "go": [
                ["edit", "a.md", "a.md one", "a.md ONE"],
                ["wait", "typed"],
                ["edit", "a.md", "three", "THREE"],
            ]
        }
    )

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await conversations.prompt(talk.id, "go", [])
        await until(lambda: any(entry.about.get("status") == "completed" for entry in talk.thread.entries))
        place.project.sub("a.md", "a.md two", "a.md two, by me")
        place.project.status()  # somebody looks
        place.let("typed")
        await ended(talk)
        done = await conversations.reject("t1", {})
        assert done["needs"] == []

    place.run(work)
    assert place.text("a.md") == FILES["a.md"].replace("a.md two", "a.md two, by me")


def test_f11_a_file_that_a_person_deleted_meanwhile_is_skipped_and_said(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        (place.root / "a.md").unlink()
        done = await conversations.reject("t1", {})
        assert "b.md" in done["files"]

    place.run(work)
    assert not (place.root / "a.md").exists()
    assert place.text("b.md") == FILES["b.md"]


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("keep", "a.md UNO\na.md two\na.md three\n"),
        ("anyway", FILES["a.md"]),
        ("alone", None),
    ],
)
def test_d02_a_file_that_has_moved_on_is_asked_about(
    place: Place, choice: FileChoice, left: str | None
) -> None:
    place.script({**TWO_TURNS, "second": [["edit", "a.md", "a.md ONE", "a.md UNO"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        before = {name: place.text(name) for name in FILES}
        asked = await conversations.reject("t1", {})
        assert [need["path"] for need in asked["needs"]] == ["a.md"]
        assert asked["needs"][0]["choices"] == ["anyway", "alone", "keep"]
        assert {name: place.text(name) for name in FILES} == before
        assert texts(await conversations.document(talk.id), "user") == ["first", "second"]
        done = await conversations.reject("t1", {"a.md": choice})
        assert done["needs"] == []
        assert texts(await conversations.document(talk.id), "user") == ["second"]
        await conversations.undo(done["decisions"])
        assert {name: place.text(name) for name in FILES} == before
        assert texts(await conversations.document(talk.id), "user") == ["first", "second"]
        await conversations.reject("t1", {"a.md": choice})

    place.run(work)
    assert place.text("b.md") == FILES["b.md"]
    assert left is None or place.text("a.md") == left


def test_a_new_prompt_leaves_the_last_turn_undecided_unless_chosen(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        place.configure(auto_accept=True)
        await say(conversations, talk, "second")

    place.run(work)
    assert {hunk["turn"] for hunk in place.project.hunks()} == {"t2"}
    assert {hunk["turn"] for hunk in place.project.hunks(status="accepted")} == {"t1"}
