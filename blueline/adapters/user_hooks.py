"""Hooks in a person's own settings, once for all projects: put in, and taken out without a trace."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from blueline.adapters import ADAPTERS, hook_places, presence, settings_file
from blueline.kernel import disk

TOP = Path(os.path.sep)
"""A person's settings may be anywhere, also behind a link."""


class UserHooks(NamedTuple):
    """What was done to one agent's settings."""

    place: Path
    command: str
    changed: bool


def install(name: str, environ: Mapping[str, str]) -> UserHooks:
    """Put the hooks in; what is there already stays as it is."""
    place, state = hook_places.user_place(name, environ), hook_places.user_state(environ)
    disk.make_folder(os.fsencode(state / "blobs" / "tmp"))
    hooks = ADAPTERS[name]().for_user(place)
    return UserHooks(place, hooks.command(), hooks.install(TOP, state))


def uninstall(name: str, environ: Mapping[str, str]) -> UserHooks:
    """Take them out; what was there before comes back byte for byte."""
    place, state = hook_places.user_place(name, environ), hook_places.user_state(environ)
    hooks = ADAPTERS[name]().for_user(place)
    done = UserHooks(place, hooks.command(), hooks.uninstall(TOP, state if state.is_dir() else None))
    left = any(settings_file.former(state, one) for one in ADAPTERS) or hook_places.hooks_of_user(environ)
    if not left:
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(state)
    return done


def remember(environ: Mapping[str, str], problems: Mapping[str, str]) -> None:
    """Keep what was wrong with the commands, and which agents are not in use."""
    state = hook_places.user_state(environ)
    hook_places.remember_tries(state, problems)
    hook_places.remember_unused(state, presence.traces_of_others(None, environ))
