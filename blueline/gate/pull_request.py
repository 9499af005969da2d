"""Opens a pull request: with GitHub's own command where it is there, else through the host's API."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

from blueline.errors import BluelineError
from blueline.gate.git import Git, one_line, program
from blueline.gate.ship_plan import ShipPlan
from blueline.hosts.address import RepositoryAddress, address_of
from blueline.hosts.github import GITHUB
from blueline.hosts.host import HostKind, NewPull
from blueline.hosts.inert_text import code, plain, quiet
from blueline.hosts.kinds import host_of, token_of

SECONDS = 60
LONGEST_QUOTE = 500

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument


def opened(git: Git, plan: ShipPlan, environ: Mapping[str, str]) -> tuple[str | None, str]:
    """The address of the pull request, or why there is none."""
    base = base_of(git, plan.remote)
    if base == plan.branch:
        return None, f"no pull request: {base} is the branch that others start from"
    where = address_of(git.config(f"remote.{plan.remote}.url"))
    host = host_of(environ, where.host if where else "")
    title, body = described(plan)
    gh = program("gh", environ)
    if gh is not None and host.kind is GITHUB:
        return _with_gh(gh, git, plan.branch, base, title, body, environ)
    if where is None or (where.host != host.host and host.api in host.kind.known.values()):
        return None, f"no pull request: {_unknown(where)}"
    token = token_of(environ, host)
    if not token:
        return None, f"no pull request: there is no {host.kind.tokens[0]}{_or_gh(host.kind)}"
    api = host.kind.opens(where.name, token, host.api)
    try:
        posted = api.open_pull(NewPull(title=title, body=body, branch=plan.branch, base=base))
    except BluelineError as error:
        return None, f"no pull request: {error}"
    there = "the pull request is there already, and has the new commits"
    return (posted.url, "") if posted else (None, there)


def described(plan: ShipPlan) -> tuple[str, str]:
    """Title and body. Lines that a person typed say what they say; what was quoted for them does nothing."""
    quoted = {*plan.proposal.splitlines()}
    title, *lines = plan.message.splitlines() or [""]
    body = [_inert(line) if line in quoted else line for line in lines]
    return quiet(title) if title in quoted else title, "\n".join([*body, "", evidence(plan.gate)]).strip()


def _inert(line: str) -> str:
    item = "- " if line.startswith("- ") else ""
    return item + plain(line.removeprefix(item))


def evidence(gate: GateDocument) -> str:
    """What a reader wants to know of the gate: the loops, who decided, and who opened it all the same."""
    lines = ["Loops of the review:"]
    for loop in gate["loops"]:
        why = f": {_quoted(loop['skip'])}" if loop["state"] == "skipped" else ""
        who = f", {loop['at']}, {_quoted(loop['by'])}" if loop["at"] and loop["by"] else ""
        lines.append(f"- {loop['loop']}, {loop['name']}: {loop['state']}{why}{who}")
    if gate["decided"]:
        lines += ["", "Decided by:"]
    for one in gate["decided"]:
        name = f"{_quoted(one['agent'])} for {_quoted(one['by'])}" if one["agent"] else _quoted(one["by"])
        lines.append(f"- {name}: {one['accepted']} accepted, {one['rejected']} rejected")
    if override := gate["override"]:
        who, until = _quoted(override["by"]), override["expires"]
        lines += ["", f"**The gate was overridden** by {who} until {until}: {_quoted(override['reason'])}"]
        lines += [
            f"- passed over: {reason['code']}: {_quoted(reason['message'])}" for reason in gate["reasons"]
        ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    plain_text = " ".join(text.split())
    return code(plain_text if len(plain_text) <= LONGEST_QUOTE else plain_text[: LONGEST_QUOTE - 1] + "…")


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
        return None, f"no pull request: {one_line(said.encode()) or done.returncode}"
    return (address[0] if address else said.strip()), ""
