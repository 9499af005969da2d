"""Turns that are taken back or kept, and what people did meanwhile."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from blueline.model.dependents import FileChoice
from blueline.review.deciding.planning import AWAY
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
        assert (done["edits"], done["files"], done["written"]) == (1, ["b.md"], ["b.md"])
        assert [(one["path"], one["reason"]) for one in done["skipped"]] == [("a.md", AWAY)]

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
        assert (done["needs"], len(done["decisions"])) == ([], 1)
        found = await conversations.document(talk.id)
        # With what is undecided in it, the turn stays in the conversation.
        is_left = choice == "keep"
        assert texts(found, "user") == (["first", "second"] if is_left else ["second"])
        assert found["composer"]["text"] == ("" if is_left else "first")
        assert done["conversation"] == (None if is_left else talk.id)
        await conversations.undo(done["decisions"])
        assert {name: place.text(name) for name in FILES} == before
        found = await conversations.document(talk.id)
        assert (texts(found, "user"), found["composer"]["text"]) == (["first", "second"], "")
        await conversations.reject("t1", {"a.md": choice})

    place.run(work)
    assert place.text("b.md") == FILES["b.md"]
    assert left is None or place.text("a.md") == left


def test_a_turn_that_was_kept_in_part_leaves_once_the_rest_is_rejected(place: Place) -> None:
    place.script({**TWO_TURNS, "second": [["edit", "a.md", "a.md ONE", "a.md UNO"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        await conversations.reject("t1", {"a.md": "keep"})
        assert {hunk["path"] for hunk in place.project.hunks() if hunk["turn"] == "t1"} == {"a.md"}
        await conversations.reject("t1", {"a.md": "anyway"})
        found = await conversations.document(talk.id)
        assert (texts(found, "user"), found["composer"]["text"]) == (["second"], "first")

    place.run(work)
    assert {name: place.text(name) for name in FILES} == FILES


@pytest.mark.parametrize(("choice", "left"), [("anyway", "one"), ("alone", "UNO"), ("keep", "UNO")])
def test_rule_d1_a_line_that_a_person_corrected_is_asked_about(
    place: Place, choice: FileChoice, left: str
) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        place.project.sub("a.md", "a.md ONE", "a.md UNO")
        asked = await conversations.reject("t1", {})
        (need,) = asked["needs"]
        assert (need["path"], need["choices"]) == ("a.md", ["anyway", "alone", "keep"])
        assert need["lines"] == [{"line": 1, "now": "a.md UNO", "before": "a.md one"}]
        assert place.text("b.md") != FILES["b.md"]
        done = await conversations.reject("t1", {"a.md": choice})
        assert (done["needs"], len(done["decisions"])) == ([], 1)

    place.run(work)
    assert place.text("a.md") == FILES["a.md"].replace("a.md one", f"a.md {left}")
    assert place.text("b.md") == FILES["b.md"]


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
