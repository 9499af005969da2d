"""The real Claude Code, its hooks installed by `blueline init`, against a scripted model on loopback."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.claude_code import ClaudeCode
from tests.support.record_payloads import PAYLOADS, record, render
from tests.support.scripted_model import ScriptedModel, calls, says

BLUELINE = Path(sys.executable).with_name("blueline")
POEM = "".join(f"line {number}\n" for number in range(1, 10))
LOUD = "LINE THREE, MUCH LOUDER"

Blueline = Callable[..., dict[str, Any]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A git project with one file, under review."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.md").write_text(POEM)
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    subprocess.run([BLUELINE, "init", "--agent", "claude-code"], cwd=root, check=True, capture_output=True)
    return root


@pytest.fixture
def blueline(project: Path) -> Blueline:
    """Runs the installed command in the project; its JSON."""

    def run(*arguments: str) -> dict[str, Any]:
        done = subprocess.run(
            [BLUELINE, *arguments, "--json"], cwd=project, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{arguments} gave {done.returncode}\n{done.stdout}\n{done.stderr}"
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    return run


def test_the_first_of_two_turns_goes_back_and_the_second_stays(
    project: Path, home: Path, blueline: Blueline
) -> None:
    a, b, new = (str(project / name) for name in ("a.md", "b.md", "new.md"))
    script = [
        [calls("Read", file_path=a)],
        [
            calls("Edit", file_path=a, old_string="line 3", new_string=LOUD),
            calls("Write", file_path=new, content="made in the first turn\n"),
        ],
        [says("The first turn is done.")],
        [calls("Read", file_path=a)],
        [
            calls("Edit", file_path=a, old_string="line 8", new_string="line eight"),
            calls("Write", file_path=b, content="made in the second turn\n"),
        ],
        [says("The second turn is done.")],
    ]
    with ScriptedModel(script) as model:
        agent = ClaudeCode(project, home, model)
        assert agent.turn("make it louder") == "The first turn is done.\n"
        assert agent.turn("spell it out") == "The second turn is done.\n"
    both = POEM.replace("line 3", LOUD).replace("line 8", "line eight")
    assert (project / "a.md").read_text() == both

    turns = {turn["prompt"]: turn for turn in blueline("list", "--by", "turn")["turns"]}
    assert set(turns) == {"make it louder", "spell it out"}
    first, second = turns["make it louder"], turns["spell it out"]
    assert (first["agent"], first["conversation"]) == (second["agent"], second["conversation"])
    assert all(turn["status"] == "pending" and turn["ended"] for turn in turns.values())
    assert {len(turn["hunks"]) for turn in turns.values()} == {2}

    answer = blueline("reject", first["id"])
    assert {result["outcome"] for result in answer["results"]} == {"applied"}
    assert sorted(answer["written"]) == ["a.md", "new.md"]
    assert (project / "a.md").read_text() == POEM.replace("line 8", "line eight")
    assert not (project / "new.md").exists()
    assert (project / "b.md").read_text() == "made in the second turn\n"
    pending = blueline("list")["hunks"]
    assert sorted(hunk["path"] for hunk in pending) == ["a.md", "b.md"]
    assert {hunk["id"] for hunk in pending} == set(second["hunks"])


def test_a_held_edit_is_refused_with_a_reason_and_written_when_accepted(
    project: Path, home: Path, blueline: Blueline
) -> None:
    blueline("mode", "hold")
    a = str(project / "a.md")
    script = [
        [calls("Read", file_path=a)],
        [calls("Edit", file_path=a, old_string="line 3", new_string=LOUD)],
        [says("Then I wait.")],
    ]
    with ScriptedModel(script) as model:
        assert ClaudeCode(project, home, model).turn("make it louder") == "Then I wait.\n"
    assert (project / "a.md").read_text() == POEM

    refusal = model.tool_results()[-1]
    # The agent quotes the hook's command in brackets before what the hook said.
    said = refusal["content"].rpartition("]: ")[2].strip()
    assert refusal["is_error"]
    assert refusal["content"].startswith("PreToolUse:Edit hook error")
    assert said
    assert said != "No stderr output"

    (hunk,) = blueline("list")["hunks"]
    assert (hunk["path"], hunk["status"], hunk["new"]) == ("a.md", "pending", f"{LOUD}\n")
    blueline("accept", "--all")
    assert (project / "a.md").read_text() == POEM.replace("line 3", LOUD)
    assert blueline("list")["hunks"] == []


def test_a_broken_hook_does_not_stop_the_agent(project: Path, home: Path, tmp_path: Path) -> None:
    called = tmp_path / "called"
    broken = tmp_path / "python"
    broken.write_text(f"#!/bin/sh\necho >> {shlex.quote(str(called))}\nexit 1\n")
    broken.chmod(0o755)
    replace_interpreter(project, broken)
    a = str(project / "a.md")
    script = [
        [calls("Read", file_path=a)],
        [calls("Edit", file_path=a, old_string="line 3", new_string=LOUD)],
        [says("Done all the same.")],
    ]
    with ScriptedModel(script) as model:
        assert ClaudeCode(project, home, model).turn("make it louder") == "Done all the same.\n"
    assert called.exists()
    assert not any(result.get("is_error") for result in model.tool_results())
    assert (project / "a.md").read_text() == POEM.replace("line 3", LOUD)


def test_the_recorded_payloads_are_what_claude_code_sends() -> None:
    stored = {path.stem: path.read_text() for path in PAYLOADS.glob("*.json")}
    assert {name: render(payload) for name, payload in record().items()} == stored


def replace_interpreter(project: Path, interpreter: Path) -> None:
    """Let every installed hook run another program instead of Python."""
    for path in (project / ".claude").glob("settings*.json"):
        settings = json.loads(path.read_text())
        for entry in (entry for entries in settings["hooks"].values() for entry in entries):
            for hook in entry["hooks"]:
                if "args" in hook:
                    hook["command"] = str(interpreter)
                else:
                    hook["command"] = shlex.join([str(interpreter), *shlex.split(hook["command"])[1:]])
        path.write_text(json.dumps(settings))
