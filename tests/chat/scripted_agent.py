"""An agent that speaks the protocol and does what a script says, started as a program of its own.

    python scripted_agent.py FOLDER

FOLDER holds `script.json`: what to do at each prompt, by the text of the prompt. A step is a list: a word and
what it is given. `log.jsonl` says what the agent was asked.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from pathlib import Path
from typing import Any, cast

import acp
from acp import schema

FOLDER = Path(sys.argv[1])


class Scripted:
    """What it remembers is kept in the folder, so that another process can take it up."""

    def __init__(self) -> None:
        self.cancelled: set[str] = set()
        self.script: dict[str, Any] = json.loads((FOLDER / "script.json").read_text())
        self.can: dict[str, Any] = self.script.get("can", {})
        self.calls = 0

    def on_connect(self, conn: acp.Client) -> None:
        self.client = conn

    def log(self, **about: Any) -> None:
        with (FOLDER / "log.jsonl").open("a") as file:
            file.write(json.dumps({"pid": os.getpid(), **about}) + "\n")

    # Memory

    def memory(self, session: str) -> list[str]:
        path = FOLDER / f"memory-{session}.json"
        found: list[str] = json.loads(path.read_text()) if path.exists() else []
        return found

    def remember(self, session: str, texts: list[str]) -> None:
        (FOLDER / f"memory-{session}.json").write_text(json.dumps(texts))

    # The protocol

    async def initialize(self, protocol_version: int, **given: Any) -> schema.InitializeResponse:
        capabilities = {"loadSession": "load" in self.can, "sessionCapabilities": {}}
        for name in ("fork", "resume"):
            if name in self.can:
                capabilities["sessionCapabilities"][name] = {}  # type: ignore[index]
        return schema.InitializeResponse.model_validate(
            {
                "protocolVersion": 1,
                "agentCapabilities": capabilities,
                "agentInfo": {"name": "scripted", "version": "1"},
            }
        )

    async def new_session(self, cwd: str, **given: Any) -> schema.NewSessionResponse:
        session = f"s-{uuid.uuid4().hex[:8]}"
        self.servers = given.get("mcp_servers") or []
        self.remember(session, [])
        self.log(new=session, servers=[one.name for one in given.get("mcp_servers") or []])
        return schema.NewSessionResponse(session_id=session)

    async def load_session(self, cwd: str, session_id: str, **given: Any) -> schema.LoadSessionResponse:
        if not (FOLDER / f"memory-{session_id}.json").exists():
            raise acp.RequestError.resource_not_found(session_id)
        self.log(load=session_id)
        for text in self.memory(session_id):
            await self.client.session_update(session_id, acp.update_user_message_text(text))
        return schema.LoadSessionResponse()

    async def resume_session(self, session_id: str, cwd: str, **given: Any) -> schema.ResumeSessionResponse:
        self.log(resume=session_id)
        return schema.ResumeSessionResponse()

    async def fork_session(self, session_id: str, cwd: str, **given: Any) -> schema.ForkSessionResponse:
        session = f"f-{uuid.uuid4().hex[:8]}"
        if "no copies" in self.can:  # it says so, and both are one memory
            os.link(FOLDER / f"memory-{session_id}.json", FOLDER / f"memory-{session}.json")
        else:
            self.remember(session, self.memory(session_id))
        self.log(fork=session, of=session_id)
        return schema.ForkSessionResponse(session_id=session)

    async def cancel(self, session_id: str, **given: Any) -> None:
        self.log(cancel=session_id)
        self.cancelled.add(session_id)

    async def prompt(self, session_id: str, prompt: list[Any], **given: Any) -> schema.PromptResponse:
        texts = [block.text for block in prompt if hasattr(block, "text")]
        self.log(prompt=texts, session=session_id, remembers=self.memory(session_id))
        self.cancelled.discard(session_id)
        self.remember(session_id, [*self.memory(session_id), texts[0]])
        steps = self.script["turns"].get(texts[0].strip(), [["say", f"You said: {texts[0]}"]])
        for word, *words in steps:
            if session_id in self.cancelled:
                return schema.PromptResponse(stop_reason="cancelled")
            stop = await getattr(self, f"do_{word}")(session_id, *words)
            if stop:
                return schema.PromptResponse(stop_reason=stop)
        if session_id in self.cancelled:
            return schema.PromptResponse(stop_reason="cancelled")
        return schema.PromptResponse(stop_reason="end_turn")

    # Steps

    async def do_say(self, session: str, text: str, size: int = 0) -> None:
        size = size or max(len(text), 1)
        for at in range(0, len(text), size):
            await self.client.session_update(session, acp.update_agent_message_text(text[at : at + size]))

    async def do_think(self, session: str, text: str) -> None:
        await self.client.session_update(session, acp.update_agent_thought_text(text))

    async def do_many(self, session: str, count: int) -> None:
        for number in range(count):
            chunk = acp.update_agent_message_text(f"message {number}")
            chunk.message_id = str(uuid.uuid4())
            await self.client.session_update(session, chunk)

    async def do_plan(self, session: str, *steps: str) -> None:
        entries = [acp.plan_entry(step) for step in steps]
        await self.client.session_update(session, acp.update_plan(entries))

    async def do_commands(self, session: str, *names: str) -> None:
        update = {
            "sessionUpdate": "available_commands_update",
            "availableCommands": [{"name": name, "description": f"does {name}"} for name in names],
        }
        await self.client.session_update(session, schema.AvailableCommandsUpdate.model_validate(update))

    async def do_tool(self, session: str, title: str, output: str) -> None:
        """Use a tool that changes nothing, and prints something."""
        call = self.fresh()
        await self.client.session_update(session, acp.start_tool_call(call, title, kind="read"))
        said = [acp.tool_content(acp.text_block(output))]
        await self.client.session_update(
            session, acp.update_tool_call(call, status="completed", content=said)
        )

    async def do_suggest(self, session: str, *texts: str) -> None:
        meta = {"promptSuggestions": {"suggestions": [{"text": text} for text in texts]}}
        update = schema.SessionInfoUpdate.model_validate(
            {"sessionUpdate": "session_info_update", "_meta": meta}
        )
        await self.client.session_update(session, update)

    def path(self, name: str) -> Path:
        return Path(os.getcwd(), name)

    def fresh(self) -> str:
        self.calls += 1
        return f"call-{os.getpid()}-{self.calls}"

    async def do_edit(self, session: str, name: str, old: str, new: str, ask: str = "") -> None:
        """Edit a file by itself, as most agents do. With `ask`, ask first; `late` tells when it is done."""
        path, call = self.path(name), self.fresh()
        before = path.read_text() if path.exists() else ""
        after = before.replace(old, new, 1) if before else new
        diff = acp.tool_diff_content(str(path), new, old if before else None)
        if ask == "late":
            path.write_text(after)
        start = acp.start_edit_tool_call(call, f"Edit {name}", str(path), None, extra_options=[diff])
        start.status = "pending"
        await self.client.session_update(session, start)
        if ask == "ask" and not await self.allowed(session, call, f"Edit {name}", [diff]):
            await self.client.session_update(session, acp.update_tool_call(call, status="failed"))
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(after)
        await self.client.session_update(session, acp.update_tool_call(call, status="completed"))

    async def allowed(self, session: str, call: str, title: str, content: list[Any]) -> bool:
        options = [
            schema.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="Refuse", kind="reject_once"),
        ]
        tool = schema.ToolCallUpdate(
            tool_call_id=call, title=title, kind="edit", status="pending", content=content
        )
        answer = await self.client.request_permission(session_id=session, tool_call=tool, options=options)
        outcome = answer.outcome
        self.log(answer=outcome.outcome if outcome.outcome == "cancelled" else outcome.option_id)
        if outcome.outcome == "cancelled":
            self.cancelled.add(session)
        return outcome.outcome == "selected" and outcome.option_id == "yes"

    async def do_write(self, session: str, name: str, text: str) -> None:
        """Write a file through the client."""
        try:
            await self.client.write_text_file(session_id=session, path=str(self.path(name)), content=text)
            self.log(wrote=name)
        except acp.RequestError as error:
            self.log(refused=name, why=error.data)

    async def do_read(self, session: str, name: str) -> None:
        try:
            found = await self.client.read_text_file(session_id=session, path=str(self.path(name)))
            self.log(read=name, text=found.content)
        except acp.RequestError as error:
            self.log(refused=name, why=error.data)

    async def do_propose(self, session: str, name: str, old: str, new: str, reason: str) -> None:
        """Propose an edit, with the tool of the MCP server that was offered."""
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client

        (server,) = self.servers
        environ = {one.name: one.value for one in server.env}
        given = StdioServerParameters(command=server.command, args=server.args, env={**os.environ, **environ})
        said = {"path": name, "old_string": old, "new_string": new, "reason": reason}
        async with Client(stdio_client(given)) as client:
            result = await client.call_tool("propose_edit", said)
            self.log(proposed=name, result=str(result.content))

    async def do_delete(self, session: str, name: str) -> None:
        path, call = self.path(name), self.fresh()
        places = [schema.ToolCallLocation(path=str(path))]
        start = acp.start_tool_call(call, f"Delete {name}", kind="delete", status="pending", locations=places)
        await self.client.session_update(session, start)
        # What a real agent does between telling and doing.
        await self.settled(session)
        path.unlink()
        await self.client.session_update(session, acp.update_tool_call(call, status="completed"))

    async def settled(self, session: str) -> None:
        """Wait until the client has taken in what it was told: it answers in order."""
        try:
            await self.client.read_text_file(session_id=session, path=str(self.path(".settled")))
        except acp.RequestError:
            return

    async def do_terminal(self, session: str, command: str, folder: str = "") -> None:
        """Run a command through the client."""
        try:
            made = await self.client.create_terminal(
                session_id=session, command=command, cwd=str(self.path(folder)) if folder else None
            )
        except acp.RequestError as error:
            self.log(refused=command, why=error.data)
            return
        ended = await self.client.wait_for_terminal_exit(session_id=session, terminal_id=made.terminal_id)
        found = await self.client.terminal_output(session_id=session, terminal_id=made.terminal_id)
        await self.client.release_terminal(session_id=session, terminal_id=made.terminal_id)
        self.log(ran=command, code=ended.exit_code, output=found.output)

    async def do_wait(self, session: str, name: str) -> None:
        """Wait until a file is there, or the turn is cancelled."""
        while not (FOLDER / name).exists() and session not in self.cancelled:
            await asyncio.sleep(0.01)

    async def do_garbage(self, session: str) -> None:
        """What no message looks like, in the middle of messages."""
        os.write(1, b'not json\n\xff\xfe\x00\n{"jsonrpc": "2.0"}\n[1]\n"x"\n{"method": 7}\n')
        os.write(1, b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":3}}\n')

    async def do_deaf(self, session: str) -> None:
        """Not to be stopped."""
        while True:
            await asyncio.sleep(0.05)

    async def do_die(self, session: str) -> None:
        sys.stderr.write("a pity\n")
        sys.stderr.flush()
        os._exit(7)

    async def do_fail(self, session: str, why: str) -> None:
        raise acp.RequestError.internal_error({"details": why})

    async def do_stop(self, session: str, reason: str) -> str:
        return reason


if __name__ == "__main__":
    asyncio.run(acp.run_agent(cast(Any, Scripted()), use_unstable_protocol=True))
