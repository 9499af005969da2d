"""What an agent says of its tool calls is written down, with a look at the files before and after.

An agent with hooks of ours says the same calls there, by the same names: then they are one. The protocol only
tells of a call, and some agents do not wait: the file may be written by the time we look. Then what the call
says it replaced tells what stood there before.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from blueline.hook import capture, hosts
from blueline.journal.observation import split, tree_of
from blueline.model.file_state import Absent, FileState, Regular, Unknown
from blueline.sdk.call import WatchedCall
from blueline.sdk.conversation_record import ConversationRecord, seen, whole
from blueline.sdk.edited_files import RAW, ProjectFiles
from blueline.sdk.outcome import EditRefused

HARMLESS = ("read", "search", "fetch", "think", "switch_mode")
"""Kinds of calls that change nothing."""

NAMING = ("edit", "delete", "move")
"""Kinds of calls that name the files they change."""

ENDS = ("completed", "failed")

OURS = "mcp__blueline__"
"""Our own tools write down themselves what they do."""

LOOKS = 40
LOOK_AGAIN_SECONDS = 0.005
"""For a file that is being written while we look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What a call does to a file, in its own words: a part of the file, or all of it."""

    path: str
    """As the agent spells it."""
    old: str | None
    new: str
    is_whole: bool = False
    """The call says only what the file is to hold: what stood there before is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A tool call as far as the agent has told of it."""

    id: str
    tool: str = ""
    kind: str = "other"
    title: str = ""
    status: str = "pending"
    paths: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    diffs: tuple[Diff, ...] = ()
    command: str = ""
    error: str = ""
    output: str = ""

    @property
    def files(self) -> list[str]:
        """All files it names."""
        return list(dict.fromkeys((*self.paths, *(diff.path for diff in self.diffs))))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Files that a call named at once."""

    of: str
    paths: tuple[str, ...]
    edits: list[dict[str, object]] | None


class CallFailed(Exception):
    """As the agent says."""


