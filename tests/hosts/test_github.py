"""Requests to the host: where they go, with what, and how often."""

from __future__ import annotations

import pytest

from blueline.forge.forge_place import CannotOpen, place_of, warn_of_scopes
from blueline.forge.objects import Objects
from blueline.hosts.api_client import ForgeFailed
from blueline.hosts.github import GitHubApi
from blueline.hosts.kinds import NoSuchHost
from tests.forge.ground import TOKEN, Ground, run_git
from tests.forge.offering import CHANGES
from tests.forge.standin import REPO, Failure

# QB12


def test_qb12_a_token_that_may_do_more_than_needed_is_warned_about(ground: Ground) -> None:
    ground.github.scopes = "repo, admin:org, delete_repo"
    bench = ground.responder()
    bench.api.repository()
    warn_of_scopes(bench)
    assert ground.said == [
        "the token may do more than is needed here (admin:org, delete_repo): "
        "a fine-grained token for this repository alone is safer"
    ]


def test_qb12_a_token_goes_to_the_named_host_only(ground: Ground) -> None:
    objects = Objects(ground.clone)
    run_git(ground.clone, "remote", "set-url", "origin", "https://evil.example/ada/pantry.git")
    with pytest.raises(CannotOpen, match="not known which repository"):
        place_of(objects, {})
    place = place_of(objects, {"GITHUB_REPOSITORY": REPO})
    assert (place.api, place.remote) == ("https://api.github.com", f"https://github.com/{REPO}.git")
    with pytest.raises(NoSuchHost, match="not sent over http"):
        place_of(objects, {}, api="http://ghe.example/api/v3", repo=REPO)


def test_qb12_an_enterprise_host_is_reached_by_its_address(ground: Ground) -> None:
    objects = Objects(ground.clone)
    run_git(ground.clone, "remote", "set-url", "origin", "git@ghe.example:ada/pantry.git")
    place = place_of(objects, {"GITHUB_API_URL": "https://ghe.example/api/v3"})
    assert (place.repo, place.api, place.remote) == (
        REPO,
        "https://ghe.example/api/v3",
        "git@ghe.example:ada/pantry.git",
    )
    assert not place.token_for_git
    run_git(ground.clone, "remote", "set-url", "origin", "https://ghe.example/ada/pantry.git")
    assert place_of(objects, {"GITHUB_API_URL": "https://ghe.example/api/v3"}).token_for_git


def test_the_api_of_an_enterprise_host_stands_below_a_path_and_speaks_an_older_version(
    ground: Ground,
) -> None:
    api = GitHubApi(REPO, TOKEN, f"{ground.github.url}/api/v3")
    assert api.repository().default_branch == "main"
    assert ground.github.requests[-1][1] == f"/api/v3/repos/{REPO}"
    assert ground.github.versions == {"2022-11-28"}


def test_qb14_a_repository_that_was_moved_is_said(ground: Ground) -> None:
    ground.github.failures = [Failure("GET", "issues/5", 301, {"Location": "https://evil.example/"})]
    with pytest.raises(ForgeFailed) as caught:
        ground.suggest(CHANGES)
    assert caught.value.hint == "the repository has moved: name it as it is called now"


# GitHub that stumbles


def test_rate_limits_and_failures_are_waited_for_and_said(ground: Ground) -> None:
    ground.github.failures = [
        Failure("POST", "comments", 403, {"Retry-After": "7"}),
        Failure("POST", "comments", 502),
        Failure("GET", "issues/5", 503),
    ]
    ground.suggest(CHANGES)
    assert len(ground.github.bodies()) == 1
    assert ground.slept == [1.0, 7.0, 2.0]
    assert [line for line in ground.said if "trying again in 7 s" in line]


def test_a_secondary_limit_without_a_time_is_waited_for(ground: Ground) -> None:
    said = "You have exceeded a secondary rate limit."
    ground.github.failures = [Failure("POST", "comments", 403, message=said)]
    ground.suggest(CHANGES)
    assert ground.slept == [60.0]
    assert len(ground.github.bodies()) == 1


def test_what_waiting_does_not_help_with_is_said_at_once(ground: Ground) -> None:
    ground.github.failures = [Failure("GET", "issues/5", 401)]
    with pytest.raises(ForgeFailed, match="GitHub answered 401") as caught:
        ground.suggest(CHANGES)
    assert caught.value.hint == "the token is not valid (any more)"
    ground.github.failures = [
        Failure("GET", "issues/5", 429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"})
    ]
    with pytest.raises(ForgeFailed, match="429"):
        ground.suggest(CHANGES)
    assert ground.slept == []


def test_a_host_that_cannot_be_reached_is_tried_and_said(ground: Ground) -> None:
    api = GitHubApi(REPO, TOKEN, "http://127.0.0.1:9", ground.said.append, ground.slept.append)
    with pytest.raises(ForgeFailed, match=r"could not be reached \(Connection refused\)"):
        api.repository()
    assert ground.slept == [1.0, 2.0, 4.0, 8.0]


def test_a_comment_that_was_made_although_the_answer_got_lost_is_not_made_twice(ground: Ground) -> None:
    ground.github.failures = [Failure("POST", "comments", 502, is_done=True)]
    ground.suggest(CHANGES)
    assert len(ground.github.bodies()) == 1
