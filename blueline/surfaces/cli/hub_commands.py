"""The commands about a hub: serving one, joining one, sending to it, going on with what it has."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from blueline.desk.people import must_be_a_person
from blueline.errors import DONE
from blueline.model.ids import whole_number
from blueline.surfaces.cli import staying
from blueline.surfaces.cli.phrases import count, hint
from blueline.surfaces.cli.request import Request, UsageError, as_json, complain, joined, write, write_bytes
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from psycopg import AsyncConnection

    from blueline.contract.hub import (
        CarriedDocument,
        EverybodyDocument,
        HubDocument,
        InvitationDocument,
        RestoredDocument,
        ServingDocument,
        SignedOutDocument,
        SyncDocument,
    )
    from blueline.desk import Desk
    from blueline.hub.hub_database import HubDatabase
    from blueline.hub.object_storage import ObjectStorage
    from blueline.hub.openid import OpenId
    from blueline.sync.membership import Membership
    from blueline.sync.push import SyncCount

Result = TypeVar("Result")

DATABASE = "BLUELINE_HUB_DATABASE"
OBJECTS = "BLUELINE_HUB_OBJECTS"
INVITATION = "BLUELINE_HUB_INVITATION"
CLIENT_SECRET = "BLUELINE_HUB_CLIENT_SECRET"


def hub(request: Request) -> int:
    """One of the things that are done about a hub."""
    actions = {
        "serve": _serve,
        "invite": _invite,
        "people": _people,
        "sign-out": _sign_out,
        "report": _report,
        "join": _join,
        "restore": _restore,
    }
    return actions[request.arguments.action](request)


def _database(request: Request) -> HubDatabase:
    from blueline.extras import need

    need("hub")
    from blueline.hub.hub_database import HubDatabase

    address = request.arguments.database or os.environ.get(DATABASE, "")
    if not address:
        raise UsageError(
            "which database?", hint=f"name PostgreSQL's: --database postgresql://…, or set {DATABASE}"
        )
    return HubDatabase(address)


def _objects(request: Request) -> ObjectStorage | None:
    """Where large contents are, if not in the database."""
    url = request.arguments.objects or os.environ.get(OBJECTS, "")
    if not url:
        return None
    from blueline.extras import need

    need("hub-objects")
    from blueline.hub.object_storage import ObjectStorage

    return ObjectStorage(url)


def _serve(request: Request) -> int:
    _words(request, 0, "blueline hub serve")
    database = _database(request)
    database.objects = _objects(request)
    from blueline.surfaces.cli.bug_report import report
    from blueline.surfaces.hub.hub_server import HubServer

    given = request.arguments
    staying.collect()
    provider = _provider(request)
    # Before anything listens: what cannot be served is said here, and not to the first who asks.
    asyncio.run(database.upgrade())
    server = HubServer(
        database, given.host, given.port, lambda error: report(["hub"], error), given.public_url, provider
    )
    document: ServingDocument = {"address": server.address, "port": server.port}
    write(as_json(document) if request.is_json else f"{server.address}\n")
    if not request.is_json:
        write("a process of the hub; Ctrl+C stops\n", sys.stderr)
    server.run()
    return DONE


def _provider(request: Request) -> OpenId | None:
    """Who vouches for people, if anybody does."""
    from blueline.hub.openid import OpenId, ProviderSettings, entry_rule

    given = request.arguments
    if not given.provider:
        if given.client or given.let_in:
            raise UsageError("which provider?", hint="name its issuer: --provider https://…")
        return None
    secret = os.environ.get(CLIENT_SECRET, "")
    rules = tuple(entry_rule(one) for one in given.let_in)
    return OpenId(ProviderSettings(given.provider, given.client, secret, rules))


def _invite(request: Request) -> int:
    _words(request, 0, "blueline hub invite")
    given = request.arguments
    must_be_a_person(os.environ, "invite anybody")
    database = _database(request)
    from blueline.hub import machines, people

    async def invited(connection: AsyncConnection) -> str:
        if not given.person:
            return await machines.invite(connection, given.project or None)
        where = given.project or people.EVERYWHERE
        return (await people.invite(connection, given.person, where, given.role))[1]

    document: InvitationDocument = {"invitation": _asked(database, invited)}
    if given.person:
        document["link"] = f"{given.public_url.rstrip('/')}/enter/{document['invitation']}"
    return request.answer(document, lambda made, screen: [made.get("link", made["invitation"])])


def _asked(database: HubDatabase, step: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
    """One step in the hub's database, for whoever runs it."""

    async def run() -> Result:
        await database.upgrade()
        await database.open()
        try:
            async with database.step() as connection:
                return await step(connection)
        finally:
            await database.close()

    return asyncio.run(run())


