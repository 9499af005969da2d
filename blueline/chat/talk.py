"""One conversation, live: prompts go to the agent, and what it says and does is kept as it comes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from blueline.chat import rewind, tasks
from blueline.chat.agent_process import AgentFailed, AgentLost, AgentProcess
from blueline.chat.agent_sessions import AgentSessions
from blueline.chat.agents import ChatAgent, program
from blueline.chat.client import Client
from blueline.chat.conversation_files import Keeping, Record
from blueline.chat.draft import Drafting, OfferedAnswer
from blueline.chat.transcript import Entry, Transcript, TranscriptTurn, is_waiting
from blueline.chat.turn_lock import ConversationBusy, TurnLock
from blueline.chat.turn_record import Surroundings, TurnRecord
from blueline.chat.wire import AgentPlan, Commands, Doing, Said, Suggestions, Words
from blueline.desk import Desk
from blueline.desk.turn_rejections import TurnRejections
from blueline.errors import BluelineError
from blueline.journal.log import Journal

if TYPE_CHECKING:
    from blueline.contract.conversations import PlaceDocument

STOP_SECONDS = 10.0
"""How long an agent that was told to stop may take, before its process is ended."""

BACK = ("cancelled", "failed", "refusal")
"""Ends of a turn after which the prompt is back in the composer."""

Result = TypeVar("Result")
Ask = Callable[[Callable[[Desk], Any]], Awaitable[Any]]
"""Opens the desk, asks it something, closes it."""


class NotWaiting(BluelineError):
    """Nobody asks that, or not any more."""


class NextPrompts(NamedTuple):
    """Suggestions of an agent, in one of its conversations."""

    session: str
    suggestions: Suggestions


class Talk:
    """A conversation that is open: its agent, its turns, and what the person is asked."""

    def __init__(
        self,
        keeping: Keeping,
        surroundings: Surroundings,
        ask: Ask,
        on_change: Callable[[Talk], None],
    ) -> None:
        self.id = keeping.id
        self.thread = Transcript()
        self._keeping = keeping
        self._around = surroundings
        self._ask = ask
        self._on_change = on_change
        self._link: AgentProcess | None = None
        self._client: Client | None = None
        self._recording: TurnRecord | None = None
        self._drafting = Drafting(self._keep, self.thread)
        self._queue: asyncio.Queue[tuple[object, asyncio.Future[None] | None]] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._run: asyncio.Task[None] | None = None
        self._answers: dict[int, asyncio.Future[str | None]] = {}
        self._is_stopping = False
        self._stopping: asyncio.Task[None] | None = None
        """Stops a turn that was taken back."""
        self._journal = Journal(surroundings.state / "journal")
        self._asked_at = -1
        """Where the journal ended when the ledger was last asked."""
        self._keep_lock = asyncio.Lock()
        self._lock = TurnLock(keeping.path, surroundings.program)
        self._turn_here = 0
        """The last turn that was held from here."""
        self.thread.take(keeping.news())
        if self.thread.task is not None:
            self._around = tasks.equipped(surroundings, keeping.id)
        self._sessions = AgentSessions(self.thread, self._around.servers, self._keep, self._say)

    # Records

    async def _keep(self, *records: Record) -> None:
        async with self._keep_lock:
            await asyncio.to_thread(self._append, records)
        self._on_change(self)

    def _append(self, records: Sequence[Record]) -> None:
        for record in records:
            self._keeping.append(record)
        self.thread.take(self._keeping.news())

    async def catch_up(self) -> None:
        """Take in what other programs have added."""
        async with self._keep_lock:
            found = await asyncio.to_thread(lambda: self.thread.take(self._keeping.news()))
        if found:
            self._on_change(self)

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
        await self._keep(self._ended(turn, "failed", "the program that talked to the agent was ended"))

    # What people do

    @property
    def is_running(self) -> bool:
        return self._run is not None and not self._run.done()

    def must_be_free(self) -> None:
        """Refuse to go on while another program has a turn in this conversation."""
        self._lock.take()
        self._lock.release()

    async def compose(self, text: str, context: Sequence[PlaceDocument]) -> None:
        """Keep what stands in the composer."""
        if (text, tuple(context)) != (self.thread.composer.text, self.thread.composer.context):
            about = {"context": [*context], "decided": self.thread.rejections.known_to}
            await self._keep({"kind": "composer", "text": text, **about})

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
        self._run = asyncio.create_task(self._carry_out(agent, turn, history))
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
        self._is_stopping, self._stopping = False, None
        await self._keep({"kind": "turn", "turn": number, "at": now(), **about})
        if number != self._turn_here + 1 and self._link is not None:
            await self._link.close()  # others had a turn since, of which this process knows nothing
        self._turn_here = number
        return thread.turns[number], history

    async def stop(self) -> None:
        """Stop the turn. What landed stays, for somebody to decide."""
        turn = self.thread.running
        if turn is None or not self.is_running:
            return
        self._is_stopping = True
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_result(None)
        link = self._link
        if link is not None and turn.session:
            await link.cancel(turn.session)
        run = self._run
        if run is not None:
            done, _ = await asyncio.wait({run}, timeout=STOP_SECONDS)
            if not done and link is not None:
                await link.close()
                await asyncio.wait({run})

    async def answer(self, entry: int, option: str | None) -> None:
        """Answer what the agent asked; None for nothing."""
        waiting = self._answers.get(entry)
        if waiting is None or waiting.done():
            raise NotWaiting("nobody asks that any more", hint="look at the conversation again")
        options = [one["id"] for one in self.thread.entries[entry].about["options"]]
        if option is not None and option not in options:
            raise NotWaiting(f"{option!r} was not offered", hint="choose one of those that were")
        waiting.set_result(option)

    async def refuse(self, entry: int) -> None:
        """Answer what the agent asked with no, for now; if that is not offered, stop the turn."""
        offered = self.thread.entries[entry].about["options"]
        refusal = next((one["id"] for one in offered if one["kind"] == "reject_once"), None)
        if refusal is None:
            await self.stop()
        else:
            await self.answer(entry, refusal)

    async def set_closed(self, closed: bool) -> None:
        """Put the conversation away, or take it out again."""
        await self._keep({"kind": "closed", "closed": closed})
        if closed:
            await self.leave()

    async def leave(self) -> None:
        """End the agent's process."""
        if self.is_running:
            self._is_stopping = True
            assert self._run is not None
            self._run.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._run
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        if self._client is not None:
            await self._client.close()
        if self._link is not None:
            await self._link.close()
            self._link = None

    # A turn

    async def _carry_out(self, agent: ChatAgent, turn: TranscriptTurn, history: tuple[int, ...]) -> None:
        stop, error = "failed", ""
        try:
            stop = await self._talk(agent, turn, history)
        except (AgentFailed, AgentLost) as failed:
            stop, error = ("cancelled", "") if self._is_stopping else ("failed", f"{failed} ({failed.hint})")
        except BluelineError as failed:
            error = f"{failed} ({failed.hint})" if failed.hint else str(failed)
        except asyncio.CancelledError:
            error = "the workbench was stopped"
        except Exception as bug:  # the outermost place of a turn
            error = f"a bug in Blueline stopped this turn: {self._around.report(bug)}"
        finally:
            await self._finish(turn, stop, error)
            self._lock.release()

    async def _talk(self, agent: ChatAgent, turn: TranscriptTurn, history: tuple[int, ...]) -> str:
        link = await self._linked(agent)
        session, preamble = await self._sessions.choose(link, history)
        self._recording = TurnRecord(self._around, agent.name, session)
        told = await asyncio.to_thread(self._recording.claim, [*self.thread.sessions])
        told += rewind.reasoned(self.thread.reasons(turn.number))
        ledger = await self._ask(await asyncio.to_thread(self._recording.begin, turn.prompt, self.id))
        await self._keep({"kind": "ledger", "turn": turn.number, "session": session, "ledger": ledger or ""})
        if self._is_stopping:
            return "cancelled"
        texts = [turn.prompt, *contexts(turn.context), *self._recording.advice(), *told, *preamble]
        stop = await link.prompt(session, texts)
        await asyncio.to_thread(self._recording.heard)
        return "cancelled" if self._was_stopped() else stop

    def _was_stopped(self) -> bool:
        return self._is_stopping

    async def _finish(self, turn: TranscriptTurn, stop: str, error: str) -> None:
        await self._drain()
        await self._drafting.close()
        if self._recording is not None:
            await asyncio.to_thread(self._recording.finish)
        records: list[Record] = []
        session = self.thread.sessions.get(self.thread.turns[turn.number].session)
        if session is not None and stop != "refusal":
            held = {
                "session": session.name,
                "turns": [*session.turns, turn.number],
                "marks": [*session.marks],
            }
            records.append({"kind": "session", **held})
            if mark := self._drafting.last_message:
                records.append({"kind": "mark", "session": session.name, "turn": turn.number, "mark": mark})
        if error:
            records.append(self._note(turn.number, error, "error"))
        await self._keep(*records, self._ended(turn, stop, error))
        self._recording = None
        self._drafting = Drafting(self._keep, self.thread)

    def _ended(self, turn: TranscriptTurn, stop: str, error: str) -> Record:
        about = {"turn": turn.number, "stop": stop, "error": error, "back": stop in BACK}
        return {"kind": "ended", "at": now(), **about}

    def _note(self, turn: int, text: str, tone: str = "") -> Record:
        number = len(self.thread.entries)
        about = {"tone": tone} if tone else {}
        return {
            "kind": "entry",
            "entry": number,
            "turn": turn,
            "type": "note",
            "at": now(),
            "text": text,
            "about": about,
        }

    async def _linked(self, agent: ChatAgent) -> AgentProcess:
        """The agent's process, started if it is not running."""
        if self._link is not None and self._link.is_alive:
            return self._link
        if self._link is not None:
            await self._link.close()
        if self._client is not None:
            await self._client.close()
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        environ = self._around.environ
        found = program(agent, self._around.root, environ)
        self._client = Client(self, self._around)
        link = AgentProcess(agent, self._around.root)
        try:
            await link.start(found, environ, self._client)
        except BaseException:
            await link.close()
            raise
        self._link = link
        return link

    async def _say(self, text: str) -> None:
        await self._keep(self._note(len(self.thread.turns), text))

    # What the agent says

    def hear(self, session: str, said: Said) -> None:
        """Take in what the agent says, in its order. What it says outside a turn is history that it tells."""
        turn = self.thread.running
        self._sessions.hear(session, said)
        is_now = turn is not None and session == turn.session
        if isinstance(said, Suggestions):  # they come when the turn has ended
            self._queue.put_nowait((NextPrompts(session, said), None))
        elif said is not None and (is_now or isinstance(said, Commands)):
            self._queue.put_nowait((said, None))

    async def _drain(self) -> None:
        """Wait until all that was said is kept."""
        if self._worker is None or self._worker.done():
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((None, done))
        await asyncio.wait({done, self._worker}, return_when=asyncio.FIRST_COMPLETED)

    async def _work(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._drafting.patience):
                    said, done = await self._queue.get()
            except TimeoutError:
                await self._drafting.flush()
                continue
            try:
                await self._take(said)
            except BluelineError as error:
                # The disk is full, say. The turn goes on, and what was not kept is said.
                with contextlib.suppress(BluelineError):
                    await self._say(f"{error} ({error.hint})")
            finally:
                if done is not None and not done.done():
                    done.set_result(None)

    async def _take(self, said: object) -> None:
        turn = self.thread.running
        match said:
            case Commands():
                offered = [{"name": name, "description": text} for name, text in said.commands]
                if offered != self.thread.commands:
                    await self._keep({"kind": "commands", "commands": offered})
            case NextPrompts():
                await self._suggest(said)
            case Words() if turn is not None:
                await self._drafting.words(turn.number, said)
            case Doing() if turn is not None and self._recording is not None:
                told = self._recording.told(said)
                await asyncio.to_thread(self._recording.record_call, told)
                await self._drafting.doing(turn.number, told, self._recording.key(told.id))
            case AgentPlan() if turn is not None:
                await self._drafting.plan(turn.number, said)
            case _:
                pass

    async def _suggest(self, said: NextPrompts) -> None:
        """Keep what the agent suggests to say after the last turn, if that was in this session."""
        last = self.thread.turns.get(len(self.thread.turns))
        if last is not None and last.session == said.session:
            texts = [*said.suggestions.texts]
            await self._keep({"kind": "suggestions", "turn": last.number, "texts": texts})

    async def asked(self, session: str, doing: Doing, options: Sequence[OfferedAnswer]) -> str | None:
        """The agent asks whether it may; the option that was chosen, None if the turn was stopped."""
        turn = self.thread.running
        if turn is None or turn.session != session or self._recording is None or self._is_stopping:
            return None
        self._queue.put_nowait((doing, None))
        await self._drain()
        await self._drafting.flush()
        told = self._recording.told(doing)
        if told.tool == tasks.PROPOSE and (once := _first(options, "allow_once")) is not None:
            return once  # it writes nothing, and a person decides about what it proposes
        held = await asyncio.to_thread(self._recording.hold, told)
        refusal = _first(options, "reject_once") or _first(options, "reject_always")
        if held and refusal is not None:
            await self._say(f"In hold mode nothing is written: {held} is a proposal now.")
            return refusal
        diffs = await asyncio.to_thread(self._recording.proposed, told)
        entry = await self._drafting.question(turn.number, told, diffs, options)
        waiting: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._answers[entry] = waiting
        try:
            chosen = await waiting
        finally:
            self._answers.pop(entry, None)
        if is_waiting(self.thread.entries[entry]):
            state = "answered" if chosen is not None else "cancelled"
            await self._keep({"kind": "changed", "entry": entry, "about": {"state": state, "answer": chosen}})
        return chosen

    def entry(self, number: int) -> Entry | None:
        return self.thread.entries[number] if 0 <= number < len(self.thread.entries) else None

    @property
    def recording(self) -> TurnRecord | None:
        """Writes down the turn that is running."""
        return self._recording

    @property
    def agent_pid(self) -> int | None:
        return self._link.pid if self._link is not None and self._link.is_alive else None


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


def now() -> str:
    from blueline.desk.state_folder import iso

    return iso(time.time_ns())
