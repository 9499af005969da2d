"""What machines ask of a hub: to take in their journals and contents, and to give them back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Literal, cast

from psycopg import AsyncConnection
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from blueline.hub import blob_copies, journal_copies, machines, requests
from blueline.hub.hub_database import HubDatabase
from blueline.hub.journal_copies import Copied
from blueline.hub.machines import Joining
from blueline.hub.notices import Notices, tell
from blueline.hub.pushed_bytes import Stretch
from blueline.model.ids import whole_number
from blueline.surfaces.web.body import LONGEST_KEY, Fields, body, query
from blueline.surfaces.web.responses import NotHere, RequestRefused, TooLarge, answer, as_json

if TYPE_CHECKING:
    from blueline.contract.hub import (
        CopyDocument,
        JoinedDocument,
        MissingDocument,
        OutcomeDocument,
        RequestsDocument,
    )

LARGEST = (1 << 28) + 4096
"""Bytes of one request: the longest record there can be, and its header."""

PATIENCE_SECONDS = 60
LONGEST_NAME = 200
LONGEST_ERROR = 2000
HEARTBEAT_SECONDS = 15
MOST_HASHES = 2000
MOST_DAMAGED = 1000
AT_ONCE = 4
"""Requests with bytes that are taken in at the same time: each is held in memory."""

BYTES = "application/octet-stream"

Verb = Callable[[AsyncConnection, str, Request], Awaitable[Response]]
Keep = Callable[[AsyncConnection, str, bytes], Awaitable[Response]]


class NoToken(RequestRefused):
    """Whoever asks is not known."""

    status = 401


SOON_READ = 1 << 16
"""Bytes that one look at who sends them would take longer than."""


class MachineRoutes:
    """The API for machines. A token is good for one project, and of others it learns nothing."""

    def __init__(self, database: HubDatabase, notices: Notices) -> None:
        self._database = database
        self._notices = notices
        self._room = asyncio.Semaphore(AT_ONCE)

    def all(self) -> list[Route]:
        project = "/v1/projects/{project}"
        return [
            Route(project, self.join, methods=["PUT"]),
            Route(f"{project}/journal", self._asked(_reached), methods=["GET"]),
            Route(f"{project}/journal", self.add, methods=["PUT"]),
            Route(f"{project}/journal", self._asked(_begin_anew), methods=["POST"]),
            Route(f"{project}/journal/bytes", self.all_bytes, methods=["GET"]),
            Route(f"{project}/blobs/missing", self._asked(_missing), methods=["POST"]),
            Route(f"{project}/blobs/forget", self.forget, methods=["POST"]),
            Route(f"{project}/blobs/{{hash}}", self.put, methods=["PUT"]),
            Route(f"{project}/blobs/{{hash}}", self._asked(self._get), methods=["GET"]),
            Route(f"{project}/requests", self._asked(_waiting), methods=["GET"]),
            Route(f"{project}/requests/events", self.events, methods=["GET"]),
            Route(f"{project}/requests/{{number}}", self._asked(_answered), methods=["PUT"]),
        ]

    async def join(self, request: Request) -> Response:
        said = await body(request)
        who = Joining(
            _project(request),
            words(said, "name"),
            words(said, "machine"),
            words(said, "format"),
            _named(said.text("token"), 64),
        )
        async with self._database.step() as connection:
            await machines.join(connection, _bearer(request), who)
        made: JoinedDocument = {"project": who.project}
        return answer(made, 201)

    def _asked(self, verb: Verb) -> Callable[[Request], Awaitable[Response]]:
        """One step, for a machine that may take it."""

        async def asked(request: Request) -> Response:
            async with self._database.step() as connection:
                return await verb(connection, await _let_in(connection, request), request)

        return asked

    async def add(self, request: Request) -> Response:
        """Take in bytes of a journal."""
        asked = query(request)
        start = asked.number("from")
        if start is None:
            raise RequestRefused("from is missing", hint="say which offset the bytes start at")
        damaged = _stretches(asked.text_or("damaged", ""))
        is_purged = "purged" in asked

        async def kept(connection: AsyncConnection, project: str, data: bytes) -> Response:
            if is_purged:
                found = await journal_copies.replace(connection, project, start, data)
            else:
                found = await journal_copies.add(connection, project, start, data, damaged)
            await machines.hear(connection, project)
            if data:
                await tell(connection, project)
            return answer(_copy(found))

        return await self._given(request, kept)

    async def put(self, request: Request) -> Response:
        """Take in one content."""
        name = _hash(request)

        async def kept(connection: AsyncConnection, project: str, content: bytes) -> Response:
            await blob_copies.put(connection, self._database.objects, project, name, content)
            return Response(status_code=204)

        return await self._given(request, kept)

    async def _get(self, connection: AsyncConnection, project: str, request: Request) -> Response:
        content = await blob_copies.get(connection, self._database.objects, project, _hash(request))
        return Response(content, media_type=BYTES)

    async def forget(self, request: Request) -> Response:
        """Remove contents that were purged: first what names them, then what is in object storage. Whoever is
        not told that it is done asks again."""
        objects = self._database.objects
        async with self._database.step() as connection:
            project = await _let_in(connection, request)
            names = await _hashes(request)
            await blob_copies.forget(connection, objects, project, names)
            found = await journal_copies.have_purged(connection, project)
            await machines.note(connection, project, "machine", "purged", {"contents": len(names)})
            await tell(connection, project)
        if objects is not None:
            async with self._database.step() as connection:
                await blob_copies.clear(connection, objects, project, names)
        return answer(_copy(found))

    async def _given(self, request: Request, keep: Keep) -> Response:
        """One step with the bytes that were sent. These are waited for between two steps: whoever sends
        slowly keeps nobody else from the database. Of strangers no more is read than is soon read."""
        length = whole_number(request.headers.get("content-length", ""))
        if length is not None and length > LARGEST:
            raise TooLarge(f"more than {LARGEST:,} bytes", hint="send less at a time")
        if length is None or length > SOON_READ:
            async with self._database.step() as connection:
                await _let_in(connection, request)
        async with self._room:
            data = await _bytes_of(request)
            async with self._database.step() as connection:
                return await keep(connection, await _let_in(connection, request), data)

    async def all_bytes(self, request: Request) -> Response:
        """The journal as it is known here, from an offset on."""
        start = query(request).number("from") or 0
        async with self._database.step() as connection:
            project = await _let_in(connection, request)
            known = await journal_copies.reached(connection, project)

        async def pieces() -> AsyncIterator[bytes]:
            async with self._database.step() as connection:
                found = journal_copies.stretches(connection, project, known.copy, start, known.length)
                async for one in found:
                    yield one

        length = str(max(known.length - start, 0))
        return StreamingResponse(pieces(), media_type=BYTES, headers={"Content-Length": length})

    async def events(self, request: Request) -> Response:
        """What people ask for, as they do: server-sent events, to be taken up behind a number."""
        after = query(request).number("after") or 0
        last = whole_number(request.headers.get("last-event-id", ""))
        async with self._database.step() as connection:
            await _let_in(connection, request)
        stream = self._requests(request, after if last is None else last)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    async def _requests(self, request: Request, after: int) -> AsyncIterator[bytes]:
        """The stream ends when its token does, and breaks off when the database is away."""
        while True:
            project = _project(request)
            word = self._notices.next(project)
            async with self._database.step() as connection:
                if await machines.project_of(connection, _bearer(request)) != project:
                    return
                await machines.hear(connection, project)
                found = await requests.waiting(connection, project, after)
            for one in found:
                after = one.request["number"]
                yield b"id: %d\nevent: request\ndata: %s\n\n" % (after, as_json(one.request))
            try:
                await asyncio.wait_for(word.wait(), HEARTBEAT_SECONDS)
            except TimeoutError:
                yield b": still here\n\n"


async def _waiting(connection: AsyncConnection, project: str, request: Request) -> Response:
    found = await requests.waiting(connection, project, query(request).number("after") or 0)
    await machines.hear(connection, project)
    said: RequestsDocument = {"requests": [one.request for one in found]}
    return answer(said)


async def _answered(connection: AsyncConnection, project: str, request: Request) -> Response:
    number = whole_number(str(request.path_params["number"]))
    said = await body(request)
    outcome: OutcomeDocument = {
        "state": cast("Literal['done', 'refused']", said.choice("state", ("done", "refused"))),
        "decision": said.text("decision", at_most=LONGEST_KEY) if "decision" in said else None,
        "error": said.text_or("error", "", at_most=LONGEST_ERROR),
        "hint": said.text_or("hint", "", at_most=LONGEST_ERROR),
    }
    if number is None:
        raise NotHere("there is no such request", hint="name its number")
    await requests.answer(connection, project, number, outcome)
    return answer(outcome)


async def _reached(connection: AsyncConnection, project: str, request: Request) -> Response:
    return answer(_copy(await journal_copies.reached(connection, project)))


async def _begin_anew(connection: AsyncConnection, project: str, request: Request) -> Response:
    instead_of = (await body(request)).number("instead_of")
    if instead_of is None:
        raise RequestRefused("instead_of is missing", hint="say which copy it takes the place of")
    found = await journal_copies.begin_anew(connection, project, instead_of)
    await machines.note(connection, project, "machine", "began a new copy", {"instead_of": instead_of})
    return answer(_copy(found), 201)


async def _missing(connection: AsyncConnection, project: str, request: Request) -> Response:
    found = await blob_copies.missing(connection, project, await _hashes(request))
    said: MissingDocument = {"missing": [one.hex() for one in found]}
    return answer(said)


async def _hashes(request: Request) -> list[bytes]:
    hashes = (await body(request)).texts("hashes")
    if len(hashes) > MOST_HASHES:
        raise RequestRefused(f"hashes has more than {MOST_HASHES} members", hint="ask in several requests")
    return [_named(one, 40) for one in hashes]


async def _let_in(connection: AsyncConnection, request: Request) -> str:
    """The project that is asked about. Somebody else's is as unknown as one that there is not."""
    project = await machines.project_of(connection, _bearer(request))
    if project is None:
        raise NoToken("this token is not good, or not any more", hint="join again: blueline hub join")
    if project != _project(request):
        raise NotHere("there is no such project", hint="a token is good for one project")
    return project