class CallRecorder:
    """The calls of one turn."""

    def __init__(self, root: Path, state: Path, record: ConversationRecord) -> None:
        self._root = root
        self._files = ProjectFiles(root, state)
        self._record = record
        self._begun: dict[str, _Part] = {}
        self._wide: dict[str, WatchedCall] = {}
        """Open calls that may change anything."""
        self._ended: set[str] = set()

    @property
    def files(self) -> ProjectFiles:
        return self._files

    @property
    def is_wide(self) -> bool:
        """Whether a call is open that may change anything."""
        return bool(self._wide)

    def told(self, call: Told) -> None:
        """The agent has told of a call, or has told more of it."""
        if (
            self._record.mode == "direct"
            or call.id in self._ended
            or not may_change(call, self._record.agent)
        ):
            return
        if call.kind in NAMING:
            self._name(call)
        elif call.id not in self._wide:
            self._open(call)
        if call.status in ENDS:
            self._end(call)

    def end(self) -> None:
        """The turn is over: what is open has ended as well."""
        for name in [*self._wide, *(part.of for part in self._begun.values())]:
            if name not in self._ended:
                self._end(Told(id=name, status="failed", error="the turn ended"))

    def _open(self, call: Told) -> None:
        self._wide[call.id] = WatchedCall(self._files, self._record, tool_name(call), call.id, None)
        self._wide[call.id].__enter__()

    def _name(self, call: Told) -> None:
        """Look at the files that a call names, as far as it has not been done."""
        paths = [path for path in map(self._named, call.files) if path is not None]
        known = set().union(*self._parts(call.id))
        fresh = [path for path in dict.fromkeys(paths) if path not in known]
        if not fresh:
            return
        # A call that names more files later has a part of its own for them: what a record says of a call's
        # beginning is said once.
        count = len(self._parts(call.id))
        name = f"{call.id}.{count + 1}" if count else call.id
        states = {path: self._before(call, path) for path in fresh}
        self._begun[name] = _Part(of=call.id, paths=tuple(fresh), edits=self._edits(call, states))
        about = {**_about(call, name), "edits": self._begun[name].edits}
        self._record.say("before", about, looked(states))

    def _parts(self, call: str) -> list[tuple[str, ...]]:
        return [part.paths for part in self._begun.values() if part.of == call]

    def _edits(self, call: Told, before: Mapping[str, FileState]) -> list[dict[str, object]] | None:
        """The one place in the one file that a call changes, if that is all that it does."""
        if len(call.diffs) != 1 or len(before) != 1:
            return None
        (diff,), (state,) = call.diffs, before.values()
        text = self._text(state)
        if text is None or not diff.old or diff.old == text or text.count(diff.old) != 1:
            return None
        return [{"old": whole(diff.old), "new": whole(diff.new), "every": False}]

    def _named(self, path: str) -> str | None:
        """The path, relative to the root; None if it is not one of ours."""
        try:
            return self._files.named(path)
        except EditRefused:
            return None

    def _before(self, call: Told, path: str) -> FileState:
        """What stood at a path before the call: what stands there, unless the call has been there already."""
        diffs = [diff for diff in call.diffs if self._named(diff.path) == path]
        for _ in range(LOOKS):
            state = self._look(path)
            text = self._text(state)
            if text is None and isinstance(state, Absent) and call.kind != "edit":
                return self._last_seen(path) or state
            if not diffs or text is None or any(is_before(text, diff) for diff in diffs):
                return state
            for diff in diffs:
                before = undone(text, diff)
                if diff.is_whole:
                    return (self._last_seen(path) or state) if before is not None else state
                if before is not None:
                    return self._state(before, state) if diff.old else Absent()
            # Neither what it was nor what it will be: it is being written this very moment.
            time.sleep(LOOK_AGAIN_SECONDS)
        return self._look(path)

    def _look(self, path: str) -> FileState:
        """What stands at a path; one that could not be read is looked at again, as it may be changing."""
        state = self._files.look(path)
        for _ in range(LOOKS):
            if not isinstance(state, Unknown):
                break
            time.sleep(LOOK_AGAIN_SECONDS)
            state = self._files.look(path)
        return state

    def _last_seen(self, path: str) -> FileState | None:
        """What stood at a path when the whole tree was looked at last, if something else stands there now."""
        try:
            with capture.Capture(os.fsencode(self._root), os.fsencode(self._files.state)) as now:
                lines = now.look()
        except (capture.CannotLook, OSError):
            return None
        tree = tree_of(dict(split(lines)), list(split(lines)))
        found = [seen.before for seen in (tree.sightings if tree else ()) if seen.path == path]
        return found[0] if found else None

    def _state(self, text: str, like: FileState) -> Regular:
        data = text.encode("utf-8", RAW)
        mode = like.mode if isinstance(like, Regular) else 0o644
        return Regular(mode=mode, size=len(data), blob=self._files.blobs.put(data))

    def _text(self, state: FileState) -> str | None:
        if not isinstance(state, Regular):
            return None
        return self._files.blobs.get(state.blob).decode("utf-8", RAW)

    def _end(self, call: Told) -> None:
        self._ended.add(call.id)
        failed = call.status == "failed"
        if call.id in self._wide:
            error = CallFailed(call.error or "the agent says so") if failed else None
            done = self._wide.pop(call.id)
            done.command = whole(call.command)
            done.__exit__(type(error) if error else None, error, None)
        for name, part in self._begun.items():
            if part.of == call.id:
                about = {**_about(call, name), "failed": failed, "edits": part.edits}
                self._record.say("after", about, looked({path: self._look(path) for path in part.paths}))


def may_change(call: Told, agent: str) -> bool:
    """Whether a call is one that may change files."""
    is_known = call.tool.startswith(OURS) or call.tool in hosts.HARMLESS.get(agent, ())
    return call.kind not in HARMLESS and not is_known


def tool_name(call: Told) -> str:
    """What the ledger calls the tool."""
    return call.tool or call.kind


def is_before(text: str, diff: Diff) -> bool:
    """Whether a diff has not been applied to a text."""
    if not diff.old:
        return False
    return diff.old == text or (diff.old in text and diff.new not in text)


def undone(text: str, diff: Diff) -> str | None:
    """The text before a diff that has been applied to it; None if nobody can tell."""
    if diff.new == text:
        return diff.old or ""
    if diff.old and diff.new and text.count(diff.new) == 1:
        return text.replace(diff.new, diff.old)
    return None


def merged(call: Told, update: Mapping[str, Any]) -> Told:
    """A call with what another message says of it."""
    return replace(call, **{name: value for name, value in update.items() if value is not None})


def _about(call: Told, name: str) -> dict[str, object]:
    about: dict[str, object] = {"call": name, "tool": whole(tool_name(call))}
    return {**about, "error": whole(call.error) or None, "command": whole(call.command) or None}


def looked(states: Mapping[str, FileState]) -> list[bytes]:
    """The lines of an observation that say what stands at some paths."""
    found = [seen(path, state) for path, state in states.items()]
    if len(found) == 1:
        return found[0]
    return [
        b"look %s\0%s" % (path.removeprefix(b"path "), state.removeprefix(b"state ")) for path, state in found
    ]
