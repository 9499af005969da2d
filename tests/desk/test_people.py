"""Who is a person, and what is a person's to do (rule D5)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from blueline.adapters import ADAPTERS
from blueline.desk import people
from tests.gate.yard import TOUCHING, Make, Yard, typed
from tests.support.project import Project

EDITORS = {"cursor", "windsurf"}
"""Agents whose program is an editor, in which people have a terminal."""

DECIDING = (
    ("accept", "--all"),
    ("reject", "--all"),
    ("undo",),
    ("redo",),
    ("mode", "direct"),
    ("trust",),
    ("trust", "--forget"),
    ("purge", "--all", "--yes"),
    ("purge", "--older", "1d", "--yes"),
    ("init", "--uninstall"),
    ("gate", "override", "--reason", "x", "--expires", "1h"),
    ("gate", "sign", "--key", "id"),
    ("projects", "--forget", ".", "--yes"),
    ("hub", "invite"),
    ("hub", "join", "http://127.0.0.1:9"),
    ("hub", "restore", "http://127.0.0.1:9", "p1", "there"),
    ("apply", "all", "--issue", "1"),
    ("suggest", "--issue", "1", "--mode", "commit-only"),
    ("suggest", "--issue", "1", "--mode", "hybrid"),
    ("forge", "handle-event"),
    ("forge", "serve", "--secret-file", "a.md"),
)


def state_of(yard: Yard) -> dict[str, object]:
    """All that a decision could change: the files, what is decided, and what is kept beside."""
    project = yard.project
    kept = {
        name: (yard.state / name).read_bytes() for name in ("mode", "trusted", "reviews") if _has(yard, name)
    }
    return {
        "files": project.on_disk(),
        "log": project.log("decision"),
        "kept": kept,
        "mode": project.status()["mode"],
    }


def _has(yard: Yard, name: str) -> bool:
    return (yard.state / name).exists()


@pytest.mark.parametrize("mark", people.AGENTS)
def test_an_agent_is_refused_and_nothing_changes(yard: Yard, mark: str) -> None:
    yard.project.prompt()
    yard.project.edit("a.md", "one\n", "ONE\n")
    yard.trust()
    before = state_of(yard)
    for words in DECIDING:
        said = yard.run(*words, **{mark: "1"})
        assert said.code == 1, words
        assert f"blueline: {people.AGENTS[mark]} may not " in said.err
        assert "a person has to" in said.err
        assert "hint: type it in a terminal of your own or use the page" in said.err
        assert "agents_may_decide = true into" in said.err
        assert state_of(yard) == before, words


def test_an_agent_may_look_and_ask_and_review(yard: Yard) -> None:
    yard.project.prompt()
    yard.project.edit("a.md", "one\n", "ONE\n")
    yard.trust()
    for words in (("list",), ("mode",), ("accept", "--all", "--dry-run"), ("purge", "--all", "--dry-run")):
        assert yard.run(*words, CLAUDECODE="1").code == 0
    assert yard.run("review", "--yes", CLAUDECODE="1").code == 0
    assert yard.run("ship", "--yes", CLAUDECODE="1").code == 10
    assert yard.codes() == ["undecided"]


def test_an_agent_with_a_terminal_is_not_a_person(make: Make) -> None:
    yard = make(TOUCHING)
    yard.project.environ["CLAUDECODE"] = "1"
    code, shown = typed(yard, "y\ny\n", "review")
    assert (code, "a person has to" in shown) == (1, True)
    assert not yard.project.exists("out")


# Processes


def below(name: str, command: str, project: Project, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command below a real process of that name, which has set no variable."""
    program = folder / name
    shutil.copy("/bin/sh", program)
    # Not the last command of the shell, which it would become.
    line = f"{command}; exit $?"
    words = [str(program), "-c", line]
    return subprocess.run(words, cwd=project.root, env=project.environ, capture_output=True, text=True)


BLUELINE = f"{sys.executable} -m blueline"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.md": "one\n"})
    made.prompt()
    made.edit("a.md", "one\n", "ONE\n")
    return made


@pytest.mark.parametrize("name", people.PROGRAMS)
def test_a_process_that_an_agent_has_started_is_the_agents(
    project: Project, tmp_path: Path, name: str
) -> None:
    said = below(name, f"sh -c '{BLUELINE} accept --all; exit $?'", project, tmp_path)
    assert said.returncode == 1
    assert f"{people.PROGRAMS[name]} may not accept" in said.stderr
    assert len(project.hunks()) == 1


def test_nothing_that_is_a_persons_to_do_is_done_below_an_agents_process(yard: Yard, tmp_path: Path) -> None:
    yard.project.prompt()
    yard.project.edit("a.md", "one\n", "ONE\n")
    yard.trust()
    before = state_of(yard)
    for words in DECIDING:
        said = below("claude", f"{BLUELINE} {' '.join(words)}", yard.project, tmp_path)
        assert (said.returncode, "claude-code may not " in said.stderr) == (1, True), words
    assert state_of(yard) == before


