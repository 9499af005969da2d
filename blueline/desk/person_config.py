"""The person's own config, which no project brings along."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from blueline.errors import BluelineError
from blueline.kernel import user_wide


class PersonConfigUnreadable(BluelineError):
    """The person's own config cannot be used."""


def config_path(environ: Mapping[str, str]) -> Path:
    """Where the person's own config is."""
    settings = {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}
    return Path(os.fsdecode(user_wide.config_path(settings)))


def read(environ: Mapping[str, str]) -> dict[str, Any]:
    """What stands in it; nothing if there is none."""
    import tomllib  # takes longer than most commands

    path = config_path(environ)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise PersonConfigUnreadable(
            f"{path} cannot be read: {error}", hint="put it right, or remove it"
        ) from error


def flag(environ: Mapping[str, str], name: str) -> bool:
    """Whether something is switched on there. What is neither true nor false is refused, not guessed at."""
    found = read(environ).get(name, False)
    if not isinstance(found, bool):
        raise PersonConfigUnreadable(
            f"{config_path(environ)}: {name} must be true or false", hint="put it right, or remove it"
        )
    return found


def ignored(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Folders that hooks in the person's own settings leave alone, as absolute paths."""
    settings = {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}
    try:
        return user_wide.read(config_path(environ).read_bytes(), settings)
    except FileNotFoundError:
        return ()
    except (OSError, user_wide.PatternsUnusable) as error:
        raise PersonConfigUnreadable(
            f"{config_path(environ)} cannot be used: {error}", hint="put it right, or remove it"
        ) from error
