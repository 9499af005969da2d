"""The turns of agents that work in their own terminals: killed ones, and those with sub-agents."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Open
from tests.support.bench import Bench
from tests.support.living_agent import living_agent
from tests.support.project import POEM, Make
from tests.support.subagents import finish, hear, start, subagent

# An open page finds out within 20 seconds that an agent is gone.
KILLED_MILLISECONDS = 90_000


def row(b: Bench, words: str) -> Locator:
    return b.at(".group-row", has_text=words)


@pytest.mark.parametrize("width", [1440, 2200])
def test_d9_a_killed_agents_turn_ends_and_is_offered(project: Make, bench: Open, width: int) -> None:
    p = project({"a.md": POEM})
    b = bench(p, width=width)
    with living_agent(p) as agent:
        agent.hook(p.event("UserPromptSubmit", prompt="please"))
        agent.hook(p.before(call := p.call("Write", "new.md", content="new\n")))
        p.put("new.md", "new\n")
        agent.hook(p.after(call))
        agent.hook(p.before(p.call("Bash", "")._replace(given={"command": "sleep 1000"})))
        expect(b.at(".agent-state")).to_contain_text("turn 1")
        expect(row(b, "Turn 1").locator(".running")).to_be_visible()
        expect(b.at(".turn-control")).to_have_count(0)
        agent.kill()
    expect(b.at(".agent-state")).to_have_count(0, timeout=KILLED_MILLISECONDS)
    expect(b.at(".turn-control")).to_contain_text("1 edit in 1 file")
    expect(b.at(".group-row .running")).to_have_count(0)
    expect(row(b, "Bash")).to_contain_text("lost")
    b.choose("new.md")
    b.press("Control+Shift+Backspace")
    expect(b.left).to_have_text("Nothing undecided")
    assert (p.exists("new.md"), p.text("a.md")) == (False, POEM)


def test_m04_a_subagent_is_shown_in_its_turn_and_decided_by_itself(project: Make, bench: Open) -> None:
    p = project({"a.md": POEM})
    b = bench(p)
    p.prompt("in parts")
    start(p, "one", "the poem")
    with subagent(p, "one"):
        p.edit("a.md", "line 3\n", "THREE\n")
        p.edit("a.md", "line 9\n", "NINE\n")
    p.stop("one")
    part = row(b, "Sub-agent 1")
    expect(part).to_contain_text("the poem")
    expect(part.locator(".running")).to_be_visible()
    # The agent waits for it: its turn goes on, and is not offered.
    expect(b.at(".agent-state")).to_contain_text("turn 1")
    expect(b.at(".turn-control")).to_have_count(0)
    finish(p, "one")
    hear(p, "one")
    p.write("own.md", "the agent's own\n")
    p.stop()
    expect(part.locator(".running")).to_have_count(0)
    expect(b.at(".agent-state")).to_have_count(0)
    expect(b.at(".turn-control")).to_contain_text("3 edits in 2 files")
    b.choose("a.md")
    expect(b.bars.first).to_contain_text("sub-agent 1")

    part.hover()
    part.get_by_role("button", name="Reject 2 changes of sub-agent 1").click()
    b.dialog.get_by_role("button", name="Reject 2 changes").click()
    expect(b.left).to_have_text("1 change in 1 file")
    assert (p.text("a.md"), p.text("own.md")) == (POEM, "the agent's own\n")
    b.press("u")
    expect(b.left).to_have_text("3 changes in 2 files")
    part.hover()
    part.get_by_role("button", name="Accept 2 changes of sub-agent 1").click()
    b.dialog.get_by_role("button", name="Accept 2 changes").click()
    expect(b.left).to_have_text("1 change in 1 file")
    assert "THREE" in p.text("a.md")


def test_m04_ten_subagents_at_once_are_one_turn(project: Make, bench: Open) -> None:
    p = project({"a.md": POEM})
    b = bench(p)
    p.prompt("ten parts")
    names = [f"part-{number:02d}" for number in range(1, 11)]
    for name in names:
        start(p, name, f"does {name}")
    for name in names:
        with subagent(p, name):
            p.write(f"{name}.md", f"{name}\n")
    p.stop(*names)
    for name in reversed(names):
        finish(p, name)
    hear(p, names[0])
    p.stop()
    expect(b.at(".agent-state")).to_have_count(0)
    expect(b.at(".turn-control")).to_contain_text("10 edits in 10 files")
    parts = row(b, "Sub-agent ")
    expect(parts).to_have_count(10)
    for number, name in enumerate(names):
        expect(parts.nth(number)).to_contain_text(f"Sub-agent {number + 1} does {name}")
    parts.nth(6).hover()
    parts.nth(6).get_by_role("button", name="Reject 1 change of sub-agent 7").click()
    # Nobody has opened that file.
    b.dialog.get_by_role("button", name="Reject 1 change").click()
    expect(b.left).to_have_text("9 changes in 9 files")
    assert [name for name in names if not p.exists(f"{name}.md")] == ["part-07"]
    turn = row(b, "Turn 1")
    turn.hover()
    turn.get_by_role("button", name="Reject 9 changes of turn 1").click()
    b.dialog.get_by_role("button", name="Reject 9 changes").click()
    expect(b.left).to_have_text("Nothing undecided")
    assert not any(p.exists(f"{name}.md") for name in names)
