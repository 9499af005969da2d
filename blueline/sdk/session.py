"""One agent's conversation in one project."""

import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from blueline.desk import state_folder
from blueline.sdk.conversation_record import ConversationRecord
from blueline.sdk.edited_files import ProjectFiles
from blueline.sdk.turn import AgentTurn

LONGEST_NAME = 100


class Session:
    """Turns of one agent, in the project that a folder is in. As a context, the conversation ends with it."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        agent: str = "my-agent",
        conversation: str | None = None,
        *,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        for name in (agent, conversation or "-"):
            if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
                raise ValueError(f"not a name: {name!r}")
        self.root, folder = state_folder.find(Path(root), environ)
        state_folder.prepare(folder, os.fsencode(self.root))
        self._files = ProjectFiles(self.root, folder)
        self._record = ConversationRecord(folder, agent, conversation or f"{agent}-{uuid.uuid4().hex[:12]}")

    @property
    def agent(self) -> str:
        return self._record.agent

    @property
    def conversation(self) -> str:
        """Tells this thread of turns from all others."""
        return self._record.conversation

    @property
    def mode(self) -> str:
        """How edits arrive just now: review, hold or direct."""
        return self._record.mode

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def turn(self, prompt: str) -> AgentTurn:
        """What somebody asked for: the turn begins and ends with the `with` it is used in."""
        return AgentTurn(self._files, self._record, prompt)

    def join(self) -> AgentTurn:
        """The turn of this conversation that somebody else began, an agent's own hooks for example."""
        return AgentTurn(self._files, self._record, None)

    def close(self) -> None:
        """The agent leaves. Turns that were not ended are."""
        if self.mode != "direct":
            self._record.say("end", {})
