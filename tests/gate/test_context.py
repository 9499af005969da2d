"""What the hook puts into an agent's context when somebody asks for /review or /ship."""

from __future__ import annotations

import json

import pytest

from tests.gate.yard import Yard


def heard(yard: Yard, prompt: str) -> str:
    code, out, err = yard.project.hook(yard.project.event("UserPromptSubmit", prompt=prompt))
    assert (code, err) == (0, b"")
    if not out:
        return ""
    return str(json.loads(out)["hookSpecificOutput"]["additionalContext"])


def test_no_review_is_blocked(yard: Yard) -> None:
    said = heard(yard, "/ship")
    assert said.startswith("Ship gate: BLOCKED")
    assert '"reason": "no review has been run"' in said
    assert '"suggestion": "run: blueline review (in Claude Code: /review)"' in said


def test_a_stale_review_is_blocked_with_both_commits(yard: Yard) -> None:
    yard.open()
    old = yard.git("rev-parse", "HEAD").strip()
    yard.put("a.md", "two\n")
    yard.commit("more")
    said = heard(yard, "/ship")
    assert said.startswith("Ship gate: BLOCKED")
    assert f'"state_commit": "{old}"' in said
    assert f'"current_commit": "{yard.git("rev-parse", "HEAD").strip()}"' in said


def test_failed_loops_are_blocked_with_their_blockers(yard: Yard) -> None:
    yard.run("loop", "record", "3", "--failed", "--issue", "a.md:1: a password")
    said = heard(yard, "/ship now")
    assert said.startswith("Ship gate: BLOCKED")
    assert "a.md:1: a password" in said


def test_a_state_that_cannot_be_read_is_blocked(yard: Yard) -> None:
    yard.open()
    (yard.state / "reviews").write_bytes(b"")
    said = heard(yard, "/ship")
    assert said.startswith("Ship gate: BLOCKED")
    assert "cannot be read" in said


def test_an_open_gate_is_approved(yard: Yard) -> None:
    yard.open()
    said = heard(yard, "/ship")
    assert said.startswith("Ship gate: APPROVED")
    assert '"blocked": false' in said


def test_review_gets_its_plan_and_nothing_is_run(yard: Yard) -> None:
    yard.put("BROKEN-1", "")
    said = heard(yard, "/review --loops 1,2 --scope all")
    assert said.startswith("Blueline: /review")
    plan = json.loads(said[said.index("{") :])
    assert (plan["scope"], [loop["loop"] for loop in plan["loops"]]) == ("all", [1, 2])
    assert plan["trusted"] is False
    assert yard.codes() == ["no-review"]
    assert '"error": "there is no loop' in heard(yard, "/review --loops 7")


@pytest.mark.parametrize("prompt", ["ship it", "/shipping", " /ship", "//ship", "/", "", "please /review"])
def test_nothing_else_asks_the_gate(yard: Yard, prompt: str) -> None:
    assert heard(yard, prompt) == ""


def test_words_that_look_like_options_are_only_words(yard: Yard) -> None:
    assert heard(yard, "/ship --json -C / \x1b[31m").startswith("Ship gate: BLOCKED")


def test_a_gate_that_cannot_be_asked_is_blocked(yard: Yard) -> None:
    yard.project.prompt()
    (yard.state / "format").write_text("blueline 99\n")
    assert heard(yard, "/ship").startswith("Ship gate: BLOCKED")
