"""GitHub Copilot CLI."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.agents.agent import INSTALLED, Agent, installed
from tests.support.scripted_model import Answer, ScriptedModel, calls
from tests.support.wires import Block


class Copilot(Agent):
    NAME = "copilot"

    def __init__(self, project: Path, home: Path, model: ScriptedModel) -> None:
        super().__init__(project, home, model)
        self.conversation = str(uuid.uuid4())

    def command(self, prompt: str, *, resumed: bool) -> Sequence[str | Path]:
        program = installed("@github/copilot-*/copilot")
        return [program, "--session-id", self.conversation, "--silent", "--prompt", prompt]

    def variables(self, model: ScriptedModel) -> dict[str, str]:
        return {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{model.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "scripted",
            "COPILOT_MODEL": "gpt-4.1",
            # No questions, and this folder is trusted: without that its hooks are skipped.
            "COPILOT_ALLOW_ALL": "true",
            # It unpacks itself there, 240 MB each time if the place were new.
            "XDG_CACHE_HOME": str(INSTALLED / "cache"),
        }

    def reads(self, path: str) -> Block:
        return calls("view", path=str(self.project / path))

    def edits(self, path: str, old: str, new: str) -> Block:
        return calls("edit", path=str(self.project / path), old_str=old, new_str=new)

    def creates(self, path: str, text: str) -> Block:
        return calls("create", path=str(self.project / path), file_text=text)

    def delegates(self, task: str, mode: str = "sync") -> Iterator[Answer]:
        about = {"agent_type": "general-purpose", "name": "helper", "description": task}
        yield [calls("task", **about, prompt=task, mode=mode)]

    def runs(self, command: str) -> Block:
        return calls("bash", command=command, description="Do it.")
