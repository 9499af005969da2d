"""Whose each line of a committed file is, as git has it. No program of git's runs for that."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pygit2

from blueline.kernel import refs


class CommittedLine(NamedTuple):
    """The commit that a line came with."""

    commit: str
    author: str
    at: str
    """As times are stored."""
    summary: str


def committed_lines(root: Path, path: str) -> tuple[bytes, list[CommittedLine]]:
    """What the last commit holds at a path, and where each line of it is from; nothing if there is none."""
    found = refs.repository(os.fsencode(root))
    if found is None:
        return b"", []
    try:
        git = pygit2.Repository(os.fsdecode(found[0]))
        if git.is_bare or git.head_is_unborn:
            return b"", []
        place = os.path.relpath(root / path, os.path.realpath(git.workdir))
        blob = git[git[git.head.target].peel(pygit2.Tree)[place].id]
        if not isinstance(blob, pygit2.Blob):
            return b"", []
        known: dict[str, CommittedLine] = {}
        lines: list[CommittedLine] = []
        for hunk in git.blame(place):
            name = str(hunk.final_commit_id)
            lines += [known.setdefault(name, _described(git, name))] * hunk.lines_in_hunk
        return blob.data, lines
    except (pygit2.GitError, KeyError, ValueError, OSError):
        return b"", []


def _described(git: pygit2.Repository, name: str) -> CommittedLine:
    commit = git[name].peel(pygit2.Commit)
    at = datetime.fromtimestamp(commit.author.time, UTC).isoformat(timespec="milliseconds")
    summary = commit.message.strip().partition("\n")[0]
    return CommittedLine(name, commit.author.name, at.replace("+00:00", "Z"), summary)
