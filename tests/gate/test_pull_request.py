"""Pull requests that are opened for what was shipped."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from blueline.desk.people import account
from tests.gate.yard import Yard

# Pull requests


class Forge(BaseHTTPRequestHandler):
    asked: list[tuple[str, Any, str | None]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append((self.path, body, self.headers["authorization"]))
        data = json.dumps(
            {"html_url": "https://github.com/o/r/pull/7", "web_url": "https://git.example/7"}
        ).encode()
        self.send_response(201)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def forge() -> Iterator[tuple[str, list[tuple[str, Any, str | None]]]]:
    Forge.asked = []
    server = HTTPServer(("127.0.0.1", 0), Forge)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Forge.asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_pull_request_through_the_api(
    yard: Yard, forge: tuple[str, list[tuple[str, Any, str | None]]], tmp_path: Path
) -> None:
    yard.git("checkout", "-q", "-b", "topic")
    yard.git("config", "remote.origin.url", "https://github.com/o/r.git")
    yard.git("config", f"url.{yard.remote}.insteadOf", "https://github.com/o/r.git")
    yard.project.prompt()
    yard.project.edit("a.md", "one\n", "two\n")
    yard.project.edit("a.md", "two\n", "two\nthree\n")
    first, second = (hunk["id"] for hunk in yard.project.hunks())
    yard.project.accept(first)
    yard.project.reject(second)
    yard.open()
    api, asked = forge
    said = yard.run("ship", "--json", "--message", "Title\n\nBody", GITHUB_TOKEN="t", GITHUB_API_URL=api)
    assert said.document["pull_request"] == "https://github.com/o/r/pull/7"
    assert asked == [
        (
            "/repos/o/r/pulls",
            {"title": "Title", "body": asked[0][1]["body"], "head": "topic", "base": "main"},
            "Bearer t",
        )
    ]
    body = asked[0][1]["body"]
    assert body.startswith("Body\n\nLoops of the review:\n- 1, builds and basic checks: passed, ")
    assert body.endswith(f"\n\nDecided by:\n- `{account()}`: 1 accepted, 1 rejected")
    assert yard.there("refs/heads/topic") == said.document["commit"]


@pytest.mark.parametrize(
    ("path", "name", "place", "words", "address"),
    [
        (
            "/api/v4",
            "GITLAB",
            "/projects/o%2Fgroup%2Fr/merge_requests",
            "source_branch",
            "https://git.example/7",
        ),
        ("/api/v1", "GITEA", "/repos/o/r/pulls", "head", "https://github.com/o/r/pull/7"),
    ],
)
def test_a_pull_request_on_another_host(
    yard: Yard,
    forge: tuple[str, list[tuple[str, Any, str | None]]],
    path: str,
    name: str,
    place: str,
    words: str,
    address: str,
) -> None:
    url = f"https://127.0.0.1/{'o/group/r' if name == 'GITLAB' else 'o/r'}.git"
    yard.git("checkout", "-q", "-b", "topic")
    yard.git("config", "remote.origin.url", url)
    yard.git("config", f"url.{yard.remote}.insteadOf", url)
    yard.put("a.md", "two\n")
    yard.open()
    api, asked = forge
    tokens = {f"{name}_TOKEN": "t", f"{name}_API_URL": api + path}
    said = yard.run("ship", "--json", "--message", "Title", **tokens)
    assert said.document["pull_request"] == address
    ((where, body, _),) = asked
    assert (where, body[words]) == (path + place, "topic")


HOSTS = {
    "GITHUB": ("https://github.com/o/r.git", ""),
    "GITLAB": ("https://127.0.0.1/o/r.git", "/api/v4"),
    "GITEA": ("https://127.0.0.1/o/r.git", "/api/v1"),
}


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_asked_for_calls_nobody_and_closes_nothing(
    yard: Yard, forge: tuple[str, list[tuple[str, Any, str | None]]], host: str
) -> None:
    url, path = HOSTS[host]
    yard.git("checkout", "-q", "-b", "topic")
    yard.git("config", "remote.origin.url", url)
    yard.git("config", f"url.{yard.remote}.insteadOf", url)
    for number, prompt in enumerate(
        ("ask @all: fixes #1", "<!-- /apply all --> ![x](http://x.de/y)", "then 3")
    ):
        yard.project.prompt(prompt)
        yard.project.write(f"{number}.md", "text\n")
    yard.project.accept()
    yard.run("gate", "override", "--reason", "/merge @all", "--expires", "2h")
    proposal = yard.run("ship", "--json", "--dry-run").document["message"]
    typed = f"{proposal}\nSee #2, @ada"
    api, asked = forge
    tokens = {f"{host}_TOKEN": "t", f"{host}_API_URL": api + path}
    yard.run("ship", "--json", "--message", typed, **tokens)
    ((_, sent, _),) = asked
    text = sent.get("body", sent.get("description"))
    # In the commit a blank does it, which everybody sees.
    assert proposal.startswith("ask @all: fixes # 1\n")
    assert sent["title"] == "ask @\u200ball: fixes # 1"
    assert "- ask @\u200ball: fixes \\# 1\n- \\<\\!\\-\\- /apply all" in text
    assert "\\!\\[x\\]\\(http:\u200b//x.de/y\\)" in text
    assert "\n\\/merge @\u200ball\n" in text
    # What a person has typed is meant.
    assert "\nSee #2, @ada\n" in text


def test_qb12_a_token_is_not_sent_to_a_host_that_only_the_clone_names(yard: Yard) -> None:
    yard.git("checkout", "-q", "-b", "topic")
    yard.git("config", "remote.origin.url", "https://evil.example/o/r.git")
    yard.git("config", f"url.{yard.remote}.insteadOf", "https://evil.example/o/r.git")
    yard.put("a.md", "two\n")
    yard.open()
    said = yard.run("ship", "--json", "--message", "Title", GITHUB_TOKEN="t")
    assert said.document["pull_request"] is None
    assert [note for note in said.document["notes"] if "what evil.example is, is not known" in note]


def test_a_pull_request_through_gh(yard: Yard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    gh.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/words\necho https://github.com/o/r/pull/8\n')
    gh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{gh.parent}:{yard.project.environ['PATH']}")
    yard.git("checkout", "-q", "-b", "topic")
    yard.put("a.md", "two\n")
    yard.open()
    said = yard.run("ship", "--json", "--message", "Title")
    assert said.document["pull_request"] == "https://github.com/o/r/pull/8"
    assert (tmp_path / "words").read_text().split()[:4] == ["pr", "create", "--head", "topic"]
    said = yard.run("ship", "--json", "--no-pr")
    assert said.document["pull_request"] is None


def test_the_body_has_the_loops_who_decided_and_what_was_passed_over() -> None:
    from blueline.gate.pull_request import evidence

    loop = {"loop": 1, "name": "standards", "state": "passed", "skip": "", "at": "1", "by": "@ada"}
    reason = {"code": "undecided", "message": "2 changes <b>", "hint": ""}
    override = {"by": "bob", "expires": "2", "reason": "the `site`\nis down\u202e @all"}
    gate: Any = {
        "loops": [loop, {**loop, "loop": 2, "state": "skipped", "skip": "too slow", "at": None, "by": None}],
        "decided": [
            {"by": "ada", "agent": "", "accepted": 3, "rejected": 1, "files": []},
            {"by": "ada", "agent": "codex", "accepted": 1, "rejected": 0, "files": []},
        ],
        "override": override,
        "reasons": [reason],
    }
    assert evidence(gate).splitlines() == [
        "Loops of the review:",
        "- 1, standards: passed, 1, `@ada`",
        "- 2, standards: skipped: `too slow`",
        "",
        "Decided by:",
        "- `ada`: 3 accepted, 1 rejected",
        "- `codex` for `ada`: 1 accepted, 0 rejected",
        "",
        "**The gate was overridden** by `bob` until 2: ``the `site` is down<U+202E> @all``",
        "- passed over: undecided: `2 changes <b>`",
    ]
