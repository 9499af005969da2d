"""A project with an agent to talk to, all of it on this machine."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from blueline.adapters import interpret
from blueline.chat.conversations import Conversations
from blueline.chat.talk import Talk
from blueline.chat.turn_record import Surroundings
from blueline.contract.conversations import ChatAnswer, ConversationDocument
from blueline.desk import Desk
from tests.support.project import Project
from tests.support.shown import as_promised

PATIENCE_SECONDS = 60
FILES = {name: f"{name} one\n{name} two\n{name} three\n" for name in ("a.md", "b.md", "c.md")}
AGENT = Path(__file__).with_name("scripted_agent.py")
TWO_TURNS = {
    "first": [
        ["edit", "a.md", "a.md one", "a.md ONE"],
        ["edit", "b.md", "b.md two", "b.md TWO"],
        ["say", "Done one."],
    ],
    "second": [
        ["edit", "b.md", "b.md three", "b.md THREE"],
        ["edit", "c.md", "c.md one", "c.md ONE"],
        ["say", "Done two."],
    ],
}

Result = TypeVar("Result")
Document = Any


class Place:
    """A project, a scripted agent, and a person's config that names it."""

    def __init__(self, base: Path) -> None:
        self.project = Project(base, FILES)
        self.root = self.project.root
        self.folder = base / "agent"
        self.folder.mkdir()
        self.script({})
        self.configure()

    def configure(self, *, auto_accept: bool = False) -> None:
        command = json.dumps([sys.executable, str(AGENT), str(self.folder)])
        config = (
            f"[chat]\nauto_accept = {json.dumps(auto_accept)}\n[chat.agents.scripted]\ncommand = {command}\n"
        )
        path = Path(self.project.environ["XDG_CONFIG_HOME"], "blueline", "config.toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(config)

    def script(self, turns: Mapping[str, Sequence[Sequence[Any]]], *can: str) -> None:
        """What the agent does at each prompt, and what it says it can."""
        (self.folder / "script.json").write_text(json.dumps({"turns": turns, "can": can}))

    def let(self, name: str) -> None:
        """Let the agent go on that waits for this."""
        (self.folder / name).touch()

    def log(self, key: str = "") -> list[Document]:
        """What the agent was asked, or only the entries with a key."""
        path = self.folder / "log.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        found = [json.loads(line) for line in lines]
        return [entry for entry in found if not key or key in entry]

    def text(self, name: str) -> str:
        return self.project.text(name)

    # Its conversations

    @asynccontextmanager
    async def conversations(self, program: str = "the workbench") -> AsyncIterator[Conversations]:
        """What a surface holds while it runs."""
        lock = asyncio.Lock()

        async def ask(verb: Callable[[Desk], Any]) -> Any:
            def opened() -> Any:
                with Desk.open(self.root, environ=self.project.environ, interpret=interpret) as desk:
                    return verb(desk)

            async with lock:
                return await asyncio.to_thread(opened)

        around = Surroundings(
            root=self.root,
            state=self.project.state,
            environ=self.project.environ,
            report=_report,
            program=program,
        )
        conversations = Conversations(around, ask, lambda: None)
        try:
            yield conversations
        finally:
            await conversations.close()

    def run(self, work: Callable[[Conversations], Coroutine[Any, Any, Result]]) -> Result:
        """Do something with conversations of its own."""

        async def within() -> Result:
            async with asyncio.timeout(PATIENCE_SECONDS), self.conversations() as conversations:
                return await work(conversations)

        # In a thread of its own: a browser test before this one leaves a loop running in the main one.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(lambda: asyncio.run(within())).result()


def _report(bug: BaseException) -> str:
    raise bug


async def ended(talk: Talk) -> None:
    """Wait for the end of the turn."""
    await until(lambda: not talk.is_running and talk.thread.running is None)


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.01)


async def say(conversations: Conversations, talk: Talk, prompt: str) -> str:
    """Send a prompt and wait for the end; what the ledger calls the turn."""
    await conversations.prompt(talk.id, prompt, [])
    await ended(talk)
    return list(talk.thread.turns.values())[-1].ledger


def texts(document: Document, kind: str) -> list[str]:
    """The texts of a conversation's entries of a kind."""
    as_promised(document, ChatAnswer if "pending" in document else ConversationDocument)
    return [entry["text"] for entry in document["entries"] if entry["kind"] == kind]
