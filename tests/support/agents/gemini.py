"""Gemini CLI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.agents.agent import Agent, installed
from tests.support.agents.node import node
from tests.support.scripted_model import Answer, ScriptedModel, calls
from tests.support.wires import Block

SETTINGS = {
    # Named, or a base URL of one's own means another way to log in, which is refused headless.
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}


class Gemini(Agent):
    NAME = "gemini"

    def furnish(self, model: ScriptedModel) -> None:
        (self.home / ".gemini").mkdir(exist_ok=True)
        (self.home / ".gemini" / "settings.json").write_text(json.dumps(SETTINGS))

    def command(self, prompt: str, *, resumed: bool) -> Sequence[str | Path]:
        program = installed("@google/gemini-cli/bundle/gemini.js")
        thread = ["--resume", "latest"] if resumed else []
        # With a model named, no other is asked which one to take.
        model = ["--model", "gemini-2.5-pro"]
        return [node(), program, *model, "--approval-mode", "yolo", *thread, "--prompt", prompt]

    def variables(self, model: ScriptedModel) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": "scripted",
            "GOOGLE_GEMINI_BASE_URL": model.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            # One process, which can be killed.
            "GEMINI_CLI_NO_RELAUNCH": "true",
        }

    def reads(self, path: str) -> Block:
        return calls("read_file", file_path=path)

    def edits(self, path: str, old: str, new: str) -> Block:
        return calls("replace", file_path=path, instruction="Change it.", old_string=old, new_string=new)

    def creates(self, path: str, text: str) -> Block:
        return calls("write_file", file_path=path, content=text)

    def delegates(self, task: str) -> Iterator[Answer]:
        yield [calls("invoke_agent", agent_name="generalist", prompt=task)]

    def reports(self, text: str) -> Block:
        return calls("complete_task", result={"response": text})

    def runs(self, command: str) -> Block:
        return calls("run_shell_command", command=command)
