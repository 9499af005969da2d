"""What an agent may ask of us: to be heard, to be allowed, to read and write files, to run commands."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import acp
from acp import schema

from blueline.chat import wire
from blueline.chat.terminals import Terminal, Terminals
from blueline.errors import BluelineError

if TYPE_CHECKING:
    from blueline.chat.turn_record import Surroundings, TurnRecord


class Listener(Protocol):
    """Whoever the agent talks to."""

    @property
    def recording(self) -> TurnRecord | None: ...
    def hear(self, session: str, said: wire.Said) -> None: ...
    async def asked(self, session: str, doing: wire.Doing, options: Sequence[Any]) -> str | None: ...


class _Option:
    """One of the answers that an agent offers."""

    def __init__(self, option: schema.PermissionOption) -> None:
        self.id, self.name, self.kind = option.option_id, option.name, str(option.kind)


class Client(acp.Client):
    """The other end of the protocol, for one process of an agent."""

    def __init__(self, listener: Listener, around: Surroundings) -> None:
        self._listener = listener
        self._around = around
        self._terminals = Terminals(around.root, around.environ)

    async def close(self) -> None:
        """The agent has gone."""
        await self._terminals.close()

    def on_connect(self, conn: acp.Agent) -> None:
        """Nothing has to be prepared."""

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        # Without a pause: each message arrives in a task of its own, and their order is that of their start.
        self._listener.hear(session_id, wire.said(wire.plain(update)))

    async def request_permission(
        self,
        session_id: str,
        tool_call: schema.ToolCallUpdate,
        options: list[schema.PermissionOption],
        **kwargs: Any,
    ) -> schema.RequestPermissionResponse:
        doing = wire.doing(wire.plain(tool_call))
        chosen = None
        if doing is not None:
            chosen = await self._listener.asked(session_id, doing, [_Option(one) for one in options])
        outcome: schema.AllowedOutcome | schema.DeniedOutcome = schema.DeniedOutcome(outcome="cancelled")
        if chosen is not None:
            outcome = schema.AllowedOutcome(outcome="selected", option_id=chosen)
        return schema.RequestPermissionResponse(outcome=outcome)

    def _recording(self) -> TurnRecord:
        recording = self._listener.recording
        if recording is None:
            raise acp.RequestError.invalid_request({"details": "no turn is running"})
        return recording

    async def read_text_file(
        self, session_id: str, path: str, line: int | None = None, limit: int | None = None, **kwargs: Any
    ) -> schema.ReadTextFileResponse:
        recording = self._recording()

        def read() -> str | None:
            return recording.read(path)

        text = await self._tried(read)
        if text is None:
            raise acp.RequestError.resource_not_found(path)
        if line is not None or limit is not None:
            first = max((line or 1) - 1, 0)
            lines = text.splitlines(keepends=True)[first:]
            text = "".join(lines if limit is None else lines[:limit])
        return schema.ReadTextFileResponse(content=text)

    async def write_text_file(
        self, session_id: str, path: str, content: str, **kwargs: Any
    ) -> schema.WriteTextFileResponse:
        recording = self._recording()
        held = await self._tried(lambda: recording.write(path, content))
        if held:
            raise acp.RequestError.invalid_request({"details": held})
        return schema.WriteTextFileResponse()

    async def _tried(self, act: Any) -> Any:
        try:
            return await asyncio.to_thread(act)
        except BluelineError as error:
            raise acp.RequestError.invalid_params({"details": f"{error} ({error.hint})"}) from error

    # Commands

    async def create_terminal(
        self,
        session_id: str,
        command: str,
        args: list[str] | None = None,
        env: list[schema.EnvVariable] | None = None,
        cwd: str | None = None,
        output_byte_limit: int | None = None,
        **kwargs: Any,
    ) -> schema.CreateTerminalResponse:
        recording = self._recording()
        words = args or []
        try:
            name = await self._terminals.create(
                command,
                words,
                folder=cwd,
                environ={one.name: one.value for one in env or ()},
                limit=output_byte_limit,
                call=recording.command(" ".join([command, *words])),
            )
        except BluelineError as error:
            raise acp.RequestError.invalid_params({"details": f"{error} ({error.hint})"}) from error
        return schema.CreateTerminalResponse(terminal_id=name)

    def _terminal(self, name: str) -> Terminal:
        try:
            return self._terminals.named(name)
        except BluelineError as error:
            raise acp.RequestError.resource_not_found(name) from error

    async def terminal_output(
        self, session_id: str, terminal_id: str, **kwargs: Any
    ) -> schema.TerminalOutputResponse:
        found = self._terminal(terminal_id)
        status = (
            None if found.is_running else schema.TerminalExitStatus(exit_code=found.code, signal=found.signal)
        )
        return schema.TerminalOutputResponse(output=found.output, truncated=found.is_cut, exit_status=status)

    async def wait_for_terminal_exit(
        self, session_id: str, terminal_id: str, **kwargs: Any
    ) -> schema.WaitForTerminalExitResponse:
        found = self._terminal(terminal_id)
        await asyncio.shield(found.done)
        return schema.WaitForTerminalExitResponse(exit_code=found.code, signal=found.signal)

    async def kill_terminal(
        self, session_id: str, terminal_id: str, **kwargs: Any
    ) -> schema.KillTerminalResponse:
        self._terminal(terminal_id).kill()
        return schema.KillTerminalResponse()

    async def release_terminal(
        self, session_id: str, terminal_id: str, **kwargs: Any
    ) -> schema.ReleaseTerminalResponse:
        self._terminal(terminal_id)
        self._terminals.release(terminal_id)
        return schema.ReleaseTerminalResponse()

    # What we do not do

    async def create_elicitation(self, message: str, mode: Any, **kwargs: Any) -> Any:
        raise acp.RequestError.method_not_found("elicitation/create")

    async def complete_elicitation(self, elicitation_id: str, **kwargs: Any) -> None:
        """We never began one."""

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        raise acp.RequestError.method_not_found(method)

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        """Of somebody's own: nothing for us."""
