"""What a run works with: which repository, on which host, with which token, in which clone.

A token is sent to the host that the person named, or to GitHub itself: never to one that only a clone's
settings name, which an agent could have written.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from blueline.errors import BluelineError
from blueline.forge.api_client import Say
from blueline.forge.config import CONFIG, ForgeSettings, read
from blueline.forge.github import API, Api, repository_name
from blueline.forge.objects import Objects
from blueline.forge.remote import Remote, branch_ref
from blueline.forge.responder import Responder
from blueline.model.visible import visible

TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ADDRESS = re.compile(
    r"(?:https?://(?:[^@/]+@)?|ssh://(?:[^@/]+@)?|(?:[^@/:]+@))(?P<host>[\w.-]+)(?::\d+)?[:/]"
    r"(?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?"
)


class CannotOpen(BluelineError):
    """Something is missing that every request needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgePlace:
    """A repository on a host."""

    repo: str
    api: str
    host: str
    """Where git is spoken to."""
    remote: str
    """The address for git."""
    token_for_git: bool


def place_of(objects: Objects, environ: Mapping[str, str], *, repo: str = "", api: str = "") -> ForgePlace:
    """The repository that is meant: as named, as the Action says, or where the clone came from."""
    api = (api or environ.get("GITHUB_API_URL") or API).rstrip("/")
    parts = urlsplit(api)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise CannotOpen(f"{visible(api)} is not the address of an API", hint="such as https://host/api/v3")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise CannotOpen("a token is not sent over http, where everybody can read it", hint="use https")
    host = parts.hostname.removeprefix("api.") if parts.hostname == "api.github.com" else parts.hostname
    url = objects.url("origin") or ""
    match = _ADDRESS.fullmatch(url)
    there = match["name"] if match else ""
    name = repo or environ.get("GITHUB_REPOSITORY") or (there if match and match["host"] == host else "")
    if not name:
        raise CannotOpen(
            "it is not known which repository on GitHub this is",
            hint="name it: --repo owner/name (and --api-url for a host of your own)",
        )
    repository_name(name)
    is_same = match is not None and match["host"] == host and there.lower() == name.lower()
    is_local = match is None and bool(url) and (url.startswith(("/", "file://")))
    remote = url if is_same or is_local else f"https://{host}/{name}.git"
    return ForgePlace(
        repo=name, api=api, host=host, remote=remote, token_for_git=urlsplit(remote).hostname == host
    )


def token_of(environ: Mapping[str, str]) -> str:
    """The token, from the environment: what stands on a command line can be read by others."""
    found = next((environ[name].strip() for name in TOKENS if environ.get(name, "").strip()), "")
    if found and not re.fullmatch(r"[\x21-\x7e]+", found):
        raise CannotOpen("the token holds characters that no token has", hint="set GITHUB_TOKEN anew")
    return found


def open_responder(
    folder: Path,
    environ: Mapping[str, str],
    say: Say,
    *,
    repo: str = "",
    api: str = "",
    settings: ForgeSettings | None = None,
    sleep: Callable[[float], None] = time.sleep,
    needs_token: bool = True,
) -> Responder:
    """Everything ready to work on a repository from a clone of it."""
    objects = Objects(folder)
    place = place_of(objects, environ, repo=repo, api=api)
    token = token_of(environ)
    if not token and needs_token:
        raise CannotOpen(
            "there is no token for GitHub",
            hint="set GITHUB_TOKEN, with write access to contents, issues and pull requests",
        )
    remote = Remote(
        objects.folder,
        place.remote,
        token=token if place.token_for_git else "",
        environ=environ,
        secret=token,
    )
    return Responder(
        Api(place.repo, token, place.api, say, sleep),
        objects,
        remote,
        settings or ForgeSettings(),
        say,
        sleep,
    )


def settings_on_host(responder: Responder) -> ForgeSettings:
    """The config of the default branch: nobody changes the rules for a pull request by that pull request."""
    ref = branch_ref(responder.api.repository().default_branch)
    head = responder.remote.fetch(ref)[ref]
    found = responder.objects.commit(head).read(responder.objects.prefix + CONFIG) if head else None
    return read(found.content) if found is not None else ForgeSettings()


def warn_of_scopes(responder: Responder) -> None:
    """Say what the token may do that is not needed here; to be called after something was asked."""
    if wide := responder.api.wide_scopes():
        responder.say(
            f"the token may do more than is needed here ({', '.join(visible(one) for one in wide)}): "
            "a fine-grained token for this repository alone is safer"
        )
