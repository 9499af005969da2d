"""Parts of the package that need more than the base install, and how that is had."""

import sys
from importlib.util import find_spec
from pathlib import Path

from blueline.errors import BluelineError

DISTRIBUTION = "blueline-review"

EXTRAS = {"chat": ("acp", "talking to agents"), "hub": ("psycopg", "serving a hub")}
"""The module that each needs, and what it is good for."""


class ExtraMissing(BluelineError):
    """What was asked for needs packages that are not installed."""


def need(extra: str, prefix: Path | None = None) -> None:
    """Say in one line what to type, if something is missing."""
    module, purpose = EXTRAS[extra]
    if find_spec(module) is None:
        line = install_line(extra, Path(sys.prefix) if prefix is None else prefix)
        raise ExtraMissing(f"{purpose} needs a few more packages, which are not installed", hint=line)


def install_line(extra: str, prefix: Path) -> str:
    """By the tool that has made this environment: another one would install into another place."""
    wanted = f"'{DISTRIBUTION}[{extra}]'"
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx install --force {wanted}"
    if (prefix / "uv-receipt.toml").exists():
        return f"uv tool install {wanted}"
    return f"{sys.executable} -m pip install {wanted}"
