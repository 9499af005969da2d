"""The real Claude Code, headless, in a home of its own, talking to a scripted model."""

from __future__ import annotations

import os
import subprocess
import uuid
from importlib import metadata
from pathlib import Path

from tests.support.home import environment
from tests.support.scripted_model import ScriptedModel

TURN_SECONDS = 120


def binary() -> Path:
    """The program inside the installed `claude-agent-sdk`; its absence is a failure, never a skip."""
    try:
        files = metadata.files("claude-agent-sdk") or []
    except metadata.PackageNotFoundError:
        raise AssertionError("claude-agent-sdk is not installed: run `make test`") from None
    for file in files:
        if file.match("_bundled/claude*") and os.access(path := Path(str(file.locate())), os.X_OK):
            return path
    raise AssertionError("the installed claude-agent-sdk carries no Claude Code for this platform")


class ClaudeCode:
    """One conversation in one project."""

    def __init__(self, project: Path, home: Path, model: ScriptedModel) -> None:
        self.conversation = str(uuid.uuid4())
        self._project = project
        self._turns = 0
        # Nothing is inherited but the search path: what the caller runs in must not reach the agent.
        self._environment = {
            "PATH": os.environ["PATH"],
            **environment(home),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "sk-ant-scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            # Lets the permission prompts be switched off for root too.
            "IS_SANDBOX": "1",
        }

    def turn(self, prompt: str) -> str:
        """Give a prompt and wait for the agent to stop; what it printed."""
        thread = "--resume" if self._turns else "--session-id"
        self._turns += 1
        done = subprocess.run(
            [binary(), "--print", prompt, thread, self.conversation, "--dangerously-skip-permissions"],
            cwd=self._project,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TURN_SECONDS,
        )
        assert done.returncode == 0, f"Claude Code gave {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout
