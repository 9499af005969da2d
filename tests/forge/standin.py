"""A small GitHub that remembers: issues, pull requests, comments, reviews, who may do what.

It refuses what GitHub refuses: comments on lines that a pull request does not show, bodies that are too long.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

REPO = "ada/pantry"
OWN_ID = 999
LONGEST = 65_536

Document = dict[str, Any]


@dataclass
class Failure:
    """How the next request of a kind goes wrong."""

    method: str
    path: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "no"
    is_done: bool = False
    """Whether it is done all the same, and only the answer is lost."""


@dataclass
class StandIn:
    """Everything that the server knows."""

    remote: Path
    permissions: dict[str, str] = field(
        default_factory=lambda: {"ada": "admin", "bob": "write", "eve": "read"}
    )
    ids: dict[str, int] = field(default_factory=lambda: {"ada": 1, "bob": 2, "eve": 3, "mallory": 4})
    issues: dict[int, Document] = field(default_factory=dict)
    pulls: dict[int, Document] = field(default_factory=dict)
    comments: list[Document] = field(default_factory=list)
    reviews: list[Document] = field(default_factory=list)
    reactions: list[tuple[int, str]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    before: dict[str, Callable[[], None]] = field(default_factory=dict)
    """What happens just before a kind of request is answered, once."""
    scopes: str = ""
    tokens: set[str] = field(default_factory=set)
    versions: set[str] = field(default_factory=set)
    """Of the API, as they were asked for."""
    url: str = ""
    validator: str = ""
    """Host and port of a server that checks each request against GitHub's own description."""
    judged: list[tuple[str, str, int, str]] = field(default_factory=list)
    """What it said: method, path, status, and what is wrong."""
    _next: int = 1000

    def number(self) -> int:
        self._next += 1
        return self._next

    def git(self, *words: str) -> str:
        return subprocess.run(
            ["git", "--git-dir", str(self.remote), *words], capture_output=True, text=True, check=True
        ).stdout

    def issue(self, number: int = 5, **more: object) -> int:
        self.issues[number] = {"number": number, "state": "open", "locked": False, **more}
        return number

    def pull(self, number: int = 7, branch: str = "work", base: str = "main", **more: object) -> int:
        self.pulls[number] = {
            "state": "open", "locked": False, "draft": False, "branch": branch, "base": base,
            "head_repo": REPO, "base_repo": REPO, **more,
        }  # fmt: skip
        self.issue(number, pull_request={"url": "x"})
        return number

    def bodies(self, number: int = 5) -> list[str]:
        return [one["body"] for one in self.comments if one["issue"] == number]

    def judge(self, method: str, path: str, raw: bytes, headers: dict[str, str]) -> None:
        """Ask the validating server about a request."""
        connection = http.client.HTTPConnection(self.validator, timeout=60)
        try:
            connection.request(method, path, raw or None, headers)
            answer = connection.getresponse()
            answer.read()
            wrong = answer.getheader("sl-violations") or ""
            self.judged.append((method, path, answer.status, wrong))
        finally:
            connection.close()

    # What it answers

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        found = re.fullmatch(rf"(?:/api/v3)?/repos/{REPO}(/.*)?", path)
        if found is None:
            return 404, {"message": "Not Found"}
        rest = found[1] or ""
        if not rest:
            return 200, {"full_name": REPO, "default_branch": "main", "clone_url": f"file://{self.remote}"}
        routes: list[tuple[str, str, Callable[..., tuple[int, Any]]]] = [
            ("GET", r"/collaborators/([^/]+)/permission", self._permission),
            ("GET", r"/issues/(\d+)", self._issue),
            ("GET", r"/pulls/(\d+)", self._pull),
            ("GET", r"/pulls/(\d+)/files", self._files),
            ("GET", r"/issues/(\d+)/comments", self._list_comments),
            ("POST", r"/issues/(\d+)/comments", self._comment),
            ("GET", r"/pulls/(\d+)/reviews", self._list_reviews),
            ("POST", r"/pulls/(\d+)/reviews", self._review),
            ("POST", r"/issues/comments/(\d+)/reactions", self._react),
            ("POST", r"/pulls/comments/(\d+)/reactions", self._react),
        ]
        for wanted, pattern, answer in routes:
            match = re.fullmatch(pattern, rest)
            if match and wanted == method:
                page = int(query.get("page", ["1"])[0])
                status, found_ = answer(match[1], body)
                if isinstance(found_, list):
                    size = int(query.get("per_page", ["30"])[0])
                    found_ = found_[(page - 1) * size : page * size]
                return status, found_
        return 404, {"message": "Not Found"}

    def _permission(self, login: str, body: Any) -> tuple[int, Any]:
        level = self.permissions.get(login)
        if login not in self.ids:
            return 404, {"message": "Not Found"}
        return 200, {
            "permission": level or "none",
            "role_name": level or "none",
            "user": {"id": self.ids[login]},
        }

    def _issue(self, number: str, body: Any) -> tuple[int, Any]:
        found = self.issues.get(int(number))
        return (200, found) if found else (404, {"message": "Not Found"})

    def _pull(self, number: str, body: Any) -> tuple[int, Any]:
        one = self.pulls.get(int(number))
        if one is None:
            return 404, {"message": "Not Found"}
        ref = f"refs/heads/{one['branch']}" if one["head_repo"] == REPO else f"refs/pull/{number}/head"
        return 200, {
            "number": int(number),
            "state": one["state"], "locked": one["locked"], "draft": one["draft"],
            "head": {"ref": one["branch"], "sha": self.git("rev-parse", ref).strip(),
                     "repo": {"full_name": one["head_repo"]} if one["head_repo"] else None},
            "base": {"ref": one["base"], "repo": {"full_name": one["base_repo"]}},
        }  # fmt: skip

    def patches(self, number: int) -> dict[str, str]:
        one = self.pulls[number]
        ref = one["branch"] if one["head_repo"] == REPO else f"refs/pull/{number}/head"
        names = self.git("diff", "--name-only", "-z", f"{one['base']}...{ref}").split("\0")
        found = {}
        for name in filter(None, names):
            text = self.git("diff", f"{one['base']}...{ref}", "--", name)
            found[name] = text[text.index("@@") :].removesuffix("\n") if "@@" in text else ""
        return found

    def _files(self, number: str, body: Any) -> tuple[int, Any]:
        return 200, [
            {"filename": name, "status": "modified", **({"patch": patch} if patch else {})}
            for name, patch in self.patches(int(number)).items()
        ]

    def _list_comments(self, number: str, body: Any) -> tuple[int, Any]:
        return 200, [one for one in self.comments if one["issue"] == int(number)]

    def _comment(self, number: str, body: Any) -> tuple[int, Any]:
        if len(body["body"]) > LONGEST:
            return 422, {"message": "Validation Failed", "errors": [{"message": "body is too long"}]}
        if self.issues[int(number)]["locked"]:
            return 403, {"message": "Unable to create comment because issue is locked."}
        identifier = self.number()
        self.comments.append(
            {"id": identifier, "issue": int(number), "body": body["body"], "html_url": f"c{identifier}"}
        )
        return 201, self.comments[-1]

    def _list_reviews(self, number: str, body: Any) -> tuple[int, Any]:
        return 200, [one for one in self.reviews if one["pull"] == int(number)]

    def _review(self, number: str, body: Any) -> tuple[int, Any]:
        patches = self.patches(int(number))
        for one in body.get("comments", []):
            shown = shown_lines(patches.get(one["path"], ""))
            first = one.get("start_line", one["line"])
            hunk = next((hunk for hunk in shown if one["line"] in hunk), None)
            if hunk is None:
                return 422, {"message": "Unprocessable Entity", "errors": ["line must be part of the diff"]}
            if first not in hunk:
                return 422, {
                    "message": "x",
                    "errors": ["start_line must be part of the same hunk as the line"],
                }
            if one.get("start_line") == one["line"]:
                return 422, {"message": "x", "errors": ["start_line must precede the end line"]}
        identifier = self.number()
        self.reviews.append({"id": identifier, "pull": int(number), **body, "html_url": f"r{identifier}"})
        return 200, self.reviews[-1]

    def _react(self, comment: str, body: Any) -> tuple[int, Any]:
        self.reactions.append((int(comment), body["content"]))
        return 201, {"id": self.number(), "content": body["content"]}


