"""Answers: JSON, and errors that say what to try."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from blueline.errors import BluelineError

JSON = "application/json"


class RequestRefused(BluelineError):
    """A request that cannot be answered as it is."""

    status = 400


class NotHere(RequestRefused):
    """Nothing goes by that name."""

    status = 404


class TooLarge(RequestRefused):
    """More was sent than anybody types."""

    status = 413


class Clash(RequestRefused):
    """What was asked for does not fit what is there by now. `more` goes into the answer."""

    status = 409

    def __init__(self, message: str, *, hint: str = "", **more: Any) -> None:
        super().__init__(message, hint=hint)
        self.more = more


def as_json(document: object) -> bytes:
    """Plain ASCII: paths may hold bytes that are no text, and nothing in it can be taken for HTML."""
    text = json.dumps(document, separators=(",", ":"))
    return text.replace("<", "\\u003c").encode("ascii")


def answer(document: object, status: int = 200) -> Response:
    return Response(as_json(document), status, media_type=JSON)


def ready(text: bytes) -> Response:
    """A document that is JSON already."""
    return Response(text, media_type=JSON)


def joined(document: object, members: bytes) -> Response:
    """A document with more members, which are JSON already."""
    return ready(as_json(document).removesuffix(b"}") + b"," + members + b"}")


def failed(error: str, hint: str, status: int, **more: Any) -> Response:
    """What went wrong, and what to try."""
    return answer({"error": error, "hint": hint, **more}, status)
