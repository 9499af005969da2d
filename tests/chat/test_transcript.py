"""What a conversation keeps besides words, and what it shows when turns of it are taken back."""

from __future__ import annotations

from typing import Any

from blueline.chat import conversation_files
from blueline.chat.conversations import Conversations
from blueline.chat.transcript import Transcript
from blueline.desk.turn_rejections import TurnRejection, TurnRejections
from tests.chat.place import FILES, TWO_TURNS, Place, say, texts


def test_suggestions_plans_and_the_state_before_are_kept(place: Place) -> None:
    place.script({"go": [["commands", "compact", "review"], ["plan", "look", "act"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await talk.compose("go", [])
        await say(conversations, talk, "go")
        found = await conversations.document(talk.id)
        assert [one["name"] for one in found["commands"]] == ["compact", "review"]
        (plan,) = [entry for entry in found["entries"] if entry["kind"] == "plan"]
        assert [step["text"] for step in plan["about"]["steps"]] == ["look", "act"]
        await say(conversations, talk, "next")
        before = talk.thread.turns[2].before
        assert before["messages"] == 2
        assert before["suggestions"] == found["commands"]
        assert talk.thread.turns[1].before["typed"]["text"] == "go"

    place.run(work)


def test_h11_undo_and_redo_from_the_command_line_take_the_conversation_along(place: Place) -> None:
    place.script({**TWO_TURNS, "second": [["edit", "a.md", "a.md ONE", "a.md UNO"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        await say(conversations, talk, "second")
        before = {name: place.text(name) for name in FILES}
        done = await conversations.reject("t1", {"a.md": "alone"})
        (decision,) = done["decisions"]
        rejected = {name: place.text(name) for name in FILES}

        async def is_taken_back() -> bool:
            found = await conversations.document(talk.id)
            seen = texts(found, "user"), found["composer"]["text"], {name: place.text(name) for name in FILES}
            assert seen in ((["second"], "first", rejected), (["first", "second"], "", before))
            return seen[0] == ["second"]

        assert await is_taken_back()
        place.project.command("undo")
        assert not await is_taken_back()
        place.project.command("redo")
        assert await is_taken_back()
        await conversations.undo([decision])
        assert not await is_taken_back()

    place.run(work)


def record(kind: str, **about: Any) -> dict[str, Any]:
    return {"kind": kind, "at": "", **about}


def begun(number: int, **about: Any) -> list[dict[str, Any]]:
    given = {"prompt": f"prompt {number}", "context": [], "before": {}, "session": "", **about}
    return [
        record("turn", turn=number, **given),
        record("ledger", turn=number, session="s", ledger=f"t{number}"),
        record("ended", turn=number, stop="end_turn"),
    ]


def taken_back(*since: tuple[str, int], reason: str = "") -> TurnRejections:
    return TurnRejections(9, tuple(TurnRejection(turn, number, reason) for turn, number in since))


def test_prompts_come_back_above_what_was_typed_before_and_not_above_what_was_typed_since() -> None:
    thread = Transcript()
    thread.take([*begun(1), *begun(2, decided=0), record("composer", text="typed", context=[], decided=3)])
    assert thread.follow(taken_back(("t1", 3), ("t2", 4), ("t7", 5)))
    assert (thread.hidden, thread.composer.text) == ({1, 2}, "prompt 2\n\ntyped")
    assert not thread.follow(taken_back(("t1", 3), ("t2", 4)))
    assert thread.follow(taken_back(("t1", 5)))  # done again
    assert (thread.hidden, thread.composer.text) == ({1}, "prompt 1\n\ntyped")
    thread.follow(taken_back())
    assert (thread.hidden, thread.composer.text) == (set(), "typed")


def test_a_prompt_that_is_there_already_does_not_come_twice() -> None:
    thread = Transcript()
    thread.take([*begun(1)[:2], record("composer", text="typed", context=[])])
    thread.take([record("ended", turn=1, stop="cancelled", back=True)])
    thread.follow(taken_back(("t1", 1), ("t1", 2)))
    assert thread.composer.text == "prompt 1\n\ntyped"


def test_a_reason_is_told_with_the_next_turn_only() -> None:
    thread = Transcript()
    thread.take([*begun(1, decided=0), *begun(2, decided=4), *begun(3, decided=4)])
    thread.follow(taken_back(("t1", 3), reason="too loud"))
    assert [thread.reasons(number) for number in (1, 2, 3)] == [[], ["too loud"], []]


def test_a_file_of_an_earlier_version_says_which_decisions_were_about_which_turns() -> None:
    rejected = record("rejected", turn=1, decisions=["d2", "d3"], reason="too loud")
    typed = record("composer", text="before", context=[])
    thread = Transcript()
    thread.take([*begun(1), typed, rejected])
    assert thread.noted == {2: "t1", 3: "t1"}
    thread.follow(taken_back(("t1", 2), reason="too loud"))
    assert thread.composer.text == "prompt 1\n\nbefore"
    thread.take([record("composer", text="since", context=[]), *begun(2)])
    assert (thread.composer.text, thread.hidden, thread.reasons(2)) == ("", {1}, ["too loud"])


def test_a_conversation_of_an_earlier_version_goes_on(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Conversations) -> str:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        return talk.id

    name = place.run(work)
    # Then decisions were about hunks, and only the conversation knew that they were about a turn.
    (decision,) = {place.project.reject(*(hunk["id"] for hunk in place.project.hunks()))["decision"]}
    kept = conversation_files.ConversationFile(conversation_files.path_of(place.project.state, name))
    kept.append(record("rejected", turn=1, decisions=[decision], reason=""))

    async def on(conversations: Conversations) -> None:
        found = await conversations.document(name)
        assert (texts(found, "user"), found["composer"]["text"]) == ([], "first")
        place.project.undo()
        found = await conversations.document(name)
        assert (texts(found, "user"), found["composer"]["text"]) == (["first"], "")

    place.run(on)
