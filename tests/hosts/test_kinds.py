"""Which host is meant, and which token goes there: never to one that only a clone's settings name."""

from __future__ import annotations

import pytest

from blueline.hosts.address import address_of, parts_of
from blueline.hosts.host import BadName
from blueline.hosts.kinds import NoSuchHost, has_token, host_of, token_of

TOKENS = {"GITHUB_TOKEN": "for-github", "GITLAB_TOKEN": "for-gitlab", "GITEA_TOKEN": "for-gitea"}


@pytest.mark.parametrize(
    ("environ", "origin", "api", "kind", "host", "token"),
    [
        ({}, "github.com", "", "github", "github.com", "for-github"),
        ({}, "gitlab.com", "", "gitlab", "gitlab.com", "for-gitlab"),
        ({}, "codeberg.org", "", "gitea", "codeberg.org", "for-gitea"),
        ({}, "evil.example", "", "github", "github.com", "for-github"),
        (
            {"GITLAB_API_URL": "https://git.example/api/v4"},
            "git.example",
            "",
            "gitlab",
            "git.example",
            "for-gitlab",
        ),
        (
            {"GITLAB_API_URL": "https://git.example/api/v4"},
            "github.com",
            "",
            "github",
            "github.com",
            "for-github",
        ),
        ({}, "x", "https://forge.example/api/v1", "gitea", "forge.example", "for-gitea"),
        ({}, "x", "https://ghe.example/api/v3", "github", "ghe.example", "for-github"),
    ],
)
def test_qb12_a_token_goes_to_the_host_that_it_is_for(
    environ: dict[str, str], origin: str, api: str, kind: str, host: str, token: str
) -> None:
    found = host_of(environ, origin, api)
    assert (found.kind.name, found.host) == (kind, host)
    assert token_of({**TOKENS, **environ}, found) == token


def test_the_actions_of_another_host_call_things_as_github_does() -> None:
    environ = {
        "GITHUB_API_URL": "https://forge.example/api/v1",
        "GITHUB_TOKEN": "of the run".replace(" ", "-"),
    }
    found = host_of(environ, "forge.example")
    assert (found.kind.name, token_of(environ, found)) == ("gitea", "of-the-run")


@pytest.mark.parametrize(
    "api", ["http://git.example/api/v4", "ftp://git.example/api/v4", "git.example", "https://"]
)
def test_qb12_a_token_is_sent_to_no_such_address(api: str) -> None:
    with pytest.raises(NoSuchHost):
        host_of({}, "", api)


def test_there_is_a_token_or_there_is_none() -> None:
    assert has_token({"GITLAB_TOKEN": "x"})
    assert not has_token({"GITLAB_TOKEN": " "})


@pytest.mark.parametrize(
    ("url", "host", "name"),
    [
        ("git@git.example:a/b.git", "git.example", "a/b"),
        ("https://user:word@git.example:8443/a/b/c/d.git", "git.example", "a/b/c/d"),
        ("ssh://git@git.example:22/a/b/", "git.example", "a/b"),
        ("https://git.example/a/b.c", "git.example", "a/b.c"),
    ],
)
def test_an_address_of_git_names_host_and_repository(url: str, host: str, name: str) -> None:
    assert address_of(url) == (host, name)


@pytest.mark.parametrize(
    "url", ["/srv/git/a.git", "file:///srv/a/b", "https://git.example/alone", "ext::sh -c x"]
)
def test_other_addresses_name_none(url: str) -> None:
    assert address_of(url) is None


@pytest.mark.parametrize("name", ["a", "a/..", "a//b", "a/b?c", "/".join("abcdefghijklmnopqrstuvw")])
def test_a_name_that_leads_elsewhere_is_none(name: str) -> None:
    with pytest.raises(BadName):
        parts_of(name)
