"""A project with something pending, whose repository is on a host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from blueline.contract.suggestions import (
    EventDocument,
    FetchedDocument,
    HandledDocument,
    SuggestedDocument,
)
from tests.forge.ground import BASE, TOKEN, run_git
from tests.forge.standin import REPO, StandIn, serving
from tests.support.project import Project
from tests.support.shown import as_promised

ANSWERS: dict[str, Any] = {
    "suggest": SuggestedDocument,
    "apply": HandledDocument,
    "forge handle-event": EventDocument,
    "forge fetch": FetchedDocument,
}

Document = dict[str, Any]


def environ_of(github: StandIn) -> dict[str, str]:
    return {
        "GITHUB_TOKEN": TOKEN,
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": REPO,
        "NO_PROXY": "127.0.0.1",
    }


class Place:
    """A project that is a clone, and what is typed in it."""

    def __init__(self, base: Path, github: StandIn) -> None:
        self.github = github
        self.project = Project(base / "here", BASE)
        self.root = self.project.root
        for words in (
            ("init", "-q"),
            ("config", "user.name", "Grace"),
            ("config", "user.email", "grace@example.org"),
            ("add", "a.py", "b.py", "docs"),
            ("commit", "-q", "-m", "start"),
            ("remote", "add", "origin", str(github.remote)),
            ("push", "-q", "origin", "HEAD:main"),
            ("branch", "-q", "-M", "main"),
        ):
            run_git(self.root, *words)
        self.project.environ |= environ_of(github)

    def run(self, *words: str, code: int = 0) -> str:
        done = self.project.command(*words)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def json(self, *words: str, code: int = 0) -> Document:
        done = self.project.command(*words, "--json")
        assert done.returncode == code, done.stdout + done.stderr
        found: Document = json.loads(done.stdout)
        if code == 0 and (promised := ANSWERS.get(" ".join(words[: 2 if words[0] == "forge" else 1]))):
            as_promised(found, promised)
        return found

    def event(self, body: str, login: str = "ada", **more: object) -> Document:
        """Somebody comments, and an Action handles it."""
        identifier = self.github.number()
        self.github.comments.append({"id": identifier, "issue": 5, "body": body, "html_url": ""})
        user = {"login": login, "id": self.github.ids.get(login, 77), "type": "User"}
        comment = {"id": identifier, "body": body, "user": user, "created_at": "2101-01-01T00:00:00Z"}
        event = {"action": "created", "issue": {"number": 5}, "comment": comment, "sender": user}
        path = self.root.parent / "event.json"
        path.write_text(json.dumps({**event, "repository": {"full_name": REPO}, **more}))
        self.project.environ |= {"GITHUB_EVENT_NAME": "issue_comment", "GITHUB_EVENT_PATH": str(path)}
        return self.json("forge", "handle-event")

    def content(self, path: str) -> str:
        return self.github.git("show", f"main:{path}")


@contextmanager
def hosted(tmp_path: Path) -> Iterator[Place]:
    remote = tmp_path / "remote.git"
    run_git(tmp_path, "init", "-q", "--bare", str(remote))
    with serving(StandIn(remote)) as github:
        github.issue(5)
        made = Place(tmp_path, github)
        made.project.prompt("shout the second word, please")
        made.project.edit("a.py", "two", "TWO")
        yield made
