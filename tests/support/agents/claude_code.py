"""Claude Code, from the wheel of its SDK."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from tests.support.agents.agent import Agent
from tests.support.scripted_model import Answer, ScriptedModel, calls
from tests.support.wires import Block


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


class ClaudeCode(Agent):
    NAME = "claude-code"

    def __init__(self, project: Path, home: Path, model: ScriptedModel) -> None:
        super().__init__(project, home, model)
        self.conversation = str(uuid.uuid4())

    def command(self, prompt: str, *, resumed: bool) -> Sequence[str | Path]:
        thread = "--resume" if resumed else "--session-id"
        return [binary(), "--print", prompt, thread, self.conversation, "--dangerously-skip-permissions"]

    def variables(self, model: ScriptedModel) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "sk-ant-scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            # Lets the permission prompts be switched off for root too.
            "IS_SANDBOX": "1",
        }

    def reads(self, path: str) -> Block:
        return calls("Read", file_path=str(self.project / path))

    def edits(self, path: str, old: str, new: str) -> Block:
        return calls("Edit", file_path=str(self.project / path), old_string=old, new_string=new)

    def creates(self, path: str, text: str) -> Block:
        return calls("Write", file_path=str(self.project / path), content=text)

    def delegates(self, task: str) -> Iterator[Answer]:
        yield [calls("Agent", description=task, prompt=task)]

    def runs(self, command: str) -> Block:
        return calls("Bash", command=command)
