"""Whether a folder is recorded: where agents look for hooks, and whether what stands there can answer (D6).

Every command asks, so no adapter is loaded here, and settings are searched rather than understood.
"""

from __future__ import annotations

import json
import os
import re

from blueline.adapters import ADAPTERS, SIGNATURE, missing
from blueline.hook import settings_places
from blueline.hook.settings_places import PLACES as PLACES
from blueline.hook.settings_places import USER_PLACES as USER_PLACES
from blueline.kernel import disk, project_folder, user_wide
from blueline.kernel.plain_file import read_plain, read_those_there

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Literal

    from _typeshed import StrOrBytesPath, StrPath

    from blueline.contract.overview import RecordingDocument

_HOOK = r"""(?: (?P<listed>",\s*"-I",\s*"-S",\s*"-c",\s*") | \ -I\ -S\ -c\ ['"]? )
        import\ sys;sys\.path\[:0\]=\["(?P<folder>[^"]+)"\];
        import\ recorder;recorder\.main\("(?P<agent>[\w-]+)"(?:,True)?\)"""
"""What stands behind the interpreter. Not compiled before there is one of ours to be read."""

_OURS = SIGNATURE.encode()

_CLAUDE_CODE = "claude-code"
_SWITCH = "disableAllHooks"
"""In any of its settings, a person's own or the project's, it keeps Claude Code from running any hook."""


class InstalledHook(tuple[str, str, str]):
    """What a hook of ours would start: of which agent, the interpreter and the recorder."""

    __slots__ = ()

    @property
    def agent(self) -> str:
        return self[0]

    @property
    def interpreter(self) -> str:
        return self[1]

    @property
    def recorder(self) -> str:
        return self[2]

    @property
    def can_start(self) -> bool:
        return os.access(self.interpreter, os.X_OK) and os.access(self.recorder, os.R_OK)


def hooks_in(*places: StrOrBytesPath) -> set[InstalledHook]:
    """Our hooks in some files of agents' settings."""
    return _hooks(read_those_there(places))


def _hooks(files: Iterable[bytes]) -> set[InstalledHook]:
    # As it stands in JSON, and in a string of JavaScript.
    texts = [data.decode("utf-8", "replace").replace('\\"', '"') for data in files if _OURS in data]
    return {
        InstalledHook((one["agent"], interpreter, os.path.join(one["folder"], "recorder.py")))
        for text in texts
        for one in re.finditer(_HOOK, text, re.VERBOSE)
        if (interpreter := _word_before(text, one.start(), is_listed=bool(one["listed"])))
    }


def _word_before(text: str, end: int, *, is_listed: bool) -> str:
    """The string of a list, or the word of a shell command, that ends there; empty if none does.

    Read backwards, for where it begins it can be anything: a search would try every place in the settings.
    """
    if is_listed:
        return text[text.rfind('"', 0, end) + 1 : end]
    if text.endswith("'", 0, end):
        return text[text.rfind("'", 0, end - 1) + 1 : end - 1]
    return text[max(text.rfind(sign, 0, end) for sign in " \t\r\n\"'") + 1 : end]


def commands_in(place: Path) -> list[str]:
    """The shell commands of our hooks, exactly as they stand in a file; of a plugin, what it starts."""
    try:
        text = read_plain(place).decode()
        if place.suffix == ".js":
            start = text.index("[", text.index("const WORDS"))
            import shlex  # few ask for this

            return [shlex.join(map(str, json.JSONDecoder().raw_decode(text, start)[0]))]
        return sorted({*_strings(json.loads(text))})
    except (OSError, ValueError):
        return []


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str) and SIGNATURE in value:
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(one)


def user_place(agent: str, environ: Mapping[str, str]) -> Path:
    """The file with a person's own hooks of an agent."""
    from pathlib import Path

    return Path(os.fsdecode(settings_places.user_place(agent, in_bytes(environ))))


def user_state(environ: Mapping[str, str]) -> Path:
    """Where it is kept what a person's own settings were before the hooks came."""
    from pathlib import Path

    return Path(_user_state(project_folder.state_home(in_bytes(environ))))


def _user_state(home: bytes) -> str:
    return os.fsdecode(home + b"/" + user_wide.FOLDER)


def in_bytes(environ: Mapping[str, str]) -> dict[bytes, bytes]:
    return {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}


