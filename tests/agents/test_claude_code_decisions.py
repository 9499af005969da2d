"""The real Claude Code, in its own shell, tries to decide: its word is no decision (rule D5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import BLUELINE, Place
from tests.support.scripted_model import ScriptedModel, says

ATTEMPTS = (
    "accept --all",
    "reject --all",
    "undo",
    "redo",
    "mode direct",
    "trust",
    "purge --all --yes",
    "init --uninstall",
    "init --user --uninstall",
    "projects --forget . --yes",
    "gate override --reason hurry --expires 1h",
    "gate sign --key id",
    "hub join http://127.0.0.1:9",
    "apply all --issue 1",
    "suggest --issue 1 --mode commit-only",
    "forge handle-event",
)

# What the environment says is not all that is looked at.
BARE = "env -u CLAUDECODE"


@pytest.mark.parametrize("prefix", ["", BARE], ids=["as it is", "without its mark"])
def test_claude_code_cannot_decide(tmp_path: Path, home: Path, prefix: str) -> None:
    place = Place(tmp_path / "project", {"a.md": "one\n"})
    place.init("claude-code")
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        tries = [[agent.runs(f"{prefix} {BLUELINE} {words}; echo it gave $?")] for words in ATTEMPTS]
        edit = agent.edits("a.md", "one\n", "ONE\n")
        model.then([[agent.reads("a.md")], [edit], *tries, [says("I tried.")]])
        assert agent.turn("accept it yourself") == "I tried.\n"
    said = [str(result["content"]) for result in model.tool_results()][-len(ATTEMPTS) :]
    for words, one in zip(ATTEMPTS, said, strict=True):
        assert "claude-code may not" in one, words
        assert "it gave 1" in one, words
    assert (place.root / "a.md").read_text() == "ONE\n"
    assert [hunk["path"] for hunk in place.blueline("list")["hunks"]] == ["a.md"]
    assert place.blueline("mode") == {"mode": "review"}
    assert "recorder" in (place.root / ".claude" / "settings.local.json").read_text()
    # The person can.
    assert place.blueline("reject", "--all")["written"] == ["a.md"]
