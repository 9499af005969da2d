"""What Claude Code really sends to its hooks, recorded: `python -m tests.support.record_payloads`.

Run it after moving to another version of the agent; the change of the files in `payloads/` is the change of
the protocol.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.agents.claude_code import ClaudeCode
from tests.support.scripted_model import Answer, ScriptedModel, calls, says
from tests.support.waiting import wait_until

PAYLOADS = Path(__file__).with_name("payloads")

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "SessionEnd",
)
TOOLS = ("Edit", "Write", "NotebookEdit", "Bash", "Agent")
CLOCK_KEYS = ("duration_ms", "seconds_since_last_response")

# Keeps each payload in a file whose name sorts by time.
HOOK = """
import os, sys, time
target = os.path.join(sys.argv[1], f"{time.time_ns()}-{os.getpid()}")
with open(target, "wb") as file:
    file.write(sys.stdin.buffer.read())
"""

NOTEBOOK: dict[str, Any] = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": "first",
            "metadata": {},
            "outputs": [],
            "source": ["x = 1\n"],
        }
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}

# A sub-agent in the background, as is usual; its end is a prompt that the agent gives itself.
LATER: tuple[Answer, ...] = (
    [calls("Agent", description="a late part", prompt="do it later")],
    [says("Began.")],
    [says("Ended.")],
)


def record() -> dict[str, dict[str, Any]]:
    """Lead the agent through three turns; the first payload of each kind, under the name of its file."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        project, home, log = base / "project", base / "home", base / "log"
        for place in (project / ".claude", home, log):
            place.mkdir(parents=True)
        _furnish(project, hook=base / "hook.py", log=log)
        with ScriptedModel(_script(project)) as model:
            agent = ClaudeCode(project, home, model)
            agent.turn("first prompt")
            agent.turn("second prompt")
            model.aside("do it later", _late_part(project, log))
            model.then(LATER)
            agent.turn("third prompt")
        payloads = [json.loads(path.read_bytes()) for path in sorted(log.iterdir())]
        found: dict[str, dict[str, Any]] = {}
        for payload in payloads:
            if payload.get("tool_name", TOOLS[0]) in TOOLS:
                found.setdefault(_name(payload), _anonymous(payload, project, home))
        return found


def _furnish(project: Path, *, hook: Path, log: Path) -> None:
    (project / "a.md").write_text("one\ntwo\nthree\n")
    (project / "n.ipynb").write_text(json.dumps(NOTEBOOK, indent=1))
    # A write below a link to nowhere gets past the agent's own checks, and then fails.
    (project / "nowhere").symlink_to("/no/such/folder")
    hook.write_text(HOOK)
    command = {"type": "command", "command": sys.executable, "args": ["-I", "-S", str(hook), str(log)]}
    entries = {event: [{"hooks": [command]}] for event in EVENTS}
    (project / ".claude" / "settings.local.json").write_text(json.dumps({"hooks": entries}))


def _script(project: Path) -> list[Answer]:
    a, notebook = str(project / "a.md"), str(project / "n.ipynb")
    return [
        [calls("Read", file_path=a), calls("Read", file_path=notebook)],
        [calls("Edit", file_path=a, old_string="one", new_string="ONE")],
        [calls("Write", file_path=str(project / "new.md"), content="hello\n")],
        [calls("Write", file_path=a, content="ONE\ntwo\nTHREE\n")],
        [calls("NotebookEdit", notebook_path=notebook, cell_id="first", new_source="x = 2\n")],
        [calls("Write", file_path=str(project / "nowhere" / "x.md"), content="lost\n")],
        [says("The first turn is done.")],
        [calls("Bash", command="echo hello >> b.md")],
        [calls("Bash", command="echo hello >> b.md; exit 3")],
        # Waited for, or the rest of the script would be answered to whoever asks first.
        [calls("Agent", description="a part", prompt="do a part of it", run_in_background=False)],
        [calls("Write", file_path=str(project / "part.md"), content="part\n")],
        [says("The part is done.")],
        [says("The second turn is done.")],
    ]


def _late_part(project: Path, log: Path) -> Iterator[Answer]:
    """What a sub-agent does that goes on after the turn's end was told."""
    yield [calls("Write", file_path=str(project / "late.md"), content="late\n")]
    wait_until(lambda: any(b'"Began."' in path.read_bytes() for path in log.iterdir()))
    yield [says("The late part is done.")]


def _name(payload: dict[str, Any]) -> str:
    words = re.sub(r"(?<!^)(?=[A-Z])", "-", payload["hook_event_name"]).lower()
    response = payload.get("tool_response", {})
    inside = "subagent" if "agent_id" in payload and "tool_name" in payload else ""
    late = "busy" if payload.get("background_tasks") else ""
    if payload.get("prompt", "").startswith("<task-notification>"):
        late = "news"
    given = (payload.get("tool_name", ""), payload.get("source", ""), response.get("type", ""))
    parts = (words, *given, response.get("status", ""), inside, late)
    return "-".join(part.lower() for part in parts if part)


def _anonymous(payload: dict[str, Any], project: Path, home: Path) -> dict[str, Any]:
    """The same payload on nobody's machine at no particular time."""
    text = json.dumps(payload)
    # The agent keeps transcripts in a folder named after the project's path.
    text = text.replace(re.sub(r"[^A-Za-z0-9]", "-", str(project)), "-project")
    text = text.replace(str(project), "/project").replace(str(home), "/home/person")
    stand_ins = {
        "session_id": "00000000-0000-4000-8000-00000000c001",
        "prompt_id": "00000000-0000-4000-8000-00000000b001",
    }
    for key, stand_in in stand_ins.items():
        if key in payload:
            text = text.replace(payload[key], stand_in)
    text = re.sub(r"\ba[0-9a-f]{16}\b", "a0000000000000001", text)
    text = re.sub(r"/tmp/claude-[0-9]+/", "/tmp/claude/", text)
    text = re.sub(r"<duration_ms>[0-9]+<", "<duration_ms>0<", text)
    text = re.sub(r"(\"totalDurationMs\": )[0-9]+", r"\g<1>0", text)
    clean: dict[str, Any] = json.loads(text)
    return {**clean, **{key: 0 for key in CLOCK_KEYS if key in clean}}


def render(payload: dict[str, Any]) -> str:
    return json.dumps(payload, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, payload in record().items():
        (PAYLOADS / f"{name}.json").write_text(render(payload))
