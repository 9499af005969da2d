"""Requests to a host's API, with the waiting and trying again that hosts want.

Answers are read with care, by name. Nothing is followed elsewhere: a token is for one host.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlencode

from blueline.errors import BluelineError
from blueline.model.visible import visible

ATTEMPTS = 5
LONGEST_WAIT_SECONDS = 300
FIRST_WAIT_SECONDS = 1.0
SECONDARY_WAIT_SECONDS = 60.0
"""What GitHub asks for when too much is written at once and it names no time."""

TIMEOUT_SECONDS = 30.0
MOST_PAGES = 60
LONGEST_MESSAGE = 300
LARGEST_ANSWER = 32 * 1024 * 1024

NOT_TAKEN = (400, 422)
"""What hosts answer to something that they do not take as it is."""

Say = Callable[[str], None]


class ForgeFailed(BluelineError):
    """The host did not do what was asked."""

    status = 0


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    status: int
    headers: Mapping[str, str]
    """Asked for by any spelling of their names."""
    body: bytes

    def document(self) -> Any:
        return json.loads(self.body) if self.body else {}

    def message(self) -> str:
        """What a refusal says of itself, if that can be read."""
        try:
            document = self.document()
        except ValueError:
            return ""
        words = [text_of(document, "message")]
        errors = document.get("errors") if isinstance(document, dict) else None
        for one in errors if isinstance(errors, list) else []:
            words.append(text_of(one, "message") if isinstance(one, dict) else str(one))
        return visible(" ".join(word for word in words if word))[:LONGEST_MESSAGE]


@dataclass
class ApiClient:
    """One host's API, for who holds this token."""

    host: str
    """Its name for people."""
    url: str
    headers: Mapping[str, str] = field(repr=False)
    say: Say = lambda message: None
    sleep: Callable[[float], None] = time.sleep
    heard: Callable[[Mapping[str, str]], None] = lambda headers: None
    """Is given the head of each answer."""
    page_size: tuple[str, int] = ("per_page", 100)
    """How the length of a page is asked for."""

    def get(self, what: str, *path: str | int, **query: str | int) -> Any:
        return self._ask(what, "GET", path, query)

    def post(
        self, what: str, *path: str | int, body: Mapping[str, Any], is_done: Callable[[], bool] | None = None
    ) -> Any:
        """`is_done` finds out whether something was done although the answer got lost."""
        return self._ask(what, "POST", path, {}, body, is_done)

    def pages(self, what: str, *path: str | int, **query: str | int) -> Iterator[Mapping[str, Any]]:
        word, size = self.page_size
        for page in range(1, MOST_PAGES + 1):
            found = self.get(what, *path, **query, **{word: size}, page=page)
            every = found if isinstance(found, list) else []
            yield from (one for one in every if isinstance(one, dict))
            if len(every) < size:
                return

    def _ask(
        self,
        what: str,
        method: str,
        path: tuple[str | int, ...],
        query: Mapping[str, str | int],
        body: Mapping[str, Any] | None = None,
        is_done: Callable[[], bool] | None = None,
    ) -> Any:
        request = self._request(method, path, query, body)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = _answer(request)
            except (OSError, http.client.HTTPException) as error:
                wait: float | None = _backoff(attempt)
                unsure = True
                failure = ForgeFailed(
                    f"{what} failed: {self.host} could not be reached ({_reason(error)})",
                    hint="check the network and the address of the API",
                )
            else:
                self.heard(answer.headers)
                if answer.status < 300:
                    return self._document(what, answer)
                wait, unsure = _wait(answer, attempt), answer.status >= 500
                failure = self._failure(what, answer)
            if wait is None or wait > LONGEST_WAIT_SECONDS or attempt == ATTEMPTS:
                raise failure
            self.say(f"{failure}; trying again in {wait:.0f} s ({attempt} of {ATTEMPTS - 1})")
            self.sleep(wait)
            if unsure and is_done is not None and is_done():
                return {}
        raise AssertionError("the last attempt either answers or fails")

    def _request(
        self,
        method: str,
        path: tuple[str | int, ...],
        query: Mapping[str, str | int],
        body: Mapping[str, Any] | None,
    ) -> urllib.request.Request:
        place = "/".join(quote(str(part), safe="") for part in path)
        url = f"{self.url.rstrip('/')}/{place}" + (f"?{urlencode(query)}" if query else "")
        headers = {"User-Agent": "blueline", **self.headers}
        if body is None:
            return urllib.request.Request(url, headers=headers, method=method)
        headers["Content-Type"] = "application/json"
        return urllib.request.Request(url, json.dumps(body).encode(), headers, method=method)

    def _document(self, what: str, answer: ApiAnswer) -> Any:
        try:
            return answer.document()
        except ValueError:
            raise ForgeFailed(
                f"{what} failed: {self.host} answered something that is no JSON",
                hint="check the address of the API",
            ) from None

    def _failure(self, what: str, answer: ApiAnswer) -> ForgeFailed:
        hints = {
            401: "the token is not valid (any more)",
            403: f"the token may not do this, or {self.host} asks to slow down",
            404: "it does not exist, or the token may not see it",
            301: "the repository has moved: name it as it is called now",
            307: "the repository has moved: name it as it is called now",
            422: f"{self.host} does not take it like this",
        }
        error = ForgeFailed(
            f"{what} failed: {self.host} answered {answer.status} {answer.message()}".strip(),
            hint=hints.get(answer.status, ""),
        )
        error.status = answer.status
        return error


