"""What `init` sets up besides the agents' hooks: loops for reviews, Claude Code's commands, git's hooks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.people import agent_of
from blueline.desk.state_folder import find
from blueline.surfaces.cli.request import Request, write
from blueline.surfaces.cli.terminal import Screen, visible

if TYPE_CHECKING:
    from blueline.contract.setup import ExtrasDocument, ExtrasRemoved, ProposedLoops


def furnish(request: Request, root: Path, agents: Sequence[str]) -> ExtrasDocument:
    """Set it up, where somebody wants it; what was done."""
    from blueline.gate import setup

    loops = _loops(request, root)
    state = find(root, os.environ)[1]
    done = setup.install(root, state, agents, os.environ, with_git_hooks=request.arguments.git_hooks)
    return {**done, "loops": loops}


def _loops(request: Request, root: Path) -> ProposedLoops | None:
    """Propose loops where the config has none. They are written only if somebody says so."""
    from blueline.gate.setup import proposed_loops, write_loops

    found = proposed_loops(root)
    if found is None:
        return None
    wanted = request.arguments.loops
    is_here = sys.stdin is not None and sys.stdin.isatty() and not request.is_json
    is_seen = False
    is_here = is_here and not agent_of(os.environ)  # it may have a terminal, and cannot trust commands
    if not wanted and is_here and not request.arguments.yes:
        wanted = is_seen = _is_wanted(found.languages, found.toml())
    if wanted:
        write_loops(root, found)
        if is_seen:
            # The person has just read exactly these commands.
            with request.desk(root) as desk:
                desk.gatekeeper.trust(desk.gatekeeper.policy.digest)
    return {"languages": list(found.languages), "written": wanted, "toml": found.toml()}


def _is_wanted(languages: Sequence[str], toml: str) -> bool:
    write(f"Loops for reviews of {', '.join(languages)}:\n\n", sys.stderr)
    for line in toml.splitlines():
        write(f"  {visible(line)}\n", sys.stderr)
    write("\nWrite them into .blueline/config.toml, and trust these commands? [y/N] ", sys.stderr)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def clear(root: Path, state: Path | None, names: Sequence[str]) -> ExtrasRemoved:
    """Take out exactly what was set up."""
    from blueline.gate.setup import uninstall

    return uninstall(root, state, names, os.environ)


def furnished(document: ExtrasDocument, screen: Screen) -> Iterator[str]:
    """What was done, for people."""
    commands = document["commands"]
    written = [one["path"] for one in commands if one["outcome"] == "written"]
    left = [one["path"] for one in commands if one["outcome"] == "left"]
    if written:
        yield _fact("wrote", f"/review and /ship for Claude Code ({len(written)} files in .claude)", screen)
    for path in left:
        yield f"  {screen.paint('left'.ljust(9), 'warn')}  {visible(path)}, which somebody else has written"
    for hook in document["git_hooks"]:
        beside = ", beside the one that was there" if hook.get("beside") else ""
        yield _fact("installed" if hook["changed"] else "found", f"git's {hook['name']} hook{beside}", screen)
    if loops := document["loops"]:
        if loops["written"]:
            yield _fact("wrote", f"loops for reviews ({', '.join(loops['languages'])})", screen)
        else:
            said = (
                f"  {screen.paint('to do'.ljust(9), 'warn')}  blueline init --loops writes loops for reviews"
            )
            yield f"{said} ({visible(', '.join(loops['languages']))})"


def cleared(document: ExtrasRemoved) -> Iterator[str]:
    commands = document["commands"]
    for one in commands:
        if one["outcome"] == "left":
            yield f"Left {visible(one['path'])}, which somebody has changed."
    removed = [one for one in commands if one["outcome"] == "removed"]
    if removed:
        yield f"Took {len(removed)} files of /review and /ship out of .claude."
    for hook in document["git_hooks"]:
        yield f"Took git's {visible(hook['name'])} hook out."


def _fact(verb: str, what: str, screen: Screen) -> str:
    return f"  {screen.paint(verb.ljust(9), 'good')}  {visible(what)}"
