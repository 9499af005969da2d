"""Suggestions on a Gitea or a Forgejo: lists in comments, and answers that are obeyed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from blueline.hosts.gitea import GITEA, gitea_comment
from blueline.hosts.host import BadEvent, Comment, Ignored, NewPull
from tests.forge.webhooks import SECRET, signed
from tests.hosts.described import DescribedHost, serving
from tests.hosts.hosted import BASE, Hosted, repository

REPO = "ada/pantry"
PEOPLE = {"ada": (1, "owner"), "bob": (2, "write"), "eve": (3, "read")}


@dataclass
class Gitea(DescribedHost):
    comments: list[dict[str, Any]] = field(default_factory=list)
    pulls: list[Any] = field(default_factory=list)
    reactions: list[str] = field(default_factory=list)
    head: str = ""

    def answer(self, method: str, path: str, names: dict[str, str], body: Any) -> tuple[int, Any]:
        match method, path.removeprefix("/api/v1/repos/{owner}/{repo}"):
            case "GET", "":
                return 200, {"full_name": REPO, "default_branch": "main"}
            case "GET", "/collaborators/{collaborator}/permission":
                known = PEOPLE.get(names["collaborator"])
                return (200, {"permission": known[1], "user": {"id": known[0]}}) if known else (404, {})
            case "GET", "/issues/{index}":
                is_pull = names["index"] == "7"
                return 200, {
                    "state": "open",
                    "is_locked": False,
                    "pull_request": {"draft": False} if is_pull else None,
                }
            case "GET", "/pulls/{index}":
                side = {"repo": {"full_name": REPO}}
                return 200, {
                    "state": "open",
                    "head": {**side, "ref": "work", "sha": self.head},
                    "base": {**side, "ref": "main"},
                }
            case "GET", "/issues/{index}/comments":
                return 200, [one for one in self.comments if one["index"] == names["index"]]
            case "POST", "/issues/{index}/comments":
                self.comments.append({"id": len(self.comments) + 1, "index": names["index"], **body})
                return 201, self.comments[-1]
            case "POST", "/issues/comments/{id}/reactions":
                self.reactions.append(body["content"])
                return 201, {}
            case "POST", "/pulls":
                if body["head"] in [one["head"] for one in self.pulls]:
                    return 409, {"message": "there is one"}
                self.pulls.append(body)
                return 201, {"number": 8, "html_url": "https://gitea.example/ada/pantry/pulls/8"}
            case _:
                raise AssertionError((method, path))


@pytest.fixture
def gitea() -> Iterator[Gitea]:
    host = Gitea("gitea", token_header="Authorization")
    with serving(host) as url:
        host.url = f"{url}/api/v1"
        yield host
    assert host.wrong == []


@pytest.fixture
def hosted(gitea: Gitea, tmp_path: Path) -> Hosted:
    tokens = {"GITEA_TOKEN": "secret", "GITHUB_TOKEN": "for somebody else"}
    made = repository(tmp_path, REPO, {"GITEA_API_URL": gitea.url, **tokens})
    gitea.head = made.head("work")
    return made


def event(body: str, login: str = "ada", number: int = 5, **changed: Any) -> bytes:
    user = {"id": PEOPLE[login][0], "login": login}
    return json.dumps(
        {
            "action": "created",
            "issue": {"number": number, "pull_request": {} if number == 7 else None},
            "comment": {"id": 900, "body": body, "user": user, "created_at": "2101-01-01T00:00:00Z"},
            "repository": {"full_name": REPO},
            "sender": user,
            **changed,
        }
    ).encode()


def said(body: str, login: str = "ada", number: int = 5) -> Comment:
    found = gitea_comment("issue_comment", event(body, login, number))
    assert isinstance(found, Comment)
    return found


def test_an_issue_from_offer_to_applied(gitea: Gitea, hosted: Hosted) -> None:
    hosted.suggest({"a.py": "one\nTWO\nthree\n", "b.py": "uno\nDUE\n"})
    (listed,) = gitea.comments
    assert "**1.**" in listed["body"]
    assert hosted.say(said("Please shout less.")).outcome == "done"
    assert gitea.reactions == ["eyes"]
    assert hosted.say(replace(said("/apply 1", "eve"), id=902)).outcome == "refused"
    assert hosted.content("a.py") == BASE["a.py"]
    done = hosted.say(replace(said("/apply 1", "bob"), id=901))
    assert done.outcome == "done"
    assert hosted.content("a.py") == "one\nTWO\nthree\n"
    assert hosted.refs() == ["refs/blueline/suggestions/5"]
    assert gitea.tokens == {"token secret"}


def test_a_pull_request_gets_lists_because_there_are_no_buttons(gitea: Gitea, hosted: Hosted) -> None:
    hosted.suggest({"a.py": "zero\none\nTWO\nthree\n"}, issue=7)
    (listed,) = gitea.comments
    assert "```diff" in listed["body"]
    assert "suggestion\n" not in listed["body"]
    assert hosted.say(said("/apply all", number=7)).outcome == "done"
    assert hosted.content("a.py", "work") == "zero\none\nTWO\nthree\n"
    assert hosted.content("a.py") == BASE["a.py"]


def test_a_pull_request_is_opened_once(gitea: Gitea, hosted: Hosted) -> None:
    api = hosted.responder().api
    wanted = NewPull(title="a", body="b", branch="work", base="main")
    posted = api.open_pull(wanted)
    assert posted is not None
    assert posted.url.endswith("/pulls/8")
    assert api.open_pull(wanted) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"action": "edited"},
        {"sender": {"id": 2, "login": "bob"}},
        {"sender": {"id": -2, "login": "gitea-actions"}},
    ],
)
def test_edits_and_programs_are_not_obeyed(changed: dict[str, Any]) -> None:
    assert isinstance(gitea_comment("issue_comment", event("/apply all", **changed)), Ignored)
    assert isinstance(gitea_comment("push", b"{}"), Ignored)


@pytest.mark.parametrize("payload", [b"", b"[]", b'{"action": "created"}'])
def test_what_is_no_event_is_said(payload: bytes) -> None:
    with pytest.raises(BadEvent):
        gitea_comment("issue_comment", payload)


def test_a_delivery_is_signed_as_githubs_are() -> None:
    payload = event("/apply all")
    assert GITEA.webhook.is_genuine(SECRET.encode(), payload, signed(payload))
    assert not GITEA.webhook.is_genuine(SECRET.encode(), payload + b" ", signed(payload))
