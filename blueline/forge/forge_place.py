"""What a run works with: which repository, on which host, with which token, in which clone.

A token is sent to the host that the person named, or to GitHub itself: never to one that only a clone's
settings name, which an agent could have written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from blueline.errors import BluelineError
from blueline.forge.forge_config import CONFIG, ForgeSettings, read
from blueline.forge.objects import Objects
from blueline.forge.remote import Remote, branch_ref
from blueline.forge.responder import Responder
from blueline.hosts.address import address_of, parts_of
from blueline.hosts.api_client import Say
from blueline.hosts.host import HostKind
from blueline.hosts.kinds import host_of, token_of
from blueline.model.visible import visible


class CannotOpen(BluelineError):
    """Something is missing that every request needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgePlace:
    """A repository on a host."""

    kind: HostKind
    repo: str
    api: str
    host: str
    """Where git is spoken to."""
    remote: str
    """The address for git."""
    token: str
    token_for_git: bool


def place_of(objects: Objects, environ: Mapping[str, str], *, repo: str = "", api: str = "") -> ForgePlace:
    """The repository that is meant: as named, as the Action says, or where the clone came from."""
    url = objects.url("origin") or ""
    origin = address_of(url)
    address = host_of(environ, origin.host if origin else "", api)
    is_there = origin is not None and origin.host == address.host
    name = repo or _named(environ, address.kind, address.api)
    if origin is not None and is_there:
        name = name or origin.name
    if not name:
        raise CannotOpen(
            f"it is not known which repository on {address.kind.label} this is",
            hint="name it: --repo owner/name (and --api-url for a host of your own)",
        )
    parts_of(name)
    is_same = origin is not None and is_there and origin.name.lower() == name.lower()
    is_local = origin is None and url.startswith(("/", "file://"))
    remote = url if is_same or is_local else f"https://{address.host}/{name}.git"
    return ForgePlace(
        kind=address.kind,
        repo=name,
        api=address.api,
        host=address.host,
        remote=remote,
        token=token_of(environ, address),
        token_for_git=urlsplit(remote).hostname == address.host,
    )


def _named(environ: Mapping[str, str], kind: HostKind, api: str) -> str:
    # Other hosts run Actions, too, and call things as GitHub does.
    is_action = environ.get("GITHUB_API_URL", "").rstrip("/") == api
    names = (*kind.repositories, *(("GITHUB_REPOSITORY",) if is_action else ()))
    return next((environ[name] for name in names if environ.get(name)), "")


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
    if not place.token and needs_token:
        raise CannotOpen(
            f"there is no token for {place.kind.label}",
            hint=f"set {place.kind.tokens[0]}, with {place.kind.needs}",
        )
    remote = Remote(
        objects.folder,
        place.remote,
        token=place.token if place.token_for_git else "",
        user=place.kind.git_user,
        environ=environ,
        secret=place.token,
    )
    return Responder(
        place.kind.opens(place.repo, place.token, place.api, say, sleep),
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
