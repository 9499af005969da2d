"""What a scripted model says, in the forms in which agents want to hear it.

One wire for each API that an agent we test against can be pointed at. Each knows how its requests look and
how an answer is streamed; nothing else does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

Block = dict[str, Any]
"""One content block of an answer, in the form of the Messages API."""

Request = dict[str, Any]
Event = tuple[str, dict[str, Any]]
"""A name, empty where the API has none, and the data."""


class Wire(Protocol):
    """One API, in one module's worth of names. `path` is the request's, without its query."""

    def serves(self, path: str) -> bool: ...

    # whether the agent's own loop asks, which offers tools, rather than something that wants a title
    def is_main(self, request: Request) -> bool: ...

    # the whole answer, for a request that does not stream
    def whole(self, number: int, request: Request, blocks: Sequence[Block]) -> dict[str, Any]: ...

    def stream(self, number: int, request: Request, blocks: Sequence[Block]) -> Iterator[Event]: ...

    # the tool results a request carries, as blocks of the Messages API, by the id of the call
    def results(self, request: Request) -> dict[str, Block]: ...

    # what whoever asks was asked to do, as JSON: by a person, or by the agent that started it
    def asked(self, request: Request) -> str: ...


def result(call: str, content: object) -> Block:
    return {"type": "tool_result", "tool_use_id": call, "content": content}


def tool_calls(blocks: Iterable[Block]) -> list[Block]:
    return [block for block in blocks if block["type"] == "tool_use"]


def texts(blocks: Iterable[Block]) -> str:
    return "".join(block["text"] for block in blocks if block["type"] == "text")


def first_prompt(messages: Iterable[dict[str, Any]]) -> str:
    return json.dumps(next((message for message in messages if message.get("role") == "user"), None))


class Messages:
    """Anthropic's Messages API: Claude Code."""

    def serves(self, path: str) -> bool:
        return path == "/v1/messages"

    def is_main(self, request: Request) -> bool:
        return bool(request.get("tools"))

    def whole(self, number: int, request: Request, blocks: Sequence[Block]) -> dict[str, Any]:
        return {
            "id": f"msg_{number:04d}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "scripted"),
            "content": list(blocks),
            "stop_reason": "tool_use" if tool_calls(blocks) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    def stream(self, number: int, request: Request, blocks: Sequence[Block]) -> Iterator[Event]:
        message = self.whole(number, request, blocks)
        yield self._event("message_start", message={**message, "content": [], "stop_reason": None})
        for index, block in enumerate(blocks):
            if block["type"] == "tool_use":
                start = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            else:
                start = {**block, "text": ""}
                delta = {"type": "text_delta", "text": block["text"]}
            yield self._event("content_block_start", index=index, content_block=start)
            yield self._event("content_block_delta", index=index, delta=delta)
            yield self._event("content_block_stop", index=index)
        ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        yield self._event("message_delta", delta=ended, usage={"output_tokens": 1})
        yield self._event("message_stop")

    def results(self, request: Request) -> dict[str, Block]:
        contents = [message["content"] for message in request["messages"]]
        blocks = [block for content in contents if isinstance(content, list) for block in content]
        return {block["tool_use_id"]: block for block in blocks if block["type"] == "tool_result"}

    def asked(self, request: Request) -> str:
        return first_prompt(request["messages"])

    def _event(self, name: str, /, **data: Any) -> Event:
        return name, {"type": name, **data}


class Responses:
    """OpenAI's Responses API: Codex."""

    def serves(self, path: str) -> bool:
        return path == "/v1/responses"

    def is_main(self, request: Request) -> bool:
        return bool(request.get("tools"))

    def whole(self, number: int, request: Request, blocks: Sequence[Block]) -> dict[str, Any]:
        return {
            "id": f"resp_{number:04d}",
            "object": "response",
            "status": "completed",
            "model": request.get("model", "scripted"),
            "output": [self._item(number, request, block) for block in blocks],
            "usage": {
                "input_tokens": 1,
                "input_tokens_details": None,
                "output_tokens": 1,
                "output_tokens_details": None,
                "total_tokens": 2,
            },
        }

    def stream(self, number: int, request: Request, blocks: Sequence[Block]) -> Iterator[Event]:
        response = self.whole(number, request, blocks)
        yield self._event("response.created", response={"id": response["id"]})
        for item in response["output"]:
            yield self._event("response.output_item.done", item=item)
        yield self._event("response.completed", response=response)

    def results(self, request: Request) -> dict[str, Block]:
        ends = ("function_call_output", "custom_tool_call_output")
        items = [item for item in request["input"] if item.get("type") in ends]
        return {item["call_id"]: result(item["call_id"], item["output"]) for item in items}

    def asked(self, request: Request) -> str:
        # Codex tells of the place first.
        items = [item for item in request["input"] if item.get("role") == "user"]
        return json.dumps(items)

    def _item(self, number: int, request: Request, block: Block) -> dict[str, Any]:
        if block["type"] == "text":
            content = [{"type": "output_text", "text": block["text"], "annotations": []}]
            return {"type": "message", "role": "assistant", "id": f"msg_{number:04d}", "content": content}
        call = {"call_id": block["id"], "name": block["name"], "id": f"item_{block['id']}"}
        if "namespace" in block:
            call["namespace"] = block["namespace"]
        if block["name"] in self._free_form(request):
            # A tool that takes a text instead of an object: its one argument is the text.
            (text,) = block["input"].values()
            return {"type": "custom_tool_call", **call, "input": text}
        return {"type": "function_call", **call, "arguments": json.dumps(block["input"])}

    def _free_form(self, request: Request) -> set[str]:
        return {tool["name"] for tool in request.get("tools") or () if tool["type"] == "custom"}

    def _event(self, name: str, /, **data: Any) -> Event:
        return name, {"type": name, **data}


class ChatCompletions:
    """OpenAI's older API that everybody copied: Copilot CLI, opencode."""

    def serves(self, path: str) -> bool:
        return path == "/v1/chat/completions"

    def is_main(self, request: Request) -> bool:
        return bool(request.get("tools"))

    def whole(self, number: int, request: Request, blocks: Sequence[Block]) -> dict[str, Any]:
        message = {"role": "assistant", **self._said(blocks)}
        choice = {"index": 0, "message": message, "finish_reason": self._ending(blocks)}
        return {**self._envelope(number, request, "chat.completion"), "choices": [choice], "usage": USAGE}

    def stream(self, number: int, request: Request, blocks: Sequence[Block]) -> Iterator[Event]:
        envelope = self._envelope(number, request, "chat.completion.chunk")
        parts: list[tuple[dict[str, Any], str | None]] = [
            ({"role": "assistant", "content": ""}, None),
            (self._said(blocks), None),
            ({}, self._ending(blocks)),
        ]
        for delta, ending in parts:
            yield "", {**envelope, "choices": [{"index": 0, "delta": delta, "finish_reason": ending}]}
        yield "", {**envelope, "choices": [], "usage": USAGE}

    def results(self, request: Request) -> dict[str, Block]:
        messages = [message for message in request["messages"] if message["role"] == "tool"]
        return {one["tool_call_id"]: result(one["tool_call_id"], one["content"]) for one in messages}

    def asked(self, request: Request) -> str:
        return first_prompt(request["messages"])

    def _said(self, blocks: Sequence[Block]) -> dict[str, Any]:
        called = [
            {
                "index": index,
                "id": block["id"],
                "type": "function",
                "function": {"name": block["name"], "arguments": json.dumps(block["input"])},
            }
            for index, block in enumerate(tool_calls(blocks))
        ]
        return {"content": texts(blocks) or None, **({"tool_calls": called} if called else {})}

    def _ending(self, blocks: Sequence[Block]) -> str:
        return "tool_calls" if tool_calls(blocks) else "stop"

    def _envelope(self, number: int, request: Request, kind: str) -> dict[str, Any]:
        model = request.get("model", "scripted")
        return {"id": f"chat_{number:04d}", "object": kind, "created": 0, "model": model}


USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


class GenerateContent:
    """Google's Gemini API: Gemini CLI."""

    def serves(self, path: str) -> bool:
        return path.endswith((":generateContent", ":streamGenerateContent"))

    def is_main(self, request: Request) -> bool:
        return any("functionDeclarations" in tool for tool in request.get("tools") or ())

    def whole(self, number: int, request: Request, blocks: Sequence[Block]) -> dict[str, Any]:
        content = {"role": "model", "parts": [self._part(block) for block in blocks]}
        return {
            "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        }

    def stream(self, number: int, request: Request, blocks: Sequence[Block]) -> Iterator[Event]:
        yield "", self.whole(number, request, blocks)

    def results(self, request: Request) -> dict[str, Block]:
        parts = [part for content in request["contents"] for part in content["parts"]]
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        return {answer["id"]: result(answer["id"], answer["response"]) for answer in answers}

    def asked(self, request: Request) -> str:
        return first_prompt(request["contents"])

    def _part(self, block: Block) -> dict[str, Any]:
        if block["type"] == "text":
            return {"text": block["text"]}
        return {"functionCall": {"id": block["id"], "name": block["name"], "args": block["input"]}}


WIRES: tuple[Wire, ...] = (Messages(), Responses(), ChatCompletions(), GenerateContent())