def shown_lines(patch: str) -> list[set[int]]:
    """The lines of the new side that a diff shows, from one, hunk by hunk."""
    found: list[set[int]] = []
    at = 0
    for line in patch.split("\n"):
        if head := re.match(r"@@ -\S+ \+(\d+)", line):
            at = int(head[1])
            found.append(set())
        elif line[:1] in ("+", " ") and found:
            found[-1].add(at)
            at += 1
    return found


def _handler(state: StandIn) -> type[BaseHTTPRequestHandler]:
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

        def _serve(self) -> None:
            size = int(self.headers.get("Content-Length", "0"))
            raw = self.rfile.read(size)
            body = json.loads(raw) if raw else None
            parts = urlsplit(self.path)
            if state.validator:
                kept = ("Accept", "Content-Type", "Authorization", "User-Agent", "X-GitHub-Api-Version")
                headers = {name: self.headers[name] for name in kept if name in self.headers}
                state.judge(self.command, self.path, raw, headers)
            with lock:
                state.tokens.add(self.headers.get("Authorization", ""))
                state.versions.add(self.headers.get("X-GitHub-Api-Version", ""))
                state.requests.append((self.command, parts.path, body))
                hook = next(
                    (name for name in state.before if f"{self.command} {parts.path}".find(name) >= 0), None
                )
                if hook is not None:
                    state.before.pop(hook)()
                status, headers, answer = self._answer(parts.path, parse_qs(parts.query), body)
            data = json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            if state.scopes:
                self.send_header("X-OAuth-Scopes", state.scopes)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _answer(
            self, path: str, query: dict[str, list[str]], body: Any
        ) -> tuple[int, dict[str, str], Any]:
            for failure in state.failures:
                if failure.method == self.command and re.search(failure.path, path):
                    state.failures.remove(failure)
                    if failure.is_done:
                        state.answer(self.command, path, query, body)
                    return failure.status, failure.headers, {"message": failure.message}
            status, answer = state.answer(self.command, path, query, body)
            return status, {}, answer

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815

    return Handler


@contextmanager
def serving(state: StandIn) -> Iterator[StandIn]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
