"""Where a repository is, read from the address that git has for it, or from a name that somebody typed."""

from __future__ import annotations

import re
from typing import NamedTuple

from blueline.hosts.host import BadName
from blueline.model.visible import visible

_ADDRESS = re.compile(
    r"(?:https?://(?:[^@/]+@)?|ssh://(?:[^@/]+@)?|(?:[^@/:]+@))(?P<host>[\w.-]+)(?::\d+)?[:/]"
    r"(?P<name>[\w.-]+(?:/[\w.-]+?)+?)(?:\.git)?/?"
)
_PART = re.compile(r"[A-Za-z0-9._-]{1,100}")
MOST_PARTS = 21
"""GitLab has groups in groups, twenty deep."""


class RepositoryAddress(NamedTuple):
    host: str
    name: str
    """With its owner, or with all the groups that it is in."""


def address_of(url: str) -> RepositoryAddress | None:
    """Host and name in an address of git's; None if it is no address of a host."""
    found = _ADDRESS.fullmatch(url)
    return RepositoryAddress(found["host"], found["name"]) if found else None


def repository_name(text: str) -> tuple[str, str]:
    """Owner and name of a repository that is written `owner/name`."""
    owner, name = parts_of(text, most=2)
    return owner, name


def parts_of(text: str, most: int = MOST_PARTS) -> tuple[str, ...]:
    """The parts of a repository's name: at least an owner and a name, and nothing that leads elsewhere."""
    parts = tuple(text.split("/"))
    is_odd = any(not _PART.fullmatch(part) or part in (".", "..") for part in parts)
    if is_odd or not 2 <= len(parts) <= most:
        raise BadName(f"{visible(text)!r} is not a repository", hint="name it as owner/name")
    return parts
