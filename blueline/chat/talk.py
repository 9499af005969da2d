"""One conversation, live: prompts go to the agent, and what it says and does is kept as it comes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from blueline.chat import tasks
from blueline.chat.agent_link import AgentLink
from blueline.chat.agent_sessions import AgentSessions
from blueline.chat.agents import ChatAgent
from blueline.chat.conversation_files import ConversationFile
from blueline.chat.draft import OfferedAnswer
from blueline.chat.kept_transcript import KeptTranscript
from blueline.chat.questions import Questions
from blueline.chat.talk_inbox import Inbox
from blueline.chat.transcript import Transcript, TranscriptTurn
from blueline.chat.turn_lock import ConversationBusy, TurnLock
from blueline.chat.turn_record import Surroundings, TurnRecord
from blueline.chat.turn_run import STOP_SECONDS, Ask, TurnRun
from blueline.chat.wire import Commands, Doing, Said, Suggestions
from blueline.desk.state_folder import now
from blueline.desk.turn_rejections import TurnRejections
from blueline.errors import BluelineError
from blueline.journal.log import Journal

if TYPE_CHECKING:
    from blueline.contract.conversations import PlaceDocument


class NextPrompts(NamedTuple):
    """Suggestions of an agent, in one of its conversations."""

    session: str
    suggestions: Suggestions


class Talk:
    """A conversation that is open: what people do in it, and the turn that is running."""

    def __init__(
        self,
        kept_file: ConversationFile,
        surroundings: Surroundings,
        ask: Ask,
        on_change: Callable[[Talk], None],
    ) -> None:
        self.id = kept_file.id
        self._kept = KeptTranscript(kept_file, lambda: on_change(self))
        self._on_change = on_change
        self._ask = ask
        has_task = self.thread.task is not None
        self._around = tasks.equipped(surroundings, kept_file.id) if has_task else surroundings
        self._link = AgentLink(self, self._around)
        self._sessions = AgentSessions(self.thread, self._around.servers, self._kept.keep, self._kept.say)
        self._inbox = Inbox(self)
        self._questions = Questions(self._kept)
        self._turn: TurnRun | None = None
        """The last one that was begun here."""
        self._run: asyncio.Task[None] | None = None
        self._stopping: asyncio.Task[None] | None = None
        """Stops a turn that was taken back."""
        self._lock = TurnLock(kept_file.path, surroundings.program)
        self._turn_here = 0
        """The number of the last turn that was held from here."""
        self._journal = Journal(surroundings.state / "journal")
        self._asked_at = -1
        """Where the journal ended when the ledger was last asked."""

    @property
    def thread(self) -> Transcript:
        return self._kept.thread

    # What others do

    async def catch_up(self) -> None:
        """Take in what other programs have added."""
        await self._kept.catch_up()

    async def refresh(self) -> None:
        """Take in what is new, and ask the ledger which turns are taken back."""
        await self.catch_up()
        end = await asyncio.to_thread(self._journal.end)
        noted = self.thread.noted
        if end != self._asked_at and any(turn.ledger for turn in self.thread.turns.values()):
            self.follow(await self._ask(lambda desk: desk.conversing.rejections(noted)))
            self._asked_at = end

    def follow(self, rejections: TurnRejections) -> None:
        """Show what is left when these turns are taken back, and stop one of them that runs."""
        if self.thread.follow(rejections):
            self._on_change(self)
        running = self.thread.running
        if running is not None and running.number in self.thread.hidden and self._stopping is None:
            # Whoever asks to see the conversation does not wait for the end of the turn.
            self._stopping = asyncio.create_task(self.stop())

    async def recover(self) -> None:
        """A turn that was running when its program ended has ended as well; one of others goes on."""
        turn = self.thread.running
        if turn is not None and not self.is_running and await asyncio.to_thread(self._lock.is_free):
            await self._end_left(turn)

    async def _end_left(self, turn: TranscriptTurn) -> None:
        if turn.session:
            recording = TurnRecord(self._around, self.thread.agent, turn.session)
            await asyncio.to_thread(recording.finish)
        why = "the program that talked to the agent was ended"
        await self._kept.keep(self._kept.ended(turn, "failed", why))

    def must_be_free(self) -> None:
        """Refuse to go on while another program has a turn in this conversation."""
        self._lock.take()
        self._lock.release()

    def must_be_here(self) -> None:
        """Refuse what only the program can do that has the turn, while that is another one."""
        if self.thread.running is not None and not self.is_running:
            self.must_be_free()

    # What people do

    @property
    def is_running(self) -> bool:
        return self._run is not None and not self._run.done()

    async def compose(self, text: str, context: Sequence[PlaceDocument]) -> None:
        """Keep what stands in the composer."""
        if (text, tuple(context)) != (self.thread.composer.text, self.thread.composer.context):
            about = {"context": [*context], "decided": self.thread.rejections.known_to}
            await self._kept.keep({"kind": "composer", "text": text, **about})

    async def prompt(self, agent: ChatAgent, text: str, context: Sequence[PlaceDocument]) -> TranscriptTurn:
        """Ask the agent for something. Returns when that is kept; the turn goes on by itself."""
        if self.is_running:
            raise ConversationBusy("the agent is still at work", hint="wait for it, or stop it")
        if not text.strip():
            raise BluelineError("there is nothing to send", hint="type something")
        self._lock.take()
        try:
            turn, history = await self._begin(text, context)
        except BaseException:
            self._lock.release()
            raise
        self._stopping = None
        self._turn = TurnRun(self._kept, turn, self._around, self._ask)
        self._run = asyncio.create_task(self._carry_out(self._turn, agent, history))
        return turn

    async def _begin(
        self, text: str, context: Sequence[PlaceDocument]
    ) -> tuple[TranscriptTurn, tuple[int, ...]]:
        """Keep a new turn; with those that the agent should remember."""
        await self.refresh()
        thread = self.thread
        if thread.running is not None:
            await self._end_left(thread.running)
        composer = thread.composer
        before = {
            "entries": len(thread.entries),
            "messages": len(thread.shown),
            "composer": {"text": text, "context": [*context]},
            "typed": {"text": composer.text, "context": [*composer.context]},
            "suggestions": thread.commands,
            "running": False,
        }
        history = thread.history
        number = len(thread.turns) + 1
        about = {
            "prompt": text,
            "context": [*context],
            "before": before,
            "session": "",
            "decided": thread.rejections.known_to,
        }
        await self._kept.keep({"kind": "turn", "turn": number, "at": now(), **about})
        if number != self._turn_here + 1:
            await self._link.close()  # others had a turn since, of which its process knows nothing
        self._turn_here = number
        return thread.turns[number], history

    async def _carry_out(self, turn: TurnRun, agent: ChatAgent, history: tuple[int, ...]) -> None:
        self._inbox.open()
        try:
            await turn.carry_out(self.id, agent, self._link, self._sessions, history, self._inbox.drain)
        finally:
            self._lock.release()

    async def stop(self) -> None:
        """Stop the turn. What landed stays, for somebody to decide."""
        turn, run, process = self._turn, self._run, self._link.process
        if turn is None or run is None or not self.is_running:
            return
        turn.is_stopping = True
        self._questions.give_up()
        if process is not None and turn.session:
            await process.cancel(turn.session)
        done, _ = await asyncio.wait({run}, timeout=STOP_SECONDS)
        if not done and process is not None:
            await process.close()
            await asyncio.wait({run})

    async def answer(self, entry: int, option: str | None) -> None:
        """Answer what the agent asked; None for nothing."""
        self.must_be_here()
        self._questions.answer(entry, option)

    async def refuse(self, entry: int) -> None:
        """Answer what the agent asked with no, for now; if that is not offered, stop the turn."""
        refusal = self._questions.refusal(entry)
        if refusal is None:
            await self.stop()
        else:
            await self.answer(entry, refusal)

    async def set_closed(self, closed: bool) -> None:
        """Put the conversation away, or take it out again."""
        await self._kept.keep({"kind": "closed", "closed": closed})
        if closed:
            await self.leave()

    async def leave(self) -> None:
        """End the agent's process."""
        if self.is_running and self._turn is not None and self._run is not None:
            self._turn.is_stopping = True
            self._run.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._run
        self._inbox.close()
        was_there = self._link.process is not None
        await self._link.close()
        last = self.thread.turns.get(len(self.thread.turns))
        if was_there and last is not None and last.session:
            recording = TurnRecord(self._around, self.thread.agent, last.session)
            await asyncio.to_thread(recording.leave)

    # What the agent does: see `client.Listener` and `inbox.InboxReader`

    @property
    def recording(self) -> TurnRecord | None:
        """Writes down the turn that is running."""
        return self._turn.recording if self._turn is not None and self.is_running else None

    @property
    def agent_pid(self) -> int | None:
        return self._link.pid

    def hear(self, session: str, said: Said) -> None:
        """Take in what the agent says, in its order. What it says outside a turn is history that it tells."""
        turn = self.thread.running
        self._sessions.hear(session, said)
        is_now = turn is not None and session == turn.session
        if isinstance(said, Suggestions):  # they come when the turn has ended
            self._inbox.put(NextPrompts(session, said))
        elif said is not None and (is_now or isinstance(said, Commands)):
            self._inbox.put(said)

    async def asked(self, session: str, doing: Doing, options: Sequence[OfferedAnswer]) -> str | None:
        """The agent asks whether it may; the option that was chosen, None if the turn was stopped."""
        turn = self._turn
        if turn is None or not self.is_running or turn.session != session or turn.is_stopping:
            return None
        self._inbox.put(doing)
        await self._inbox.drain()
        return await turn.asked(doing, options, self._questions)

    async def take(self, said: object) -> None:
        """Keep something that the agent has said."""
        match said:
            case Commands():
                offered = [{"name": name, "description": text} for name, text in said.commands]
                if offered != self.thread.commands:
                    await self._kept.keep({"kind": "commands", "commands": offered})
            case NextPrompts():
                last = self.thread.turns.get(len(self.thread.turns))
                if last is not None and last.session == said.session:
                    texts = [*said.suggestions.texts]
                    await self._kept.keep({"kind": "suggestions", "turn": last.number, "texts": texts})
            case _ if self._turn is not None and self.thread.running is not None:
                await self._turn.take(said)

    @property
    def patience(self) -> float | None:
        """How long text of the agent can still wait for more."""
        return self._turn.drafting.patience if self._turn is not None else None

    async def flush(self) -> None:
        """Keep the text that waits."""
        if self._turn is not None:
            await self._turn.drafting.flush()

    async def say(self, text: str) -> None:
        """Say something in the conversation, in Blueline's own name."""
        await self._kept.say(text)
