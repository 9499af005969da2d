"""The way to the repository on the code host: fetching and pushing, with the `git` command.

No shell, no text from outside as an option, and none of the programs that a repository's settings may name.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from blueline.errors import BluelineError
from blueline.model.visible import visible

PATIENCE_SECONDS = 600
LONGEST_MESSAGE = 400

SETTINGS = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.sshCommand": "ssh",
    "core.askPass": "",
    "credential.helper": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.ext.allow": "never",
    "submodule.recurse": "false",
    "push.recurseSubmodules": "no",
    "push.gpgSign": "false",
    "fetch.recurseSubmodules": "false",
}
KEPT = (
    *("HOME", "PATH", "LANG", "TMPDIR", "SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "GIT_SSH_COMMAND"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"),
)

FETCHES = 4
"""Tries, if what was listed is gone before it is fetched."""

_BRANCH = re.compile(r"[^\x00-\x20~^:?*\[\\\x7f]+")
_PUSHED = re.compile(r"^([ +\-*=!])\t([^\t]*):([^\t]*)\t(.*)$", re.MULTILINE)


class RemoteFailed(BluelineError):
    """The git command did not do what was asked."""


class NotABranch(BluelineError):
    """A name that no branch can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """One ref to be moved: only if it still names `old` (None: if it is not there)."""

    ref: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PushRefusal:
    """A push that was not taken, as a whole."""

    refs: tuple[str, ...]
    message: str


class Remote:
    """One repository on a host, and the clone that its objects are in."""

    def __init__(
        self,
        folder: str,
        url: str,
        *,
        token: str = "",
        user: str = "x-access-token",
        environ: Mapping[str, str] | None = None,
        secret: str = "",
    ) -> None:
        self._folder = folder
        self._url = url
        self._secrets = [found for one in (token, secret) if one for found in (one, _basic(user, one))]
        environ = os.environ if environ is None else environ
        program = _program(environ)
        self._git = program
        self._environ = {name: environ[name] for name in KEPT if name in environ}
        self._environ |= {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "GIT_ALLOW_PROTOCOL": "https:http:ssh:file",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
            **_as_environment([*SETTINGS.items(), *_authority(url, user, token)]),
        }

    def fetch(self, *refs: str) -> dict[str, str | None]:
        """The commits that refs name now, with their objects in the clone; None for one that is not there.

        No ref of the clone is moved: others may work in it at the same time.
        """
        for _ in range(FETCHES):
            there = self._names(refs)
            missing = [ref for ref in refs if ref in there and not self._has(there[ref])]
            if not missing:
                return {ref: there.get(ref) for ref in refs}
            options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
            self._run("fetch", *options, "--", self._url, *missing)
        raise RemoteFailed("the repository changes faster than it can be fetched", hint="try again")

    def _has(self, commit: str) -> bool:
        return self._start(("cat-file", "-e", f"{commit}^{{commit}}")).returncode == 0

    def names(self, pattern: str) -> list[str]:
        """The refs that there are of a kind."""
        said = self._run("ls-remote", "--quiet", "--refs", "--", self._url, pattern)
        found = [line.partition("\t")[2] for line in said.splitlines()]
        # Git takes a pattern for the end of a name, too.
        return [name for name in found if name.startswith(pattern.partition("*")[0])]

    def _names(self, refs: Sequence[str]) -> dict[str, str]:
        said = self._run("ls-remote", "--quiet", "--refs", "--", self._url, *refs)
        pairs = (line.partition("\t") for line in said.splitlines())
        return {name: commit for commit, _, name in pairs if name in refs}

    def push(self, updates: Sequence[Update]) -> PushRefusal | None:
        """Move refs, all or none; None if it was done."""
        leases = [f"--force-with-lease={one.ref}:{one.old or ''}" for one in updates]
        specs = [f"{one.new}:{one.ref}" for one in updates]
        words = ("push", "--porcelain", "--atomic", "--no-verify", *leases, "--", self._url, *specs)
        done = self._start(words)
        if done.returncode == 0:
            return None
        refs = tuple(ref for flag, _, ref, _ in _PUSHED.findall(done.stdout) if flag == "!")
        whys = [
            why for flag, _, _, why in _PUSHED.findall(done.stdout) if flag == "!" and "atomic" not in why
        ]
        if not refs:
            raise self._failed(words[0], done)
        said = [
            line.removeprefix("remote: ").strip() for line in done.stderr.splitlines() if "remote: " in line
        ]
        return PushRefusal(
            refs=refs, message=self.safe("; ".join([*dict.fromkeys(whys), *said]))[:LONGEST_MESSAGE]
        )

    def _run(self, *words: str) -> str:
        done = self._start(words)
        if done.returncode:
            raise self._failed(words[0], done)
        return done.stdout

    def _start(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                [self._git, f"--git-dir={self._folder}", *words],
                env=self._environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=PATIENCE_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RemoteFailed(f"git {words[0]} could not be run: {type(error).__name__}") from error

    def _failed(self, verb: str, done: subprocess.CompletedProcess[str]) -> RemoteFailed:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        said = self.safe(" ".join(lines[-3:]))[:LONGEST_MESSAGE]
        return RemoteFailed(
            f"git {verb} failed: {said or f'exit code {done.returncode}'}",
            hint="check the address of the remote and what the token may do",
        )

    def safe(self, text: str) -> str:
        """Words of git, without the secrets that it was given."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return visible(re.sub(r"//[^/@\s]+@", "//", text))


def branch_ref(name: str) -> str:
    """The ref of a branch; fails for a name that could mean something else to git."""
    parts = name.split("/")
    is_odd = any(not part or part.startswith(".") or part.endswith((".lock", ".")) for part in parts)
    if not _BRANCH.fullmatch(name) or is_odd or ".." in name or "@{" in name or name.startswith("-"):
        raise NotABranch(f"{visible(name)} is not the name of a branch")
    return f"refs/heads/{name}"


def _program(environ: Mapping[str, str]) -> str:
    """Git from a folder of the search path that is named in full: not one that lies in the project."""
    folders = [one for one in environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(one)]
    found = shutil.which("git", path=os.pathsep.join(folders))
    if found is None:
        raise RemoteFailed("there is no git command", hint="install git")
    return found


def _authority(url: str, user: str, token: str) -> list[tuple[str, str]]:
    """What lets us in, for this host only: in the environment, where other users cannot read it."""
    parts = urlsplit(url)
    if not token or parts.scheme not in ("https", "http"):
        return []
    host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    name = f"http.{parts.scheme}://{host}/.extraheader"
    # The empty one first: a checkout may have left a header of its own, and two are an error.
    return [(name, ""), (name, f"AUTHORIZATION: basic {_basic(user, token)}")]


def _basic(user: str, token: str) -> str:
    return base64.b64encode(f"{user}:{token}".encode()).decode()


def _as_environment(settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    found = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings):
        found[f"GIT_CONFIG_KEY_{number}"] = name
        found[f"GIT_CONFIG_VALUE_{number}"] = value
    return found
