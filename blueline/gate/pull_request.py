"""Opens a pull request: with GitHub's own command where it is there, else through the host's API."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from blueline.errors import BluelineError
from blueline.gate.git import Git, program
from blueline.gate.ship_plan import ShipPlan
from blueline.hosts.address import RepositoryAddress, address_of
from blueline.hosts.github import GITHUB
from blueline.hosts.host import HostKind, NewPull
from blueline.hosts.kinds import host_of, token_of

SECONDS = 60


def opened(git: Git, plan: ShipPlan, environ: Mapping[str, str]) -> tuple[str | None, str]:
    """The address of the pull request, or why there is none."""
    base = base_of(git, plan.remote)
    if base == plan.branch:
        return None, f"no pull request: {base} is the branch that others start from"
    where = address_of(git.config(f"remote.{plan.remote}.url"))
    host = host_of(environ, where.host if where else "")
    title, _, body = plan.message.partition("\n")
    if override := plan.gate["override"]:
        who, until = override["by"], override["expires"]
        body += f"\n\nThe gate was overridden by {who} until {until}: {override['reason']}\n"
    gh = program("gh", environ)
    if gh is not None and host.kind is GITHUB:
        return _with_gh(gh, git, plan.branch, base, title, body.strip(), environ)
    if where is None or (where.host != host.host and host.api in host.kind.known.values()):
        return None, f"no pull request: {_unknown(where)}"
    token = token_of(environ, host)
    if not token:
        return None, f"no pull request: there is no {host.kind.tokens[0]}{_or_gh(host.kind)}"
    api = host.kind.opens(where.name, token, host.api)
    try:
        posted = api.open_pull(NewPull(title=title, body=body.strip(), branch=plan.branch, base=base))
    except BluelineError as error:
        return None, f"no pull request: {error}"
    there = "the pull request is there already, and has the new commits"
    return (posted.url, "") if posted else (None, there)


def _unknown(where: RepositoryAddress | None) -> str:
    if where is None:
        return "the remote is no repository on a code host"
    return f"what {where.host} is, is not known: set GITHUB_API_URL, GITLAB_API_URL or GITEA_API_URL"


def _or_gh(kind: HostKind) -> str:
    return ", and no gh" if kind is GITHUB else ""


def base_of(git: Git, remote: str) -> str:
    """The branch that others start from."""
    said = git.run("ls-remote", "--symref", "--", remote, "HEAD").stdout.decode("utf-8", "replace")
    found = re.search(r"^ref: refs/heads/(\S+)\tHEAD$", said, re.MULTILINE)
    return found[1] if found else "main"


def _with_gh(
    gh: str, git: Git, branch: str, base: str, title: str, body: str, environ: Mapping[str, str]
) -> tuple[str | None, str]:
    words = ["pr", "create", "--head", branch, "--base", base, "--title", title, "--body-file", "-"]
    try:
        done = subprocess.run(
            [gh, *words],
            cwd=git.folder,
            env=dict(environ),
            input=body.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, f"no pull request: gh did not end well ({error})"
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    address = re.search(r"https://\S+/pull/\d+", said)
    if done.returncode and "already exists" not in said:
        return None, f"no pull request: {said.strip() or done.returncode}"
    return (address[0] if address else said.strip()), ""
