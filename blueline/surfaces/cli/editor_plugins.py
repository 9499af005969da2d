"""`blueline init --editor`: what editors show reviews with, of just this version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline import __version__
from blueline.errors import DONE, FAILED, BluelineError
from blueline.surfaces.cli.phrases import hint
from blueline.surfaces.cli.request import Request
from blueline.surfaces.cli.terminal import Screen, safe, visible

if TYPE_CHECKING:
    from blueline.contract.setup import EditorPluginDocument, EditorPluginsDocument, PluginOutcome

EDITORS = ("vscode", "neovim")
LABELS = {"vscode": "VS Code", "neovim": "Neovim"}
PACKAGES = Path(__file__).parent / "_editors"
VSIX = PACKAGES / "blueline.vsix"

PROGRAMS = ("code", "code-insiders", "codium", "code-server")
"""VS Code, under the names that it is installed by."""
EXTENSION = "blueline-review.blueline"
EXTENSION_FOLDERS = (
    *(".vscode/extensions", ".vscode-server/extensions", ".vscode-insiders/extensions"),
    *(".vscode-oss/extensions", ".local/share/code-server/extensions"),
)
"""Where VS Code keeps extensions, below the home folder; the second is that of remote machines."""

INSTALL_SECONDS = 120


def init_editors(request: Request) -> int:
    """Install the plugins of some editors, or take them out."""
    names = list(dict.fromkeys(request.arguments.editors))
    act = take_out if request.arguments.uninstall else put_in
    document: EditorPluginsDocument = {"editors": [act(name, os.environ) for name in names]}
    is_done = all(one["outcome"] != "to-do" for one in document["editors"])
    return request.answer(document, told, code=DONE if is_done else FAILED)


def put_in(name: str, environ: Mapping[str, str]) -> EditorPluginDocument:
    """Install what belongs to an editor."""
    return _neovim_in(environ) if name == "neovim" else _vscode(environ, "--install-extension", str(VSIX))


def take_out(name: str, environ: Mapping[str, str]) -> EditorPluginDocument:
    """The other way round."""
    return _neovim_out(environ) if name == "neovim" else _vscode(environ, "--uninstall-extension", EXTENSION)


def found_versions(environ: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """What is installed by now: the editor, the version, where."""
    place = _neovim_place(environ)
    try:
        said = re.search(r'M\.version = "(.*?)"', (place / "lua/blueline/server.lua").read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        said = None
    if said:
        yield "neovim", said[1], str(place)
    for folder in EXTENSION_FOLDERS:
        place = _home(environ) / folder
        if _is_taken_out(place / "extensions.json"):
            continue
        for one in sorted(place.glob(f"{EXTENSION}-*")):
            yield "vscode", one.name.removeprefix(f"{EXTENSION}-"), str(one)


# VS Code installs what it is given, and knows where


def _is_taken_out(known: Path) -> bool:
    """Whether VS Code does not list our extension any more. Its folder is removed some time later."""
    try:
        return EXTENSION.encode() not in known.read_bytes()
    except OSError:
        return False


def _vscode(environ: Mapping[str, str], verb: str, what: str) -> EditorPluginDocument:
    path = environ.get("PATH", os.defpath)
    program = next(filter(None, (shutil.which(one, path=path) for one in PROGRAMS)), None)
    done: EditorPluginDocument = {"name": "vscode", "outcome": "to-do", "path": str(VSIX), "hint": ""}
    is_in = verb == "--install-extension"
    if program is None:
        other = " (or, in VS Code: Extensions, Install from VSIX…)" if is_in else ""
        return {**done, "hint": f"code {verb} {what}{other}"}
    command = [os.path.abspath(program), verb, what, *(["--force"] if is_in else [])]
    try:
        ran = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=INSTALL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return {**done, "hint": f"{' '.join(command[:3])} (it did not work just now: {error})"}
    if ran.returncode != 0:
        said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
        return {**done, "hint": f"{' '.join(command[:3])} (it said: {said[-1] if said else 'nothing'})"}
    return {**done, "outcome": "installed" if is_in else "removed"}


# Neovim takes whatever is in its folder for packages


def _home(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("HOME", "/"))


def _neovim_place(environ: Mapping[str, str]) -> Path:
    data = environ.get("XDG_DATA_HOME") or str(_home(environ) / ".local" / "share")
    return Path(data) / "nvim" / "site" / "pack" / "blueline" / "start" / "blueline"


def _neovim_in(environ: Mapping[str, str]) -> EditorPluginDocument:
    place = _neovim_place(environ)
    if place.is_symlink():
        raise BluelineError(
            f"{place} is a link, which somebody has made", hint="take it away, or leave it as it is"
        )
    with zipfile.ZipFile(PACKAGES / "neovim.zip") as archive:
        wanted = {place / name: archive.read(name) for name in archive.namelist()}
    here = {one for one in place.rglob("*") if one.is_file()}
    is_there = here == set(wanted) and all(one.read_bytes() == data for one, data in wanted.items())
    if not is_there:
        shutil.rmtree(place, ignore_errors=True)
        for one, data in wanted.items():
            one.parent.mkdir(parents=True, exist_ok=True)
            one.write_bytes(data)
    return _of_neovim(place, "found" if is_there else "installed")


def _neovim_out(environ: Mapping[str, str]) -> EditorPluginDocument:
    place = _neovim_place(environ)
    is_there = place.is_dir() and not place.is_symlink()
    if is_there:
        shutil.rmtree(place)
    return _of_neovim(place, "removed" if is_there else "absent")


def _of_neovim(place: Path, outcome: PluginOutcome) -> EditorPluginDocument:
    return {"name": "neovim", "outcome": outcome, "path": str(place), "hint": ""}


def told(document: EditorPluginsDocument, screen: Screen) -> Iterator[str]:
    """What was done, for people."""
    for one in document["editors"]:
        label = LABELS[one["name"]]
        if one["outcome"] == "to-do":
            mark = screen.paint("to do".ljust(9), "warn")
            yield f"  {mark}  for {label}, type: {safe(one['hint'])}"
            continue
        what = f"the plugin for {label}, {__version__}, {visible(one['path'])}"
        yield f"  {screen.paint(one['outcome'].ljust(9), 'good')}  {what}"
    if any(one["outcome"] in ("installed", "found") for one in document["editors"]):
        yield hint("start the editor anew, and open a file of a project (blueline init makes one)", screen)
