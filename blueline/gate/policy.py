"""What a base asks of a commit's review, read without a desk: whoever verifies has none.

A commit may bring a config of its own along, and would otherwise say itself what it has to pass. So what was
run is compared with what the loops of the base ask for: a commit may ask for more, and not for less.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from blueline.desk.gate.gatekeeper import policy_of
from blueline.errors import GATE_CLOSED, BluelineError
from blueline.gate.git import Git
from blueline.model.loop import LOOPS, NAMES, Loop, Policy

BRANCHES = ("refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master")


class PolicyUnknown(BluelineError):
    """What a commit, or its base, asks for cannot be read."""

    exit_code = GATE_CLOSED


def policy_at(git: Git, commit: str) -> Policy:
    """The loops as a commit has them."""
    prefix = git.ask("rev-parse", "--show-prefix")
    place = f"{commit}:{prefix}.blueline/config.toml"
    if git.run("cat-file", "-e", f"{commit}^{{tree}}").returncode:
        raise PolicyUnknown(f"commit {commit[:12]} is not here", hint="git fetch it, with its history")
    done = git.run("cat-file", "blob", place)
    try:
        document = tomllib.loads(done.stdout.decode() if done.returncode == 0 else "")
        return policy_of(document)
    except ValueError as error:  # not TOML, not UTF-8, or not what a policy is
        raise PolicyUnknown(
            f".blueline/config.toml of commit {commit[:12]} cannot be used: {error}", hint="put that right"
        ) from error


def base_of(git: Git, commit: str, wanted: str) -> str:
    """The commit whose loops count for another one: never that one itself, if it has a parent."""
    names = [wanted] if wanted else [*BRANCHES]
    for name in names:
        found = _commit(git, name)
        if found is None:
            continue
        if not wanted:
            # A branch may have moved on since; what it was when the commit left it is what was asked for.
            merged = git.run("merge-base", found, commit)
            found = merged.stdout.decode().strip() if merged.returncode == 0 else found
        if found != commit:
            return found
        break
    else:
        if wanted:
            raise PolicyUnknown(f"there is no commit {wanted!r} to judge by", hint="git fetch it")
    return _parent(git, commit) or commit


def _commit(git: Git, name: str) -> str | None:
    done = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return done.stdout.decode().strip() if done.returncode == 0 else None


def _parent(git: Git, commit: str) -> str:
    """The first parent that a commit names: in a shallow clone, git itself says that there is none."""
    for line in git.ask("cat-file", "commit", commit).splitlines():
        if not line:
            break
        word, _, name = line.partition(" ")
        if word == "parent":
            return name
    return ""


def unmet(base: Policy, own: Policy, loops: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What a base asks for and a signed statement does not have, in words."""
    said = {one.get("loop"): one for one in loops}
    for number in LOOPS:
        for what in _missing(base.loops[number], said.get(number, {})):
            yield f"loop {number} ({NAMES[number]}) {what}"
    for pattern in base.shipped:
        if pattern not in own.shipped:
            yield f"{pattern} ships and was not looked at"


def _missing(asked: Loop, said: Mapping[str, Any]) -> Iterator[str]:
    if asked.skip:
        return
    if said.get("state") == "skipped":
        yield f"was skipped: {said.get('skip') or 'nobody says why'}"
        return
    ran = said.get("commands")
    for command in asked.commands:
        if not isinstance(ran, list) or command.run not in ran:
            yield f"has not run: {command.run}"
    if asked.report and said.get("reported") is not True:
        yield "has no report"
