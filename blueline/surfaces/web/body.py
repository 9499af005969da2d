"""What a request says, taken with care: anything on this machine can send anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NoReturn
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from blueline.model.ids import whole_number
from blueline.surfaces.web.responses import RequestRefused, TooLarge

LARGEST = 64 << 20
"""Bytes of a request. A save holds a file twice."""

PATIENCE_SECONDS = 60
MOST_FIELDS = 20
LONGEST_KEY = 100


class Fields:
    """The members of a JSON object, or of a query."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    @property
    def digest(self) -> bytes:
        """Equal for equal requests."""
        return blake2b(json.dumps(self._values, sort_keys=True).encode(), digest_size=16).digest()

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def text(self, name: str, *, at_most: int | None = None) -> str:
        """A string that has to be there."""
        value = self._values.get(name)
        if not isinstance(value, str):
            raise RequestRefused(f"{name} is missing" if value is None else f"{name} must be a string")
        if at_most is not None and len(value) > at_most:
            raise RequestRefused(f"{name} is longer than {at_most} characters")
        return value

    def text_or(self, name: str, default: str, *, at_most: int | None = None) -> str:
        """A string, or what counts when there is none."""
        return self.text(name, at_most=at_most) if name in self else default

    def choice(self, name: str, choices: Sequence[str], default: str | None = None) -> str:
        """One of some words."""
        value = self.text(name) if default is None else self.text_or(name, default)
        if value not in choices:
            raise RequestRefused(f"{name} must be one of {', '.join(choices)}")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false if it is not there."""
        value = self._values.get(name)
        if not isinstance(value, bool | None):
            raise RequestRefused(f"{name} must be true or false")
        return bool(value)

    def number(self, name: str, *, least: int = 0) -> int | None:
        """A number; None if it is not there."""
        value = self._values.get(name)
        if value is None:
            return None
        number = whole_number(str(value))
        if number is None or number < least:
            raise RequestRefused(f"{name} must be a number, {least} or more")
        return number

    def texts(self, name: str) -> list[str]:
        """A list of strings; empty if it is not there."""
        value = self._values.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise RequestRefused(f"{name} must be a list of strings")
        return value

    def mapping(self, name: str) -> dict[str, str]:
        """Strings by name; empty if it is not there."""
        value = self._values.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
            raise RequestRefused(f"{name} must be an object of strings")
        return value

    def objects(self, name: str, *, at_most: int) -> list[Fields]:
        """A list of objects."""
        value = self._values.get(name)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise RequestRefused(f"{name} must be a list of objects")
        if len(value) > at_most:
            raise RequestRefused(f"{name} has more than {at_most} members")
        return [Fields(one) for one in value]

    def fields(self, name: str) -> Fields:
        value = self._values.get(name)
        if not isinstance(value, dict):
            raise RequestRefused(f"{name} must be an object")
        return Fields(value)


def query(request: Request) -> Fields:
    """What stands behind the question mark. Bytes that are no text stay as they are: paths may have some."""
    raw = request.scope["query_string"].decode("ascii", "surrogateescape")
    try:
        pairs = parse_qsl(raw, keep_blank_values=True, errors="surrogateescape", max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise RequestRefused("the query cannot be read") from error
    values = dict(pairs)
    if len(values) != len(pairs):
        raise RequestRefused("the query names something twice")
    return Fields(values)


async def body(request: Request) -> Fields:
    """The JSON object that was sent."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            raw = await _read(request)
    except TimeoutError:
        raise RequestRefused("the request came too slowly") from None
    except ClientDisconnect:
        raise RequestRefused("the request was broken off") from None
    try:
        value = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise RequestRefused("the body is not JSON") from None
    if not isinstance(value, dict):
        raise RequestRefused("the body must be a JSON object")
    return Fields(value)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


async def _read(request: Request) -> bytearray:
    raw = bytearray()
    said = request.headers.get("content-length", "0")
    if not said.isdecimal() or len(said) > len(str(LARGEST)) or int(said) > LARGEST:
        raise TooLarge(f"more than {LARGEST} bytes were sent")
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST:
            raise TooLarge(f"more than {LARGEST} bytes were sent")
    return raw