def _bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise NoToken("who asks is not said", hint="send Authorization: Bearer and the token")
    return token.strip()


def _project(request: Request) -> str:
    name = str(request.path_params["project"])
    if len(name) != 32 or set(name) - set("0123456789abcdef"):
        raise NotHere("there is no such project", hint="an id has 32 hexadecimal digits")
    return name


def words(said: Fields, name: str) -> str:
    """Something for people: one line, and no bytes that are no text."""
    text = said.text(name, at_most=LONGEST_NAME)
    if not text.strip() or not text.isprintable():
        raise RequestRefused(f"{name} must be words on one line")
    return text


def _hash(request: Request) -> bytes:
    return _named(str(request.path_params["hash"]), 40)


def _named(digits: str, length: int) -> bytes:
    if len(digits) != length or set(digits) - set("0123456789abcdef"):
        raise RequestRefused(f"a hash has {length} hexadecimal digits here")
    return bytes.fromhex(digits)


def _stretches(text: str) -> list[Stretch]:
    """Stretches of bytes, spelled as in `10-20,35-40`: from where, and up to where."""
    found = []
    for part in text.split(",") if text else ():
        first, _, second = part.partition("-")
        start, end = whole_number(first), whole_number(second)
        if start is None or end is None:
            raise RequestRefused("damaged must be stretches such as 10-20,35-40")
        found.append((start, end))
    if len(found) > MOST_DAMAGED:
        raise RequestRefused(f"damaged has more than {MOST_DAMAGED} stretches", hint="send less at a time")
    return found


async def _bytes_of(request: Request) -> bytes:
    """The body, as long as a record may be and no longer."""
    pieces, size = [], 0
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > LARGEST:
                    raise TooLarge(f"more than {LARGEST:,} bytes", hint="send less at a time")
                pieces.append(piece)
    except (ClientDisconnect, TimeoutError) as error:
        raise RequestRefused("the request broke off", hint="send it again") from error
    return b"".join(pieces)


def _copy(found: Copied) -> CopyDocument:
    return {
        "copy": found.copy,
        "length": found.length,
        "last_start": found.last.start,
        "last_header": found.last.header.hex(),
    }
