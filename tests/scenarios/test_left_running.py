"""What goes on when a turn has ended: commands in the background, shells whose agent was killed (rule D9)."""

from __future__ import annotations

from tests.support.conversations import whose
from tests.support.living_agent import living_agent
from tests.support.project import POEM, Make
from tests.support.systems import needs_proc
from tests.support.waiting import wait_until, working

pytestmark = needs_proc

# Commands in the background


def test_d9_what_a_command_in_the_background_writes_after_the_turn_is_its_calls(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    before = p.on_disk()
    with working(p) as server:
        p.prompt()
        p.bash(server.command + "; sed -i 's/line 3$/THREE/' a.md")
        p.stop()
        assert whose(p) == {"a.md": ("agent", "c1")}
        server.do("sed -i 's/line 9$/NINE/' a.md; echo new > new.md; rm b.md; :")
        found = {"a.md": ("agent", "c1"), "new.md": ("agent", "c1"), "b.md": ("agent", "c1")}
        assert whose(p) == found
        assert {hunk["turn"] for hunk in p.hunks()} == {"t1"}
        server.do("echo more >> new.md; echo last > last.md")
    # It has ended by now: what it did until then is still its call's.
    assert whose(p) == {**found, "last.md": ("agent", "c1")}
    p.put("mine.md", "mine\n")
    p.put("last.md", "last\nby hand\n")
    assert set(whose(p)) == {*found, "last.md"}
    p.reject("t1")
    assert p.text("last.md") == "by hand\n"
    (p.root / "last.md").unlink()
    (p.root / "mine.md").unlink()
    assert p.on_disk() == before


def test_d9_a_listing_that_finds_nothing_new_writes_nothing(project: Make) -> None:
    p = project({"a.md": POEM})
    with working(p) as server:
        p.prompt()
        p.bash(server.command)
        p.stop()
        p.hunks()
        size = (p.state / "journal").stat().st_size
        for _ in range(3):
            p.hunks()
            assert p.command("list").returncode == 0
        assert (p.state / "journal").stat().st_size == size
        server.do("echo more >> a.md")
        assert "a.md" in p.command("list").stdout


def test_d9_what_is_written_in_the_background_during_another_call_is_shared(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    with working(p) as server:
        p.prompt("first")
        p.bash(server.command)
        p.stop()
        p.prompt("second")
        call = p.begin_bash("long")
        server.do("sed -i 's/line 3$/THREE/' a.md; :")
        p.end(call)
        (hunk,) = p.hunks()
        assert (hunk["actor"]["kind"], hunk["call"], hunk["shared_with"]) == ("shared", "c1", ["c2"])


def test_d9_an_edit_that_is_exactly_what_was_asked_for_is_not_shared(project: Make) -> None:
    p = project({"a.md": POEM})
    with working(p) as server:
        p.prompt("first")
        p.bash(server.command)
        p.stop()
        p.prompt("second")
        p.edit("a.md", "line 3\n", "THREE\n")
        (hunk,) = p.hunks()
        assert (hunk["actor"]["kind"], hunk["call"]) == ("agent", "c2")
        call = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
        p.sub("a.md", "line 9\n", "NINE\n")
        server.do("echo from behind >> a.md")
        p.end(call)
        calls = {hunk["new"]: hunk["call"] for hunk in p.hunks()}
        assert calls == {"THREE\n": "c2", "NINE\n": "c3", "from behind\n": "c1"}


def test_d9_what_such_a_process_starts_is_followed(project: Make) -> None:
    p = project({"a.md": POEM})
    told = p.root.parent / "go"
    with working(p) as server:
        p.prompt()
        p.bash(server.command)
        p.stop()
        server.do(f"(until [ -e {told} ]; do sleep 0.01; done; echo child > child.md) >/dev/null 2>&1 &")
        p.hunks()
    told.touch()
    wait_until((p.root / "child.md").exists)
    assert whose(p) == {"child.md": ("agent", "c1")}


# Agents that are killed


def test_d9_a_killed_agents_turn_has_ended(project: Make) -> None:
    p = project({"a.md": POEM})
    with living_agent(p) as agent:
        agent.hook(p.event("UserPromptSubmit", prompt="please"))
        agent.hook(p.before(call := p.call("Write", "new.md", content="new\n")))
        p.put("new.md", "new\n")
        agent.hook(p.after(call))
        (turn,) = p.turns()
        assert (turn["ended"], p.status()["turns_running"]) == (None, 1)
        agent.kill()
        (turn,) = p.turns()
        assert (turn["ended"] is not None, p.status()["turns_running"]) == (True, 0)
    assert whose(p) == {"new.md": ("agent", "c1")}
    # Whoever goes on with it goes on in the same turn.
    p.write("more.md", "more\n")
    (turn,) = p.turns()
    assert turn["ended"] is None


def test_d9_the_subagents_of_a_killed_agent_have_ended(project: Make) -> None:
    p = project({"a.md": POEM})
    with living_agent(p) as agent:
        agent.hook(p.event("UserPromptSubmit", prompt="please"))
        p.subagent = "helper"
        agent.hook(p.before(p.call("Bash", "")._replace(given={"command": "long"})))
        agent.kill()
    (turn,) = p.turns()
    assert turn["ended"]
    assert [one["ended"] is not None for one in turn["subagents"]] == [True]
    assert [call["outcome"] for call in p.calls()] == ["lost"]


def test_d9_what_the_shell_of_a_killed_agent_goes_on_to_write_is_its_calls(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    before = p.on_disk()
    with living_agent(p) as agent, working(p) as shell:
        agent.hook(p.event("UserPromptSubmit", prompt="please"))
        agent.hook(p.before(p.call("Bash", "")._replace(given={"command": "long"})))
        agent.shell(shell.command)
        shell.do("echo one >> a.md")
        agent.kill()
        assert whose(p) == {"a.md": ("agent", "c1")}
        (turn,) = p.turns()
        assert turn["ended"]
        shell.do("echo two >> a.md; echo new > new.md; rm b.md; :")
        assert whose(p) == dict.fromkeys(("a.md", "b.md", "new.md"), ("agent", "c1"))
    p.reject("t1")
    assert p.on_disk() == before
