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
    from blueline.gate import gate_setup

    loops = _loops(request, root)
    state = find(root, os.environ)[1]
    wanted = request.arguments.git_hooks
    done = gate_setup.install(
        root,
        state,
        agents,
        os.environ,
        with_git_hooks=wanted,
        with_shared_hooks=wanted and is_shared_wanted(request, root),
    )
    return {**done, "loops": loops}


def is_shared_wanted(request: Request, root: Path) -> bool:
    """Whether git's hooks may be written where other repositories or people use them too."""
    from blueline.gate.gate_setup import shared_hooks

    given = request.arguments
    if given.shared_hooks or not (root / ".git").exists():
        return bool(given.shared_hooks)
    folder = shared_hooks(root, os.environ, is_theirs_enough=not given.uninstall)
    is_here = sys.stdin is not None and sys.stdin.isatty() and not request.is_json
    if not folder or not is_here or given.yes:
        return False
    what = "taken out of" if given.uninstall else "written to"
    write(f"Git's hooks are {what} {visible(folder)}, which is not this repository's alone.\n", sys.stderr)
    write("In a repository without Blueline they let everything pass. Go on? [y/N] ", sys.stderr)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _loops(request: Request, root: Path) -> ProposedLoops | None:
    """Propose loops where the config has none. They are written only if somebody says so."""
    from blueline.gate.gate_setup import proposed_loops, write_loops

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


def clear(root: Path, state: Path | None, names: Sequence[str], *, with_shared_hooks: bool) -> ExtrasRemoved:
    """Take out exactly what was set up."""
    from blueline.gate.gate_setup import uninstall

    return uninstall(root, state, names, os.environ, with_shared_hooks=with_shared_hooks)


def furnished(document: ExtrasDocument, screen: Screen) -> Iterator[str]:
    """What was done, for people."""
    commands = document["commands"]
    written = [one["path"] for one in commands if one["outcome"] == "written"]
    left = [one["path"] for one in commands if one["outcome"] == "left"]
    for path in written:
        yield _fact("wrote", path, screen)
    for path in left:
        yield f"  {screen.paint('left'.ljust(9), 'warn')}  {visible(path)}, which somebody else has written"
    yield from _left_hooks(document, screen)
    for hook in [one for one in document["git_hooks"] if not one.get("left")]:
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


def _left_hooks(document: ExtrasRemoved, screen: Screen) -> Iterator[str]:
    left = [hook for hook in document["git_hooks"] if hook.get("left")]
    if left:
        folder = visible(os.path.dirname(left[0]["path"]))
        mark = screen.paint("left".ljust(9), "warn")
        yield f"  {mark}  git's hooks: core.hooksPath is {folder}, which is not this repository's alone"
        yield f"  {' ' * 9}  to use it all the same, say --shared-hooks as well"


def cleared(document: ExtrasRemoved, screen: Screen) -> Iterator[str]:
    commands = document["commands"]
    for one in commands:
        if one["outcome"] == "left":
            yield f"Left {visible(one['path'])}, which somebody has changed."
    removed = [one for one in commands if one["outcome"] == "removed"]
    if removed:
        yield f"Took {len(removed)} files of /review and /ship out of .claude."
    yield from _left_hooks(document, screen)
    for hook in [one for one in document["git_hooks"] if not one.get("left")]:
        yield f"Took git's {visible(hook['name'])} hook out."


def _fact(verb: str, what: str, screen: Screen) -> str:
    return f"  {screen.paint(verb.ljust(9), 'good')}  {visible(what)}"
