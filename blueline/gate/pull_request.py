"""Opens a pull request: with GitHub's own command where it is there, else through its API."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Mapping

from blueline.errors import BluelineError
from blueline.gate.git import Git, program
from blueline.gate.ship_plan import ShipPlan

SECONDS = 60
LARGEST = 1 << 20
HOST = "github.com"
_ADDRESS = re.compile(
    r"^(?:https?://(?:[^@/]+@)?|ssh://git@|git@)(?P<host>[\w.-]+)(?::\d+)?[:/](?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?$"
)


def repository_of(url: str) -> tuple[str, str] | None:
    """Host, and owner/name, of a remote's address."""
    found = _ADDRESS.match(url)
    return (found["host"], found["name"]) if found else None


def opened(git: Git, plan: ShipPlan, environ: Mapping[str, str]) -> tuple[str | None, str]:
    """The address of the pull request, or why there is none."""
    base = base_of(git, plan.remote)
    if base == plan.branch:
        return None, f"no pull request: {base} is the branch that others start from"
    where = repository_of(git.config(f"remote.{plan.remote}.url"))
    title, _, body = plan.message.partition("\n")
    if override := plan.gate["override"]:
        who, until = override["by"], override["expires"]
        body += f"\n\nThe gate was overridden by {who} until {until}: {override['reason']}\n"
    gh = program("gh", environ)
    if gh is not None:
        return _with_gh(gh, git, plan.branch, base, title, body.strip(), environ)
    token = environ.get("GH_TOKEN") or environ.get("GITHUB_TOKEN")
    if where is None or not token:
        return None, "no pull request: neither gh nor a GITHUB_TOKEN is here"
    api = environ.get("GITHUB_API_URL") or (
        "https://api.github.com" if where[0] == HOST else f"https://{where[0]}/api/v3"
    )
    wanted = {"title": title, "body": body.strip(), "head": plan.branch, "base": base}
    return _with_api(api, where[1], wanted, token)


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


def _with_api(api: str, name: str, wanted: Mapping[str, str], token: str) -> tuple[str | None, str]:
    request = urllib.request.Request(
        f"{api}/repos/{name}/pulls",
        data=json.dumps(wanted).encode(),
        method="POST",
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "User-Agent": "blueline",
        },
    )
    if not api.startswith(("https://", "http://127.0.0.1")):
        raise BluelineError(f"{api} is not an address of an API", hint="look at GITHUB_API_URL")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            document = json.loads(answer.read(LARGEST))
    except urllib.error.HTTPError as error:
        said = error.read(LARGEST).decode("utf-8", "replace")
        if error.code == 422 and "already exists" in said:
            return None, "the pull request is there already, and has the new commits"
        return None, f"no pull request: GitHub answered {error.code}"
    except (OSError, ValueError) as error:
        return None, f"no pull request: {error}"
    return str(document.get("html_url")) if isinstance(document, dict) else None, ""
