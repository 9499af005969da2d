"""A host that takes only what its published description has: paths, queries and bodies by name and type."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
}


@dataclass
class DescribedHost:
    """What it knows of its own API, and what was asked of it."""

    name: str
    token_header: str = ""
    url: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Method and path as described."""
    wrong: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        found = json.loads((Path(__file__).parent / "api" / f"{self.name}.json").read_text())
        self.operations: dict[str, dict[str, Any]] = found["operations"]

    def answer(self, method: str, path: str, names: dict[str, str], body: Any) -> tuple[int, Any]:
        """What it says to something that it takes."""
        raise NotImplementedError

    def serve(self, method: str, raw_path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        for path, methods in self.operations.items():
            names = re.fullmatch(re.sub(r"\\?\{(\w+)\\?\}", r"(?P<\1>[^/]+)", re.escape(path)), raw_path)
            if names is None or method not in methods:
                continue
            self.asked.append((method, path))
            problems = [*_problems(methods[method], query, body)]
            self.wrong += [f"{method} {path}: {one}" for one in problems]
            if problems:
                return 422, {"message": "; ".join(problems)}
            return self.answer(method, path, {k: unquote(v) for k, v in names.groupdict().items()}, body)
        self.wrong.append(f"{method} {raw_path} is not described")
        return 404, {"message": "Not Found"}


def _problems(operation: dict[str, Any], query: dict[str, str], body: Any) -> Iterator[str]:
    for name, value in query.items():
        kind = operation["query"].get(name)
        if kind is None:
            yield f"no query {name}"
        elif kind == "integer" and not value.isdecimal():
            yield f"{name} is no number"
    yield from _wrong(operation["body"], body or {}, operation["required"])
    if isinstance(body, dict) and "position" in body:
        yield from _wrong(operation["body"]["position"], body["position"], operation["position_required"])


def _wrong(described: dict[str, Any], given: dict[str, Any], required: list[str]) -> Iterator[str]:
    for name, value in given.items():
        kind = described.get(name)
        if kind is None:
            yield f"no attribute {name}"
        elif isinstance(kind, str) and not isinstance(value, TYPES[kind]):
            yield f"{name} is not of type {kind}"
    yield from (f"{name} is missing" for name in required if name not in given)


@contextmanager
def serving(host: DescribedHost) -> Iterator[str]:
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

        def _serve(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            parts = urlsplit(self.path)
            with lock:
                host.tokens.add(self.headers.get(host.token_header, ""))
                query = dict(parse_qsl(parts.query))
                status, said = host.serve(self.command, parts.path, query, json.loads(raw) if raw else None)
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _serve  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
