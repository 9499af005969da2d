"""The language server: which message of the protocol is whose business."""

from __future__ import annotations

import asyncio
import signal
from typing import BinaryIO

from blueline.surfaces.lsp.buffer_first import run_command
from blueline.surfaces.lsp.editor_project import OpenDesk
from blueline.surfaces.lsp.editor_session import EditorSession
from blueline.surfaces.lsp.plugin_requests import REQUESTS
from blueline.surfaces.lsp.protocol import (
    NO_SUCH_METHOD,
    NOT_A_REQUEST,
    Connection,
    Given,
    Report,
    Unanswerable,
)

NOT_INITIALIZED = -32002


def serve(requests: int, answers: BinaryIO, open_desk: OpenDesk, report: Report) -> bool:
    """Serve one editor until it leaves; whether it said so before."""
    return asyncio.run(_serve(requests, answers, open_desk, report))


async def _serve(requests: int, answers: BinaryIO, open_desk: OpenDesk, report: Report) -> bool:
    connection = Connection(requests, answers, report)
    server = EditorServer(EditorSession(connection, open_desk, report))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, connection.end)
    await connection.run(server.answer, server.notice)
    await server.session.close()
    return server.is_leaving


class EditorServer:
    """Hands on what comes."""

    def __init__(self, session: EditorSession) -> None:
        self.session = session
        self.is_leaving = False
        self._is_greeted = False

    async def answer(self, method: str, given: Given) -> object:
        """The answer to a request."""
        if method == "initialize":
            self._is_greeted = True
            return self.session.initialize(given)
        if not self._is_greeted:
            raise Unanswerable(NOT_INITIALIZED, "initialize comes first")
        if self.is_leaving:
            raise Unanswerable(NOT_A_REQUEST, "after shutdown comes exit")
        match method:
            case "shutdown":
                self.is_leaving = True
                return None
            case "textDocument/codeAction":
                return await self.session.actions(given)
            case "textDocument/codeLens":
                return await self.session.lenses(given)
            case "textDocument/hover":
                return await self.session.hover(given)
            case "workspace/executeCommand":
                return await run_command(self.session, given)
            case _ if method in REQUESTS:
                return await REQUESTS[method](self.session, given)
            case _:
                raise Unanswerable(NO_SUCH_METHOD, f"there is no method {method[:100]!r} here")

    def notice(self, method: str, given: Given) -> None:
        """Something that wants no answer."""
        document = given.inner("textDocument")
        match method:
            case "exit":
                self.session.connection.end()
            case _ if not self._is_greeted:
                return
            case "initialized":
                self.session.initialized()
            case "textDocument/didOpen":
                self.session.opened(document)
            case "textDocument/didChange":
                self.session.changed(document, given.all("contentChanges"))
            case "textDocument/didSave":
                self.session.saved(document)
            case "textDocument/didClose":
                self.session.closed(document)
            case "workspace/didChangeWorkspaceFolders":
                self.session.folders_changed(given.inner("event"))
            case _:
                return  # such as $/cancelRequest: what was begun is finished