def _answer(request: urllib.request.Request) -> ApiAnswer:
    # Without the handlers that raise an error or go on elsewhere, whatever the status is.
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
    ):
        opener.add_handler(handler)
    response = opener.open(request, timeout=TIMEOUT_SECONDS)
    if response is None:
        raise OSError("no such kind of address")
    with response:
        body = response.read(LARGEST_ANSWER + 1)
        if len(body) > LARGEST_ANSWER:
            raise OSError("the answer is too long")
        if response.length:
            raise http.client.IncompleteRead(body, response.length)
        return ApiAnswer(response.status, response.headers, body)


def _reason(error: Exception) -> str:
    cause = getattr(error, "reason", error)
    said = cause.strerror if isinstance(cause, OSError) and cause.strerror else ""
    return visible(said or str(cause) or type(cause).__name__)[:LONGEST_MESSAGE]


def _backoff(attempt: int) -> float:
    return FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1)


def _wait(answer: ApiAnswer, attempt: int) -> float | None:
    """How long to wait before asking again; None if asking again is of no use."""
    if answer.status in (403, 429):
        after = answer.headers.get("retry-after", "")
        if after.isdecimal():
            return max(float(after), 0.0)
        reset = answer.headers.get("x-ratelimit-reset", "")
        if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
            return max(int(reset) - datetime.now(UTC).timestamp(), 0.0) + 1
        if "secondary rate limit" in answer.message().lower():
            return SECONDARY_WAIT_SECONDS * attempt
        return _backoff(attempt) if answer.status == 429 else None
    return _backoff(attempt) if answer.status >= 500 else None


def date_heard(headers: Mapping[str, str]) -> str:
    """The time of an answer, as APIs write times; empty if it cannot be read."""
    try:
        when = parsedate_to_datetime(headers.get("date", ""))
    except (ValueError, TypeError, OverflowError):
        return ""
    return api_time(when)


def api_time(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_before(one: str, other: str) -> bool:
    """Whether a time is earlier than another; not if one of them is not known."""
    first, second = moment(one), moment(other)
    return first is not None and second is not None and first < second


def moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def text_of(found: Any, name: str) -> str:
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, str) else ""


def number_of(found: Any, name: str) -> int:
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, int) else 0


def mapping_of(found: Any, name: str) -> Mapping[str, Any]:
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, Mapping) else {}