def _people(request: Request) -> int:
    _words(request, 0, "blueline hub people")
    database = _database(request)
    from blueline.hub import people

    document: EverybodyDocument = {"people": _asked(database, people.everybody)}
    return request.answer(document, _everybody)


def _everybody(document: EverybodyDocument, screen: Screen) -> Iterator[str]:
    for one in document["people"]:
        roles = ", ".join(
            f"{safe(role)} {'everywhere' if project == '*' else f'of {safe(project)}'}"
            for project, role in one["roles"].items()
        )
        signed_in = (
            f"signed in with {count(one['browsers'], 'browser')}" if one["browsers"] else "not signed in"
        )
        yield f"{one['person']:>4}  {safe(one['name'])}: {roles or 'no role'}; {signed_in}"


def _sign_out(request: Request) -> int:
    (said,) = _words(request, 1, "blueline hub sign-out NUMBER")
    must_be_a_person(os.environ, "sign anybody out")
    person = whole_number(said)
    if person is None:
        raise UsageError("a person is named by a number", hint="see blueline hub people")
    database = _database(request)
    from blueline.hub import people

    browsers = _asked(database, lambda connection: people.sign_out_everywhere(connection, person))
    document: SignedOutDocument = {"person": person, "browsers": browsers}
    return request.answer(document, lambda done, screen: [f"{count(done['browsers'], 'browser')} signed out"])


def _report(request: Request) -> int:
    _words(request, 0, "blueline hub report")
    database = _database(request)
    database.objects = _objects(request)
    from blueline.surfaces.hub.operator_report import ALL, operator_report

    given = request.arguments
    document = asyncio.run(operator_report(database, given.project, given.since))
    if given.html and not request.is_json:
        from blueline.surfaces.report_page import page

        write_bytes(joined(page(document, given.project or ALL)).encode())
        return DONE
    from blueline.surfaces.cli.report_text import reported

    return request.answer(document, reported)


def _join(request: Request) -> int:
    (url,) = _words(request, 1, "blueline hub join URL")
    must_be_a_person(os.environ, "join a hub")
    from blueline.sync.join import join

    with request.desk() as desk:
        root, state = desk.root, desk.state
    made = join(url, _invitation(request), root, state)
    document: HubDocument = {"url": made.url, "project": made.project}
    return request.answer(document, _joined)


def _joined(document: HubDocument, screen: Screen) -> Iterator[str]:
    yield f"This project belongs to {safe(document['url'])} now, as {document['project']}."
    yield hint("blueline sync --dry-run says what would leave this machine; blueline sync sends it", screen)


def sync(request: Request) -> int:
    """Send what is new, and carry out what people decided at the hub: once, or for as long as it runs."""
    from blueline.desk.outgoing_journal import patterns
    from blueline.sync import membership
    from blueline.sync.sending_turn import standing, turn

    with request.desk() as desk:
        root, state = desk.root, desk.state
    member = membership.read(state)
    never = patterns(os.environ)
    if request.arguments.follow:
        with standing(state):
            return _follow(request, root, state, member, never)
    if request.arguments.queued:
        with turn(state) as is_mine:
            return _send(request, member, never) if is_mine else DONE
    return _send(request, member, never)


def _send(request: Request, member: Membership, never: tuple[str, ...]) -> int:
    from blueline.sync.exchange import Exchange
    from blueline.sync.hub_client import HubClient

    def ask(verb: Callable[[Desk], Result]) -> Result:
        with request.desk() as desk:
            return verb(desk)

    dry_run = bool(request.arguments.dry_run)
    with HubClient(member.url, member.project, member.token) as client:
        exchange = Exchange(client, ask, never, _progress(request))
        done = exchange.send(dry_run=dry_run)
        carried = [] if dry_run else exchange.carry_out()
    return request.answer(_sync_document(member, done, carried, exchange.withheld, dry_run=dry_run), _synced)


def _sync_document(
    member: Membership,
    done: SyncCount,
    carried: list[CarriedDocument],
    withheld: list[str],
    *,
    dry_run: bool = False,
) -> SyncDocument:
    return {
        "url": member.url,
        "records": done.records,
        "bytes": done.bytes,
        "blobs": done.blobs,
        "missing": done.lost,
        "withheld": withheld,
        "dry_run": dry_run,
        "requests": carried,
    }


