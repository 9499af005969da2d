"""What has to be true of any request of a browser, before anybody asks who it is."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from blueline.surfaces.web.guard import Guard, Secrets
from blueline.surfaces.web.names import Names

MACHINES = "/v1/"
ENTRANCE = "/enter/"
SIGN_IN = "/sign-in"
BACK = "/sign-in/back"
"""Where a provider sends people back to."""


class HubDoor(Guard):
    """As the workbench's own guard, but for two things: machines come with a token and no page, and whose a
    browser is, is looked up for each request."""

    def __init__(self, app: ASGIApp, names: Names, port: int) -> None:
        super().__init__(app, Secrets(port), names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(MACHINES):
            await self._app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    def _is_visit(self, scope: Scope, headers: Headers) -> bool:
        """People come by a link that somebody sent them, or from their provider. Nothing but a page is
        answered to that."""
        is_page = scope["path"] in ("/", BACK) or scope["path"].startswith(ENTRANCE)
        return scope["method"] == "GET" and is_page and headers.get("sec-fetch-mode") == "navigate"

    def _is_known(self, headers: Headers) -> bool:
        return True
