"""A turn while it runs: what the agent is told, says, does and asks, until it stops."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from blueline.chat import rewind, tasks
from blueline.chat.agent_link import AgentLink
from blueline.chat.agent_process import AgentFailed, AgentLost
from blueline.chat.agent_sessions import AgentSessions
from blueline.chat.agents import ChatAgent
from blueline.chat.conversation_files import Record
from blueline.chat.draft import Drafting, OfferedAnswer
from blueline.chat.kept_transcript import KeptTranscript
from blueline.chat.questions import Questions
from blueline.chat.transcript import TranscriptTurn
from blueline.chat.turn_record import Surroundings, TurnRecord
from blueline.chat.wire import AgentPlan, Doing, Words
from blueline.desk import Desk
from blueline.errors import BluelineError

if TYPE_CHECKING:
    from blueline.contract.conversations import PlaceDocument

STOP_SECONDS = 10.0
"""How long an agent that was told to stop may take, before its process is ended."""

Ask = Callable[[Callable[[Desk], Any]], Awaitable[Any]]
"""Opens the desk, asks it something, closes it."""


class TurnRun:
    """One turn, from its prompt to its end."""

    def __init__(self, kept: KeptTranscript, turn: TranscriptTurn, around: Surroundings, ask: Ask) -> None:
        self._kept = kept
        self._turn = turn
        self._around = around
        self._ask = ask
        self.drafting = Drafting(kept.keep, kept.thread)
        self.recording: TurnRecord | None = None
        """Writes it down, once the agent is there."""
        self.is_stopping = False

    @property
    def session(self) -> str:
        """The agent's own name for the conversation; empty before it has begun."""
        return self._kept.thread.turns[self._turn.number].session

    async def carry_out(
        self,
        chat: str,
        agent: ChatAgent,
        link: AgentLink,
        sessions: AgentSessions,
        history: tuple[int, ...],
        drain: Callable[[], Awaitable[None]],
    ) -> None:
        """Ask the agent, and wait for its end. Whatever goes wrong, the turn has one."""
        stop, error = "failed", ""
        try:
            stop = await self._talk(chat, agent, link, sessions, history)
        except (AgentFailed, AgentLost) as failed:
            stop, error = ("cancelled", "") if self.is_stopping else ("failed", f"{failed} ({failed.hint})")
        except BluelineError as failed:
            error = f"{failed} ({failed.hint})" if failed.hint else str(failed)
        except asyncio.CancelledError:
            error = "the workbench was stopped"
        except Exception as bug:  # the outermost place of a turn
            error = f"a bug in Blueline stopped this turn: {self._around.report(bug)}"
        finally:
            await drain()
            await self._finish(stop, error)

    async def _talk(
        self,
        chat: str,
        agent: ChatAgent,
        link: AgentLink,
        sessions: AgentSessions,
        history: tuple[int, ...],
    ) -> str:
        turn, thread = self._turn, self._kept.thread
        process = await link.started(agent)
        session, preamble = await sessions.choose(process, history)
        recording = self.recording = TurnRecord(self._around, agent.name, session)
        told = await asyncio.to_thread(recording.claim, [*thread.sessions])
        told += rewind.reasoned(thread.reasons(turn.number))
        ledger = await self._ask(await asyncio.to_thread(recording.begin, turn.prompt, chat))
        about = {"session": session, "ledger": ledger or ""}
        await self._kept.keep({"kind": "ledger", "turn": turn.number, **about})
        if self.is_stopping:
            return "cancelled"
        texts = [turn.prompt, *contexts(turn.context), *recording.advice(), *told, *preamble]
        stop = await process.prompt(session, texts)
        await asyncio.to_thread(recording.heard)
        return "cancelled" if self._was_stopped() else stop

    def _was_stopped(self) -> bool:
        return self.is_stopping

    async def _finish(self, stop: str, error: str) -> None:
        turn, thread = self._turn, self._kept.thread
        await self.drafting.close()
        # Nothing may begin in the turn from here on.
        recording, self.recording = self.recording, None
        if recording is not None:
            await asyncio.to_thread(recording.finish)
        records: list[Record] = []
        session = thread.sessions.get(self.session)
        if session is not None and stop != "refusal":
            turns = {"turns": [*session.turns, turn.number], "marks": [*session.marks]}
            records.append({"kind": "session", "session": session.name, **turns})
            if mark := self.drafting.last_message:
                records.append({"kind": "mark", "session": session.name, "turn": turn.number, "mark": mark})
        if error:
            records.append(self._kept.note(turn.number, error, "error"))
        await self._kept.keep(*records, self._kept.ended(turn, stop, error))

    # What the agent says

    async def take(self, said: object) -> None:
        """Keep what the agent says, and look at what it does."""
        number, recording = self._turn.number, self.recording
        match said:
            case Words():
                await self.drafting.words(number, said)
            case Doing() if recording is not None:
                told = recording.told(said)
                await asyncio.to_thread(recording.record_call, told)
                await self.drafting.doing(number, told, recording.key(told.id))
            case AgentPlan():
                await self.drafting.plan(number, said)
            case _:
                pass

    async def asked(self, doing: Doing, options: Sequence[OfferedAnswer], questions: Questions) -> str | None:
        """The agent asks whether it may, which is taken in; the option that was chosen, None if none was."""
        recording = self.recording
        if recording is None:
            return None
        await self.drafting.flush()
        told = recording.told(doing)
        if told.tool == tasks.PROPOSE and (once := _first(options, "allow_once")) is not None:
            return once  # it writes nothing, and a person decides about what it proposes
        held = await asyncio.to_thread(recording.hold, told)
        refusal = _first(options, "reject_once") or _first(options, "reject_always")
        if held and refusal is not None:
            await self._kept.say(f"In hold mode nothing is written: {held} is a proposal now.")
            return refusal
        diffs = await asyncio.to_thread(recording.proposed, told)
        return await questions.ask(await self.drafting.question(self._turn.number, told, diffs, options))


def _first(options: Sequence[OfferedAnswer], kind: str) -> str | None:
    return next((one.id for one in options if one.kind == kind), None)


def contexts(places: Sequence[PlaceDocument]) -> list[str]:
    """What is said to an agent of the places in files that go along with a prompt."""
    found = []
    for place in places:
        line, end = place.get("line"), place.get("end_line")
        where = f"{place['path']}, lines {line} to {end or line}" if line else str(place["path"])
        quote = f":\n\n{place['quote']}" if place.get("quote") else ""
        advice = f"\n\n{place['advice']}" if place.get("advice") else ""
        found.append(f"[This is about {where}{quote}{advice}]")
    return found
