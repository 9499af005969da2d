"""Signing in at a hub with a real provider: who is let in, as what, and what is not believed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.hub_process import Hub, serving
from tests.support.openid_provider import CLIENT, SECRET, Visitor, vouching
from tests.support.postgresql import Server

RULES = ("--let-in", "domain=example.org:reader", "--let-in", "groups=chiefs:owner")


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with vouching() as issuer:
        yield issuer


@pytest.fixture(scope="module")
def hub(postgresql: Server, issuer: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    words = ["--provider", issuer, "--client", CLIENT, *RULES]
    home = tmp_path_factory.mktemp("hub")
    with serving(postgresql.database(), home, words, BLUELINE_HUB_CLIENT_SECRET=SECRET) as hub:
        yield hub


def somebody(mail: str = "example.org") -> str:
    """Nobody whom another test knows."""
    return f"p{secrets.token_hex(4)}@{mail}"


def sign_in(hub: Hub) -> str:
    return f"{hub.url}/sign-in"


def test_somebody_whom_a_rule_lets_in_signs_in_with_the_code_flow_pkce_state_and_nonce(hub: Hub) -> None:
    anna, visitor = somebody(), Visitor()

    seen = visitor.sign_in(sign_in(hub), anna)

    assert (seen.status, urlsplit(seen.url).path) == (200, "/"), seen
    (asked,) = [parse_qs(urlsplit(one).query) for one in visitor.went if "code_challenge=" in one]
    assert (asked["response_type"], asked["code_challenge_method"]) == (["code"], ["S256"])
    assert asked["state"] != asked["nonce"] != asked["code_challenge"]
    me = hub.get("/api/me", visitor.cookie)
    assert (me["name"], me["role"]) == (anna.partition("@")[0].capitalize(), "reader")
    assert not [one for one in visitor.jar if one.name == "blueline_hub_sign_in"], "it was good once"


def test_a_stranger_is_shown_where_to_sign_in(hub: Hub, issuer: str) -> None:
    seen = Visitor().open(f"{hub.url}/")
    assert seen.status == 401
    assert f"Sign in with {urlsplit(issuer).netloc}" in seen.text


def test_a_claim_gives_a_role(hub: Hub) -> None:
    chief = Visitor()
    chief.sign_in(sign_in(hub), f"p{secrets.token_hex(4)}.chiefs")
    assert hub.get("/api/me", chief.cookie)["role"] == "owner"


@pytest.mark.parametrize("person", ["liar@example.org", "nobody@example.org.evil.example", "nobody"])
def test_nobody_else_comes_in(hub: Hub, person: str) -> None:
    visitor = Visitor()
    seen = visitor.sign_in(sign_in(hub), person)
    assert (seen.status, visitor.cookie) == (403, "")


def test_an_invitation_lets_in_whoever_the_provider_vouches_for_once(hub: Hub) -> None:
    link, ben, visitor = hub.link("Ben", "reviewer"), somebody("elsewhere.example"), Visitor()
    asked = visitor.open(link)
    assert "Sign in with" in asked.text
    code = link.rpartition("/")[2]
    assert visitor.open(f"{link}?yes=1").text.count("Sign in with"), "a link alone is not enough here"

    seen = visitor.sign_in(f"{sign_in(hub)}?invitation={code}", ben)

    assert (seen.status, urlsplit(seen.url).path) == (200, "/"), seen
    me = hub.get("/api/me", visitor.cookie)
    assert (me["name"], me["role"]) == (ben.partition("@")[0].capitalize(), "reviewer")
    again = Visitor().sign_in(f"{sign_in(hub)}?invitation={code}", somebody())
    assert (again.status, "not good" in again.text) == (403, True)
    later = Visitor()
    later.sign_in(sign_in(hub), ben)
    assert hub.get("/api/me", later.cookie)["role"] == "reviewer", "who was invited comes back without a link"


def test_an_answer_is_good_for_the_browser_that_asked_and_once(hub: Hub) -> None:
    back = f"{hub.url}/sign-in/back"
    victim, thief = Visitor(), Visitor()
    answer = victim.sign_in(sign_in(hub), somebody(), stop_at=back)

    assert thief.open(answer.url).status == 403, "it has begun nothing"
    thief.open(sign_in(hub))
    assert thief.open(answer.url).status == 403, "it has begun something else"
    forged = answer.url.replace("state=", "state=x")
    other = Visitor()
    other.open(sign_in(hub))
    assert other.open(forged).status == 403
    assert thief.cookie == other.cookie == ""
    assert victim.open(answer.url).status == 200
    assert victim.open(answer.url).status == 403, "once"


def test_the_provider_says_no(hub: Hub) -> None:
    visitor = Visitor()
    asked = visitor.open(sign_in(hub))
    (sent,) = [parse_qs(urlsplit(one).query) for one in visitor.went if "code_challenge=" in one]
    seen = visitor.open(f"{hub.url}/sign-in/back?error=access_denied%3Cb%3E&state={sent['state'][0]}")
    assert asked.status == 200
    assert (seen.status, "access_denied&lt;b&gt;" in seen.text) == (403, True), seen
