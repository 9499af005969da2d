"""The person's own config, which no project brings along."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from blueline.errors import BluelineError


class OwnConfigUnreadable(BluelineError):
    """The person's own config cannot be used."""


def config_path(environ: Mapping[str, str]) -> Path:
    """Where the person's own config is."""
    home = environ.get("XDG_CONFIG_HOME", "")
    base = Path(home) if home.startswith("/") else Path(environ.get("HOME", "/")) / ".config"
    return base / "blueline" / "config.toml"


def read(environ: Mapping[str, str]) -> dict[str, Any]:
    """What stands in it; nothing if there is none."""
    import tomllib  # takes longer than most commands

    path = config_path(environ)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise OwnConfigUnreadable(
            f"{path} cannot be read: {error}", hint="put it right, or remove it"
        ) from error


def flag(environ: Mapping[str, str], name: str) -> bool:
    """Whether something is switched on there. What is neither true nor false is refused, not guessed at."""
    found = read(environ).get(name, False)
    if not isinstance(found, bool):
        raise OwnConfigUnreadable(
            f"{config_path(environ)}: {name} must be true or false", hint="put it right, or remove it"
        )
    return found
