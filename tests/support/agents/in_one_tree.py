"""Two agents at work in one tree at the same time, step by step between each other's steps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.support.agents.agent import Agent
from tests.support.agents.dance import Dance, together
from tests.support.agents.place import Place
from tests.support.scripted_model import Answer, ScriptedModel, says

POEM = "".join(f"line {number}\n" for number in range(1, 16))
FILES = {"a.md": POEM, "shared.txt": POEM, "gone.md": "to be deleted\n"}

MINE = {"line 2\n": "line two\n", "line 8\n": "line eight\n"}
YOURS = {"line 5\n": "LINE FIVE\n", "line 11\n": "LINE ELEVEN\n"}
MY_SHARED, YOUR_SHARED = {"line 4\n": "mine\n"}, {"line 10\n": "yours\n"}


def leave_each_other_exact(place: Place, home: Path, mine: type[Agent], yours: type[Agent]) -> None:
    """Let two agents edit the same files between each other's edits; then take each back alone."""
    start = place.on_disk()
    dance = Dance()
    with ScriptedModel() as my_model, ScriptedModel() as your_model:
        me, you = mine(place.root, home, my_model), yours(place.root, home, your_model)
        my_model.then(_my_part(me, dance))
        your_model.then(_your_part(you, dance))
        printed = together({me: "small letters", you: "large letters"})
    assert "Mine is done." in printed[me]
    assert "Yours is done." in printed[you]
    end = place.on_disk()
    only_mine = {
        **start,
        "a.md": _text(POEM, MINE),
        "shared.txt": _text(POEM, MY_SHARED),
        "mine.md": (0o644, b"mine\n"),
    }
    only_yours = {
        **start,
        "a.md": _text(POEM, YOURS),
        "shared.txt": _text(POEM, YOUR_SHARED),
        "yours.md": (0o644, b"yours\n"),
    }
    del only_yours["gone.md"]
    both = {
        **only_mine,
        **only_yours,
        "a.md": _text(POEM, MINE | YOURS),
        "shared.txt": _text(POEM, MY_SHARED | YOUR_SHARED),
    }
    del both["gone.md"]
    assert end == both

    turns = place.turns()
    small, large = turns["small letters"], turns["large letters"]
    assert (small["agent"], large["agent"]) == (mine.NAME, yours.NAME)
    assert small["conversation"] != large["conversation"]
    place.blueline("reject", large["id"])
    assert place.on_disk() == only_mine
    place.blueline("undo")
    assert place.on_disk() == end
    place.blueline("reject", small["id"])
    assert place.on_disk() == only_yours
    place.blueline("reject", large["id"])
    assert place.on_disk() == start
    assert place.blueline("list")["hunks"] == []


def _my_part(me: Agent, dance: Dance) -> Iterator[Answer]:
    yield [me.reads("a.md")]
    yield [me.edits("a.md", "line 2\n", MINE["line 2\n"])]
    dance.took("my first edit")
    dance.after("your first edit")
    # Some agents refuse to edit what has changed since they read it.
    yield [me.reads("a.md")]
    yield [me.edits("a.md", "line 8\n", MINE["line 8\n"])]
    dance.took("my second edit")
    dance.after("your deletion")
    yield [me.runs("sed -i 's/^line 4$/mine/' shared.txt")]
    dance.took("my shell")
    yield [me.creates("mine.md", "mine\n")]
    dance.after("your shell")
    yield [says("Mine is done.")]


def _your_part(you: Agent, dance: Dance) -> Iterator[Answer]:
    dance.after("my first edit")
    yield [you.reads("a.md")]
    yield [you.edits("a.md", "line 5\n", YOURS["line 5\n"])]
    dance.took("your first edit")
    dance.after("my second edit")
    yield [you.reads("a.md")]
    yield [you.edits("a.md", "line 11\n", YOURS["line 11\n"])]
    yield [you.deletes("gone.md")]
    dance.took("your deletion")
    dance.after("my shell")
    yield [you.runs("sed -i 's/^line 10$/yours/' shared.txt")]
    dance.took("your shell")
    yield [you.creates("yours.md", "yours\n")]
    yield [says("Yours is done.")]


def _text(text: str, changes: dict[str, str]) -> tuple[int, bytes]:
    for old, new in changes.items():
        text = text.replace(old, new)
    return 0o644, text.encode()
