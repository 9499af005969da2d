"""Which project a folder is in for hooks in a person's own settings: there every repository is one.

What a person wants left alone stands in their own config, in TOML, which a hook has no time to read: what was
read is kept until the file changes. A hook imports this: only built-in modules at the top.
"""

import marshal
import posix

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Mapping

if TYPE_CHECKING or __package__:
    from blueline.kernel import disk, project_folder
else:
    import disk
    import project_folder

FOLDER = b"user"
"""Beside the state folders: what was in a person's settings before the hooks came."""

UNUSED = b"agents-unused.json"
"""In any state folder: the agents that were not in use when hooks were installed."""


class PatternsUnusable(ValueError):
    """What is wrong with the folders that a person wants left alone."""


def is_on(home: bytes) -> bool:
    """Whether a person has hooks of ours in their own settings. `home` has the state folders."""
    try:
        names = posix.listdir(home + b"/" + FOLDER)
    except OSError:
        return False
    # Not the folder alone: the patterns that were read are kept there, too.
    return any(name == UNUSED or name.startswith(b"installed-") for name in names)


def project(start: bytes, home: bytes, environ: "Mapping[bytes, bytes]") -> "tuple[bytes, bytes] | None":
    """Root and state folder of the project that is recorded for an agent in a folder; None if there is none.

    A home folder and `/` are none: all that is below would be one project.
    """
    found = project_folder.find_project(start, home)
    around = repository(start)
    # A repository inside a folder that nobody has called a project is one of its own.
    if around and (found is None or (len(found[0]) < len(around) and not is_marked(found[0]))):
        found = around, b"%s/%s" % (home, project_folder.state_key(around).encode())
    if found is None or is_too_wide(found[0], environ) or ignoring(found[0], home, environ):
        return None
    return found


def repository(start: bytes) -> bytes:
    """The nearest folder above that git has a work tree in; empty if there is none."""
    here = disk.follow(start)[0]
    while here != b"/":
        try:
            posix.lstat(here + b"/.git")
        except OSError:
            here = here[: here.rfind(b"/")] or b"/"
        else:
            return here
    return b""


def is_marked(root: bytes) -> bool:
    """Whether somebody has made a project of a folder."""
    return disk.is_folder(root.rstrip(b"/") + b"/.blueline")


def is_too_wide(root: bytes, environ: "Mapping[bytes, bytes]") -> bool:
    """Whether a folder is a home or the whole machine."""
    own = environ.get(b"HOME", b"")
    return root == b"/" or (own.startswith(b"/") and root == disk.follow(own)[0])


# Folders that are left alone


def ignoring(root: bytes, home: bytes, environ: "Mapping[bytes, bytes]") -> str:
    """The pattern by which a person wants a folder left alone; empty if there is none."""
    parts = root.decode("utf-8", "surrogateescape").split("/")
    return next((one for one in _patterns(home, environ) if _covers(one.split("/"), parts)), "")


def config_path(environ: "Mapping[bytes, bytes]") -> bytes:
    """Where a person's own config is."""
    base = environ.get(b"XDG_CONFIG_HOME", b"")
    if not base.startswith(b"/"):
        base = environ.get(b"HOME", b"/").rstrip(b"/") + b"/.config"
    return base.rstrip(b"/") + b"/blueline/config.toml"


def _patterns(home: bytes, environ: "Mapping[bytes, bytes]") -> "tuple[str, ...]":
    config, kept = config_path(environ), b"%s/%s/ignored" % (home, FOLDER)
    try:
        about = posix.stat(config)
    except OSError:
        return ()
    signature = (config, about.st_ino, about.st_size, about.st_mtime_ns)
    known, patterns = _kept(kept)
    if known == signature:
        return patterns
    try:
        patterns = read(_bytes(config), environ)
    except (OSError, PatternsUnusable):  # `doctor` says so; until then everything is recorded
        patterns = ()
    try:
        disk.put_in_place(kept, marshal.dumps((signature, patterns)), b"%s/%s/blobs/tmp" % (home, FOLDER))
    except OSError:  # then it is read again next time
        return patterns
    return patterns


def _kept(path: bytes) -> "tuple[object, tuple[str, ...]]":
    """What was read last, and from which file as it was then."""
    try:
        signature, patterns = marshal.loads(_bytes(path))
        return signature, tuple(patterns)
    except (OSError, ValueError, EOFError, TypeError):
        return None, ()


def read(config: bytes, environ: "Mapping[bytes, bytes]") -> "tuple[str, ...]":
    """The patterns of a config, as absolute paths."""
    import tomllib

    try:
        found = tomllib.loads(config.decode()).get("ignore", [])
    except ValueError as error:
        raise PatternsUnusable(f"it is not valid TOML ({error})") from error
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise PatternsUnusable('ignore must be a list of folders, such as "~/scratch/*"')
    own = disk.follow(environ.get(b"HOME", b"/"))[0].decode("utf-8", "surrogateescape")
    patterns = [own.rstrip("/") + one[1:] if one == "~" or one.startswith("~/") else one for one in found]
    for one in patterns:
        if not one.startswith("/"):
            raise PatternsUnusable(f'ignore has {one!r}; a folder begins with "/" or "~/"')
    return tuple(one.rstrip("/") for one in patterns)


def _covers(wanted: "list[str]", parts: "list[str]") -> bool:
    """Whether a pattern is that of a folder, or of one around it; `**` stands for any number of folders."""
    if not wanted:
        return True
    if wanted[0] == "**":
        return any(_covers(wanted[1:], parts[at:]) for at in range(len(parts) + 1))
    return bool(parts) and _is_like(wanted[0], parts[0]) and _covers(wanted[1:], parts[1:])


def _is_like(wanted: str, name: str) -> bool:
    """As a shell does, `*` and `?`; not with `fnmatch`, which takes longer to load than all of this."""
    if wanted[:1] == "*":
        return any(_is_like(wanted[1:], name[at:]) for at in range(len(name) + 1))
    if not wanted or not name:
        return wanted == name
    return wanted[0] in ("?", name[0]) and _is_like(wanted[1:], name[1:])


def _bytes(path: bytes) -> bytes:
    fd = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    try:
        return disk.read_whole(fd)
    finally:
        posix.close(fd)
