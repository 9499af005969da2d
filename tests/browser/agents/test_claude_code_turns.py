"""The turns of the real Claude Code in a terminal of its own, seen in the workbench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.agents.agent import Agent
from tests.support.agents.claude_code import ClaudeCode
from tests.support.project import POEM, Project
from tests.support.scripted_model import Answer, ScriptedModel, calls, says
from tests.support.waiting import wait_until, wait_while_it_runs

LONG_MILLISECONDS = 90_000


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.md": POEM})
    assert made.command("init", "--agent", ClaudeCode.NAME).returncode == 0
    return made


def claude(p: Project, model: ScriptedModel) -> Agent:
    return ClaudeCode(p.root, p.home, model)


def test_d9_a_killed_agents_turn_ends_and_is_offered(p: Project, bench: Open) -> None:
    b = bench(p)
    with ScriptedModel() as model:
        agent = claude(p, model)
        model.then([[agent.creates("new.md", "new\n")], [agent.runs("echo begun > begun.md; sleep 600")]])
        with agent.start("take your time") as process:
            wait_while_it_runs(process, lambda: p.exists("begun.md"))
            expect(b.at(".agent-state")).to_contain_text("turn 1", timeout=LONG_MILLISECONDS)
            expect(b.at(".turn-control")).to_have_count(0)
    expect(b.at(".agent-state")).to_have_count(0, timeout=LONG_MILLISECONDS)
    expect(b.at(".turn-control")).to_contain_text("2 edits in 2 files")
    b.at(".turn-control .menu-button").click()
    b.at("[role=menu]:popover-open").get_by_role("menuitem", name="Reject turn 1").click()
    b.dialog.get_by_role("button", name="Reject turn 1").click()
    expect(b.left).to_have_text("Nothing undecided")
    assert not p.exists("new.md")
    assert not p.exists("begun.md")


@pytest.mark.parametrize("count", [1, 10])
def test_m04_its_subagents_are_shown_in_its_turn_and_decided_by_themselves(
    p: Project, bench: Open, count: int
) -> None:
    b = bench(p)
    names = [f"part-{number:02d}" for number in range(count)]
    with ScriptedModel() as model:
        agent = claude(p, model)
        seen = b.p.root.parent / "seen"

        def part(name: str) -> Iterator[Answer]:
            yield [agent.creates(f"{name}.md", f"{name}\n")]
            wait_until(seen.exists)
            yield [says(f"{name} is done.")]

        for name in names:
            model.aside(f"do {name}", part(name))
        started = [calls("Agent", description=f"does {name}", prompt=f"do {name}") for name in names]
        model.then([started, *([says("Noted.")] for _ in range(2 * count))])
        with agent.start("in parts please") as process:
            rows = b.at(".group-row", has_text="Sub-agent ")
            expect(rows).to_have_count(count, timeout=LONG_MILLISECONDS)
            expect(rows.locator(".running")).to_have_count(count)
            expect(b.left).to_contain_text(f"{count} change", timeout=LONG_MILLISECONDS)
            expect(b.at(".agent-state")).to_contain_text("turn 1")
            expect(b.at(".turn-control")).to_have_count(0)
            seen.touch()
            assert process.wait() == 0
    expect(b.at(".agent-state")).to_have_count(0, timeout=LONG_MILLISECONDS)
    expect(rows.locator(".running")).to_have_count(0)
    expect(b.at(".turn-control")).to_contain_text(f"{count} edit")
    rows.last.hover()
    rows.last.get_by_role("button", name=f"Reject 1 change of sub-agent {count}").click()
    b.dialog.get_by_role("button", name="Reject 1 change").click()
    expect(rows.last.locator(".tally")).to_have_text("1 rejected")
    assert len([name for name in names if p.exists(f"{name}.md")]) == count - 1
