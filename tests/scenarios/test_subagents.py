"""One prompt, one turn: sub-agents, news from the background, and names of calls that come again (M04)."""

from __future__ import annotations

from tests.support.project import POEM, Make, Project
from tests.support.subagents import finish, hear, start, subagent


def turns(p: Project) -> dict[str, set[str]]:
    """The prompts of all turns, and the paths with something pending in each."""
    found: dict[str, set[str]] = {turn["prompt"]: set() for turn in p.turns()}
    names = {turn["id"]: turn["prompt"] for turn in p.turns()}
    for hunk in p.hunks():
        found[names[hunk["turn"]]].add(hunk["path"])
    return found


# One prompt, one turn


def test_m04_what_a_subagent_does_after_the_end_of_the_turn_belongs_to_it(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("do it in parts")
    start(p, "helper")
    p.stop("helper")
    (turn,) = p.turns()
    assert turn["ended"] is None
    with subagent(p, "helper"):
        p.edit("a.md", "line 3\n", "THREE\n")
        p.bash("echo part > part.md")
    finish(p, "helper")
    hear(p, "helper")
    p.write("after.md", "when it was heard\n")
    p.stop()
    (turn,) = p.turns()
    assert (turn["prompt"], turn["ended"] is not None) == ("do it in parts", True)
    assert turns(p) == {"do it in parts": {"a.md", "part.md", "after.md"}}
    p.reject("t1")
    assert (p.text("a.md"), p.exists("part.md"), p.exists("after.md")) == (POEM, False, False)


def test_m04_a_subagent_is_shown_in_its_turn_and_decided_by_itself(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    start(p, "one", "the poem")
    start(p, "two", "the rest")
    with subagent(p, "one"):
        p.edit("a.md", "line 3\n", "THREE\n")
    with subagent(p, "two"):
        p.edit("b.md", "b\n", "B\n")
    p.write("own.md", "the agent's own\n")
    p.stop("one")
    (turn,) = p.turns()
    assert [(one["id"], one["type"], one["description"], one["status"]) for one in turn["subagents"]] == [
        ("a1", "general-purpose", "the poem", "pending"),
        ("a2", "general-purpose", "the rest", "pending"),
    ]
    assert [one["ended"] is None for one in turn["subagents"]] == [True, False]
    assert {hunk["path"]: hunk["subagent"] for hunk in p.hunks()} == {
        "a.md": "a1",
        "b.md": "a2",
        "own.md": None,
    }
    shown = p.show("a1")
    assert (shown["kind"], shown["turn"], len(shown["hunks"])) == ("subagent", "t1", 1)
    p.reject("a1")
    assert (p.text("a.md"), p.text("b.md")) == (POEM, "B\n")
    p.accept("a2")
    assert {hunk["path"] for hunk in p.hunks()} == {"own.md"}
    p.undo()
    p.undo()
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "b.md", "own.md"}


def test_m04_a_subagent_goes_on_for_its_turn_while_the_next_one_runs(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    start(p, "helper")
    p.stop("helper")
    p.prompt("second")
    with subagent(p, "helper"):
        p.write("of-first.md", "1\n")
    p.write("of-second.md", "2\n")
    p.stop("helper")
    first, second = p.turns()
    assert (first["ended"], second["ended"] is not None) == (None, True)
    finish(p, "helper")
    hear(p, "helper")
    p.write("news-of-first.md", "3\n")
    p.stop()
    assert turns(p) == {"first": {"of-first.md", "news-of-first.md"}, "second": {"of-second.md"}}
    assert all(turn["ended"] for turn in p.turns())


def test_m04_a_subagent_that_is_called_on_again_works_for_who_calls(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    start(p, "helper")
    with subagent(p, "helper"):
        p.write("one.md", "1\n")
    finish(p, "helper")
    p.stop()
    p.prompt("second")
    with subagent(p, "helper"):
        p.write("two.md", "2\n")
    p.stop()
    assert turns(p) == {"first": {"one.md"}, "second": {"two.md"}}
    assert [one["id"] for turn in p.turns() for one in turn["subagents"]] == ["a1", "a2"]


def test_m04_a_subagent_of_a_subagent_works_for_the_same_turn(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    start(p, "outer")
    p.stop("outer")
    p.prompt("second")
    with subagent(p, "outer"):
        start(p, "inner")
    with subagent(p, "inner"):
        p.write("deep.md", "deep\n")
    p.stop("outer", "inner")
    assert turns(p) == {"first": {"deep.md"}, "second": set()}


def test_m04_news_of_a_command_in_the_background_goes_on_with_the_turn_of_its_call(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    key = p.bash("true")
    p.stop()
    p.prompt("second")
    p.stop()
    hear(p, "b123", key)
    p.write("news.md", "x\n")
    p.stop()
    assert turns(p) == {"first": {"news.md"}, "second": set()}


def test_m04_what_follows_without_a_prompt_belongs_to_the_turn_before_it(project: Make) -> None:
    """A hook that does not let the agent stop, say: the same work goes on."""
    p = project({"a.md": POEM})
    p.prompt("first")
    p.stop()
    p.write("more.md", "x\n")
    (turn,) = p.turns()
    assert turn["ended"] is None
    p.stop()
    assert turns(p) == {"first": {"more.md"}}


def test_m04_a_command_of_a_subagent_outlives_the_end_of_the_turn(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    start(p, "helper")
    with subagent(p, "helper"):
        call = p.begin_bash("long")
        p.subagent = ""
        p.stop("helper")
        p.shell("echo more >> a.md")
        p.subagent = "helper"
        p.end(call)
    (shown,) = p.calls()
    assert (shown["outcome"], shown["subagent"]) == ("done", "a1")
    (hunk,) = p.hunks()
    assert (hunk["call"], hunk["actor"]["kind"]) == ("c1", "agent")


def test_m04_when_the_conversation_ends_so_do_its_subagents(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    start(p, "helper")
    with subagent(p, "helper"):
        p.begin_bash("long")
    p.stop("helper")
    assert p.record(p.event("SessionEnd", reason="other")) == 0
    (turn,) = p.turns()
    assert turn["ended"]
    assert all(one["ended"] for one in turn["subagents"])
    assert [call["outcome"] for call in p.calls()] == ["lost"]
    assert not (p.state / "calls").exists()


# Names that come again


def edit_as(p: Project, name: str, path: str, old: str, new: str) -> None:
    call = p.call("Edit", path, old_string=old, new_string=new)._replace(key=name)
    assert p.record(p.before(call)) == 0
    p.sub(path, old, new)
    p.end(call)


def shell_as(p: Project, name: str, command: str) -> None:
    call = p.call("Bash", "")._replace(key=name, given={"command": command})
    assert p.record(p.before(call)) == 0
    p.shell(command)
    p.end(call)


def test_names_of_calls_that_come_again_in_a_later_turn_are_other_calls(project: Make) -> None:
    p = project({"a.md": POEM})
    for turn, (line, word) in enumerate((("line 3\n", "THREE\n"), ("line 9\n", "NINE\n")), 1):
        p.prompt(f"turn {turn}")
        edit_as(p, "call_0", "a.md", line, word)
        shell_as(p, "call_1", f"echo {turn} >> shell.md; echo new > new{turn}.md")
        p.stop()
    assert [call["turn"] for call in p.calls()] == ["t1", "t1", "t2", "t2"]
    assert {(hunk["path"], hunk["turn"], hunk["call"]) for hunk in p.hunks()} == {
        ("a.md", "t1", "c1"),
        ("shell.md", "t1", "c2"),
        ("new1.md", "t1", "c2"),
        ("a.md", "t2", "c3"),
        ("shell.md", "t2", "c4"),
        ("new2.md", "t2", "c4"),
    }
    p.reject("t2")
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n")
    p.reject()
    assert (p.text("a.md"), p.exists("shell.md")) == (POEM, False)


def test_names_of_calls_that_come_again_in_the_same_turn_are_other_calls(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    edit_as(p, "call_0", "a.md", "line 3\n", "THREE\n")
    shell_as(p, "call_0", "echo more >> b.md")
    shell_as(p, "call_0", "echo more >> b.md")
    assert [call["tool"] for call in p.calls()] == ["Edit", "Bash", "Bash"]
    assert [hunk["call"] for hunk in p.hunks()] == ["c1", "c2", "c3"]


def test_a_call_that_was_refused_gives_its_name_to_the_next(project: Make) -> None:
    """Without an end of the first: the agent's own question was answered with no."""
    p = project({"a.md": POEM})
    p.prompt()
    p.record(p.before(p.call("Write", "no.md", content="no\n")._replace(key="call_0")))
    edit_as(p, "call_0", "a.md", "line 3\n", "THREE\n")
    assert [(call["tool"], call["outcome"]) for call in p.calls()] == [("Write", "lost"), ("Edit", "done")]
    assert [hunk["call"] for hunk in p.hunks()] == ["c2"]


def test_a_subagent_and_its_agent_may_use_the_same_names_at_once(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    own = p.call("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")._replace(key="call_0")
    its = p.call("Edit", "b.md", old_string="b\n", new_string="B\n")._replace(key="call_0")
    p.record(p.before(own))
    with subagent(p, "helper"):
        p.record(p.before(its))
    p.sub("a.md", "line 3\n", "THREE\n")
    p.sub("b.md", "b\n", "B\n")
    p.end(own)
    with subagent(p, "helper"):
        p.end(its)
    assert {hunk["path"]: hunk["subagent"] for hunk in p.hunks()} == {"a.md": None, "b.md": "a1"}


def test_one_call_that_two_hooks_tell_of_is_one_call(project: Make) -> None:
    """Installed for the person and for the project, say."""
    p = project({"a.md": POEM})
    p.prompt()
    call = p.call("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.record(p.before(call))
    p.record(p.before(call))
    p.sub("a.md", "line 3\n", "THREE\n")
    p.end(call)
    p.end(call)
    assert [call["outcome"] for call in p.calls()] == ["done"]


def test_one_call_that_two_hooks_refuse_is_one_proposal(project: Make) -> None:
    p = project({"a.md": POEM})
    p.set_mode("hold")
    p.prompt()
    call = p.call("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    assert [p.record(p.before(call)) for _ in range(2)] == [2, 2]
    assert [call["outcome"] for call in p.calls()] == ["held"]
    assert len(p.hunks()) == 1
