"""What `init` brings for the gate: loops for reviews, Claude Code's commands, git's hooks."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.errors import BluelineError
from blueline.gate import githooks, outgoing_commits, project_files
from blueline.gate.git import Git, GitCommandFailed
from blueline.gate.proposals import Proposal, proposed
from blueline.kernel.plain_file import read_plain

if TYPE_CHECKING:
    from blueline.contract.setup import ExtrasDocument, ExtrasRemoved

CLAUDE = "claude-code"
CONFIG = Path(".blueline") / "config.toml"
TABLE = "[review"


def install(
    root: Path,
    state: Path,
    agents: Sequence[str],
    environ: Mapping[str, str],
    *,
    with_git_hooks: bool,
    with_shared_hooks: bool,
) -> ExtrasDocument:
    """Install commands and hooks, where somebody wants them; loops are a question of their own."""
    if (root / ".git").exists():
        with contextlib.suppress(GitCommandFailed):  # without git there is nothing to be pushed
            outgoing_commits.remember(Git(root, environ), state)
    return {
        "loops": None,
        "commands": project_files.install(root, state) if CLAUDE in agents else [],
        "git_hooks": githooks.install(root, environ, is_shared_wanted=with_shared_hooks)
        if with_git_hooks
        else [],
    }


def uninstall(
    root: Path,
    state: Path | None,
    agents: Sequence[str],
    environ: Mapping[str, str],
    *,
    with_shared_hooks: bool,
) -> ExtrasRemoved:
    """Take out exactly what was installed; for no agents in particular, all of it."""
    done: ExtrasRemoved = {"commands": [], "git_hooks": []}
    if not agents or CLAUDE in agents:
        done["commands"] = project_files.uninstall(root, state)
    if not agents and (root / ".git").exists():
        try:
            done["git_hooks"] = githooks.uninstall(root, environ, is_shared_wanted=with_shared_hooks)
        except BluelineError:
            done["git_hooks"] = []  # without git there are no hooks that could run
    return done


def shared_hooks(root: Path, environ: Mapping[str, str], *, is_theirs_enough: bool) -> str:
    """The folder of git's hooks, if other repositories or people use it too; else nothing.

    Unless `is_theirs_enough`, only if hooks of ours are in it.
    """
    try:
        git = Git(root, environ)
        folder = githooks.folder_of(git)
        is_asked = githooks.is_shared(git) and (is_theirs_enough or githooks.is_ours(folder))
    except GitCommandFailed:
        return ""
    return str(folder) if is_asked else ""


def proposed_loops(root: Path) -> Proposal | None:
    """Loops for a project that has none; None if it has, or nothing can be proposed."""
    text = _config(root)
    if any(line.lstrip().startswith(TABLE) for line in text.splitlines()):
        return None
    found = proposed(root)
    return found if found.languages else None


def write_loops(root: Path, loops: Proposal) -> None:
    (root / CONFIG).write_text(f"{_config(root).rstrip()}\n\n{loops.toml()}")


def _config(root: Path) -> str:
    return read_plain(root / CONFIG).decode(errors="replace")