def _follow(request: Request, root: Path, state: Path, member: Membership, never: tuple[str, ...]) -> int:
    from blueline.desk.followed_project import FollowedProject
    from blueline.sync.exchange import Exchange, Follower
    from blueline.sync.hub_client import HubClient

    if request.arguments.dry_run:
        raise UsageError("--follow sends what is new", hint="leave --dry-run out, or --follow")
    project = FollowedProject(root, state, request.open)
    screen = request.screen(sys.stderr)

    def ask(verb: Callable[[Desk], Result]) -> Result:
        return project.asked(verb).result()

    def tell(done: SyncCount, carried: list[CarriedDocument]) -> None:
        request.answer(_sync_document(member, done, carried, exchange.withheld), _synced)

    def connect() -> HubClient:
        return HubClient(member.url, member.project, member.token)

    with connect() as client:
        exchange = Exchange(client, ask, never)
        follower = Follower(
            lambda due, failed: project.follow(lambda news: due(), failed),
            connect,
            exchange,
            tell,
            lambda error: complain(str(error), screen, hint=error.hint),
        )
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, lambda *_: follower.stop())
        staying.collect()
        if not request.is_json:
            write(f"following {safe(member.url)}; Ctrl+C stops\n", sys.stderr)
        try:
            follower.run()
        finally:
            follower.stop()
            project.close()
    return DONE


def _progress(request: Request) -> Callable[[SyncCount], None]:
    """Says how far it is, on one line, to whoever waits at a terminal."""
    shows = not request.is_json and sys.stderr is not None and sys.stderr.isatty()

    def tell(done: SyncCount) -> None:
        if shows:
            write(f"\r{done.records:,} records, {done.bytes:,} bytes", sys.stderr)

    return tell


def _synced(document: SyncDocument, screen: Screen) -> Iterator[str]:
    verb = "Would send" if document["dry_run"] else "Sent"
    if document["records"]:
        yield (
            f"{verb} {document['records']:,} records and {document['blobs']:,} contents, "
            f"{document['bytes']:,} bytes, to {safe(document['url'])}."
        )
    else:
        yield f"{safe(document['url'])} has everything."
    for path in document["withheld"]:
        yield f"  not its content: {safe(path)}"
    for one in document["requests"]:
        yield f"  {_carried(one)}"


def _carried(one: CarriedDocument) -> str:
    """What became of a request."""
    asked, outcome = one["request"], one["outcome"]
    about = safe(asked["decision"]) or count(len(asked["hunks"]), "hunk")
    what = f"{safe(asked['by'])} at the hub: {safe(asked['verb'])} {about}"
    if outcome["state"] == "refused":
        return f"{what}: refused, {safe(outcome['error'])}"
    return f"{what}: {safe(outcome['decision'] or 'nothing was left to do')}"


def _restore(request: Request) -> int:
    url, project, folder = _words(request, 3, "blueline hub restore URL PROJECT DIR")
    must_be_a_person(os.environ, "go on with a project")
    from blueline.surfaces.cli.agent_hooks import interpret
    from blueline.sync.restore import restore

    place = request.start / Path(folder)
    made = restore(url, _invitation(request), project, place, os.environ, interpret)
    document: RestoredDocument = {
        "root": str(made.root),
        "project": project,
        "records": made.records,
        "files": made.files.written,
        "left": made.files.left,
    }
    return request.answer(document, _restored)


def _restored(document: RestoredDocument, screen: Screen) -> Iterator[str]:
    yield (
        f"{safe(document['root'])} goes on with {document['records']:,} records; "
        f"{len(document['files']):,} files written."
    )
    for path in document["left"]:
        yield f"  left as it is: {safe(path)}"
    yield hint(f"cd {safe(document['root'])} && blueline", screen)


def _invitation(request: Request) -> str:
    found = str(request.arguments.invitation or os.environ.get(INVITATION, ""))
    if not found:
        raise UsageError(
            "who lets this machine in?",
            hint=f"--invitation CODE, or set {INVITATION}: who runs the hub makes one",
        )
    return found


def _words(request: Request, count: int, form: str) -> list[str]:
    words = list(request.arguments.words)
    if len(words) != count:
        raise UsageError("these are not the words that it takes", hint=f"such as: {form}")
    return words
