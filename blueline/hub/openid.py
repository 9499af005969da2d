"""Sign-in by OpenID Connect: where a browser is sent, and what is believed of what it comes back with.

The authorization code flow with PKCE. Nothing is kept here between the two halves: state, nonce and verifier
follow from one secret, which the browser keeps meanwhile, so any process of the hub can take it back.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import jwt

from blueline.errors import BluelineError
from blueline.hub.people import ROLES, Identity, Role, highest

SCOPE = "openid profile email"
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""With a key of the provider's that everybody may know: a shared secret would prove nothing here."""

PATIENCE_SECONDS = 10
LARGEST = 1 << 20
KNOWN_FOR_SECONDS = 600.0
CLOCKS_DIFFER_SECONDS = 60
LONGEST_NAME = 200
DOMAIN = "domain"
"""Not a claim: what stands behind the @ of an address that the provider has verified."""

NEARBY = ("127.0.0.1", "::1", "localhost")


class ProviderAway(BluelineError):
    """The provider does not answer, or not as it should."""


class SignInFailed(BluelineError):
    """The provider did not vouch for this browser's person, or what it said cannot be believed."""


class NoProvider(BluelineError):
    """What was said of a provider cannot be meant."""


class EntryRule(NamedTuple):
    """Who may come in without an invitation, and what they may do then, in all projects."""

    claim: str
    value: str
    role: Role


def entry_rule(text: str) -> EntryRule:
    """A rule as it is typed: `domain=example.org:reader`, `groups=release:owner`."""
    condition, _, role = text.rpartition(":")
    claim, _, value = condition.partition("=")
    found = [one for one in ROLES if one == role]
    if not claim or not value or not found:
        raise NoProvider(
            f"{text!r} lets nobody in",
            hint=f"such as {DOMAIN}=example.org:reader, with one of {', '.join(ROLES)}",
        )
    return EntryRule(claim, value, found[0])


def role_by(rules: Sequence[EntryRule], claims: Mapping[str, Any]) -> Role | None:
    """The most that the rules give somebody of whom the provider says this."""
    return highest([rule.role for rule in rules if _fits(rule, claims)])


def _fits(rule: EntryRule, claims: Mapping[str, Any]) -> bool:
    if rule.claim != DOMAIN:
        said = claims.get(rule.claim)
        return rule.value in said if isinstance(said, list) else said == rule.value
    address = claims.get("email")
    if not isinstance(address, str) or claims.get("email_verified") is not True:
        return False
    return address.rpartition("@")[2].casefold() == rule.value.casefold()


@dataclass(frozen=True)
class ProviderSettings:
    """Which provider vouches for people, by what it knows this hub, and whom of its people it lets in."""

    issuer: str
    client: str
    secret: str = ""
    rules: tuple[EntryRule, ...] = ()

    def __post_init__(self) -> None:
        _must_be_private(self.issuer)
        if not self.client:
            raise NoProvider("by what name does the provider know this hub?", hint="--client ID")

    @property
    def name(self) -> str:
        """For people."""
        return urlsplit(self.issuer).netloc


class Attempt(NamedTuple):
    """One sign-in that has begun. The secret stays in the browser; what follows from it is told others."""

    secret: str

    @classmethod
    def begin(cls) -> Attempt:
        return cls(secrets.token_urlsafe(32))

    @property
    def state(self) -> str:
        return self._derived("state")

    @property
    def nonce(self) -> str:
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        return self._derived("verifier")

    @property
    def challenge(self) -> str:
        return _digits(hashlib.sha256(self.verifier.encode()).digest())

    def _derived(self, word: str) -> str:
        return _digits(
            hmac.digest(self.secret.encode("utf-8", "surrogateescape"), word.encode(), hashlib.sha256)
        )


