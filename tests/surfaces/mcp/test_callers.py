"""Who calls a tool, and in which turn."""

from __future__ import annotations

import pytest

from tests.support.project import POEM, Project
from tests.surfaces.mcp.playing import Asked, Mode, play


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_edits_land_under_the_name_of_the_client(p: Project, mode: Mode) -> None:
    async def script(ask: Asked) -> None:
        done = await ask("edit_file", path="a.md", old_string="line 3\n", new_string="line three\n")
        assert (done.text, done.is_error) == ("a.md was changed.", False)
        done = await ask("write_file", path="new/b.md", content="made\n")
        assert not done.is_error
        done = await ask("edit_file", path="a.md", old_string="line 1", new_string="LINE 1", replace_all=True)
        assert not done.is_error

    play(p, script, mode, name="some client\n2")
    assert p.text("a.md") == POEM.replace("line 3\n", "line three\n").replace("line 1", "LINE 1")
    (turn,) = p.turns()
    assert (turn["agent"], turn["prompt"]) == ("some-client-2", "")
    assert turn["ended"]
    assert {hunk["actor"]["name"] for hunk in p.hunks()} == {"some-client-2"}
    p.reject()
    assert p.text("a.md") == POEM
    assert not p.exists("new")
    p.assert_sound()


# The process


def test_a_call_joins_the_turn_that_the_hooks_of_its_agent_began(p: Project) -> None:
    p.prompt("asked in the agent")

    async def script(ask: Asked) -> None:
        await ask("edit_file", path="a.md", old_string="line 3\n", new_string="line three\n")
        p.stop()
        await ask("edit_file", path="a.md", old_string="line 4\n", new_string="line four\n")

    play(p, script, name="claude-code", CLAUDE_CODE_SESSION_ID=p.conversation)
    asked, alone = p.turns()
    assert (asked["conversation"], asked["prompt"]) == (p.conversation, "asked in the agent")
    assert [len(turn["hunks"]) for turn in (asked, alone)] == [1, 1]
    # The conversation has no running turn any more: nobody knows whose the second call was.
    assert alone["conversation"] != p.conversation
