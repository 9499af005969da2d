"""The person's editor, opened at a line."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from blueline.errors import BluelineError
from blueline.surfaces.cli.git_settings import setting

PLUS = {
    "vi",
    "vim",
    "nvim",
    "view",
    "nano",
    "pico",
    "emacs",
    "emacsclient",
    "mg",
    "micro",
    "kak",
    "joe",
    "ne",
}
"""Editors that take +LINE before the file."""
COLON = {"hx", "helix", "subl", "zed"}
"""Editors that take FILE:LINE."""
GOTO = {"code", "codium", "code-insiders"}
"""Editors that take --goto FILE:LINE; they have to be told to wait, too."""


def command_of(environ: Mapping[str, str]) -> list[str]:
    """The editor as git would choose it, without what a repository says."""
    named = (
        environ.get("GIT_EDITOR")
        or setting("core.editor", environ)
        or environ.get("VISUAL")
        or environ.get("EDITOR")
        or "vi"
    )
    try:
        words = shlex.split(named)
    except ValueError as error:
        raise BluelineError(f"the editor {named!r} cannot be read: {error}", hint="look at EDITOR") from error
    return words or ["vi"]


def at_line(editor: list[str], path: Path, line: int) -> list[str]:
    """The command that opens a file at a line; at its beginning, where we do not know how to say it."""
    name = os.path.basename(editor[0]).removesuffix(".exe")
    if name in PLUS:
        return [*editor, f"+{line}", str(path)]
    if name in COLON:
        return [*editor, f"{path}:{line}"]
    if name in GOTO:
        waits = [] if {"--wait", "-w"} & set(editor) else ["--wait"]
        return [*editor, *waits, "--goto", f"{path}:{line}"]
    return [*editor, str(path)]


def edit(path: Path, line: int, environ: Mapping[str, str]) -> None:
    """Open a file, and come back when its editor is closed. The path is absolute: it cannot be an option."""
    words = at_line(command_of(environ), path, line)
    try:
        done = subprocess.run(words, check=False)
    except OSError as error:
        raise BluelineError(
            f"the editor {words[0]!r} could not be run: {error.strerror}", hint="look at EDITOR"
        ) from error
    if done.returncode != 0:
        raise BluelineError(f"the editor {words[0]!r} ended with exit code {done.returncode}")
