"""Where agents look for hooks, and whether an event that a person's own hook hears of is told by another one.

A hook process imports this while an agent waits: only built-in modules.
"""

import posix

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Mapping

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.kernel import disk
else:
    import disk

PLACES = {
    "claude-code": (".claude/settings.local.json", ".claude/settings.json"),
    "codex": (".codex/hooks.json",),
    "gemini": (".gemini/settings.json",),
    "cursor": (".cursor/hooks.json",),
    "opencode": (".opencode/plugin/blueline.js",),
    "copilot": (".github/hooks/blueline.json",),
    "windsurf": (".windsurf/hooks.json",),
}
"""Below a project's root."""

USER_PLACES = {
    "claude-code": ("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
    "codex": ("CODEX_HOME", ".codex", "hooks.json"),
    "gemini": ("", ".gemini", "settings.json"),
    "cursor": ("", ".cursor", "hooks.json"),
    "opencode": ("", ".config/opencode", "plugin/blueline.js"),
    "copilot": ("COPILOT_HOME", ".copilot", "hooks/blueline.json"),
    "windsurf": ("", ".codeium/windsurf", "hooks.json"),
}
"""A person's own: the variable that names the folder, else the folder below their home; the file in it."""

LARGEST = 1 << 20


def is_told_elsewhere(agent: str, real: str, folders: "set[bytes]", environ: "Mapping[bytes, bytes]") -> bool:
    """Whether a hook of the project, or another of the person's, tells what one installed for `agent` hears.

    `folders` are those in which the agent that really runs it, `real`, looks for a project's settings. In
    doubt the answer is no: what is told twice is written down twice and counts once, if its calls have names.
    """
    if TYPE_CHECKING or __package__:  # who only asks for the places does without it
        from blueline.hook import hosts
    else:
        import hosts
    names = [real, *(["claude-code"] if real in hosts.OWN_SETTINGS else [])]
    for name in names:
        if any(
            is_alive(folder + b"/" + place.encode(), hosts.SIGNATURE)
            for folder in folders
            for place in PLACES[name]
        ):
            return True
    return agent != real and is_alive(user_place(real, environ), hosts.SIGNATURE)


def user_place(agent: str, environ: "Mapping[bytes, bytes]") -> bytes:
    """The file with a person's own hooks of an agent."""
    variable, folder, name = USER_PLACES[agent]
    moved = environ.get(variable.encode(), b"") if variable else b""
    if not moved.startswith(b"/"):
        moved = environ.get(b"HOME", b"/").rstrip(b"/") + b"/" + folder.encode()
    return moved.rstrip(b"/") + b"/" + name.encode()


def is_alive(place: bytes, signature: bytes) -> bool:
    """Whether hooks of ours, which have this in them, stand in a file, and what they start is there."""
    try:
        fd = posix.open(place, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except OSError:
        return False
    try:
        text = disk.read_whole(fd, LARGEST)
    except OSError:
        return False
    finally:
        posix.close(fd)
    before, found, _ = text.replace(b'\\"', b'"').partition(signature)
    folder = before.rpartition(b'sys.path[:0]=["')[2].partition(b'"]')[0]
    if not found or not posix.access(folder + b"/recorder.py", posix.R_OK):
        return False
    start = before.rpartition(b" -I -S -c ")[0]
    # A path with a blank is quoted; a plugin has a list, of which the recorder is enough to see.
    python = (
        start[:-1].rpartition(b"'")[2]
        if start.endswith(b"'")
        else start.replace(b'"', b" ").rpartition(b" ")[2]
    )
    return not python or posix.access(python, posix.X_OK)
