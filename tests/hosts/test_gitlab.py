"""Suggestions on a GitLab: lists in notes, buttons in discussions, and answers that are obeyed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from blueline.hosts.api_client import ForgeFailed
from blueline.hosts.gitlab import GITLAB, old_lines
from blueline.hosts.gitlab_events import gitlab_comment, knows_secret
from blueline.hosts.host import BadEvent, Comment, Ignored, NewPull
from tests.forge.ground import run_git
from tests.hosts.described import DescribedHost, serving
from tests.hosts.hosted import BASE, Hosted, repository

REPO = "kitchen/cold/pantry"
PEOPLE = {
    "ada": (1, 50, "active"),
    "bob": (2, 30, "active"),
    "eve": (3, 20, "active"),
    "mal": (4, 40, "blocked"),
}


@dataclass
class GitLab(DescribedHost):
    notes: list[dict[str, Any]] = field(default_factory=list)
    opened: list[Any] = field(default_factory=list)
    emoji: list[str] = field(default_factory=list)
    refs: dict[str, str] = field(default_factory=dict)
    diff: str = ""
    collapsed: bool = False
    """It leaves large diffs out, and says so."""
    can_react: bool = True
    fails: list[int] = field(default_factory=list)
    """What the next posts are answered with, although they are done."""

    def answer(self, method: str, path: str, names: dict[str, str], body: Any) -> tuple[int, Any]:
        assert names.get("id", REPO) == REPO
        match method, path.removeprefix("/api/v4/projects/{id}"):
            case "GET", "":
                return 200, {"path_with_namespace": REPO, "default_branch": "main"}
            case "GET", "/api/v4/users":
                return 200, [{"id": self.asking}] if self.asking else []
            case "GET", "/members/all/{user_id}":
                found = next((one for one in PEOPLE.values() if str(one[0]) == names["user_id"]), None)
                return (200, {"access_level": found[1], "state": found[2]}) if found else (404, {})
            case "GET", "/issues/{issue_iid}":
                return 200, {"state": "opened", "discussion_locked": None}
            case "GET", "/merge_requests/{merge_request_iid}":
                return 200, {
                    "state": "opened",
                    "sha": self.refs["head_sha"],
                    "source_branch": "work",
                    "target_branch": "main",
                    "source_project_id": 12,
                    "target_project_id": 12,
                    "diff_refs": self.refs,
                }
            case "GET", "/merge_requests/{merge_request_iid}/diffs":
                diff = "" if self.collapsed else self.diff
                about = {"new_file": False, "collapsed": self.collapsed, "too_large": False}
                return 200, [{"old_path": "a.py", "new_path": "a.py", "diff": diff, **about}]
            case "POST", "/merge_requests":
                if self.opened:
                    return 409, {
                        "message": ["Another open merge request already exists for this source branch: !9"]
                    }
                self.opened.append(body)
                return 201, {
                    "iid": 9,
                    "web_url": "https://gitlab.example/kitchen/cold/pantry/-/merge_requests/9",
                }
            case "GET", rest:
                thread = f"{rest.split('/')[1]}/{next(v for k, v in names.items() if k.endswith('_iid'))}"
                return 200, [one for one in self.notes if one["thread"] == thread]
            case "POST", rest if rest.endswith("award_emoji"):
                if not self.can_react:
                    return 404, {"message": "404 Award Emoji Not Found"}
                if body["name"] in self.emoji:
                    return 404, {"message": "404 Award Emoji Name has already been taken Not Found"}
                self.emoji.append(body["name"])
                return 201, {}
            case "POST", rest:
                thread = f"{rest.split('/')[1]}/{next(v for k, v in names.items() if k.endswith('_iid'))}"
                self.notes.append({"id": len(self.notes) + 1, "thread": thread, **body})
                return (self.fails.pop(), {}) if self.fails else (201, self.notes[-1])
            case _:
                raise AssertionError((method, path))

    asking: int = 0

    def serve(self, method: str, raw_path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        self.asking = PEOPLE[query["username"]][0] if query.get("username") in PEOPLE else 0
        return super().serve(method, raw_path, query, body)


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    host = GitLab("gitlab", token_header="PRIVATE-TOKEN")
    with serving(host) as url:
        host.url = f"{url}/api/v4"
        yield host
    assert host.wrong == []


@pytest.fixture
def hosted(gitlab: GitLab, tmp_path: Path) -> Hosted:
    made = repository(
        tmp_path, "", {"CI_API_V4_URL": gitlab.url, "CI_PROJECT_PATH": REPO, "GITLAB_TOKEN": "secret"}
    )
    base, head = made.head("main"), made.head("work")
    gitlab.refs = {"base_sha": base, "start_sha": base, "head_sha": head}
    patch = run_git(made.clone, "diff", base, head, "--", "a.py")
    gitlab.diff = patch[patch.index("@@") :]
    return made


def event(body: str, login: str = "ada", number: int = 5, kind: str = "Issue", **changed: Any) -> bytes:
    user = PEOPLE[login][0]
    note = {
        "id": 900,
        "note": body,
        "noteable_type": kind,
        "author_id": user,
        "system": False,
        "created_at": "2101-01-01 00:00:00 UTC",
        "action": "create",
        **changed,
    }
    named = "merge_request" if kind == "MergeRequest" else "issue"
    about = {"project": {"path_with_namespace": REPO}, named: {"iid": number}}
    return json.dumps(
        {"object_kind": "note", "user": {"id": user, "username": login}, "object_attributes": note, **about}
    ).encode()


def said(body: str, login: str = "ada", number: int = 5, kind: str = "Issue") -> Comment:
    found = gitlab_comment("Note Hook", event(body, login, number, kind))
    assert isinstance(found, Comment)
    return found


def test_an_issue_from_offer_to_applied(gitlab: GitLab, hosted: Hosted) -> None:
    assert hosted.responder().api.repo == REPO
    hosted.suggest({"a.py": "one\nTWO\nthree\n", "b.py": "uno\nDUE\n"})
    assert [one["thread"] for one in gitlab.notes] == ["issues/5"]
    for again in (1, 2):
        assert hosted.say(replace(said("Please shout less."), id=800 + again)).outcome == "done"
    assert gitlab.emoji == ["eyes"]
    for login in ("eve", "mal"):
        assert hosted.say(said("/apply 1", login)).outcome == "refused"
    assert hosted.content("a.py") == BASE["a.py"]
    assert hosted.say(replace(said("/apply 1", "bob"), id=901)).outcome == "done"
    assert hosted.content("a.py") == "one\nTWO\nthree\n"
    assert gitlab.tokens == {"secret"}


def test_an_issue_and_a_merge_request_of_one_number_are_two(gitlab: GitLab, hosted: Hosted) -> None:
    hosted.suggest({"a.py": "one\nTWO\nthree\n"}, issue=5)
    hosted.suggest({"a.py": "zero\none\ntwo\nTHREE\n"}, issue=None, pull=5)
    assert hosted.refs() == ["refs/blueline/suggestions/5", "refs/blueline/suggestions/merge-request-5"]
    assert hosted.say(said("/apply all", number=5, kind="MergeRequest")).outcome == "done"
    assert hosted.content("a.py", "work") == "zero\none\ntwo\nTHREE\n"
    assert hosted.content("a.py") == BASE["a.py"]


def test_a_merge_request_gets_buttons_beside_its_lines(gitlab: GitLab, hosted: Hosted) -> None:
    hosted.suggest({"a.py": "ZERO\none\nTWO\nTHREE\n"}, issue=None, pull=7)
    first, second, listed = gitlab.notes
    assert first["position"] == {
        **gitlab.refs,
        "position_type": "text",
        "old_path": "a.py",
        "new_path": "a.py",
        "new_line": 1,
    }
    assert "```suggestion:-0+0\nZERO\n```" in first["body"]
    # The last of two lines that were there before: it has a number on both sides.
    assert (second["position"]["new_line"], second["position"]["old_line"]) == (4, 3)
    assert "```suggestion:-1+0\nTWO\nTHREE\n```" in second["body"]
    assert "position" not in listed


def test_an_answer_that_got_lost_doubles_nothing(gitlab: GitLab, hosted: Hosted) -> None:
    gitlab.fails = [502, 502, 502]
    hosted.suggest({"a.py": "ZERO\none\nTWO\nTHREE\n"}, issue=None, pull=7)
    assert len(gitlab.notes) == 3


def test_a_merge_request_that_has_moved_gets_no_buttons(gitlab: GitLab, hosted: Hosted) -> None:
    gitlab.refs["head_sha"] = "0" * 40
    with pytest.raises(ForgeFailed, match="has moved"):
        hosted.suggest({"a.py": "ZERO\none\ntwo\nthree\n"}, issue=None, pull=7)
    assert gitlab.notes == []


def test_a_merge_request_is_opened_once(gitlab: GitLab, hosted: Hosted) -> None:
    api = hosted.responder().api
    wanted = NewPull(title="a", body="b", branch="work", base="main")
    posted = api.open_pull(wanted)
    assert posted is not None
    assert posted.url.endswith("/merge_requests/9")
    assert api.open_pull(wanted) is None


def test_a_diff_that_is_left_out_is_not_an_empty_one(gitlab: GitLab, hosted: Hosted) -> None:
    api = hosted.responder().api
    assert api.line_reviews is not None
    assert api.line_reviews.patches(7) == {"a.py": gitlab.diff}
    gitlab.collapsed = True
    assert api.line_reviews.patches(7) == {"a.py": None}


def test_a_sign_is_given_once_and_one_that_may_not_be_given_is_said(gitlab: GitLab, hosted: Hosted) -> None:
    api = hosted.responder().api
    for sign in ("+1", "+1", "eyes"):
        api.react(said("thanks"), sign)
    assert gitlab.emoji == ["thumbsup", "eyes"]
    gitlab.can_react = False
    with pytest.raises(ForgeFailed, match="404"):
        api.react(said("thanks"), "rocket")


@pytest.mark.parametrize(
    "changed",
    [{"action": "update"}, {"system": True}, {"author_id": 2}, {"noteable_type": "Commit"}],
)
def test_edits_and_programs_are_not_obeyed(changed: dict[str, Any]) -> None:
    assert isinstance(gitlab_comment("Note Hook", event("/apply all", **changed)), Ignored)


def test_a_bot_of_a_project_is_not_obeyed() -> None:
    payload = json.loads(event("/apply all"))
    payload["user"]["username"] = "project_12_bot_3f"
    assert isinstance(gitlab_comment("Note Hook", json.dumps(payload).encode()), Ignored)
    assert isinstance(gitlab_comment("Confidential Note Hook", event("/apply all")), Ignored)


@pytest.mark.parametrize("payload", [b"", b"[]", b"{}", b'{"object_attributes": {}, "user": {}}'])
def test_what_is_no_event_is_said(payload: bytes) -> None:
    with pytest.raises(BadEvent):
        gitlab_comment("Note Hook", payload)


def test_a_delivery_shows_the_secret() -> None:
    assert knows_secret(b"long enough", b"anything", "long enough")
    assert not knows_secret(b"long enough", b"anything", "long enoug")
    assert not knows_secret(b"long enough", b"anything", "")


def test_lines_of_a_diff_are_known_by_both_numbers() -> None:
    diff = "@@ -2,3 +2,4 @@ def f():\n two\n-three\n+drei\n+more\n four\n@@ -9,0 +11 @@\n+last\n"
    assert old_lines(diff) == {2: 2, 5: 4}


def test_the_kind_says_where_things_are() -> None:
    assert GITLAB.pull_head(7) == "refs/merge-requests/7/head"
