"""One turn in the ledger: begun, its calls written down, ended; and what the agent has to hear before it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.chat.call_recorder import CallRecorder, Diff, Told, merged
from blueline.chat.proposed_diff import proposed
from blueline.chat.wire import Doing
from blueline.desk import Desk
from blueline.errors import BluelineError
from blueline.hook import capture, speech
from blueline.kernel import disk
from blueline.sdk.call import WatchedCall
from blueline.sdk.conversation_record import ConversationRecord, whole
from blueline.sdk.outcome import EditRefused
from blueline.sdk.turn import AgentTurn

if TYPE_CHECKING:
    from acp.schema import McpServerStdio

    from blueline.contract.conversations import ProposedDiff

LONGEST_NAME = 100
MOST_DIFFS = 50

HOLDING = (
    "[Blueline is in hold mode: an edit that you ask permission for is not made, but kept as a proposal, and "
    "the person you work for will accept or reject it. The protocol has one word for that and for a refusal: "
    "you will hear that it was refused or cancelled. It was not: do not try it again, nor in another way. Go "
    "on with what does not need it, or stop and say what is waiting for review.]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where a conversation takes place."""

    root: Path
    state: Path
    environ: Mapping[str, str]
    report: Callable[[BaseException], str]
    """Writes down a bug; where."""
    program: str = "another program"
    """What a conversation is held in, for those who are told that it is."""
    servers: Sequence[McpServerStdio] = field(default=())
    """Tools of ours that agents are offered."""


def ledger_name(session: str) -> str:
    """What the ledger calls an agent's conversation: the same, unless no ledger could hold that."""
    if session.isprintable() and 0 < len(session) <= LONGEST_NAME:
        return session
    return blake2b(session.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class TurnRecord:
    """What is written down of one turn."""

    def __init__(self, around: Surroundings, agent: str, session: str) -> None:
        self._around = around
        self._conversation = ledger_name(session)
        self._record = ConversationRecord(around.state, agent, self._conversation)
        self._call_recorder = CallRecorder(around.root, around.state, self._record)
        self._turn = AgentTurn(self._call_recorder.files, self._record, None)
        self._calls: dict[str, Told] = {}
        self._claimed: list[bytes] = []

    @property
    def turn(self) -> AgentTurn:
        """For what the agent asks us to write."""
        return self._turn

    def begin(self, prompt: str, chat: str) -> Callable[[Desk], str | None]:
        """Write down that the turn has begun; asked of a desk, what the ledger calls it."""
        said = {"prompt": whole(prompt), "chat": chat}

        def ask(desk: Desk) -> str | None:
            return desk.conversing.running(self._conversation)

        if self._record.mode == "direct":
            return lambda desk: None
        # With a look at the whole tree: what an agent does before it tells of it can be found then.
        root, state = os.fsencode(self._around.root), os.fsencode(self._around.state)
        try:
            with capture.Capture(root, state) as now:
                self._record.say("prompt", said, now.look())
                now.save()
        except (capture.CannotLook, OSError) as error:
            why = disk.escape(str(error).encode("utf-8", "replace"))
            self._record.say("prompt", said, [b"tree-unknown " + why])
        return ask

    def finish(self) -> None:
        """The turn has ended."""
        self._call_recorder.end()
        self._record.say("stop", {})

    def leave(self) -> None:
        """The agent has gone, and whoever worked for it."""
        self._record.say("end", {})

    # Calls

    def key(self, call: str) -> str:
        """What the ledger knows a call by."""
        return f"{self._conversation}/{call}"

    def told(self, doing: Doing) -> Told:
        """A call as it is known, with what was said now."""
        known = self._calls.get(doing.id) or Told(id=doing.id)
        self._calls[doing.id] = merged(known, doing.told)
        return self._calls[doing.id]

    def record_call(self, told: Told) -> None:
        """Look at what a call is about to do, or has done."""
        self._call_recorder.told(told)

    def command(self, line: str) -> WatchedCall | None:
        """A command that the agent asked us to run; None if nothing is recorded of it."""
        # What it does while the agent's own call is open belongs to that.
        if self._record.mode == "direct" or self._call_recorder.is_wide:
            return None
        return self._turn.call("terminal", command=line)

    def read(self, path: str) -> str | None:
        """The text of a file of the project; None if there is none."""
        return self._call_recorder.files.read(self._turn.named(path)).text

    def write(self, path: str, content: str) -> str:
        """Let a file of the project hold this text. What to say if it is only proposed; else nothing."""
        name = self._turn.named(path)
        outcome = self._turn.write_file(name, content, call_id=self._call_on(path))
        return str(outcome) if outcome.held else ""

    def _call_on(self, path: str) -> str | None:
        """The open call that names a file."""
        for told in reversed(self._calls.values()):
            if told.status not in ("completed", "failed") and path in told.files:
                return told.id
        return None

    def proposed(self, told: Told) -> list[ProposedDiff]:
        """What a call that asks would do to files, for somebody who has to answer."""
        return [proposed(diff.path, diff, self._text(diff.path)) for diff in told.diffs[:MOST_DIFFS]]

    def _text(self, path: str) -> str | None:
        with suppress(BluelineError):  # not one of ours, or not text: then it is as the agent says
            return self.read(path)
        return None

    def hold(self, told: Told) -> str:
        """In hold mode, make a proposal of an edit that the agent asks for; the files, empty if none."""
        if self._record.mode != "hold" or not told.diffs:
            return ""
        done = []
        for number, diff in enumerate(told.diffs):
            # Refused: the text is not there, say. Then a person is asked, as for anything else.
            with suppress(EditRefused):
                done.append(self._propose(diff, f"{told.id}.proposed{number}"))
        return ", ".join(done)

    def _propose(self, diff: Diff, call: str) -> str:
        path = self._turn.named(diff.path)
        text = self._call_recorder.files.read(path).text
        if diff.old and text is not None and diff.old != text:
            return self._turn.edit_file(path, diff.old, diff.new, call_id=call).path
        return self._turn.write_file(path, diff.new, call_id=call).path

    # What there is to hear

    def advice(self) -> list[str]:
        """What an agent has to know before it begins: an answer to what it asks comes without a reason."""
        return [HOLDING] if self._record.mode == "hold" else []

    def claim(self, sessions: Sequence[str]) -> list[str]:
        """What became of the agent's changes, which it has not been told yet.

        Of conversations that it does not go on with, nothing is said: they hold what it should forget.
        """
        state = os.fsencode(self._around.state)
        found = []
        for session in sessions:
            conversation = ledger_name(session)
            name = disk.reply_name(conversation)
            with suppress(OSError, ValueError):
                if words := speech.claim(state, name):
                    self._claimed.append(name)
                    found += [json.loads(words)] if conversation == self._conversation else []
        return found

    def heard(self) -> None:
        """What was to be said to the agent has been: it is not said again."""
        for name in self._claimed:
            # A hook of the same agent was faster, or a command collected it meanwhile.
            with suppress(OSError):
                speech.heard(os.fsencode(self._around.state), name)
        self._claimed.clear()
