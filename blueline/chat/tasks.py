"""Tasks: a conversation about a place in a file, in which the agent proposes and a person applies."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.chat import conversation_files
from blueline.chat.transcript import Transcript
from blueline.chat.turn_record import Surroundings, ledger_name

if TYPE_CHECKING:
    from blueline.contract.conversations import PlaceDocument

CHAT = "BLUELINE_CHAT"
"""Tells our MCP server, which the agent starts, in which conversation it is used."""

PROPOSE = "mcp__blueline__propose_edit"

ADVICE = (
    "Do not change files yourself. Propose each change with the tool propose_edit of the MCP server "
    "blueline, with a reason: a person reads it beside the place, and applies it or not."
)


def equipped(around: Surroundings, conversation: str) -> Surroundings:
    """The surroundings of a conversation, with our tools for its agent."""
    from acp.schema import EnvVariable, McpServerStdio

    names = ("XDG_STATE_HOME", "HOME")
    variables = {name: around.environ[name] for name in names if name in around.environ}
    server = McpServerStdio(
        name="blueline",
        command=sys.executable,
        # Not with the project on its path: nothing in it runs because somebody talks about it.
        args=["-I", "-m", "blueline", "-C", os.fspath(around.root), "mcp"],
        env=[
            EnvVariable(name=name, value=value) for name, value in {**variables, CHAT: conversation}.items()
        ],
    )
    return replace(around, servers=(server,))


def introduced(thread: Transcript, context: Sequence[PlaceDocument]) -> list[PlaceDocument]:
    """What goes along with a prompt: in a task, the place it is about comes first."""
    if thread.task is None or thread.turns:
        return [*context]
    return [{**thread.task, "advice": ADVICE}, *context]


def joined(state: Path, conversation: str) -> tuple[str, str] | None:
    """The agent of a conversation, and what the ledger calls it, if a turn is running in it."""
    thread = Transcript()
    thread.take(conversation_files.ConversationFile(conversation_files.path_of(state, conversation)).news())
    turn = thread.running
    return (thread.agent, ledger_name(turn.session)) if turn is not None and turn.session else None
