"""Blueline's hooks in Claude Code's settings of a project: put in, found, taken out without a trace.

Only `.claude/settings.local.json` is written: the command names an interpreter of this machine, which is
nothing to commit for a team.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import blueline.hook
from blueline.adapters import json_text
from blueline.adapters.json_text import Member
from blueline.errors import BluelineError
from blueline.hook import disk

AGENT = "claude-code"
EDIT_TOOLS = "Edit|MultiEdit|Write|NotebookEdit"
EVENTS: dict[str, str] = {
    "UserPromptSubmit": "",
    "PreToolUse": EDIT_TOOLS,
    "PostToolUse": EDIT_TOOLS,
    "PostToolUseFailure": EDIT_TOOLS,
    "Stop": "",
    "SubagentStop": "",
    "SessionStart": "",
    "SessionEnd": "",
}
"""The events, and the tools for which they are wanted; empty for all."""

TIMEOUT_SECONDS = 60
"""A disk that hangs must not hang the agent."""

# What no command but ours does, with any interpreter, from any folder.
SIGNATURE = "import recorder;recorder.main("


class SettingsUnusable(BluelineError):
    """The settings are there, but cannot be changed safely."""


class Former(NamedTuple):
    """How things were before the hooks came, kept in the state folder until they go."""

    before: bytes | None
    """The file's bytes; None when there was no file."""
    after: str
    """The digest of what was written. Only while it is the file's, nobody else has changed it."""
    folder_made: bool


def settings(root: Path) -> Path:
    return root / ".claude" / "settings.local.json"


def command(python: str = sys.executable) -> str:
    """The shell command that Claude Code runs; the same for every event, so that equal ones run once."""
    # In double quotes, so that the whole can stand in single ones.
    folder = json.dumps(str(Path(blueline.hook.__file__).parent), ensure_ascii=False)
    program = f'import sys;sys.path[:0]=[{folder}];{SIGNATURE}"{AGENT}")'
    return shlex.join([python, "-I", "-S", "-c", program])


def install(root: Path, state: Path, python: str = sys.executable) -> bool:
    """Put the hooks into the settings; False if they are there, and then nothing is written."""
    path = settings(root)
    run = command(python)
    _must_be_text(run)
    with _understandable(path):
        real = _real(root, path)
        before = _read(real)
        text = _text(before, path)
        if _is_complete(json_text.parse(text), run):
            return False
        folder_made = not real.parent.is_dir()
        data = _with_hooks(_without_hooks(text), run).encode()
        data = _bom(before) + data
        known = _former(state)
        if known is not None and before is not None and _digest(before) == known.after:
            # Ours, of an earlier time: what was there before that still counts.
            former = Former(known.before, _digest(data), known.folder_made)
        elif known is not None and before is not None and _ours_in(text):
            # Somebody changed the file since, so its former bytes must not come back.
            former = Former(known.before, "", known.folder_made)
        else:
            earlier = known is not None and known.folder_made and before is None
            former = Former(before, _digest(data), folder_made or earlier)
        _keep_former(state, former)
        real.parent.mkdir(exist_ok=True)
        _replace(real, data)
    return True


def uninstall(root: Path, state: Path | None) -> bool:
    """Take the hooks out; False if there were none. What was there before comes back byte for byte."""
    path = settings(root)
    with _understandable(path):
        real = _real(root, path)
        now = _read(real)
        former = None if state is None else _former(state)
        changed = now is not None and _take_out(path, real, now, former)
        if former is not None and state is not None:
            if former.folder_made:
                with contextlib.suppress(OSError):  # somebody else has put something there
                    real.parent.rmdir()
            _former_path(state).unlink(missing_ok=True)
    return changed


def _take_out(path: Path, real: Path, now: bytes, former: Former | None) -> bool:
    if former is not None and _digest(now) == former.after:
        if former.before is None:
            real.unlink()
        else:
            _replace(real, former.before)
        return True
    text = _text(now, path)
    rest = _without_hooks(text)
    if rest == text:
        return False
    if former is not None and former.before is None and json_text.parse(rest) == {}:
        real.unlink()
    else:
        _replace(real, _bom(now) + rest.encode())
    return True


def installed(root: Path) -> bool:
    """Whether every event has its hook, of whatever interpreter."""
    try:
        text = _text(_read(settings(root)), settings(root))
    except (OSError, BluelineError):
        return False
    return set(EVENTS) <= {event for event, _ in _ours_in(text)}


# The text of the settings


def _text(data: bytes | None, path: Path) -> str:
    """The settings as text that is known to be an object; an empty file counts as an empty object."""
    try:
        text = (data or b"").decode("utf-8-sig")
        if not text.strip():
            return "{\n}\n"
        parsed = json_text.parse(text)
    except ValueError as error:
        raise SettingsUnusable(
            f"{path} is not valid JSON ({error}), so it was left as it is",
            hint="put it right or move it away, then run this again",
        ) from error
    _must_have_shape(parsed, path)
    return text


def _must_have_shape(parsed: object, path: Path) -> None:
    hooks = parsed.get("hooks", {}) if isinstance(parsed, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(hooks.get(event, []), list) for event in EVENTS):
        raise SettingsUnusable(
            f"{path} holds something else than Claude Code expects, so it was left as it is",
            hint='"hooks" must be an object that has a list for each event',
        )


