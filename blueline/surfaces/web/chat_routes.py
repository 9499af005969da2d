"""The routes of the chat: conversations with agents, and whole turns kept or taken back."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from blueline.extras import need
from blueline.model.dependents import FILE_CHOICES, FileChoice
from blueline.surfaces.web.body import LONGEST_KEY, Fields, body, query
from blueline.surfaces.web.live import Live, Lives, Report
from blueline.surfaces.web.project import Project, Projects
from blueline.surfaces.web.responses import Clash, RequestRefused, answer

if TYPE_CHECKING:
    from blueline.chat.conversations import Conversations
    from blueline.chat.talk import Talk
    from blueline.contract.conversations import (
        ComposedDocument,
        ConversationDocument,
        ConversationNamed,
        ConversationsDocument,
        PlaceDocument,
        TalliesDocument,
        TurnDecision,
        UndoneDocument,
    )

Answer = TypeVar("Answer")

LONGEST_PROMPT = 200_000
LONGEST_REASON = 10_000
LONGEST_QUOTE = 20_000
MOST_PLACES = 50
KEYS_KEPT = 200


class Chats:
    """The conversations of all projects. What it takes to hold them is loaded with the first."""

    def __init__(self, projects: Projects, live: Lives, report: Report) -> None:
        self._projects = projects
        self._live = live
        self._report = report
        self._opened: dict[str, Conversations] = {}
        self._opening = asyncio.Lock()

    async def of(self, project: Project) -> Conversations:
        """The conversations of a project."""
        async with self._opening:
            if project.id not in self._opened:
                live = self._live.of(project)
                self._opened[project.id] = await asyncio.to_thread(self._open, project, live)
        return self._opened[project.id]

    def _open(self, project: Project, live: Live) -> Conversations:
        need("chat")
        from blueline.chat.conversations import Conversations
        from blueline.chat.turn_record import Surroundings

        around = Surroundings(
            root=project.root,
            state=project.state,
            environ=dict(os.environ),
            report=self._report,
            program="the workbench",
        )
        conversations = Conversations(around, project.ask, lambda: live.tell_chat(conversations.seqs))
        live.on_turns = conversations.refresh_soon
        return conversations

    async def close(self) -> None:
        """End the agents of every project."""
        await asyncio.gather(*(conversations.close() for conversations in self._opened.values()))


class ChatRoutes:
    """The API of the chat."""

    def __init__(self, projects: Projects, chats: Chats) -> None:
        self._projects = projects
        self._chats = chats
        self._done: OrderedDict[str, tuple[bytes, Any]] = OrderedDict()
        self._deciding = asyncio.Lock()

    def all(self) -> list[Route]:
        return [
            Route("/api/chat", self.list),
            Route("/api/chat/conversation", self.conversation),
            Route("/api/chat/tally", self.tally),
            Route("/api/chat/new", self.new, methods=["POST"]),
            Route("/api/chat/prompt", self.prompt, methods=["POST"]),
            Route("/api/chat/stop", self.stop, methods=["POST"]),
            Route("/api/chat/answer", self.answer, methods=["POST"]),
            Route("/api/chat/composer", self.composer, methods=["POST"]),
            Route("/api/chat/close", self.close, methods=["POST"]),
            Route("/api/chat/decide", self.decide, methods=["POST"]),
            Route("/api/chat/undo", self.undo, methods=["POST"]),
        ]

    async def _conversations(self, request: Request) -> tuple[Conversations, Fields]:
        asked = query(request)
        project = self._projects.named(asked.text("project") if "project" in asked else None)
        return await self._chats.of(project), asked

    async def list(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        found: ConversationsDocument = {
            "conversations": await conversations.all(),
            "agents": conversations.agents(),
        }
        return answer(found)

    async def conversation(self, request: Request) -> Response:
        conversations, asked = await self._conversations(request)
        name = asked.text("id", at_most=LONGEST_KEY)
        found = await conversations.document(name, after=asked.number("after"), before=asked.number("before"))
        return answer(found)

    async def tally(self, request: Request) -> Response:
        asked = query(request)
        project = self._projects.named(asked.text("project") if "project" in asked else None)
        found: TalliesDocument = {"tally": await project.ask(lambda desk: desk.conversing.tally())}
        return answer(found)

    async def new(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        said = await body(request)
        agent = said.text("agent", at_most=LONGEST_KEY)
        task = _place(said.fields("task")) if "task" in said else None

        async def begin() -> ConversationDocument:
            return await conversations.document((await conversations.create(agent, task)).id)

        return answer(await self._once(said, begin))

    async def prompt(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        said = await body(request)
        name, text = said.text("id", at_most=LONGEST_KEY), said.text("text", at_most=LONGEST_PROMPT)
        context = _places(said)
        return answer(await self._once(said, lambda: conversations.prompt(name, text, context)))

    async def stop(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        talk = await conversations.talk((await body(request)).text("id", at_most=LONGEST_KEY))
        talk.must_be_here()
        await talk.stop()
        return answer(_named(talk))

    async def answer(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        said = await body(request)
        talk = await conversations.talk(said.text("id", at_most=LONGEST_KEY))
        entry = said.number("entry")
        if entry is None:
            raise RequestRefused("entry is missing")
        await talk.answer(entry, said.text("option", at_most=LONGEST_REASON) if "option" in said else None)
        return answer(_named(talk))

    async def composer(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        said = await body(request)
        talk = await conversations.talk(said.text("id", at_most=LONGEST_KEY))
        await talk.compose(said.text("text", at_most=LONGEST_PROMPT), _places(said))
        kept: ComposedDocument = {"id": talk.id, "seq": talk.thread.seq}
        return answer(kept)

    async def close(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        said = await body(request)
        talk = await conversations.talk(said.text("id", at_most=LONGEST_KEY))
        await talk.set_closed(said.flag("closed"))
        return answer(_named(talk))

    async def decide(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        said = await body(request)
        verdict = said.choice("verdict", ("accept", "reject"))
        turn, reason = (
            said.text("turn", at_most=LONGEST_KEY),
            said.text_or("reason", "", at_most=LONGEST_REASON),
        )
        choices = said.mapping("choices")
        if {*choices.values()} - {*FILE_CHOICES}:
            raise RequestRefused(f"choices are {', '.join(FILE_CHOICES)}")

        async def act() -> TurnDecision:
            if verdict == "accept":
                return await conversations.accept(turn, reason)
            return await conversations.reject(turn, cast(dict[str, FileChoice], choices), reason)

        document = await self._once(said, act)
        if document["needs"]:
            rest = {name: value for name, value in document.items() if name not in ("error", "hint")}
            raise Clash(document["error"], hint=document["hint"], **rest)
        return answer(document)

    async def undo(self, request: Request) -> Response:
        conversations, _ = await self._conversations(request)
        said = await body(request)
        decisions = said.texts("decisions")

        async def act() -> UndoneDocument:
            return {"undone": await conversations.undo(decisions)}

        return answer(await self._once(said, act))

    async def _once(self, said: Fields, act: Callable[[], Awaitable[Answer]]) -> Answer:
        """Do something, but never twice for one key: a browser that got no answer asks again."""
        key = said.text("key", at_most=LONGEST_KEY)
        async with self._deciding:
            if key not in self._done:
                self._done[key] = said.digest, await act()
                while len(self._done) > KEYS_KEPT:
                    self._done.popitem(last=False)
            known, document = self._done[key]
        if known != said.digest:
            raise RequestRefused("this key was used for another request", hint="use a new key for each")
        found: Answer = document
        return found


def _named(talk: Talk) -> ConversationNamed:
    return {"id": talk.id}


def _places(said: Fields) -> list[PlaceDocument]:
    """The places in files that go along with a prompt."""
    if "context" not in said:
        return []
    return [_place(one) for one in said.objects("context", at_most=MOST_PLACES)]


def _place(said: Fields) -> PlaceDocument:
    place: PlaceDocument = {"path": said.text("path", at_most=LONGEST_REASON)}
    if (line := said.number("line", least=1)) is not None:
        place["line"] = line
    if (end := said.number("end_line", least=1)) is not None:
        place["end_line"] = end
    if "quote" in said:
        place["quote"] = said.text("quote", at_most=LONGEST_QUOTE)
    return place
