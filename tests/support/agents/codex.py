"""Codex CLI."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.agents.agent import Agent, installed
from tests.support.scripted_model import Answer, ScriptedModel, calls
from tests.support.wires import Block

CONFIG = """\
# A model it knows: others are not offered the tool for patches.
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false

[model_providers.scripted]
name = "scripted"
base_url = {url}
wire_api = "responses"
requires_openai_auth = false

[projects.{project}]
trust_level = "trusted"
"""


class Codex(Agent):
    NAME = "codex"

    def furnish(self, model: ScriptedModel) -> None:
        # Values of TOML are near enough to those of JSON.
        url, project = json.dumps(f"{model.url}/v1"), json.dumps(str(self.project))
        (self.home / ".codex").mkdir(exist_ok=True)
        (self.home / ".codex" / "config.toml").write_text(CONFIG.format(url=url, project=project))

    def command(self, prompt: str, *, resumed: bool) -> Sequence[str | Path]:
        program = installed("@openai/codex-*/vendor/*/bin/codex")
        # Approving a hook takes a dialogue, which a headless run has not.
        freely = ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
        return [program, "exec", *freely, *(["resume", "--last"] if resumed else []), prompt]

    def variables(self, model: ScriptedModel) -> dict[str, str]:
        return {"CODEX_HOME": str(self.home / ".codex")}

    def reads(self, path: str) -> Block:
        return self.runs(f"cat {path}")

    def edits(self, path: str, old: str, new: str) -> Block:
        return self.patches(f"*** Update File: {path}", "@@", *_lines("-", old), *_lines("+", new))

    def creates(self, path: str, text: str) -> Block:
        return self.patches(f"*** Add File: {path}", *_lines("+", text))

    def deletes(self, path: str) -> Block:
        return self.patches(f"*** Delete File: {path}")

    def delegates(self, task: str) -> Iterator[Answer]:
        yield [_of_team(calls("spawn_agent", message=task, agent_type="worker"))]
        told = " ".join(str(result["content"]) for result in self._model.tool_results())
        (started,) = re.findall(r'"agent_id":"([^"]+)"', told)
        yield [_of_team(calls("wait_agent", targets=[started], timeout_ms=60_000))]

    def runs(self, command: str) -> Block:
        return calls("exec_command", cmd=command)

    def patches(self, *lines: str) -> Block:
        return calls("apply_patch", input="\n".join(("*** Begin Patch", *lines, "*** End Patch", "")))


def _of_team(call: Block) -> Block:
    """Those tools are not offered before they are searched for, but they are there."""
    return {**call, "namespace": "multi_agent_v1"}


def _lines(mark: str, text: str) -> list[str]:
    return [mark + line for line in text.splitlines()]
