"""A Messages API on loopback that answers from a list, so that a real agent works without a model.

The agent does everything for real: it runs the tools it is told to, fires its hooks, sends the results back
and asks again. Only what the model says is ours.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from types import TracebackType
from typing import Any, Self

Block = dict[str, Any]
"""One content block of an answer, in the form of the Messages API."""

Answer = Sequence[Block]
"""Everything the model says to one request. Without a tool call in it, the turn is over."""

SHUTDOWN_POLL_SECONDS = 0.02


def says(text: str) -> Block:
    return {"type": "text", "text": text}


def calls(tool: str, /, **tool_input: object) -> Block:
    return {"type": "tool_use", "name": tool, "input": tool_input}


class ScriptedModel:
    """Serves one answer per request of the agent's loop, in order, for as long as the `with` lasts."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers: Iterator[Answer] = iter(answers)
        self._numbers = count(1)
        self._lock = threading.Lock()
        self.requests: list[dict[str, Any]] = []
        """What the agent sent, one for each answer taken; no side requests (titles, token counts)."""
        self._server = _Server(("127.0.0.1", 0), _Exchange)
        self._server.model = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": SHUTDOWN_POLL_SECONDS}
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def tool_results(self) -> list[Block]:
        """The results of tool calls that reached the model, in order, each once."""
        found: dict[str, Block] = {}
        for request in self.requests:
            for message in request["messages"]:
                if isinstance(message["content"], list):
                    results = [block for block in message["content"] if block["type"] == "tool_result"]
                    found |= {block["tool_use_id"]: block for block in results}
        return list(found.values())

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The whole message that answers a request."""
        with self._lock:
            # Only the agent's own loop offers tools; what asks without them is a side request.
            if request.get("tools"):
                self.requests.append(request)
                blocks = next(self._answers, (says("The script has ended."),))
            else:
                blocks = (says("A title"),)
            content = [self._numbered(block) for block in blocks]
            number = next(self._numbers)
        called = any(block["type"] == "tool_use" for block in content)
        return {
            "id": f"msg_{number:04d}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "scripted"),
            "content": content,
            "stop_reason": "tool_use" if called else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    def _numbered(self, block: Block) -> Block:
        if block["type"] != "tool_use":
            return block
        return {"id": f"toolu_{next(self._numbers):04d}", **block}


def stream(message: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A message as the events the streaming API sends for it."""
    yield "message_start", {"message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        if block["type"] == "tool_use":
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            start = {**block, "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        yield "content_block_start", {"index": index, "content_block": start}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"delta": ended, "usage": {"output_tokens": 1}}
    yield "message_stop", {}


class _Server(ThreadingHTTPServer):
    model: ScriptedModel
    # An agent may leave a connection open and idle; leaving must not wait for it.
    daemon_threads = True


class _Exchange(BaseHTTPRequestHandler):
    """One connection of the agent."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._send({})

    def do_HEAD(self) -> None:
        self._send({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.partition("?")[0]
        if path == "/v1/messages/count_tokens":
            self._send({"input_tokens": 1})
        elif path == "/v1/messages":
            request = json.loads(body)
            message = self.server.model.answer(request)
            if request.get("stream"):
                self._send_stream(message)
            else:
                self._send(message)
        else:
            self._send({})

    def log_message(self, format: str, *args: object) -> None:
        """Silent: a failing test shows the agent's output and the recorded requests instead."""

    def _send(self, answer: Mapping[str, Any]) -> None:
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_stream(self, message: Mapping[str, Any]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in stream(message):
            line = json.dumps({"type": name, **data})
            self.wfile.write(f"event: {name}\ndata: {line}\n\n".encode())
