"""opencode."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.agents.agent import Agent, installed
from tests.support.scripted_model import Answer, ScriptedModel, calls
from tests.support.wires import Block


class Opencode(Agent):
    NAME = "opencode"

    def furnish(self, model: ScriptedModel) -> None:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": f"{model.url}/v1", "apiKey": "scripted"},
            "models": {"scripted": {"name": "scripted"}},
        }
        settings = {"provider": {"scripted": provider}, "model": "scripted/scripted", "share": "disabled"}
        folder = self.home / "config" / "opencode"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "opencode.json").write_text(json.dumps(settings))

    def command(self, prompt: str, *, resumed: bool) -> Sequence[str | Path]:
        program = installed("opencode-linux-*/bin/opencode", "opencode-darwin-*/bin/opencode")
        return [program, "run", *(["--continue"] if resumed else []), prompt]

    def variables(self, model: ScriptedModel) -> dict[str, str]:
        return {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            # It installs types for its plugins at each start, and would try for a minute.
            "npm_config_offline": "true",
            "npm_config_fetch_retries": "0",
        }

    def reads(self, path: str) -> Block:
        return calls("read", filePath=str(self.project / path))

    def edits(self, path: str, old: str, new: str) -> Block:
        return calls("edit", filePath=str(self.project / path), oldString=old, newString=new)

    def creates(self, path: str, text: str) -> Block:
        return calls("write", filePath=str(self.project / path), content=text)

    def delegates(self, task: str) -> Iterator[Answer]:
        yield [calls("task", description=task, prompt=task, subagent_type="general")]

    def runs(self, command: str) -> Block:
        return calls("bash", command=command, description="Do it.")
