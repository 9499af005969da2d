"""A repository on a host: a bare remote, a clone of it, and a small GitHub."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from blueline.forge.forge_config import ForgeSettings, Mode
from blueline.forge.found_changes import OfferableChange
from blueline.forge.objects import Objects
from blueline.forge.offer import Offer
from blueline.forge.remote import PushRefusal, Remote, Update
from blueline.forge.responder import Handled, Responder
from blueline.forge.suggest_run import OfferResult, SuggestRun, target_of
from blueline.hosts.github import GitHubApi
from blueline.hosts.host import Comment, ThreadName
from tests.forge.offering import change
from tests.forge.standin import REPO, StandIn

TOKEN = "ghs_secret_token_of_the_tests"
EARLIER, LATER = "2001-01-01T00:00:00Z", "2101-01-01T00:00:00Z"
BASE = {"a.py": "one\ntwo\nthree\n", "b.py": "uno\ndue\n", "docs/c.md": "# Title\n\ntext\n"}


def run_git(folder: Path, *words: str) -> str:
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass
class Ground:
    """All of it, and what a test does with it."""

    base: Path
    github: StandIn
    clone: Path
    said: list[str] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    settings: ForgeSettings = field(default_factory=ForgeSettings)
    _comments: int = 0

    @property
    def remote(self) -> Path:
        return self.github.remote

    def api(self) -> GitHubApi:
        return GitHubApi(REPO, TOKEN, self.github.url, self.said.append, self.slept.append)

    def responder(self, clone: Path | None = None) -> Responder:
        objects = Objects(clone or self.clone)
        remote = Remote(objects.folder, str(self.remote), token=TOKEN)
        return Responder(self.api(), objects, remote, self.settings, self.said.append, self.slept.append)

    def before_push(self, bench: Responder, act: Callable[[], object]) -> None:
        """Something happens between the last look and the push, once."""
        push = bench.remote.push

        def once(updates: Sequence[Update]) -> PushRefusal | None:
            del vars(bench.remote)["push"]
            act()
            return push(updates)

        vars(bench.remote)["push"] = once

    # Somebody else

    def push(self, files: Mapping[str, str | None], branch: str = "main", message: str = "work") -> str:
        """Another person pushes to a branch, which is made if need be."""
        other = self.base / "other"
        if not other.exists():
            run_git(self.base, "clone", "-q", str(self.remote), "other")
        run_git(other, "fetch", "-q", "origin")
        known = run_git(other, "branch", "-r", "--list", f"origin/{branch}").strip()
        run_git(other, "checkout", "-q", "-B", branch, f"origin/{branch}" if known else "origin/main")
        for path, content in files.items():
            place = other / path
            if content is None:
                place.unlink()
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content.encode())
        run_git(other, "add", "-A")
        run_git(other, "commit", "-q", "--allow-empty", "-m", message)
        run_git(other, "push", "-q", "origin", branch)
        return run_git(other, "rev-parse", "HEAD").strip()

    def content(self, path: str, branch: str = "main") -> str | None:
        done = subprocess.run(
            ["git", "--git-dir", str(self.remote), "show", f"{branch}:{path}"],
            capture_output=True,
            check=False,
        )
        return done.stdout.decode() if done.returncode == 0 else None

    def head(self, branch: str = "main") -> str:
        return self.github.git("rev-parse", f"refs/heads/{branch}").strip()

    def message(self, branch: str = "main") -> str:
        return self.github.git("log", "-1", "--format=%B", branch)

    # What is offered

    def found(self, contents: Mapping[str, str | None], branch: str = "main") -> list[OfferableChange]:
        return [
            OfferableChange(
                change=change(self.content(path, branch), new, path), rationale=f"why {path}", of=("t1",)
            )
            for path, new in contents.items()
        ]

    def suggest(
        self,
        contents: Mapping[str, str | None],
        *,
        issue: int | None = 5,
        pull: int | None = None,
        mode: Mode = "suggest-only",
        per_hunk: bool = False,
    ) -> OfferResult:
        bench = self.responder()
        target = target_of(bench, issue=None if pull else issue, pull=pull, branch="")
        offering = SuggestRun(bench, mode, per_hunk=per_hunk, sleep=self.slept.append)
        return offering.offer(self.found(contents, target.branch if target.is_ours else "main"), target)

    def offer(self, number: int = 5) -> Offer:
        found = self.responder().offer(ThreadName(number))
        assert found is not None
        return found[0]

    def statuses(self, number: int = 5) -> dict[int, str]:
        return {one.number: one.status for one in self.offer(number).suggestions}

    # What is said

    def comment(self, body: str, login: str = "ada", number: int = 5, at: str = LATER) -> Comment:
        made = self.github.number()
        self.github.comments.append({"id": made, "issue": number, "body": body, "html_url": ""})
        return Comment(
            repository=REPO,
            number=number,
            is_pull=number in self.github.pulls,
            id=made,
            body=body,
            login=login,
            user=self.github.ids[login],
            at=at,
        )

    def say(self, body: str, login: str = "ada", number: int = 5) -> Handled:
        """Somebody writes a comment, and it is dealt with."""
        return self.responder().handle(self.comment(body, login, number))

    def answers(self, number: int = 5) -> list[str]:
        """What was answered in a thread, without lists."""
        return [
            body.partition("\n")[2]
            for body in self.github.bodies(number)
            if body.startswith("<!-- blueline answer")
        ]

    def refuse(self, times: int) -> None:
        """The remote says no so many times."""
        hook = self.remote / "hooks" / "pre-receive"
        count = self.base / "refused"
        hook.write_text(
            f'#!/bin/sh\nn=$(cat {count} 2>/dev/null || echo 0)\n[ "$n" -ge {times} ] && exit 0\n'
            f'echo $((n + 1)) > {count}\necho "come back later" >&2\nexit 1\n'
        )
        hook.chmod(0o755)
