"""The gate in the workbench: each requirement, a review with its progress, and shipping.

Loops and git run in processes of the command line's own, as if the person had typed the command: whatever
they do, this server stays as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from blueline.desk import Desk
from blueline.errors import DONE, GATE_CLOSED
from blueline.surfaces.web.body import LONGEST_KEY, Fields, body, query
from blueline.surfaces.web.project import Project, Projects
from blueline.surfaces.web.responses import Clash, RequestRefused, answer, as_json

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument
    from blueline.contract.reviews import (
        EndedEvent,
        GateScreen,
        ReviewedEvent,
        ReviewEvent,
        RunDocument,
        StoppedDocument,
    )

LONGEST_TEXT = 10_000
LONGEST_LINE = 8 << 20
MOST_EVENTS = 20_000
HEARTBEAT_SECONDS = 15
CLOSE_SECONDS = 8
LOOPS = ("1", "2", "3", "4")


class ReviewProgress:
    """One review, and all it has said so far."""

    def __init__(self, number: int, process: asyncio.subprocess.Process) -> None:
        self.number = number
        self.events: list[ReviewEvent | ReviewedEvent | EndedEvent] = []
        self.is_over = False
        self._process = process
        self._changed = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        complaints = asyncio.get_running_loop().create_task(self._process.stderr.read(LONGEST_TEXT))
        while line := await self._process.stdout.readline():
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                # Of what commands print only the latest is worth anything.
                if event["event"] == "line" and len(self.events) > MOST_EVENTS:
                    continue
                self._add(event)
        code = await self._process.wait()
        said = (await complaints).decode("utf-8", "replace").strip()
        self.is_over = True
        self._add({"event": "ended", "code": code, "error": said if code != DONE else ""})

    def _add(self, event: ReviewEvent | ReviewedEvent | EndedEvent) -> None:
        self.events.append(event)
        self._changed.set()
        self._changed = asyncio.Event()

    def stop(self) -> None:
        """Ask it to end, with all it has started."""
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()

    async def close(self) -> None:
        """Stop, and wait a little for that."""
        self.stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._task), CLOSE_SECONDS)

    async def stream(self) -> AsyncIterator[bytes]:
        """Everything from the beginning, and then as it comes."""
        at = 0
        while True:
            changed = self._changed
            for event in self.events[at:]:
                at += 1
                yield b"data: %s\n\n" % as_json(event)
            if self.is_over and at == len(self.events):
                return
            try:
                await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
            except TimeoutError:
                yield b": still here\n\n"


class GateRoutes:
    """The routes, for some projects."""

    def __init__(self, projects: Projects) -> None:
        self._projects = projects
        self._runs: dict[str, ReviewProgress] = {}
        self._shipping: set[str] = set()

    def all(self) -> list[Route]:
        return [
            Route("/api/gate", self.gate),
            Route("/api/gate/plan", self.plan),
            Route("/api/gate/trust", self.trust, methods=["POST"]),
            Route("/api/gate/override", self.override, methods=["POST"]),
            Route("/api/review", self.review, methods=["POST"]),
            Route("/api/review/stop", self.stop, methods=["POST"]),
            Route("/api/review/events", self.events),
            Route("/api/ship", self.ship, methods=["POST"]),
        ]

    def _project(self, request: Request) -> tuple[Project, Fields]:
        asked = query(request)
        return self._projects.named(asked.text("project") if "project" in asked else None), asked

    async def close(self) -> None:
        """Leave nothing running behind."""
        for run in self._runs.values():
            if not run.is_over:
                await run.close()

    async def gate(self, request: Request) -> Response:
        project, _ = self._project(request)
        run = self._runs.get(project.id)

        def ask(desk: Desk) -> tuple[GateDocument, bool]:
            return desk.gatekeeper.gate(), desk.gatekeeper.is_trusted

        document, is_trusted = await project.ask(ask)
        screen: GateScreen = {
            **document,
            "trusted": is_trusted,
            "review": {"run": run.number, "running": not run.is_over} if run is not None else None,
        }
        return answer(screen)

    async def plan(self, request: Request) -> Response:
        project, asked = self._project(request)
        loops = [int(one) for one in _loops(asked.text("loops") if "loops" in asked else "")]
        scope = asked.choice("scope", ("changed", "all"), "changed")
        return answer(await project.ask(lambda desk: desk.gatekeeper.plan(loops, scope, ())))

    async def trust(self, request: Request) -> Response:
        project, _ = self._project(request)
        digest = (await body(request)).text("digest", at_most=LONGEST_KEY)
        return await self._said(project, ["trust", "--json", "--", digest])

    async def override(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        reason = said.text("reason", at_most=LONGEST_TEXT)
        expires = said.text("expires", at_most=LONGEST_KEY)
        words = ["gate", "override", "--json", f"--reason={reason}", f"--expires={expires}"]
        return await self._said(project, words)

    async def review(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        loops = ",".join(_loops(said.text_or("loops", "", at_most=LONGEST_KEY)))
        scope = said.choice("scope", ("changed", "all"), "changed")
        known = self._runs.get(project.id)
        if known is not None and not known.is_over:
            raise Clash("a review is running already", hint="wait for it, or stop it", run=known.number)
        words = ["review", "--events", f"--loops={loops}", f"--scope={scope}"]
        process = await _started(project.root, words)
        run = ReviewProgress(known.number + 1 if known is not None else 1, process)
        self._runs[project.id] = run
        started: RunDocument = {"run": run.number}
        return answer(started)

    async def stop(self, request: Request) -> Response:
        project, _ = self._project(request)
        await body(request)
        run = self._runs.get(project.id)
        if run is not None:
            run.stop()
        stopped: StoppedDocument = {"stopped": run is not None and not run.is_over}
        return answer(stopped)

    async def events(self, request: Request) -> Response:
        project, _ = self._project(request)
        run = self._runs.get(project.id)
        if run is None:
            raise RequestRefused("no review was started here", hint="POST /api/review")
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(run.stream(), media_type="text/event-stream", headers=headers)

    async def ship(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        words = ["ship", "--json", "--yes"]
        words += ["--dry-run"] if said.flag("dry_run") else []
        words += ["--no-pr"] if said.flag("no_pr") else []
        if message := said.text_or("message", "", at_most=LONGEST_TEXT):
            words.append(f"--message={message}")
        if project.id in self._shipping:
            raise Clash("it is being shipped already", hint="wait for it to end")
        self._shipping.add(project.id)
        try:
            return await self._said(project, words)
        finally:
            self._shipping.discard(project.id)

    async def _said(self, project: Project, words: list[str]) -> Response:
        """Run a command of ours to its end, and hand on what it says."""
        process = await _started(project.root, words)
        out, _ = await process.communicate()
        try:
            document = json.loads(out)
        except ValueError:
            document = {"error": "the command did not say anything", "hint": "try it in a terminal"}
        if process.returncode == DONE:
            return answer(document)
        more = {name: value for name, value in document.items() if name not in ("error", "hint")}
        closed = "the gate is closed" if process.returncode == GATE_CLOSED else "it could not be done"
        raise Clash(str(document.get("error") or closed), hint=str(document.get("hint", "")), **more)


def _loops(text: str) -> list[str]:
    found = [word for word in text.split(",") if word] or list(LOOPS)
    if any(one not in LOOPS for one in found):
        raise RequestRefused("loops are 1, 2, 3 and 4", hint="for example: 1,2")
    return found


async def _started(root: Path, words: list[str]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *[sys.executable, "-I", "-m", "blueline", "-C", str(root), *words],
        cwd=root,
        env=dict(os.environ),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
    )
