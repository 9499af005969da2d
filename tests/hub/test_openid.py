"""What is believed of an ID token, and whom the rules let in."""

from __future__ import annotations

import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from blueline.hub.openid import (
    Attempt,
    EntryRule,
    NoProvider,
    OpenId,
    ProviderSettings,
    SignInFailed,
    entry_rule,
    role_by,
)

ISSUER, CLIENT, NONCE = "https://id.example", "hub", "for this attempt"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())


class Offline(OpenId):
    """A provider whose keys are known, and that nobody has to ask."""

    def _learn(self, *, again: bool = False) -> None:
        found = [
            {**jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key(), as_dict=True), "kid": "one"},
            {**jwt.algorithms.ECAlgorithm.to_jwk(CURVE.public_key(), as_dict=True), "kid": "two"},
        ]
        self._keys = jwt.PyJWKSet.from_dict({"keys": found}).keys


def token(key: Any = KEY, kind: str = "RS256", named: str = "one", **claims: Any) -> str:
    now = int(time.time())
    # Tokens are made when tests are collected, and some are tried much later.
    said = {"iss": ISSUER, "aud": CLIENT, "sub": "anna", "iat": now, "exp": now + 86_400, "nonce": NONCE}
    kept = {name: value for name, value in {**said, **claims}.items() if value is not None}
    return jwt.encode(kept, key, kind, {"kid": named})


def believed(given: str) -> dict[str, Any]:
    return Offline(ProviderSettings(ISSUER, CLIENT)).believed(given, NONCE)


@pytest.mark.parametrize(
    "given",
    [
        token(),
        token(CURVE, "ES256", "two"),
        token(kind="PS256"),
        token(aud=[CLIENT, "another"], azp=CLIENT),
    ],
)
def test_what_the_provider_signed_for_this_attempt_is_believed(given: str) -> None:
    assert believed(given)["sub"] == "anna"


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(token(OTHER), id="another's signature"),
        pytest.param(token(named="three"), id="a key that nobody knows"),
        pytest.param(token(b"x" * 32, "HS256"), id="a shared secret"),
        pytest.param(jwt.encode({"iss": ISSUER, "sub": "anna"}, "", "none"), id="no signature"),
        pytest.param(token().rpartition(".")[0] + ".", id="the signature cut off"),
        pytest.param(token(iss="https://evil.example"), id="another provider's"),
        pytest.param(token(aud="another"), id="for another program"),
        pytest.param(token(azp="another"), id="asked for by another program"),
        pytest.param(token(nonce="of yesterday"), id="for another attempt"),
        pytest.param(token(nonce=None), id="for any attempt"),
        pytest.param(token(exp=int(time.time()) - 3600), id="too late"),
        pytest.param(token(exp=None), id="for ever"),
        pytest.param(token(sub=None), id="about nobody"),
        pytest.param(token(sub=""), id="about nobody at all"),
        pytest.param("nonsense", id="nonsense"),
    ],
)
def test_nothing_else_is(given: str) -> None:
    with pytest.raises(SignInFailed):
        believed(given)


def test_rules_give_the_most_that_fits() -> None:
    rules = [entry_rule("domain=Example.org:reader"), entry_rule("groups=a:b:owner")]
    assert rules[1] == EntryRule("groups", "a:b", "owner")
    verified = {"email": "anna@EXAMPLE.org", "email_verified": True}

    assert role_by(rules, verified) == "reader"
    assert role_by(rules, {**verified, "groups": ["x", "a:b"]}) == "owner"
    assert role_by(rules, {"groups": "a:b"}) == "owner"
    for claims in (
        {},
        {"email": "anna@example.org"},
        {**verified, "email_verified": "true"},
        {**verified, "email": "anna@example.org.evil.example"},
        {"domain": "example.org"},
        {"groups": {"a:b": 1}},
    ):
        assert role_by(rules, claims) is None, claims


@pytest.mark.parametrize("text", ["", "owner", "domain=:owner", "=x:owner", "domain=x:chief", "domain=x"])
def test_a_rule_that_lets_nobody_in_is_refused(text: str) -> None:
    with pytest.raises(NoProvider):
        entry_rule(text)


@pytest.mark.parametrize("issuer", ["http://id.example", "ftp://id.example", "id.example", ""])
def test_a_provider_is_spoken_to_in_private(issuer: str) -> None:
    with pytest.raises(NoProvider):
        ProviderSettings(issuer, CLIENT)


def test_what_is_told_others_of_an_attempt_does_not_tell_its_secret() -> None:
    first, second = Attempt.begin(), Attempt.begin()
    told = [first.state, first.nonce, first.verifier, first.challenge]
    assert len({first.secret, *told, second.state}) == 6
    assert all(len(one) == 43 for one in told)
