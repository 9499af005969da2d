"""What the server is called: by this machine, and, if a person says so, by whoever forwards a port to it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from blueline.errors import BluelineError

HERE = ("127.0.0.1", "localhost")
USUAL_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")


class NoPublicUrl(BluelineError):
    """An address that no browser could have for us, or that is none to be used."""


class Names:
    """Hosts that are ours, and which pages each of them may be asked by."""

    def __init__(self, port: int, public: str = "") -> None:
        self._own = {f"{name}:{port}" for name in HERE}
        self._public = public
        self.origin = public or f"http://{HERE[0]}:{port}"
        """Where the page is for the person's browser."""

    def knows(self, host: str) -> bool:
        """Whether a request that says so means us."""
        return host in self._own or (bool(host) and host == self._public.partition("://")[2])

    def is_own_page(self, origin: str, host: str) -> bool:
        """Whether a page there is ours. Some who forward ports say our own name for theirs, some do not."""
        return (bool(origin) and origin == self._public) or (host in self._own and origin == f"http://{host}")

    @property
    def is_secure(self) -> bool:
        """Whether the browser speaks to us, or to whoever forwards, in private."""
        return self.origin.startswith("https:")


def public_origin(url: str) -> str:
    """An address as browsers say it in `Origin`."""
    example = "name it as in https://name-8000.app.github.dev or http://localhost:8000"
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError as error:
        raise NoPublicUrl(f"{url!r} is no address: {error}", hint=example) from error
    if scheme not in USUAL_PORTS or not _HOST.fullmatch(host) or "@" in parts.netloc:
        raise NoPublicUrl(f"{url!r} is no address of a page", hint=example)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise NoPublicUrl(f"{url!r} names more than a host and a port", hint=example)
    if scheme == "http" and host not in HERE:
        raise NoPublicUrl(
            "without https, everybody on the way to another machine reads along",
            hint="use https, or forward a port with ssh: see docs/remote.md",
        )
    return f"{scheme}://{host}" + ("" if port in (None, USUAL_PORTS[scheme]) else f":{port}")
