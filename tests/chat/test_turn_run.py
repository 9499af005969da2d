"""A turn from its prompt to its end: what goes along, and how it may end."""

from __future__ import annotations

import pytest

from blueline.chat.conversations import Conversations
from blueline.chat.turn_run import contexts
from tests.chat.place import Place, say, texts


def test_places_go_along_in_words() -> None:
    assert contexts(
        [
            {"path": "a.md"},
            {"path": "b.md", "line": 3},
            {"path": "c.md", "line": 3, "end_line": 4, "quote": "x\ny", "advice": "Be brief."},
        ]
    ) == [
        "[This is about a.md]",
        "[This is about b.md, lines 3 to 3]",
        "[This is about c.md, lines 3 to 4:\n\nx\ny\n\nBe brief.]",
    ]


@pytest.mark.parametrize(
    ("steps", "stop", "said"),
    [
        ([["say", "Done."]], "end_turn", []),
        ([["stop", "refusal"]], "refusal", []),
        ([["die"]], "failed", ["has ended (7): a pity"]),
        ([["fail", "no credit"]], "failed", ["no credit"]),
    ],
    ids=["done", "refused", "died", "failed"],
)
def test_however_it_ends_it_has_an_end(
    place: Place, steps: list[list[str]], stop: str, said: list[str]
) -> None:
    place.script({"go": steps})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "go")
        found = await conversations.document(talk.id)
        assert [one["stop"] for one in found["rounds"]] == [stop]
        notes = texts(found, "note")
        assert len(notes) == len(said)
        assert all(part in note for part, note in zip(said, notes, strict=True))
        assert found["composer"]["text"] == ("" if stop == "end_turn" else "go")
        assert await say(conversations, talk, "again") == "t2"

    place.run(work)
    assert all(turn["ended"] for turn in place.project.turns())
