"""All conversations of one project."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from blueline.chat import conversation_documents, conversation_files, tasks, turn_decisions
from blueline.chat.agents import ChatAgent, ChatSettings, NoSuchAgent, available, settings
from blueline.chat.conversation_files import NoSuchConversation
from blueline.chat.talk import Talk
from blueline.chat.turn_record import Surroundings
from blueline.chat.turn_run import Ask
from blueline.desk.state_folder import now
from blueline.model.dependents import FileChoice

if TYPE_CHECKING:
    from blueline.contract.conversations import (
        ChatAgentDocument,
        ConversationDocument,
        ConversationListed,
        PlaceDocument,
        PromptedDocument,
        TurnDecision,
    )
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hunks import PendingTurn


class Conversations:
    """Starts, finds and ends conversations."""

    def __init__(self, around: Surroundings, ask: Ask, on_change: Callable[[], None]) -> None:
        self._around = around
        self._ask = ask
        self._on_change = on_change
        self._talks: dict[str, Talk] = {}
        self._opening = asyncio.Lock()
        self._refreshing: set[asyncio.Task[None]] = set()
        self._calls: dict[str, str] = {}
        """What the ledger calls the calls of agents."""

    @property
    def _settings(self) -> ChatSettings:
        return settings(self._around.environ)

    def _agent(self, name: str) -> ChatAgent:
        found = self._settings.agents.get(name)
        if found is None:
            raise NoSuchAgent(f"no agent is called {name!r}", hint="see docs/chat.md on how to add one")
        return found

    def _label(self, name: str) -> str:
        found = self._settings.agents.get(name)
        return found.label if found is not None else name

    @property
    def seqs(self) -> dict[str, int]:
        """How far each conversation that is open here has come."""
        return {talk.id: talk.thread.seq for talk in self._talks.values()}

    def agents(self) -> list[ChatAgentDocument]:
        """The agents one can talk to."""
        around = self._around
        return [
            {"name": one.name, "label": one.label, "missing": available(one, around.root, around.environ)}
            for one in self._settings.agents.values()
        ]

    async def talk(self, name: str) -> Talk:
        """A conversation by its name."""
        async with self._opening:
            if name not in self._talks:
                path = conversation_files.path_of(self._around.state, name)
                if not path.exists():
                    raise NoSuchConversation(
                        f"there is no conversation {name!r}", hint="it may have been removed"
                    )
                await self._open(conversation_files.ConversationFile(path))
        return self._talks[name]

    async def _open(self, kept: conversation_files.ConversationFile) -> Talk:
        talk = await asyncio.to_thread(Talk, kept, self._around, self._ask, lambda _: self._on_change())
        self._talks[talk.id] = talk
        await talk.recover()
        await talk.refresh()
        return talk

    async def create(self, agent: str, task: PlaceDocument | None = None) -> Talk:
        """Begin a conversation. The agent is started with the first prompt."""
        self._agent(agent)
        kept = await asyncio.to_thread(conversation_files.create, self._around.state)
        about = {"task": task} if task else {}
        await asyncio.to_thread(kept.append, {"kind": "began", "agent": agent, "at": now(), **about})
        async with self._opening:
            talk = await self._open(kept)
        self._on_change()
        return talk

    async def all(self) -> list[ConversationListed]:
        """All conversations, the latest first."""
        names = await asyncio.to_thread(conversation_files.names, self._around.state)
        talks = [await self.talk(name) for name in names]
        for talk in talks:
            await talk.catch_up()
        found = [
            conversation_documents.listed(one.id, one.thread, self._label(one.thread.agent)) for one in talks
        ]
        return sorted(found, key=lambda one: one["at"], reverse=True)

    async def document(
        self, name: str, *, after: int | None = None, before: int | None = None
    ) -> ConversationDocument:
        """One conversation, or the part of it that is asked for."""
        talk = await self.talk(name)
        await talk.refresh()
        document = conversation_documents.conversation(
            talk.id,
            talk.thread,
            label=self._label(talk.thread.agent),
            root=self._around.root,
            after=after,
            before=before,
        )
        unknown = [key for key in conversation_documents.keys(document) if key not in self._calls]
        if unknown:
            self._calls |= await self._ask(lambda desk: desk.conversing.calls(unknown))
        return conversation_documents.linked(document, self._calls)

    async def prompt(self, name: str, text: str, context: Sequence[PlaceDocument]) -> PromptedDocument:
        """Ask the agent of a conversation for something."""
        talk = await self.talk(name)
        agent = self._agent(talk.thread.agent)
        if self._settings.auto_accept:
            await self._accept_before(talk)
        else:
            # What became of what was decided just now is put down by then: the agent hears it with this.
            await self._ask(lambda desk: None)
        turn = await talk.prompt(agent, text, tasks.introduced(talk.thread, context))
        return {"id": talk.id, "round": turn.number, "seq": talk.thread.seq}

    async def _accept_before(self, talk: Talk) -> None:
        """Keep what earlier turns left undecided, as the person has chosen."""
        turns = [turn.ledger for turn in talk.thread.turns.values() if turn.ledger and turn.ended]
        await self._ask(lambda desk: desk.decide("accept", turns, reason="a new prompt was sent"))

    async def turn(self, name: str) -> PendingTurn | None:
        """A turn of the ledger, with what is undecided of it."""
        found: PendingTurn | None = await self._ask(lambda desk: desk.conversing.turn(name))
        return found

    async def accept(self, turn: str, reason: str = "") -> TurnDecision:
        """Keep a whole turn."""
        done: TurnDecision = await self._ask(
            lambda desk: turn_decisions.decide(desk, "accept", turn, {}, reason)
        )
        return done

    async def reject(self, turn: str, choices: Mapping[str, FileChoice], reason: str = "") -> TurnDecision:
        """Take back a whole turn; one that runs here is stopped first. Its conversation follows."""
        for talk in [*self._talks.values()]:
            if talk.thread.running is not None and talk.thread.running.ledger == turn:
                talk.must_be_here()
                await talk.stop()
        done: TurnDecision = await self._ask(
            lambda desk: turn_decisions.decide(desk, "reject", turn, choices, reason)
        )
        await self.refresh()
        return done

    async def undo(self, decisions: Sequence[str]) -> list[DecisionDocument]:
        """Take decisions back, the latest first; the conversation comes back with them."""
        done = await self._ask(lambda desk: [desk.undo(name) for name in reversed(decisions)])
        await self.refresh()
        return list(done)

    async def refresh(self) -> None:
        """Something was decided: conversations may be shown another way, and turns may have to stop."""
        for talk in [*self._talks.values()]:
            await talk.catch_up()
        noted = {number: turn for talk in self._talks.values() for number, turn in talk.thread.noted.items()}
        rejections = await self._ask(lambda desk: desk.conversing.rejections(noted))
        for talk in self._talks.values():
            talk.follow(rejections)

    def refresh_soon(self) -> None:
        """The same for somebody who does not wait, if a turn runs here."""
        if any(talk.is_running for talk in self._talks.values()):
            task = asyncio.create_task(self.refresh())
            self._refreshing.add(task)
            task.add_done_callback(self._refreshing.discard)

    async def close(self) -> None:
        """End the agents of all conversations."""
        await asyncio.gather(*(talk.leave() for talk in self._talks.values()))
