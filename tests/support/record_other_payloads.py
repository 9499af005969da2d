"""What the agents beside Claude Code really send to hooks: `python -m tests.support.record_other_payloads`.

Each payload is kept as `payloads/AGENT/STEP.EVENT.json`, or `EVENT.json` when it is about no tool. Run it
after moving to another version of an agent; the change of the files is the change of the protocol.
`environment.json` has the names of the variables that an agent sets for its hooks, never their values.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.agents.agent import Agent
from tests.support.agents.codex import Codex
from tests.support.agents.copilot import Copilot
from tests.support.agents.gemini import Gemini
from tests.support.agents.opencode import Opencode
from tests.support.home import environment
from tests.support.neutral import Neutral
from tests.support.record_payloads import PAYLOADS, render
from tests.support.scripted_model import Answer, ScriptedModel, calls, says
from tests.support.wires import Block

# Keeps each payload, and the names of the variables it came with, in a file whose name sorts by time.
HOOK = """
import json, os, sys, time
log, event = sys.argv[1:]
payload = json.loads(sys.stdin.buffer.read())
target = os.path.join(log, f"{time.time_ns()}-{os.getpid()}")
with open(target, "w") as file:
    json.dump({"event": event, "payload": payload, "names": sorted(os.environ)}, file)
"""

# opencode has no hooks that are commands, but functions: what those are given is what there is to keep.
PLUGIN = """
import { writeFileSync } from "node:fs"
let number = 0
const keep = (event, payload) => {
  const name = `${Date.now()}-${String(number++).padStart(6, "0")}`
  const names = Object.keys(process.env).sort()
  writeFileSync(`LOG/${name}`, JSON.stringify({ event, payload, names }))
}
export const Recorder = async () => ({
  "chat.message": async (input, output) => keep("chat.message", { input, output }),
  "tool.execute.before": async (input, output) => keep("tool.execute.before", { input, output }),
  "tool.execute.after": async (input, output) => keep("tool.execute.after", { input, output }),
  event: async ({ event }) => EVENTS.includes(event.type) && keep(event.type, { event }),
})
"""

EVENTS = {
    "codex": """
        SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse SubagentStart
        SubagentStop Stop Interrupt
    """,
    "gemini": "SessionStart SessionEnd BeforeAgent AfterAgent BeforeTool AfterTool",
    "copilot": """
        sessionStart sessionEnd userPromptSubmitted preToolUse permissionRequest postToolUse
        postToolUseFailure agentStop errorOccurred
    """,
    "claude": "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop",
    "opencode": "session.created session.idle session.error file.edited",
}
BEFORE = ("PreToolUse", "preToolUse", "BeforeTool", "tool.execute.before")
ABOUT_TOOLS = {
    *BEFORE,
    *("PostToolUse", "PostToolUseFailure", "PermissionRequest", "AfterTool", "tool.execute.after"),
    *("postToolUse", "postToolUseFailure", "permissionRequest"),
}

# The shell that starts a hook sets these.
SHELL_NAMES = {"PWD", "SHLVL", "_", "OLDPWD"}

Commands = Callable[[str], str]
Step = Block | Callable[[ScriptedModel], Block]
Steps = dict[str, Step]


@dataclass(frozen=True)
class Recording:
    """How one agent is led, and how it is told to let us listen."""

    agent: type[Agent]
    listen: Callable[[Path, Path, Commands], None]
    """Install the recording hooks: the project, where payloads go, and an event's command."""
    more: Callable[[Any], Steps] = lambda agent: {}
    """Steps beside those that all agents can do."""


def _codex(project: Path, log: Path, command: Commands) -> None:
    hooks = {
        event: [{"hooks": [{"type": "command", "command": command(event), "timeout": 3}]}]
        for event in EVENTS["codex"].split()
    }
    _write(project / ".codex" / "hooks.json", {"hooks": hooks})


def _codex_steps(agent: Codex) -> Steps:
    return {
        "several": agent.patches(
            *("*** Update File: a.md", "*** Move to: sub/moved.md", "@@", "-three", "+THREE"),
            *("*** Add File: more.md", "+more", "*** Delete File: new.md"),
        ),
        "shell-patch": agent.runs(
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: by-shell.md\n+hi\n*** End Patch\nEOF"
        ),
        "background": calls("exec_command", cmd="read; echo late > late.md", yield_time_ms=250, tty=True),
        "background-end": end_of_background,
    }


def end_of_background(model: ScriptedModel) -> Block:
    """Codex hears how a command goes on that it had left running."""
    told = " ".join(str(result["content"]) for result in model.tool_results())
    running = re.search(r"session ID (\d+)", told)
    assert running, told
    return calls("write_stdin", session_id=int(running[1]), chars="\n", yield_time_ms=5000)


def _gemini(project: Path, log: Path, command: Commands) -> None:
    hooks = {
        event: [{"hooks": [{"name": "r", "type": "command", "command": command(event)}]}]
        for event in EVENTS["gemini"].split()
    }
    _write(project / ".gemini" / "settings.json", {"hooks": hooks})


