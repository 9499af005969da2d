"""Parts of the package that need more than the base install, and how that is had."""

import json
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from blueline.errors import BluelineError

DISTRIBUTION = "blueline-review"

EXTRAS = {
    "chat": ("acp", "talking to agents"),
    "hub": ("psycopg", "serving a hub"),
    "hub-objects": ("obstore", "keeping contents in object storage"),
}
"""The module that each needs, and what it is good for."""

PASSING = ("archive-v", "environments-v")
"""How the folders of uv's cache begin in which an environment of `uvx` is."""


class ExtraMissing(BluelineError):
    """What was asked for needs packages that are not installed."""


def need(extra: str) -> None:
    """Say in one line what to type, if something is missing."""
    module, purpose = EXTRAS[extra]
    if find_spec(module) is None:
        line = install_line(extra, Path(sys.prefix), _direct_url(), has_pip=find_spec("pip") is not None)
        raise ExtraMissing(f"{purpose} needs a few more packages, which are not installed", hint=line)


def install_line(extra: str, prefix: Path, direct_url: str | None, *, has_pip: bool) -> str:
    """By the tool that has made this environment: another one would install into another place."""
    wanted = _wanted(extra, direct_url)
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx install --force {wanted}"
    if (prefix / "uv-receipt.toml").exists():
        return f"uv tool install {wanted}"
    if prefix.parent.name.startswith(PASSING):
        return f"uvx --from {wanted} blueline"
    if not has_pip and _is_made_by_uv(prefix):
        return f"uv pip install --python {shlex.quote(sys.executable)} {wanted}"
    return f"{shlex.quote(sys.executable)} -m pip install {wanted}"


def _wanted(extra: str, direct_url: str | None) -> str:
    """The package with the extra: from where it was had, since an index may have no such package, or another.

    `direct_url` is what installers write of that: https://packaging.python.org/specifications/direct-url/
    """
    named = f"{DISTRIBUTION}[{extra}]"
    if not direct_url:
        return shlex.quote(named)
    origin = json.loads(direct_url)
    url: str = origin["url"]
    if "dir_info" in origin:
        is_editable = origin["dir_info"].get("editable", False)
        return f"{'--editable ' * is_editable}{shlex.quote(f'{unquote(urlsplit(url).path)}[{extra}]')}"
    if version := origin.get("vcs_info"):
        url = f"{version['vcs']}+{url}@{version['commit_id']}"
    return shlex.quote(f"{named} @ {url}")


def _direct_url() -> str | None:
    from importlib import metadata

    try:
        return metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None


def _is_made_by_uv(prefix: Path) -> bool:
    settings = prefix / "pyvenv.cfg"
    return settings.is_file() and any(line.startswith("uv =") for line in settings.read_text().splitlines())
