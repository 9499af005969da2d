"""The kinds of hosts, and which one somebody means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from blueline.errors import BluelineError
from blueline.hosts.gitea import GITEA
from blueline.hosts.github import GITHUB
from blueline.hosts.gitlab import GITLAB
from blueline.hosts.host import HostKind
from blueline.model.visible import visible

KINDS = (GITHUB, GITLAB, GITEA)
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class NoSuchHost(BluelineError):
    """An address that no token is sent to."""


class HostAddress(NamedTuple):
    """A host's API: what it speaks, where it is, and the host that git is spoken to."""

    kind: HostKind
    api: str
    host: str


def host_of(environ: Mapping[str, str], origin: str, api: str = "") -> HostAddress:
    """The host that is meant: by the address of its API as somebody named it, or as the environment has it
    for the host that the clone came from, or one that everybody knows.

    A token is never sent to a host that only a clone's settings name, which an agent could have written.
    """
    named = [api] if api else _named(environ)
    hosts = [_at(url) for url in named]
    # A machine may know several.
    if found := next((one for one in hosts if one.host == origin), None):
        return found
    if api:
        return hosts[0]
    for kind in KINDS:
        if origin in kind.known:
            return next((one for one in hosts if one.kind is kind), _at(kind.known[origin]))
    return hosts[0] if hosts else _at(GITHUB.known["github.com"])


def token_of(environ: Mapping[str, str], address: HostAddress) -> str:
    """The token for a host, from the environment: what stands on a command line can be read by others."""
    names = address.kind.tokens
    if environ.get("GITHUB_API_URL", "").rstrip("/") == address.api:
        # Other hosts run Actions, too, and call things as GitHub does.
        names = (*names, *GITHUB.tokens)
    found = next((environ[name].strip() for name in names if environ.get(name, "").strip()), "")
    if not all("!" <= char <= "~" for char in found):
        raise NoSuchHost("the token holds characters that no token has", hint=f"set {names[0]} anew")
    return found


def has_token(environ: Mapping[str, str]) -> bool:
    """Whether there is a token for any host."""
    return any(environ.get(name, "").strip() for kind in KINDS for name in kind.tokens)


def _named(environ: Mapping[str, str]) -> list[str]:
    return [environ[name] for kind in KINDS for name in kind.addresses if environ.get(name)]


def _at(url: str) -> HostAddress:
    api = url.rstrip("/")
    parts = urlsplit(api)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise NoSuchHost(f"{visible(api)} is not the address of an API", hint="such as https://host/api/v3")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise NoSuchHost("a token is not sent over http, where everybody can read it", hint="use https")
    host = next((name for kind in KINDS for name, at in kind.known.items() if at == api), parts.hostname)
    kind = next((kind for kind in KINDS if parts.path.endswith(kind.api_path)), GITHUB)
    return HostAddress(kind, api, host)
