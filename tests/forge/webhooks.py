"""Events as GitHub sends them, signed, over HTTP."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json

from tests.forge.standin import REPO

SECRET = "a secret that is long enough"


def event(body: str = "/apply all", /, **changed: object) -> bytes:
    user = {"login": "ada", "id": 1, "type": "User"}
    comment = {"id": 1002, "body": body, "user": user, "created_at": "2101-01-01T00:00:00Z"}
    known = {"action": "created", "issue": {"number": 5}, "comment": comment, "sender": user}
    return json.dumps({**known, "repository": {"full_name": REPO}, **changed}).encode()


def review_event(body: str, path: str, number: int = 7) -> bytes:
    user = {"login": "ada", "id": 1, "type": "User"}
    comment = {"id": 55, "body": body, "user": user, "created_at": "2101-01-01T00:00:00Z", "path": path}
    known = {"action": "created", "pull_request": {"number": number}, "comment": comment, "sender": user}
    return json.dumps({**known, "repository": {"full_name": REPO}}).encode()


def signed(payload: bytes, secret: str = SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), payload, hashlib.sha256).hexdigest()


def post(port: int, payload: bytes, headers: dict[str, str], path: str = "/", method: str = "POST") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, payload, headers)
        return connection.getresponse().status
    finally:
        connection.close()