def hooks_of_user(environ: Mapping[str, str]) -> set[InstalledHook]:
    """Our hooks in a person's own settings."""
    return hooks_in(*_user_places(in_bytes(environ)))


def _user_places(settings: Mapping[bytes, bytes]) -> list[bytes]:
    return [settings_places.user_place(agent, settings) for agent in USER_PLACES]


class _Found:
    """All that the answer follows from, but for what is kept in files of the state folders."""

    def __init__(
        self,
        here: set[InstalledHook],
        ours: set[InstalledHook],
        is_direct: bool,
        left_alone: tuple[str, str],
        user_state: str,
        switched_off: str,
        torn: str,
    ) -> None:
        self.here, self.ours = here, ours
        self.is_direct = is_direct
        self.left_alone = left_alone
        """Why a person's own hooks leave the folder alone, and what to type; empty if they do not."""
        self.user_state = user_state
        self.switched_off = switched_off
        """The file in which Claude Code is told to run no hooks, if there is one."""
        self.torn = torn
        """The file with hooks that Claude Code passes over because it is no JSON, if there is one."""


def recording(root: StrPath, state: StrPath, environ: Mapping[str, str]) -> RecordingDocument:
    """Whether what agents do in this project is recorded; if not, why, and what to type."""
    found = _look(root, state, environ)
    for why, hint in _doubts(root, state, environ, found):
        return {"recorded": False, "by": "", "why": why, "hint": hint}
    by: Literal["project", "user"] = "project" if any(hook.can_start for hook in found.here) else "user"
    return {"recorded": True, "by": by, "why": "", "hint": ""}


def _look(root: StrPath, state: StrPath, environ: Mapping[str, str]) -> _Found:
    settings, folder = in_bytes(environ), os.fsencode(root)
    places = [os.path.join(root, name) for names in PLACES.values() for name in names]
    own = [*map(os.fsdecode, _user_places(settings))]
    files = read_those_there([*places, *own])
    claude, torn, switched_off = _claude_places(root, settings), "", ""
    for number, (place, data) in enumerate(zip([*places, *own], files, strict=True)):
        if place not in claude:
            continue
        if _OURS in data and _parsed(data) is None:
            files[number], torn = b"", place
        elif _SWITCH.encode() in data and (_parsed(data) or {}).get(_SWITCH) is True:
            switched_off = place
    is_direct = project_folder.read_mode(os.fsencode(state)) == b"direct"
    home, pattern = project_folder.state_home(settings), ""
    is_asked = any(_OURS in data for data in files[len(places) :])
    is_too_wide = is_asked and user_wide.is_too_wide(folder, settings)
    if is_asked and not is_too_wide:
        pattern = user_wide.ignoring(folder, home, settings)
    here, ours = _hooks(files[: len(places)]), _hooks(files[len(places) :])
    left_alone = "", ""
    if ours and is_too_wide:
        left_alone = "hooks in your own settings leave a home folder and / alone", "blueline init"
    elif ours and pattern:
        config = os.fsdecode(user_wide.config_path(settings))
        left_alone = f"{config} has it in ignore ({pattern})", "blueline init, or take it out there"
    return _Found(here, ours, is_direct, left_alone, _user_state(home), switched_off, torn)


def _claude_places(root: StrPath, settings: Mapping[bytes, bytes]) -> set[str]:
    own = os.fsdecode(settings_places.user_place(_CLAUDE_CODE, settings))
    return {own, *(os.path.join(root, name) for name in PLACES[_CLAUDE_CODE])}