@pytest.mark.parametrize("name", ["zsh", "vim", "cursor", "windsurf", "claudette"])
def test_a_process_below_other_programs_is_a_persons(project: Project, tmp_path: Path, name: str) -> None:
    said = below(name, f"{BLUELINE} accept --all", project, tmp_path)
    assert (said.returncode, project.hunks()) == (0, [])


def test_tests_run_below_an_agent_are_run_apart(project: Project, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    project.environ["PYTHONPATH"] = str(root)
    apart = f"{sys.executable} -m tests.support.apart"
    said = below("claude", f"{apart} {BLUELINE} accept --all", project, tmp_path)
    assert (said.returncode, project.hunks()) == (0, [])
    assert below("claude", f"{apart} sh -c 'exit 7'", project, tmp_path).returncode == 7


@pytest.mark.parametrize(
    ("words", "agent"),
    [
        (["node", "node", "/usr/local/bin/gemini", "-p", "x"], "gemini"),
        (
            ["node", "/usr/bin/node", "--max-old-space-size=4096", "/n/@google/gemini-cli/dist/index.js"],
            "gemini",
        ),
        (["MainThread", "node", "/n/node_modules/@anthropic-ai/claude-code/cli.js"], "claude-code"),
        (["claude", "/home/ada/.local/share/claude/versions/2.1.0"], "claude-code"),
        (["codex-linux", "/n/@openai/codex/vendor/bin/codex", "exec"], "codex"),
        (["vim", "vim", "claude"], ""),
        (["sh", "sh", "run-tests", "claude"], ""),
        (["less", "less", "/n/@google/gemini-cli/README.md"], ""),
        (["bash", "-bash"], ""),
        (["kworker"], ""),
        (["x", ""], ""),
    ],
)
def test_only_what_is_run_tells_the_agent(words: list[str], agent: str) -> None:
    assert people.agent_named(words) == agent


def test_the_program_of_every_agent_that_is_no_editor_is_known() -> None:
    programs = {load().PROGRAM for name, load in ADAPTERS.items() if name not in EDITORS}
    assert programs <= people.PROGRAMS.keys()
    assert EDITORS.isdisjoint(people.PROGRAMS)
    assert {*people.PROGRAMS.values(), *people.PACKAGES.values()} <= ADAPTERS.keys()


# What the person's own config lets them


def let(project: Project, *names: str) -> None:
    own = Path(project.environ["XDG_CONFIG_HOME"]) / "blueline" / "config.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("".join(f"{name} = true\n" for name in names))


def test_a_person_can_let_agents_decide_and_the_decision_has_their_name(yard: Yard) -> None:
    project = yard.project
    project.prompt()
    project.edit("a.md", "one\n", "ONE\n")
    let(project, "agents_may_decide")
    assert yard.run("accept", "--all", CLAUDECODE="1").code == 0
    (decision,) = project.log("decision")
    assert (decision["verdict"], decision["agent"], decision["by"]) == (
        "accept",
        "claude-code",
        people.account(),
    )
    assert "(claude-code)\n" in yard.run("log").out
    assert f"claude-code, as {people.account()}" in yard.run("show", decision["id"]).out


def test_a_decision_that_was_put_off_keeps_the_name(yard: Yard) -> None:
    project = yard.project
    project.prompt()
    project.edit("a.md", "one\n", "ONE\n")
    let(project, "agents_may_decide")
    call = project.begin("Edit", "a.md", old_string="ONE\n", new_string="TWO\n")
    assert yard.run("accept", "--all", CLAUDECODE="1").code == 0
    project.put("a.md", "TWO\n")
    project.end(call)
    assert [one["agent"] for one in project.log("decision")] == ["claude-code", "claude-code"]


def test_the_projects_own_config_lets_nobody(yard: Yard) -> None:
    yard.configure("agents_may_decide = true")
    yard.commit("let them")
    assert yard.run("mode", "hold", CLAUDECODE="1").code == 1


def test_a_config_that_cannot_be_read_lets_nobody(yard: Yard) -> None:
    own = Path(os.environ["XDG_CONFIG_HOME"]) / "blueline" / "config.toml"
    own.parent.mkdir(parents=True)
    for text in ("agents_may_decide = 1\n", "agents_may_decide =\n"):
        own.write_text(text)
        said = yard.run("mode", "hold", CLAUDECODE="1")
        assert (said.code, "hint: put it right, or remove it" in said.err) == (1, True)
    assert yard.run("mode", "--json").document == {"mode": "review"}
