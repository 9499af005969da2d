"""A model on loopback that answers from a list, so that a real agent works without one.

The agent does everything for real: it runs the tools it is told to, fires its hooks, sends the results back
and asks again. Only what the model says is ours. It says it in the API in which the agent asks.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, count
from types import TracebackType
from typing import Any, Self

from tests.support.wires import WIRES, Block, Request, Wire

Answer = Sequence[Block]
"""Everything the model says to one request. Without a tool call in it, the turn is over."""

SHUTDOWN_POLL_SECONDS = 0.02


def says(text: str) -> Block:
    return {"type": "text", "text": text}


def calls(tool: str, /, **tool_input: object) -> Block:
    return {"type": "tool_use", "name": tool, "input": tool_input}


ENDED: Answer = (says("The script has ended."),)


class ScriptedModel:
    """Serves one answer per request of the agent's loop, in order, for as long as the `with` lasts.

    An iterator that waits makes the model think that long: two agents can be led through one dance.
    """

    def __init__(self, answers: Iterable[Answer] = ()) -> None:
        self._answers: Iterator[Answer] = iter(answers)
        self._asides: dict[str, Iterator[Answer]] = {}
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._results: dict[str, Block] = {}
        self.requests: list[Request] = []
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

    def then(self, answers: Iterable[Answer]) -> None:
        """Say these after all that was to be said already."""
        with self._lock:
            self._answers = chain(self._answers, answers)

    def aside(self, prompt: str, answers: Iterable[Answer]) -> None:
        """Say these to whoever was given a prompt with these words: a sub-agent, which asks by itself."""
        with self._lock:
            self._asides[prompt] = iter(answers)

    def tool_results(self) -> list[Block]:
        """The results of tool calls that reached the model, in order, each once."""
        return list(self._results.values())

    def answer(self, wire: Wire, request: Request) -> tuple[int, list[Block]]:
        """What to say to a request, and a number for it."""
        blocks: Answer = (says("A title"),)
        if wire.is_main(request):
            with self._lock:
                self.requests.append(request)
                self._results |= wire.results(request)
            # One who thinks does not keep others from being answered.
            if (aside := self._aside(wire.asked(request))) is not None:
                blocks = next(aside, ENDED)
            else:
                with self._lock:
                    blocks = next(self._answers, ENDED)
        with self._lock:
            content = [self._numbered(block) for block in blocks]
            return next(self._numbers), content

    def _aside(self, asked: str) -> Iterator[Answer] | None:
        with self._lock:
            return next((said for prompt, said in self._asides.items() if prompt in asked), None)

    def _numbered(self, block: Block) -> Block:
        if block["type"] != "tool_use":
            return block
        return {"id": f"toolu_{next(self._numbers):04d}", **block}


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
        wire = next((wire for wire in WIRES if wire.serves(path)), None)
        if wire is None:
            # What else an agent asks for: how many tokens this would be.
            self._send({"input_tokens": 1, "totalTokens": 1})
            return
        request = json.loads(body)
        number, blocks = self.server.model.answer(wire, request)
        if request.get("stream") or path.endswith(":streamGenerateContent"):
            self._send_stream(wire.stream(number, request, blocks))
        else:
            self._send(wire.whole(number, request, blocks))

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

    def _send_stream(self, events: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
