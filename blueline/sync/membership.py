"""The hub that a project belongs to: kept in its state folder, for the owner only, as the token is in it."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from blueline.desk.unsent_purges import HUB
from blueline.errors import BluelineError
from blueline.kernel import disk


class NoHub(BluelineError):
    """The project has joined none."""


class MembershipUnreadable(BluelineError):
    """What was kept of it cannot be read."""


@dataclass(frozen=True)
class Membership:
    """Where a project is sent to, and by what right."""

    url: str
    project: str
    token: str


def read(state: Path) -> Membership:
    """The hub of a project; fails with `NoHub` if there is none."""
    try:
        found = json.loads((state / HUB).read_bytes())
        return Membership(str(found["url"]), str(found["project"]), str(found["token"]))
    except FileNotFoundError:
        raise NoHub(
            "this project has joined no hub", hint="blueline hub join URL, with an invitation"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MembershipUnreadable(
            f"{state / HUB} cannot be read: {error}", hint="join again: blueline hub join URL"
        ) from error


def keep(state: Path, membership: Membership) -> None:
    """Put down, in the state folder, which hub this project has joined, and its token."""
    folder = os.fsencode(state)
    disk.place(folder + b"/" + HUB.encode(), json.dumps(asdict(membership)).encode(), folder + b"/blobs/tmp")
