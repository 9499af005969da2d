"""Blueline's hooks in an agent's settings, if those are JSON: put in, found, taken out without a trace.

All have an object `hooks` with a list for each event. What is in the list is either the hook itself, or an
object that holds hooks for some tools.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from blueline.adapters import git_exclude, settings_file, settings_json
from blueline.adapters.settings_file import SettingsUnusable
from blueline.adapters.settings_json import Member

TIMEOUT_SECONDS = 60
"""A disk that hangs must not hang the agent."""

EMPTY = "{\n}\n"
EMPTY_VERSION_1 = '{\n  "version": 1\n}\n'


def nested(event: str, matcher: str, run: str) -> dict[str, object]:
    """An entry as Claude Code has it, and others after it."""
    hook = {"type": "command", "command": run, "timeout": TIMEOUT_SECONDS}
    return {"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSettings:
    """Where one agent has its hooks, and how they look."""

    agent: str
    label: str
    path: str
    """The file, as seen from the project's root."""
    events: Mapping[str, str]
    """The events, and the tools for which they are wanted, as the agent matches them; empty for all."""
    entry: Callable[[str, str, str], dict[str, object]] = nested
    """What goes into the list of an event, for some tools, to run a command."""
    start: str = EMPTY
    """What stands in a file without hooks."""
    is_shared: bool = True
    """Whether a team may commit the file."""
    is_users: bool = False
    """Whether the file is a person's own, for all projects; then its path is absolute."""

    def for_user(self, place: Path) -> HookSettings:
        """The same hooks in a person's own settings. Their root is `/`."""
        return replace(self, path=str(place), is_shared=False, is_users=True)

    def settings(self, root: Path) -> Path:
        return root / self.path

    def command(self, python: str = sys.executable) -> str:
        """The shell command that the agent runs for an event."""
        if self.is_shared:
            return settings_file.shared_command(self.agent, python)
        return settings_file.guarded_command(self.agent, python, everywhere=self.is_users)

    def install(self, root: Path, state: Path, python: str = sys.executable) -> bool:
        """Put the hooks into the settings; False if they are there, and then nothing is written."""
        path = self.settings(root)
        run = self.command(python)
        settings_file.must_be_text(run)
        with settings_file.understandable(path):
            real = settings_file.real(root, path)
            before = settings_file.read(real)
            text = self._text(before, path)
            if self._is_complete(settings_json.parse(text), run):
                return False
            data = _bom(before) + self._with_hooks(self._without_hooks(text), run).encode()
            settings_file.put(root, real, state, self.agent, data, theirs=not self._ours_in(text))
            if not self.is_shared and not self.is_users:
                git_exclude.exclude(root, path)
        return True

    def uninstall(self, root: Path, state: Path | None) -> bool:
        """Take the hooks out; False if there were none. What was there before comes back byte for byte."""
        path = self.settings(root)
        with settings_file.understandable(path):
            real = settings_file.real(root, path)
            now = settings_file.read(real)
            former = settings_file.former(state, self.agent)
            touched = now is not None and (former is not None or settings_file.SIGNATURE.encode() in now)
            changed = now is not None and touched and self._take_out(path, real, now, former)
            settings_file.forget(root, state, self.agent, former)
            if not self.is_shared and not self.is_users:
                git_exclude.include(root, path)
        return changed

    def installed(self, root: Path) -> bool:
        """Whether every event has its hook, of whatever interpreter."""
        path = self.settings(root)
        try:
            text = self._text(settings_file.read(path), path)
        except (OSError, SettingsUnusable):
            return False
        return set(self.events) <= {event for event, _ in self._ours_in(text)}

    def _take_out(self, path: Path, real: Path, now: bytes, former: settings_file.Former | None) -> bool:
        if settings_file.give_back(real, former, now):
            return True
        text = self._text(now, path)
        rest = self._without_hooks(text)
        if rest == text:
            return False
        ours = former is not None and former.before is None
        if ours and settings_json.parse(rest) in ({}, settings_json.parse(self.start)):
            real.unlink()
        else:
            settings_file.replace(real, _bom(now) + rest.encode())
        return True

    # The text of the settings

    def _text(self, data: bytes | None, path: Path) -> str:
        """The settings as text that is known to be an object; an empty file counts as one without hooks."""
        try:
            text = (data or b"").decode("utf-8-sig")
            if not text.strip():
                return self.start
            parsed = settings_json.parse(text)
        except ValueError as error:
            raise SettingsUnusable(
                f"{path} is not valid JSON ({error}), so it was left as it is",
                hint="put it right or move it away, then run this again",
            ) from error
        self._must_have_shape(parsed, path)
        return text

    def _must_have_shape(self, parsed: object, path: Path) -> None:
        hooks = parsed.get("hooks", {}) if isinstance(parsed, dict) else None
        if not isinstance(hooks, dict) or not all(
            isinstance(hooks.get(event, []), list) for event in self.events
        ):
            raise SettingsUnusable(
                f"{path} holds something else than {self.label} expects, so it was left as it is",
                hint='"hooks" must be an object that has a list for each event',
            )

    def _is_complete(self, parsed: Any, run: str) -> bool:
        """Whether every event has exactly our hook, with this command. Its other settings are anybody's."""
        found = [
            (event, entry.get("matcher", ""), hook.get("command"))
            for event, entries in parsed.get("hooks", {}).items()
            if isinstance(entries, list)
            for entry in entries
            if isinstance(entry, dict)
            for hook in _hooks_in(entry)
            if isinstance(hook, dict) and self._is_ours(hook)
        ]
        return sorted(found, key=repr) == sorted(
            [(event, matcher, run) for event, matcher in self.events.items()], key=repr
        )

    def _is_ours(self, hook: object) -> bool:
        return isinstance(hook, dict) and settings_file.is_ours(hook.get("command"), self.agent)

    def _with_hooks(self, text: str, run: str) -> str:
        for event, matcher in self.events.items():
            entry = self.entry(event, matcher, run)
            hooks = _last(text, settings_json.top(text), "hooks")
            if hooks is None:
                text = settings_json.append(text, settings_json.top(text), {event: [entry]}, key="hooks")
                continue
            entries = _last(text, hooks.value, event)
            if entries is None:
                text = settings_json.append(text, hooks.value, [entry], key=event)
            else:
                text = settings_json.append(text, entries.value, entry)
        return text

    def _without_hooks(self, text: str) -> str:
        while found := self._ours_in(text):
            # One at a time: every removal moves the places of the rest.
            _, chain = found[0]
            for held, gone in reversed(chain):
                if len(held) > 1 or gone is chain[0][1]:
                    text = settings_json.remove(text, held, gone)
                    break
        return text

    def _ours_in(self, text: str) -> list[tuple[str, Chain]]:
        """Each of our hooks: its event and the way to it. What holds nothing but the hook goes with it."""
        found: list[tuple[str, Chain]] = []
        top = settings_json.members(text, settings_json.top(text))
        for hooks in (one for one in top if one.key == "hooks" and text[one.value] == "{"):
            events = settings_json.members(text, hooks.value)
            for event in (one for one in events if text[one.value] == "["):
                entries = settings_json.members(text, event.value)
                for entry in (one for one in entries if text[one.value] == "{"):
                    way = [(top, hooks), (events, event), (entries, entry)]
                    if self._is_ours(settings_json.parse(text[entry.value : entry.end])):
                        found.append((event.key, way))
                    for held, hook in self._hooks_of(text, entry):
                        # The entry as a whole goes with its last hook; its matcher alone means nothing.
                        found.append((event.key, [*way, (held, hook)] if len(held) > 1 else way))
        return found

    def _hooks_of(self, text: str, entry: Member) -> Iterator[tuple[list[Member], Member]]:
        for inner in settings_json.members(text, entry.value):
            if inner.key == "hooks" and text[inner.value] == "[":
                held = settings_json.members(text, inner.value)
                for hook in held:
                    if self._is_ours(settings_json.parse(text[hook.value : hook.end])):
                        yield held, hook


Chain = list[tuple[list[Member], Member]]
"""From the document down to a hook: the members at each level, and the one that leads to it."""


def _hooks_in(entry: dict[str, Any]) -> list[object]:
    """What an entry starts: itself, and what it holds."""
    held = entry.get("hooks")
    return [entry, *(held if isinstance(held, list) else [])]


def _bom(data: bytes | None) -> bytes:
    return b"\xef\xbb\xbf" if data is not None and data.startswith(b"\xef\xbb\xbf") else b""


def _last(text: str, at: int, key: str) -> Member | None:
    """The member that counts: the last, if a key is there twice."""
    return next((one for one in reversed(settings_json.members(text, at)) if one.key == key), None)
