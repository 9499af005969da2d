"""Which commits go out with a push, or come along with a merge: those that others do not have yet."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from blueline.gate.git import Git
from blueline.kernel import disk

BEFORE = "commits-before"
"""In the state folder: the commits that were there when Blueline came."""

_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Pushed(NamedTuple):
    """A ref that is about to be pushed."""

    ref: str
    commit: str
    there: str = ""
    """What the other side has at that ref; empty if nothing."""


def pushed(given: str, environ: Mapping[str, str]) -> Iterator[Pushed]:
    """What is about to be pushed, by what git or the pre-commit framework says."""
    if "PRE_COMMIT_TO_REF" in environ:
        ref, there = environ.get("PRE_COMMIT_REMOTE_BRANCH", ""), environ.get("PRE_COMMIT_FROM_REF", "")
        yield Pushed(ref, environ["PRE_COMMIT_TO_REF"], there)
        return
    for line in given.splitlines():
        words = line.split()
        if len(words) != 4:
            continue
        _, commit, ref, there = words
        # A deletion brings nothing; statements of the gate are no files.
        if set(commit) != {"0"} and not ref.startswith("refs/blueline/"):
            yield Pushed(ref, commit, "" if set(there) == {"0"} else there)


def merged(git: Git, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The commits that are being merged into the one that is checked out; none if no merge is under way."""
    # Before a merge that needs nobody's help git names them to its hooks alone.
    found = [name.removeprefix("GITHEAD_") for name in environ if name.startswith("GITHEAD_")]
    place = Path(git.ask("rev-parse", "--path-format=absolute", "--git-path", "MERGE_HEAD"))
    if place.is_file():
        found += place.read_text(errors="replace").split()
    return tuple(dict.fromkeys(name for name in found if _NAME.fullmatch(name)))


def outgoing(git: Git, tips: Sequence[str], known: Sequence[str]) -> list[str]:
    """Commits that lead to some tips and that nobody else has, oldest first."""
    out = ["--not", "--remotes", *(one for one in known if _is_here(git, one))]
    return git.ask("rev-list", "--reverse", "--topo-order", *tips, *out).split()


def _is_here(git: Git, name: str) -> bool:
    return bool(name) and git.run("cat-file", "-e", f"{name}^{{commit}}").returncode == 0


def remember(git: Git, state: Path) -> None:
    """Write down, once, which commits are there: what is older than Blueline was never up for review."""
    place = state / BEFORE
    if place.exists():
        return
    done = git.run("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/tags", "refs/remotes")
    names = sorted({*done.stdout.decode().split()})
    disk.place(os.fsencode(place), json.dumps(names).encode(), os.fsencode(state / "blobs" / "tmp"))


def commits_before(state: Path) -> list[str]:
    """The commits that were there when Blueline came; none if that is not known."""
    try:
        found = json.loads((state / BEFORE).read_bytes())
    except (OSError, ValueError):
        return []
    names = found if isinstance(found, list) else []
    return [name for name in names if isinstance(name, str) and _NAME.fullmatch(name)]
