"""A repository on a host of some kind, from a clone of it: offered, answered, and looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from blueline.forge.forge_place import open_responder
from blueline.forge.found_changes import OfferableChange
from blueline.forge.responder import Handled, Responder
from blueline.forge.suggest_run import OfferResult, SuggestRun, target_of
from blueline.hosts.host import Comment
from tests.forge.ground import run_git
from tests.forge.offering import change

BASE = {"a.py": "one\ntwo\nthree\n", "b.py": "uno\ndue\n"}


@dataclass
class Hosted:
    clone: Path
    remote: Path
    repo: str
    environ: Mapping[str, str]
    said: list[str] = field(default_factory=list)

    def responder(self) -> Responder:
        return open_responder(
            self.clone, self.environ, self.said.append, repo=self.repo, sleep=lambda seconds: None
        )

    def suggest(
        self, contents: Mapping[str, str], issue: int | None = 5, pull: int | None = None
    ) -> OfferResult:
        bench = self.responder()
        target = target_of(bench, issue=issue, pull=pull, branch="")
        found = [
            OfferableChange(change=change(self.content(path, target.branch), new, path), rationale="why")
            for path, new in contents.items()
        ]
        return SuggestRun(bench, "suggest-only").offer(found, target)

    def say(self, comment: Comment) -> Handled:
        return self.responder().handle(comment)

    def content(self, path: str, branch: str = "main") -> str:
        return run_git(self.remote, "show", f"{branch}:{path}")

    def head(self, branch: str) -> str:
        return run_git(self.remote, "rev-parse", branch).strip()

    def refs(self) -> list[str]:
        return run_git(self.remote, "for-each-ref", "--format=%(refname)", "refs/blueline").split()


def repository(folder: Path, repo: str, environ: Mapping[str, str]) -> Hosted:
    """A bare remote with two branches, and a clone of it."""
    remote, clone = folder / "remote.git", folder / "clone"
    run_git(folder, "init", "-q", "--bare", str(remote))
    run_git(folder, "clone", "-q", str(remote), str(clone))
    for path, content in BASE.items():
        (clone / path).write_text(content)
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-q", "-m", "start")
    run_git(clone, "push", "-q", "origin", "HEAD:main")
    (clone / "a.py").write_text("zero\n" + BASE["a.py"])
    run_git(clone, "commit", "-q", "-am", "work")
    run_git(clone, "push", "-q", "origin", "HEAD:work")
    run_git(clone, "checkout", "-q", "-B", "main", "origin/main")
    return Hosted(clone, remote, repo, {"PATH": "/usr/bin:/bin", **environ})
