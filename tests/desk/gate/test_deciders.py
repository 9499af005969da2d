"""Who decided: the gate counts people's accepts, and a signed statement says whose they are (rule D5)."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from blueline.desk.people import account
from tests.gate.test_statement import key
from tests.gate.yard import Yard

CLAUDE = {"CLAUDECODE": "1"}


@pytest.fixture
def yard(yard: Yard) -> Yard:
    """An agent has changed a file and may decide, and a review has passed."""
    yard.project.prompt()
    yard.project.edit("a.md", "one\n", "ONE\n")
    let(yard, "agents_may_decide = true\n")
    yard.trust()
    assert yard.run("review", "--yes").code == 0
    return yard


def let(yard: Yard, text: str) -> None:
    own = Path(yard.project.environ["XDG_CONFIG_HOME"]) / "blueline" / "config.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(text)


def test_what_an_agent_accepted_does_not_open_the_gate(yard: Yard) -> None:
    assert yard.run("accept", "--all", **CLAUDE).code == 0
    (reason,) = yard.gate()["reasons"]
    assert reason == {
        "code": "agent-decided",
        "message": "claude-code and no person accepted changes in a.md (d1)",
        "hint": "take that back, then decide: blueline undo d1",
        "about": ["d1"],
    }
    assert yard.run("status", "--json").document["gate"]["reasons"] == [reason]
    assert yard.run("undo", "d1").code == 0
    assert yard.codes() == ["undecided"]
    assert yard.run("accept", "--all").code == 0
    assert yard.gate()["open"]


def test_the_persons_config_can_have_it_counted(yard: Yard) -> None:
    assert yard.run("accept", "--all", **CLAUDE).code == 0
    let(yard, "gate_counts_agents = true\n")
    assert yard.gate()["open"]


def test_an_agents_undo_and_redo_are_its_word_too(yard: Yard) -> None:
    yard.run("accept", "--all")
    yard.run("reject", yard.project.hunks(status="accepted")[0]["id"])
    assert yard.project.text("a.md") == "one\n"
    yard.run("undo", **CLAUDE)
    assert yard.project.text("a.md") == "ONE\n"
    assert yard.codes() == ["agent-decided"]
    yard.run("undo", "d3")  # the agent's undo
    yard.run("undo", "d2")
    assert yard.gate()["open"]
    yard.run("undo", "d1")
    yard.run("redo", **CLAUDE)
    assert yard.codes() == ["agent-decided"]


def test_what_an_agent_rejected_is_gone_and_keeps_nothing_closed(yard: Yard) -> None:
    assert yard.run("reject", "--all", **CLAUDE).code == 0
    assert yard.project.text("a.md") == "one\n"
    assert "agent-decided" not in yard.codes()


def test_the_signed_statement_says_who_decided_what(yard: Yard, tmp_path: Path) -> None:
    ada = key(tmp_path, "ada")
    yard.run("accept", "--all", **CLAUDE)
    yard.project.write("b.md", "b\n")
    yard.run("accept", "b.md")
    let(yard, "gate_counts_agents = true\n")
    assert yard.run("review", "--yes").code == 0
    assert yard.run("ship", "--yes", "--key", str(ada), "--message", "x").code == 0
    tree = yard.git("rev-parse", "HEAD^{tree}").strip()
    envelope = json.loads(yard.git("cat-file", "blob", f"refs/blueline/gate/{tree}"))
    said = json.loads(base64.b64decode(envelope["payload"]))["predicate"]["decided"]
    me = account()
    assert said == [
        {"by": me, "agent": "", "accepted": 1, "rejected": 0, "files": ["b.md"]},
        {"by": me, "agent": "claude-code", "accepted": 1, "rejected": 0, "files": ["a.md"]},
    ]
    shown = yard.run("gate", "verify", "HEAD", "--key", str(ada.with_suffix(".pub"))).out
    assert f"{me} accepted 1 change and rejected 0" in shown
    assert f"claude-code, as {me}, accepted 1 change and rejected 0" in shown


def test_an_agent_that_ships_does_not_sign(yard: Yard, tmp_path: Path) -> None:
    ada = key(tmp_path, "ada")
    yard.run("accept", "--all")
    let(yard, "")
    said = yard.run("ship", "--yes", "--json", "--key", str(ada), "--message", "x", **CLAUDE).document
    assert said["statement"] is None
    assert said["notes"][0].startswith(
        "not signed: claude-code may not sign for the gate (CLAUDECODE is set)"
    )
