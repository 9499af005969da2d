"""How people come in: by a link that somebody sent them, or by a provider that vouches for them."""

from __future__ import annotations

import asyncio
import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from blueline.hub import people
from blueline.hub.browsers import kind_of
from blueline.hub.hub_database import HubDatabase
from blueline.hub.machines import NotInvited
from blueline.hub.openid import Attempt, NoProvider, OpenId, ProviderAway, SignInFailed
from blueline.surfaces.hub.door import BACK, ENTRANCE, SIGN_IN
from blueline.surfaces.hub.entrance_pages import page
from blueline.surfaces.hub.page_routes import COOKIE
from blueline.surfaces.web.body import query
from blueline.surfaces.web.names import Names
from blueline.surfaces.web.responses import NotHere

BEGUN = "blueline_hub_sign_in"
"""Holds the secret of a sign-in that has begun, and the link that it began with."""

BEGUN_FOR_SECONDS = 600
_CODE = re.compile(r"[A-Za-z0-9_-]{1,100}")


class EntranceRoutes:
    """Where strangers become people."""

    def __init__(self, database: HubDatabase, names: Names, provider: OpenId | None) -> None:
        self._database = database
        self._names = names
        self._provider = provider
        self._more = "; Secure" if names.is_secure else ""

    def all(self) -> list[Route]:
        return [
            Route(ENTRANCE + "{code}", self.enter),
            Route(SIGN_IN, self.begin),
            Route(BACK, self.back),
        ]

    @property
    def name(self) -> str:
        """Of the provider; empty without one."""
        return "" if self._provider is None else self._provider.settings.name

    async def enter(self, request: Request) -> Response:
        """Programs look at links before people do: only the second step uses it up."""
        code = str(request.path_params["code"])
        if not _CODE.fullmatch(code):
            raise NotHere("there is no such invitation", hint="open the link as you got it")
        title = "You are invited to review"
        if self._provider is not None:
            way = (f"{SIGN_IN}?invitation={code}", f"Sign in with {self.name}")
            return page(title, "This link lets one person in, once.", way)
        if "yes" not in query(request):
            way = (f"{ENTRANCE}{code}?yes=1", "Sign in on this browser")
            return page(title, "This link lets one browser in, once, for 30 days.", way)
        async with self._database.step() as connection:
            secret = await people.enter(connection, code, _about(request))
        return self._entered(secret, int(people.SIGNED_IN_FOR.total_seconds()))

    async def begin(self, request: Request) -> Response:
        """Send the browser to the provider."""
        provider = self._must_have_provider()
        code = query(request).text_or("invitation", "")
        if code and not _CODE.fullmatch(code):
            raise NotHere("there is no such invitation", hint="open the link as you got it")
        attempt = Attempt.begin()
        where = await asyncio.to_thread(provider.address, attempt, self._back)
        kept = f"{BEGUN}={attempt.secret}.{code}; Max-Age={BEGUN_FOR_SECONDS}"
        return RedirectResponse(where, 303, {"Set-Cookie": f"{kept}; {self._terms(SIGN_IN)}"})

    async def back(self, request: Request) -> Response:
        """Take the browser back from the provider."""
        provider = self._must_have_provider()
        secret, _, code = request.cookies.get(BEGUN, "").partition(".")
        try:
            if not secret:
                raise SignInFailed(
                    "this browser has not begun to sign in, or too long ago", hint="begin again"
                )
            given = dict(request.query_params)
            who = await asyncio.to_thread(provider.identity, Attempt(secret), given, self._back)
            async with self._database.step() as connection:
                known = await people.admit(connection, who, code, _about(request))
        except (SignInFailed, ProviderAway, NoProvider, NotInvited) as error:
            status = 502 if isinstance(error, ProviderAway) else 403
            words = f"{str(error).capitalize()}: {error.hint}." if error.hint else str(error)
            refused = page("You are not signed in", words, (SIGN_IN, f"Sign in with {self.name}"), status)
            refused.headers.append("Set-Cookie", self._forgotten)
            return refused
        entered = self._entered(known, int(people.VOUCHED_FOR.total_seconds()))
        entered.headers.append("Set-Cookie", self._forgotten)
        return entered

    def _entered(self, secret: str, seconds: int) -> Response:
        cookie = f"{COOKIE}={secret}; Max-Age={seconds}; {self._terms('/')}"
        return RedirectResponse("/", 303, {"Set-Cookie": cookie})

    def _terms(self, path: str) -> str:
        # Lax: people come from another page, a mail or the provider, and are known all the same.
        return f"Path={path}; HttpOnly; SameSite=Lax{self._more}"

    @property
    def _forgotten(self) -> str:
        return f"{BEGUN}=; Max-Age=0; {self._terms(SIGN_IN)}"

    @property
    def _back(self) -> str:
        return self._names.origin + BACK

    def _must_have_provider(self) -> OpenId:
        if self._provider is None:
            raise NotHere("this hub has no provider", hint="open the link of your invitation")
        return self._provider


def _about(request: Request) -> str:
    return kind_of(request.headers.get("user-agent", ""))
