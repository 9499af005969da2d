"""The real Claude Code makes a work tree, and works in it."""

from __future__ import annotations

from pathlib import Path

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import Place
from tests.support.scripted_model import ScriptedModel, says


def test_a_work_tree_is_one_line_and_what_is_done_in_it_is_listed_there(tmp_path: Path, home: Path) -> None:
    place = Place(tmp_path / "project", {f"{name}.md": f"{name}\n" for name in ("a", "b", "c")})
    place.init(ClaudeCode.NAME)
    there = ".claude/worktrees/w1"
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        model.then(
            [
                [agent.runs(f"git worktree add -q --detach {there}")],
                [agent.creates(f"{there}/new.md", "new\n")],
                [agent.runs(f"cd {there} && echo more >> a.md")],
                [says("Done.")],
            ]
        )
        agent.turn("work over there")
    assert place.blueline("list")["hunks"] == []
    place.blueline("reject", "--all")
    tree = Place.__new__(Place)
    tree.root = place.root / there
    assert {hunk["path"] for hunk in tree.blueline("list")["hunks"]} == {"a.md", "new.md"}
    (turn,) = tree.turns().values()
    assert (turn["prompt"], turn["ended"] is not None) == ("work over there", True)
    tree.blueline("reject", "t1")
    assert ((tree.root / "a.md").read_text(), (tree.root / "new.md").exists()) == ("a\n", False)