def _parsed(data: bytes) -> dict[str, object] | None:
    """Settings as Claude Code reads them; None if it does not."""
    try:
        found = json.loads(data)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _doubts(
    root: StrPath, state: StrPath, environ: Mapping[str, str], seen: _Found
) -> Iterator[tuple[str, str]]:
    here, left_alone = seen.here, seen.left_alone
    if seen.is_direct:
        yield "the mode is direct", "blueline mode review"
    for name in missing(root, state):
        label, again = ADAPTERS[name]().LABEL, f"blueline init --agent {name}"
        yield f"the hooks for {label} are not all there any more", f"{again}, or {again} --uninstall"
    found = here if any(left_alone) else here | seen.ours
    able = {hook.agent for hook in found if hook.can_start}
    lame = sorted(hook for hook in found if hook.agent not in able)
    # A team's file may name the Python of somebody else: that is nothing to us if others see for us.
    expected = [hook for hook in lame if not able or _is_installed(state, hook.agent)]
    for hook in expected:
        gone = hook.interpreter if not os.access(hook.interpreter, os.X_OK) else hook.recorder
        again = "blueline init" if hook in here else "blueline init --user"
        yield f"the hooks for {ADAPTERS[hook.agent]().LABEL} start {gone}, which is gone", again
    if seen.torn and _CLAUDE_CODE not in able:
        label = ADAPTERS[_CLAUDE_CODE]().LABEL
        hint = "take out what JSON does not have: a comment, or a comma too many"
        yield f"{seen.torn} is not JSON, so {label} runs none of the hooks in it", hint
    if seen.switched_off and _CLAUDE_CODE in able:
        label = ADAPTERS[_CLAUDE_CODE]().LABEL
        yield f"{seen.switched_off} keeps {label} from running hooks", f'take "{_SWITCH}" out there'
    if not able:
        yield left_alone if any(left_alone) else ("no agent has hooks in this folder", "blueline init")
    for name, problem in _kept(state, TRIED).items():
        if name in able and problem:
            label = ADAPTERS[name]().LABEL
            yield f"the hook for {label} did not answer when it was last tried: {problem}", "blueline doctor"
    for name, trace in newcomers(state, environ):
        if name not in able:
            label = ADAPTERS[name]().LABEL
            hint = f"blueline init --agent {name}, or blueline init to leave it as it is"
            yield f"{label} came after blueline init ({trace}), and has no hooks here", hint
    if not any(hook.can_start for hook in here):
        yield from _doubts_of_user(able, seen.user_state, environ)


def _is_installed(state: StrPath, agent: str) -> bool:
    return os.path.exists(os.path.join(state, f"installed-{agent}.json"))


def _doubts_of_user(able: set[str], state: StrPath, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is wrong with hooks in a person's own settings, for a project that has no others."""
    again = "blueline init --user"
    for name in missing("/", state):
        gone = f"the hooks for {ADAPTERS[name]().LABEL} are not all in your settings any more"
        yield gone, f"{again}, or {again} --agent {name} --uninstall"
    for name, problem in _kept(state, TRIED).items():
        if name in able and problem:
            label = ADAPTERS[name]().LABEL
            yield f"your hook for {label} did not answer when it was last tried: {problem}", "blueline doctor"
    for name, trace in newcomers(state, environ):
        if name not in able:
            why = f"{ADAPTERS[name]().LABEL} came after {again} ({trace}), and has no hooks"
            yield why, f"{again} --agent {name}, or {again} to leave it as it is"


# What was found when the hooks were installed

TRIED = "hooks-tried.json"
UNUSED = os.fsdecode(user_wide.UNUSED)


def remember_tries(state: StrPath, problems: Mapping[str, str]) -> None:
    """What was wrong with the commands of agents when they were run; empty for nothing."""
    _keep(state, TRIED, {**_kept(state, TRIED), **problems})


def remember_unused(state: StrPath, traces: Mapping[str, Iterable[str]]) -> None:
    """Agents that were not in use, each with the paths that would show that it is."""
    _keep(state, UNUSED, {name: list(paths) for name, paths in traces.items()})


def newcomers(state: StrPath, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Agents that are in use by now, and were not when the hooks were installed; with what shows it."""
    folders = [folder for folder in environ.get("PATH", "").split(os.pathsep) if folder.startswith("/")]
    for name, paths in _kept(state, UNUSED).items():
        if name not in ADAPTERS or not isinstance(paths, list):
            continue
        for path in map(str, paths):
            if "/" in path:
                if os.path.lexists(path):
                    yield name, f"{path} is there"
                    break
            elif any(os.access(os.path.join(folder, path), os.X_OK) for folder in folders):
                yield name, f"{path} can be started"
                break


def _kept(state: StrPath, name: str) -> dict[str, object]:
    try:
        found = json.loads(read_plain(os.path.join(state, name)))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(state: StrPath, name: str, document: Mapping[str, object]) -> None:
    place, temporaries = (os.path.join(state, one) for one in (name, "blobs/tmp"))
    disk.place(os.fsencode(place), json.dumps(document).encode(), os.fsencode(temporaries))
