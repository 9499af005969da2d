"""Joining a hub: an invitation is exchanged for a token that this machine makes, and the hub never sees."""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

from blueline.errors import BluelineError
from blueline.kernel import identity, project_folder
from blueline.model.machine_token import machine_token
from blueline.model.visible import visible
from blueline.sync.hub_client import HubClient
from blueline.sync.membership import Membership, keep

SECRET_BYTES = 32
LONGEST_NAME = 200


class NoIdentity(BluelineError):
    """The project has no id that a hub could know it by."""


def join(url: str, invitation: str, root: Path, state: Path) -> Membership:
    """Let a hub know this project."""
    project = id_of(root, state)
    made = ask(url, invitation, project, root.name or "/")
    keep(state, made)
    return made


def ask(url: str, invitation: str, project: str, name: str) -> Membership:
    """Have a token of ours taken for an invitation."""
    token = machine_token(project, secrets.token_urlsafe(SECRET_BYTES))
    with HubClient(url, project, invitation) as hub:
        hub.join(_words(name), _words(socket.gethostname()), project_folder.FORMAT.decode().strip(), token)
    return Membership(url, project, token)


def _words(name: str) -> str:
    """As a hub takes names: one line, whatever a folder is called."""
    return visible(name)[:LONGEST_NAME]


def id_of(root: Path, state: Path) -> str:
    """The project's id, which is in its folder and in its state; given now, if it has none yet."""
    place = state / "id"
    if not place.exists():
        identity.give(os.fsencode(state), os.fsencode(root))
    try:
        return place.read_text("ascii")
    except (OSError, ValueError) as error:
        raise NoIdentity(
            "this project cannot be given an id: its folder takes no file or attribute of ours",
            hint="make it a git repository, or put it on another disk",
        ) from error
