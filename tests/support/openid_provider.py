"""A provider of OpenID Connect that runs here: the one that npm has, which takes any password."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

from tests.support.processes import ended, first_line

ROOT = Path(__file__).parents[2]
INSTALLED = ROOT / ".agents" / "openid"
CLIENT, SECRET = "hub", "a secret + of % theirs"
MOST_STEPS = 12


@contextmanager
def vouching() -> Iterator[str]:
    """The issuer of a provider that runs."""
    node = shutil.which("node")
    assert node is not None, "Node is not installed: run `make test`"
    assert (INSTALLED / "node_modules").exists(), "the provider is not installed: run `make test`"
    script = ROOT / "tests" / "surfaces" / "hub" / "npm" / "provider.mjs"
    process = subprocess.Popen(
        [node, str(script), str(INSTALLED)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "DEBUG": ""},
    )
    try:
        yield str(json.loads(first_line(process, "the provider"))["issuer"])
    finally:
        process.kill()
        ended(process, "the provider")
        assert process.stdout is not None
        process.stdout.close()


class Seen(NamedTuple):
    """What a browser ended up with."""

    status: int
    url: str
    text: str


class _Staying(HTTPRedirectHandler):
    def redirect_request(self, *given: object) -> None:
        return None


class Visitor:
    """A browser that follows links and fills in forms, and keeps what it went through."""

    def __init__(self) -> None:
        self.jar = CookieJar()
        self.went: list[str] = []
        self._opener = build_opener(HTTPCookieProcessor(self.jar), _Staying)

    def open(self, url: str, form: dict[str, str] | None = None, *, stop_at: str = "") -> Seen:
        """Go where an address leads; with `stop_at`, no further than an address that begins so."""
        data = None if form is None else urlencode(form).encode()
        for _ in range(MOST_STEPS):
            self.went.append(url)
            if stop_at and url.startswith(stop_at):
                return Seen(0, url, "")
            try:
                with self._opener.open(
                    Request(url, data, {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}), timeout=60
                ) as answer:
                    return Seen(answer.status, url, answer.read().decode())
            except HTTPError as error:
                with error:
                    if "Location" not in error.headers:
                        return Seen(error.code, url, error.read().decode())
                    url, data = urljoin(url, error.headers["Location"]), None
        raise AssertionError(f"it leads on and on: {self.went}")

    def sign_in(self, start: str, person: str, *, stop_at: str = "") -> Seen:
        """Begin at the hub, and say at the provider who it is."""
        seen = self.open(start)
        for said in ({"prompt": "login", "login": person, "password": "any"}, {"prompt": "consent"}):
            found = re.search(r'action="([^"]+)"', seen.text)
            assert found is not None, seen
            seen = self.open(urljoin(seen.url, found[1]), said, stop_at=stop_at)
        return seen

    @property
    def cookie(self) -> str:
        """By which the hub knows it; empty if it does not."""
        return "; ".join(f"{one.name}={one.value}" for one in self.jar if one.name == "blueline_hub")
