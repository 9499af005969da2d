"""Who may ask: only the browser that was given the secret of this run, and only from our own page.

Every other program on this machine can reach the port, and every page in the browser can send requests to it.
"""

from __future__ import annotations

import math
import secrets
import time
from hmac import compare_digest
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from blueline.surfaces.web.names import Names
from blueline.surfaces.web.responses import JSON, failed

SECRET_BYTES = 32

SINGLE = (
    b"host",
    b"origin",
    b"content-length",
    b"content-type",
    b"cookie",
    b"sec-fetch-site",
    b"transfer-encoding",
    b"x-blueline",
)
"""Headers that nobody sends twice without hoping that two readers take different ones."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def policy(nonce: str = "") -> str:
    """What a page of ours may load: our own files and nothing else, and no style but with the nonce."""
    styles = f"'self' 'nonce-{nonce}'" if nonce else "'self'"
    return (
        f"default-src 'none'; script-src 'self'; style-src {styles}; connect-src 'self'; "
        "img-src 'self' data:; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )


class Secrets:
    """The secrets of one run: tokens that open the door once, and the cookie they are exchanged for."""

    def __init__(self, port: int, *, is_secure: bool = False) -> None:
        self.cookie_name = f"blueline_{port}"
        self._is_secure = is_secure
        self._cookie = secrets.token_urlsafe(SECRET_BYTES)
        self._tokens: dict[str, float] = {}
        """Until when each is good."""

    def token(self, seconds: float = math.inf) -> str:
        """One more token, which is good for some time."""
        made = secrets.token_urlsafe(SECRET_BYTES)
        self._tokens[made] = time.monotonic() + seconds
        return made

    def spend(self, token: str) -> bool:
        """Whether a token is right; it is not any more afterwards."""
        given = token.encode("utf-8", "surrogateescape")
        found = [one for one in self._tokens if compare_digest(one.encode(), given)]
        ends = [self._tokens.pop(one) for one in found]
        return bool(ends) and time.monotonic() <= ends[0]

    def knows(self, cookie: str) -> bool:
        """Whether this is the cookie of this run."""
        return compare_digest(self._cookie.encode(), cookie.encode("utf-8", "surrogateescape"))

    @property
    def set_cookie(self) -> str:
        more = "; Secure" if self._is_secure else ""
        return f"{self.cookie_name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict{more}"


class Guard:
    """Stands before everything else."""

    def __init__(self, app: ASGIApp, secrets: Secrets, names: Names) -> None:
        self._app = app
        self._secrets = secrets
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Content-Security-Policy", policy())
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further; None if it may."""
        names = [name for name, _ in scope["headers"]]
        if any(names.count(name) > 1 for name in SINGLE):
            return failed("a header was sent twice", "", 400)
        if b"transfer-encoding" in names and b"content-length" in names:
            return failed("the length of the request was said in two ways", "", 400)
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._names.knows(host):
            hint = "use the one that blueline ui printed; for another name or port, say --public-url"
            return failed("this address is not served", hint, 403)
        if "origin" in headers and not self._names.is_own_page(headers["origin"], host):
            return failed("requests from other pages are not answered", "", 403)
        is_own = headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if not is_own and not self._is_visit(scope, headers):
            return failed("requests from other pages are not answered", "type the address, or paste it", 403)
        if not self._is_known(headers):
            return self._enter(scope)
        if scope["path"] == "/" and b"token=" in scope["query_string"]:
            return RedirectResponse("/", 303)  # a bookmark, or the history: nobody needs to see the token
        match scope["method"]:
            case "GET":
                return None
            case "POST":
                return self._unsuitable(headers)
            case _:
                return failed("only GET and POST are answered", "", 405)

    def _is_visit(self, scope: Scope, headers: Headers) -> bool:
        """Whether somebody may come from another page."""
        return False

    def _is_known(self, headers: Headers) -> bool:
        # By hand: other servers of this machine leave cookies here that the standard library stumbles over.
        pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        found = [value for name, _, value in pairs if name == self._secrets.cookie_name]
        return any(self._secrets.knows(value) for value in found)

    def _enter(self, scope: Scope) -> Response:
        """A stranger: with a token that was not used yet, they get the cookie."""
        if scope["method"] == "GET" and scope["path"] == "/":
            query = scope["query_string"].decode("ascii", "replace")
            given = [value for name, value in parse_qsl(query) if name == "token"]
            if len(given) == 1 and self._secrets.spend(given[0]):
                return RedirectResponse("/", 303, {"Set-Cookie": self._secrets.set_cookie})
        return failed("this browser was not let in", "open the address that blueline ui printed last", 401)

    def _unsuitable(self, headers: Headers) -> Response | None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            return failed("only JSON is taken", f"send Content-Type: {JSON}", 400)
        if headers.get("x-blueline") != "1":
            return failed("the header X-Blueline is missing", "send X-Blueline: 1", 403)
        return None