def _overwriting(agent: Agent) -> Steps:
    return {"overwrite": agent.creates("a.md", "ONE\ntwo\nTHREE\n")}


def _copilot(project: Path, log: Path, command: Commands) -> None:
    hooks = {event: [{"type": "command", "bash": command(event)}] for event in EVENTS["copilot"].split()}
    _write(project / ".github" / "hooks" / "recorder.json", {"version": 1, "hooks": hooks})


def _copilot_as_claude(project: Path, log: Path, command: Commands) -> None:
    hooks = {
        event: [{"matcher": "*", "hooks": [{"type": "command", "command": command(event)}]}]
        for event in EVENTS["claude"].split()
    }
    _write(project / ".claude" / "settings.local.json", {"hooks": hooks})


def _opencode(project: Path, log: Path, command: Commands) -> None:
    place = project / ".opencode" / "plugin" / "recorder.js"
    place.parent.mkdir(parents=True)
    place.write_text(
        PLUGIN.replace("LOG", str(log)).replace("EVENTS", json.dumps(EVENTS["opencode"].split()))
    )


def _write(place: Path, settings: dict[str, Any]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(settings))


RECORDINGS = {
    "codex": Recording(Codex, _codex, _codex_steps),
    "gemini": Recording(Gemini, _gemini, _overwriting),
    "copilot": Recording(Copilot, _copilot),
    "copilot-runs-claude-hooks": Recording(Copilot, _copilot_as_claude),
    "opencode": Recording(Opencode, _opencode, _overwriting),
}


def steps(agent: Agent, recording: Recording) -> Steps:
    return {
        "read": agent.reads("a.md"),
        "edit": agent.edits("a.md", "one\n", "ONE\n"),
        "create": agent.creates("new.md", "hello\n"),
        "failed-edit": agent.edits("a.md", "no such line\n", "NO SUCH LINE\n"),
        "shell": agent.runs("echo hello >> b.md"),
        "failed-shell": agent.runs("echo hello >> b.md; exit 3"),
        "delete": agent.deletes("gone.md"),
        "shell-delete": agent.runs("rm b.md"),
        **recording.more(agent),
    }


def record(name: str) -> dict[str, Any]:
    """Lead one agent through two turns; the payloads, under the names of their files."""
    recording = RECORDINGS[name]
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        project, home, log = base / "project", base / "home", base / "log"
        for place in (project, home, log):
            place.mkdir()
        hook = base / "hook.py"
        hook.write_text(HOOK)
        _furnish(project, home)
        recording.listen(
            project, log, lambda event: shlex.join([sys.executable, "-I", "-S", str(hook), str(log), event])
        )
        with ScriptedModel() as model:
            agent = recording.agent(project, home, model)
            script = steps(agent, recording)
            model.then(_answers(script, model))
            agent.turn("first prompt")
            agent.turn("second prompt")
        heard = [json.loads(path.read_bytes()) for path in sorted(log.iterdir())]
        ours = {*environment(home), *agent.variables(model), *SHELL_NAMES, "PATH"}
        neutral = Neutral(project, home)
        found = {name: neutral(payload) for name, payload in _named(heard, list(script)).items()}
        return {**found, "environment": sorted({name for one in heard for name in one["names"]} - ours)}


def _furnish(project: Path, home: Path) -> None:
    (project / "a.md").write_text("one\ntwo\nthree\n")
    (project / "gone.md").write_text("bye\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run(["git", *command], cwd=project, env={**os.environ, **environment(home)}, check=True)


def _answers(script: Steps, model: ScriptedModel) -> Iterator[Answer]:
    for step in script.values():
        yield [step(model) if callable(step) else step]
    yield [says("The first turn is done.")]
    yield [says("The second turn is done.")]


def _named(heard: Sequence[dict[str, Any]], labels: Sequence[str]) -> dict[str, Any]:
    """The payloads by the names of their files. Calls come one by one, in the order of the labels."""
    found: dict[str, Any] = {}
    begun = 0
    for one in heard:
        begun += one["event"] in BEFORE
        label = f"{labels[begun - 1]}." if one["event"] in ABOUT_TOOLS else ""
        source = one["payload"].get("source")
        found.setdefault(f"{label}{one['event']}{f'.{source}' if source else ''}", one["payload"])
    return found


def assert_recorded(name: str) -> None:
    """What an agent sends now is what it sent when its payloads were kept."""
    stored = {path.name: path.read_text() for path in (PAYLOADS / name).glob("*.json")}
    assert {f"{name}.json": render(payload) for name, payload in record(name).items()} == stored


if __name__ == "__main__":
    for agent in sys.argv[1:] or RECORDINGS:
        folder = PAYLOADS / agent
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, payload in record(agent).items():
            (folder / f"{name}.json").write_text(render(payload))
