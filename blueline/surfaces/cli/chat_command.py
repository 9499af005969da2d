"""The command that talks to an agent in a terminal, line by line."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from blueline.chat.agents import first_available
from blueline.chat.conversations import Conversations
from blueline.chat.talk import Talk
from blueline.chat.transcript import Entry
from blueline.chat.turn_record import Surroundings
from blueline.desk import Desk
from blueline.desk.followed_project import FollowedProject
from blueline.errors import CHOICE_NEEDED, DONE, INTERRUPTED, BluelineError
from blueline.model.dependents import FileChoice
from blueline.surfaces.cli import chat_text as wording
from blueline.surfaces.cli import staying
from blueline.surfaces.cli.bug_report import report
from blueline.surfaces.cli.chat_lines import TypedLines
from blueline.surfaces.cli.request import Request, as_json, complain, joined, write
from blueline.surfaces.cli.terminal import Screen

if TYPE_CHECKING:
    from blueline.contract.conversations import ChatAnswer, ChatStarted, ConversationsDocument, TurnDecision

QUIET_SECONDS = 0.05
"""How long the screen may lag behind what is kept."""
LOOK_SECONDS = 1.0
"""How often it is looked whether somebody took back the turn that is running."""


def chat(request: Request) -> int:
    """Talk to an agent until the person leaves."""
    with request.desk() as desk:
        root, state = desk.root, desk.state
    staying.collect()
    project = FollowedProject(root, state, request.open)
    try:
        if request.arguments.list:
            return asyncio.run(_listed(request, project))
        return asyncio.run(_Chat(request, project).run())
    finally:
        project.close()


def _conversations(project: FollowedProject, on_change: Callable[[], None]) -> Conversations:
    around = Surroundings(
        root=project.root,
        state=project.state,
        environ=dict(os.environ),
        report=lambda bug: report(["chat"], bug),
        program="another terminal",
    )

    async def ask(verb: Callable[[Desk], Any]) -> Any:
        return await asyncio.wrap_future(project.asked(verb))

    return Conversations(around, ask, on_change)


async def _listed(request: Request, project: FollowedProject) -> int:
    conversations = _conversations(project, lambda: None)
    document: ConversationsDocument = {
        "conversations": await conversations.all(),
        "agents": conversations.agents(),
    }
    return request.answer(document, wording.listed)


class _Chat:
    """One run of the command."""

    def __init__(self, request: Request, project: FollowedProject) -> None:
        self._request = request
        self._root = project.root
        self._changed = asyncio.Event()
        self._conversations = _conversations(project, self._changed.set)
        self._screen: Screen = request.screen(sys.stdout)
        self._lines = TypedLines(sys.stdin)
        self._printed: dict[int, int] = {}
        self._told: dict[int, object] = {}
        self._interrupted = asyncio.Event()
        self._undone: list[list[str]] = []

    async def run(self) -> int:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._interrupted.set)
        try:
            talk = await self._begin()
            self._say(wording.greeting(self._document(talk), is_terminal=self._lines.is_terminal))
            return await self._converse(talk)
        finally:
            await self._conversations.close()

    async def _begin(self) -> Talk:
        given = self._request.arguments
        if given.resume:
            talk = await self._conversations.talk(given.resume)
            talk.must_be_free()
            for entry in talk.thread.shown:
                self._printed[entry.number] = len(entry.text)
                self._told[entry.number] = wording.status(entry)
            return talk
        return await self._conversations.create(given.agent or first_available(self._root, os.environ))

    def _document(self, talk: Talk) -> ChatStarted:
        return {
            "id": talk.id,
            "agent": talk.thread.agent,
            "composer": talk.thread.composer.text,
        }

    async def _converse(self, talk: Talk) -> int:
        words = " ".join(self._request.arguments.prompt)
        if words:
            code = await self._turn(talk, words)
            if not self._lines.is_terminal:
                return code
        while (line := await self._read("> ")) is not None:
            text = line.strip()
            if not text:
                continue
            if text in ("/quit", "/exit"):
                break
            try:
                await self._obey(talk, text)
            except BluelineError as error:
                complain(str(error), self._request.screen(sys.stderr), hint=error.hint)
        return INTERRUPTED if self._interrupted.is_set() else DONE

    async def _obey(self, talk: Talk, text: str) -> None:
        word, _, rest = text.partition(" ")
        match word:
            case "/accept" | "/reject":
                await self._decide(talk, word[1:], rest.strip())
            case "/undo":
                await self._undo(talk)
            case "/help":
                self._say(wording.HELP)
            case _:
                await self._turn(talk, text)

    # A turn

    async def _turn(self, talk: Talk, text: str) -> int:
        await self._conversations.prompt(talk.id, text, [])
        self._interrupted.clear()
        while talk.is_running:
            self._changed.clear()
            await talk.refresh()
            self._show(talk)
            for entry in talk.thread.waiting():
                await self._ask(talk, entry)
            if self._interrupted.is_set():
                self._interrupted.clear()
                self._say([wording.STOPPING])
                await talk.stop()
            await self._either(
                self._changed.wait(),
                self._interrupted.wait(),
                self._over(talk),
                asyncio.sleep(LOOK_SECONDS),
            )
            await asyncio.sleep(QUIET_SECONDS)
        self._show(talk)
        return await self._ended(talk)

    async def _over(self, talk: Talk) -> None:
        while talk.is_running:
            await asyncio.sleep(QUIET_SECONDS)

    async def _either(self, *ways: Awaitable[object]) -> None:
        tasks = [asyncio.ensure_future(way) for way in ways]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()

    def _show(self, talk: Talk) -> None:
        """Print what is new since the last time."""
        for entry in talk.thread.entries:
            if self._request.is_json:
                continue
            done = self._printed.get(entry.number)
            if entry.kind in ("agent", "thought") and (done is None or done < len(entry.text)):
                write(wording.streamed(entry, done, self._screen))
            elif self._told.get(entry.number) != wording.status(entry):
                self._say(wording.entry(entry, self._screen, self._root))
            self._told[entry.number] = wording.status(entry)
            self._printed[entry.number] = len(entry.text)

    async def _ask(self, talk: Talk, entry: Entry) -> None:
        options = entry.about["options"]
        self._say(wording.question(entry, self._screen, self._root))
        if not self._lines.is_terminal:
            await talk.refuse(entry.number)  # nobody is there to be asked
            return
        chosen: str | None = None
        while chosen is None and not self._interrupted.is_set():
            line = await self._read("allow? ", self._given_up(talk, entry))
            if line is None:
                break
            chosen = wording.chosen(line, options)
        if chosen is not None:
            await talk.answer(entry.number, chosen)
        else:
            await talk.stop()

    async def _given_up(self, talk: Talk, asked: Entry) -> None:
        """Wait until nobody asks that any more: somebody took the turn back elsewhere, say."""
        while any(entry.number == asked.number for entry in talk.thread.waiting()):
            await asyncio.sleep(LOOK_SECONDS)
            await talk.refresh()

    async def _ended(self, talk: Talk) -> int:
        turn = talk.thread.turns[len(talk.thread.turns)]
        found = await self._conversations.turn(turn.ledger) if turn.ledger else None
        if self._request.is_json:
            document = await self._conversations.document(talk.id)
            answer: ChatAnswer = {**document, "pending": found["pending"] if found else []}
            write(as_json(answer))
        else:
            self._say(wording.ended(turn, found, self._screen))
        return DONE if turn.stop == "end_turn" else INTERRUPTED if turn.stop == "cancelled" else 1

    # Decisions

    async def _decide(self, talk: Talk, verdict: str, named: str) -> None:
        turn = named or talk.thread.last_shown
        if not turn:
            raise BluelineError("there is no turn to decide about", hint="send a prompt first")
        if verdict == "accept":
            document = await self._conversations.accept(turn)
        else:
            document = await self._conversations.reject(turn, {})
            if document["needs"]:
                document = await self._choose(turn, document)
        if document["decisions"]:
            self._undone.append(document["decisions"])
        self._say(wording.decided(document))
        if verdict == "reject" and document["decisions"]:
            self._say(wording.back(talk.thread.composer.text))

    async def _choose(self, turn: str, document: TurnDecision) -> TurnDecision:
        choices: dict[str, FileChoice] = {}
        for need in document["needs"]:
            self._say(wording.moved(need))
            line = (
                await self._read(f"{'/'.join(need['choices'])}/cancel? ") if self._lines.is_terminal else None
            )
            choice = next((one for one in need["choices"] if line is not None and line.strip() == one), None)
            if choice is None:
                raise _Cancelled("nothing was taken back", hint="choose for each file, or keep the turn")
            choices[need["path"]] = choice
        return await self._conversations.reject(turn, choices)

    async def _undo(self, talk: Talk) -> None:
        if not self._undone:
            raise BluelineError(
                "there is nothing to undo here", hint="`blueline undo` takes back any decision"
            )
        await self._conversations.undo(self._undone.pop())
        await talk.refresh()
        self._say(["Taken back: files and conversation are as they were."])

    # The terminal

    async def _read(self, prompt: str, *ends: Coroutine[Any, Any, object]) -> str | None:
        """A line; None at the end of all lines, when somebody interrupts, or when something else ends it."""
        if self._lines.is_terminal:
            write(prompt)
        reading = asyncio.ensure_future(self._lines.next())
        others = [asyncio.ensure_future(end) for end in (self._interrupted.wait(), *ends)]
        await asyncio.wait({reading, *others}, return_when=asyncio.FIRST_COMPLETED)
        for other in others:
            other.cancel()
        if reading.done():
            return reading.result()
        reading.cancel()
        write("\n")
        return None

    def _say(self, lines: Any) -> None:
        if not self._request.is_json:
            write(joined(lines))


class _Cancelled(BluelineError):
    exit_code = CHOICE_NEEDED