def _bom(data: bytes | None) -> bytes:
    return b"\xef\xbb\xbf" if data is not None and data.startswith(b"\xef\xbb\xbf") else b""


def _entry(matcher: str, run: str) -> dict[str, object]:
    hook = {"type": "command", "command": run, "timeout": TIMEOUT_SECONDS}
    return {"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}


def _is_complete(parsed: Any, run: str) -> bool:
    """Whether every event has exactly our hook, with this command. Its other settings may be anybody's."""
    found = [
        (event, entry.get("matcher", ""), hook["command"])
        for event, entries in parsed.get("hooks", {}).items()
        if isinstance(entries, list)
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("hooks"), list)
        for hook in entry["hooks"]
        if _is_ours(hook)
    ]
    return sorted(found) == sorted((event, matcher, run) for event, matcher in EVENTS.items())


def _is_ours(hook: object) -> bool:
    run = hook.get("command") if isinstance(hook, dict) else None
    if not isinstance(run, str):
        return False
    try:
        return any(SIGNATURE in word and AGENT in word for word in shlex.split(run))
    except ValueError:  # quotes that do not close
        return False


def _with_hooks(text: str, run: str) -> str:
    for event, matcher in EVENTS.items():
        entry = _entry(matcher, run)
        hooks = _last(text, json_text.top(text), "hooks")
        if hooks is None:
            text = json_text.append(text, json_text.top(text), {event: [entry]}, key="hooks")
            continue
        entries = _last(text, hooks.value, event)
        if entries is None:
            text = json_text.append(text, hooks.value, [entry], key=event)
        else:
            text = json_text.append(text, entries.value, entry)
    return text


def _last(text: str, at: int, key: str) -> Member | None:
    """The member that counts: the last, if a key is there twice."""
    return next((one for one in reversed(json_text.members(text, at)) if one.key == key), None)


def _without_hooks(text: str) -> str:
    while found := _ours_in(text):
        # One at a time: every removal moves the places of the rest.
        _, chain = found[0]
        for held, gone in reversed(chain):
            if len(held) > 1 or gone is chain[0][1]:
                text = json_text.remove(text, held, gone)
                break
    return text


Chain = list[tuple[list[Member], Member]]
"""From the document down to a hook: the members at each level, and the one that leads to it."""


def _ours_in(text: str) -> list[tuple[str, Chain]]:
    """Each of our hooks: its event and the way to it. What holds nothing but the hook goes with it."""
    found: list[tuple[str, Chain]] = []
    top = json_text.members(text, json_text.top(text))
    for hooks in (one for one in top if one.key == "hooks" and text[one.value] == "{"):
        events = json_text.members(text, hooks.value)
        for event in (one for one in events if text[one.value] == "["):
            entries = json_text.members(text, event.value)
            for entry in (one for one in entries if text[one.value] == "{"):
                for held, hook in _hooks_of(text, entry):
                    # The entry as a whole goes with its last hook; its matcher alone means nothing.
                    ours = [(held, hook)] if len(held) > 1 else []
                    found.append((event.key, [(top, hooks), (events, event), (entries, entry), *ours]))
    return found


def _hooks_of(text: str, entry: Member) -> Iterator[tuple[list[Member], Member]]:
    for inner in json_text.members(text, entry.value):
        if inner.key == "hooks" and text[inner.value] == "[":
            held = json_text.members(text, inner.value)
            for hook in held:
                if _is_ours(json_text.parse(text[hook.value : hook.end])):
                    yield held, hook


# Files


def _must_be_text(run: str) -> None:
    try:
        run.encode()
    except UnicodeEncodeError:
        raise BluelineError(
            "the path of Python or of Blueline is not valid UTF-8, and settings cannot hold it",
            hint="install Blueline below a folder with a plain name",
        ) from None


@contextlib.contextmanager
def _understandable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SettingsUnusable(
            f"{error.filename or path} cannot be read or written: {error.strerror}",
            hint="check who owns it and its permissions",
        ) from error


def _real(root: Path, path: Path) -> Path:
    """The file behind links, which must be inside the project."""
    real = path.resolve()
    if not real.is_relative_to(root.resolve()):
        raise SettingsUnusable(
            f"{path} is a link that leads out of the project, so it was left as it is",
            hint="replace the link by a file of its own",
        )
    return real


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace(path: Path, data: bytes) -> None:
    """Write a whole file or nothing, keeping its permissions."""
    try:
        mode = path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mode = None
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{time.time_ns()}")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with open(fd, "wb") as file:
            file.write(data)
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    disk.sync_folder(os.fsencode(path.parent))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _former_path(state: Path) -> Path:
    return state / f"installed-{AGENT}.json"


def _former(state: Path) -> Former | None:
    """What was kept; None if nothing was, or it cannot be read any more."""
    try:
        kept = json.loads(_former_path(state).read_bytes())
        before = kept["before"]
        return Former(
            before=None if before is None else base64.b64decode(before),
            after=str(kept["after"]),
            folder_made=kept["folder_made"] is True,
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep_former(state: Path, former: Former) -> None:
    before = None if former.before is None else base64.b64encode(former.before).decode()
    data = json.dumps({"before": before, "after": former.after, "folder_made": former.folder_made}).encode()
    # For the owner only, like everything in the state folder: settings may hold secrets.
    disk.place(os.fsencode(_former_path(state)), data, os.fsencode(state / "blobs" / "tmp"))