def _digits(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class OpenId:
    """One provider. What it says of itself is asked for again after a while; every method may wait for it."""

    def __init__(self, settings: ProviderSettings) -> None:
        self.settings = settings
        self._about: Mapping[str, Any] = {}
        self._keys: Sequence[jwt.PyJWK] = ()
        self._known_until = 0.0

    def address(self, attempt: Attempt, back: str) -> str:
        """Where the browser goes, to come back to `back`."""
        asked = {
            "response_type": "code",
            "client_id": self.settings.client,
            "redirect_uri": back,
            "scope": SCOPE,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        where = self._endpoint("authorization_endpoint")
        return f"{where}{'&' if '?' in where else '?'}{urlencode(asked)}"

    def identity(self, attempt: Attempt, answer: Mapping[str, str], back: str) -> Identity:
        """Who it is that came back with an answer."""
        if not hmac.compare_digest(answer.get("state", "").encode(), attempt.state.encode()):
            raise SignInFailed("this answer is not to what this browser asked", hint="begin again")
        if answer.get("iss", self.settings.issuer) != self.settings.issuer:
            raise SignInFailed("this answer is another provider's", hint="begin again")
        if "code" not in answer:
            why = answer.get("error", "no reason")
            raise SignInFailed(f"{self.settings.name} says: {why[:100]}", hint="begin again")
        given = self._exchanged(answer["code"], attempt, back)
        token, access = given.get("id_token"), given.get("access_token")
        if not isinstance(token, str):
            raise ProviderAway(f"{self.settings.name} sent no ID token", hint="is it OpenID Connect?")
        claims = self.believed(token, attempt.nonce)
        if self._about.get("userinfo_endpoint") and isinstance(access, str):
            claims = {**self._more(access, claims["sub"]), **claims}
        role = role_by(self.settings.rules, claims)
        return Identity(self.settings.issuer, claims["sub"], _name(claims), role)

    def believed(self, token: str, nonce: str) -> dict[str, Any]:
        """The claims of an ID token: signed by the provider, for this hub, for this attempt, and in time."""
        try:
            header = jwt.get_unverified_header(token)
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key(header.get("kid")).key,
                algorithms=[*ALGORITHMS],
                audience=self.settings.client,
                issuer=self.settings.issuer,
                leeway=CLOCKS_DIFFER_SECONDS,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError as error:
            raise SignInFailed(
                f"the ID token cannot be believed: {error}", hint="see the provider's settings of this hub"
            ) from error
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise SignInFailed("the ID token is for another sign-in", hint="begin again")
        if claims.get("azp", self.settings.client) != self.settings.client or not claims["sub"]:
            raise SignInFailed("the ID token is for another program", hint="begin again")
        return claims

    def _exchanged(self, code: str, attempt: Attempt, back: str) -> Mapping[str, Any]:
        said = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "code_verifier": attempt.verifier,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        where = self._endpoint("token_endpoint")
        ways = self._about.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if self.settings.secret and "client_secret_basic" in ways:
            pair = f"{quote(self.settings.client, safe='')}:{quote(self.settings.secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            said["client_id"] = self.settings.client
            said |= {"client_secret": self.settings.secret} if self.settings.secret else {}
        return self._fetched(where, headers, urlencode(said).encode())

    def _more(self, access: str, subject: str) -> Mapping[str, Any]:
        """What the provider says of somebody beside the ID token."""
        found = self._fetched(self._endpoint("userinfo_endpoint"), {"Authorization": f"Bearer {access}"})
        if found.get("sub") != subject:
            raise SignInFailed("the provider speaks of somebody else", hint="begin again")
        return found

    def _key(self, name: str | None) -> jwt.PyJWK:
        """The key that a token was signed with. One that is not known may be new."""
        for is_new in (False, True):
            self._learn(again=is_new)
            found = [one for one in self._keys if name is None or one.key_id == name]
            if len(found) == 1:
                return found[0]
        raise SignInFailed("the ID token names no key of the provider's", hint="begin again")

    def _endpoint(self, name: str) -> str:
        self._learn()
        where = self._about.get(name)
        if not isinstance(where, str):
            raise ProviderAway(f"{self.settings.name} does not say its {name}", hint="is it OpenID Connect?")
        _must_be_private(where)
        return where

    def _learn(self, *, again: bool = False) -> None:
        if time.monotonic() < self._known_until and not again:
            return
        place = self.settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
        about = self._fetched(place)
        if about.get("issuer") != self.settings.issuer:
            raise ProviderAway(
                f"{place} speaks of another issuer",
                hint="name the issuer as the provider does, every sign of it",
            )
        where = about.get("jwks_uri")
        if not isinstance(where, str):
            raise ProviderAway(
                f"{self.settings.name} does not say its jwks_uri", hint="is it OpenID Connect?"
            )
        _must_be_private(where)
        try:
            keys = jwt.PyJWKSet.from_dict(dict(self._fetched(where))).keys
        except jwt.PyJWTError as error:
            raise ProviderAway(f"{self.settings.name} has no key that is understood: {error}") from error
        self._keys = [one for one in keys if one.public_key_use in (None, "sig")]
        self._about, self._known_until = about, time.monotonic() + KNOWN_FOR_SECONDS

    def _fetched(
        self, url: str, headers: Mapping[str, str] | None = None, data: bytes | None = None
    ) -> Mapping[str, Any]:
        asked = Request(url, data, {"Accept": "application/json", **(headers or {})})
        try:
            with _opener.open(asked, timeout=PATIENCE_SECONDS) as answer:
                found = json.loads(answer.read(LARGEST))
        except HTTPError as error:
            with error:
                why = error.read(LARGEST).decode("utf-8", "replace")[:300]
            raise SignInFailed(
                f"{self.settings.name} refused ({error.code}): {why}",
                hint="see what the provider knows of this hub",
            ) from error
        except (URLError, OSError, ValueError) as error:
            raise ProviderAway(f"{self.settings.name} does not answer: {error}", hint="try again") from error
        if not isinstance(found, dict):
            raise ProviderAway(f"{self.settings.name} did not answer with an object", hint="try again")
        return found


class _NoRedirect(HTTPRedirectHandler):
    """Secrets go where they were meant to go, and nowhere else."""

    def redirect_request(self, *given: Any) -> None:
        return None


_opener = build_opener(_NoRedirect)


def _must_be_private(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme != "http" or parts.hostname not in NEARBY:
        raise NoProvider(f"{url!r} is no address that can be trusted", hint="a provider is at https://…")


def _name(claims: Mapping[str, Any]) -> str:
    """What they are called. It gets into journals and onto terminals: one line, and nothing hidden in it."""
    for claim in ("name", "preferred_username", "email", "sub"):
        said = claims.get(claim)
        words = "".join(sign for sign in str(said) if sign.isprintable()).strip() if said else ""
        if words:
            return words[:LONGEST_NAME]
    return "somebody"
