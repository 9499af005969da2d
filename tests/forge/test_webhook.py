"""Which events of the host are a person speaking to us."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blueline.forge.commands import MARK
from blueline.forge.webhook import comment_of
from blueline.hosts.github import GITHUB
from blueline.hosts.host import BadEvent, Comment, Ignored
from tests.forge.ground import Ground
from tests.forge.offering import CHANGES
from tests.forge.standin import REPO
from tests.forge.webhooks import event

# QB5


def test_an_event_of_a_person_is_read() -> None:
    found = comment_of(GITHUB, "issue_comment", event(issue={"number": 5, "pull_request": {"url": "x"}}))
    assert found == Comment(
        repository=REPO,
        number=5,
        is_pull=True,
        id=1002,
        body="/apply all",
        login="ada",
        user=1,
        at="2101-01-01T00:00:00Z",
    )


BOT = {"login": "helper[bot]", "id": 8, "type": "Bot"}
ADA = {"login": "ada", "id": 1, "type": "User"}


@pytest.mark.parametrize(
    "changed",
    [
        {"sender": BOT},
        {"sender": {"login": "ada", "id": 1, "type": "Organization"}},
        {"sender": {"login": "somebody-else", "id": 2, "type": "User"}},
        {"comment": {"id": 1, "body": "/apply all", "user": BOT, "created_at": ""}, "sender": BOT},
        {
            "comment": {
                "id": 1,
                "body": "/apply all",
                "user": ADA,
                "created_at": "",
                "performed_via_github_app": {"id": 1},
            }
        },
        {"action": "edited"},
        {"action": "deleted"},
    ],
)
def test_qb5_programs_and_edits_are_ignored(changed: dict[str, object]) -> None:
    assert isinstance(comment_of(GITHUB, "issue_comment", event(**changed)), Ignored)


def test_qb5_our_own_text_is_ignored_even_when_a_person_sends_it(ground: Ground) -> None:
    ground.suggest(CHANGES)
    (text,) = ground.github.bodies()
    assert isinstance(comment_of(GITHUB, "issue_comment", event(text + "\n/apply all")), Ignored)
    assert isinstance(comment_of(GITHUB, "issue_comment", event(f"/apply all {MARK}")), Ignored)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b"{",
        b"null",
        b'{"action": "created"}',
        b"[" * 100_000,
        event(comment={"id": "x"}),
        event(issue={"number": -1}),
    ],
)
def test_an_event_that_is_none_is_refused(payload: bytes) -> None:
    with pytest.raises(BadEvent):
        comment_of(GITHUB, "issue_comment", payload)


def test_another_repositorys_comment_is_ignored(ground: Ground) -> None:
    ground.suggest(CHANGES)
    comment = replace(ground.comment("/apply all"), repository="mallory/pantry")
    assert ground.responder().handle(comment).outcome == "ignored"
