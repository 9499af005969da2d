"""Write one agent event down, with the bytes of the file it names, and get out of the agent's way.

Agents start this for every tool call, as

    python -I -S -c "import sys;sys.path[:0]=['<this folder>'];import recorder;recorder.main('claude-code')"

and wait for it. So there is no import here but of built-in modules: the `json` package alone takes as long
as the whole interpreter. What can be done later (understanding the event, comparing texts) is done later.
"""

import posix
import time

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.hook import disk
else:
    import disk

INLINE_UP_TO = 32 << 10
LARGEST_FILE = 512 << 20
"""Larger files are declined with a reason, rather than keeping the agent waiting for seconds."""

LONGEST_EVENT_NAME = 100

OBSERVED_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
EDIT_TOOLS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
HELD = b"""\
This edit was not made. Blueline is in hold mode: the edit is kept as a proposal, and the person you work for
will accept or reject it in Blueline. The file on disk is unchanged. Do not try the same edit again, and do
not make it in another way (a shell command, another tool, another file). Go on with other work that does not
need it, or stop and say what is waiting for review.
"""


# Looking at a file


def reason(error: Exception) -> bytes:
    import errno

    number = error.errno if isinstance(error, OSError) else errno.EINVAL
    return errno.errorcode.get(number or 0, "unknown").encode()


def relative(root: bytes, real: bytes) -> bytes | None:
    """A real path as seen from the project's root, None if it is outside."""
    inside = root.rstrip(b"/") + b"/"
    if real.startswith(inside):
        return real[len(inside) :]
    return b"." if real == root else None


def named(path: bytes) -> tuple[bytes, bytes]:
    """The file a path stands for, and the first part of it that is missing (empty if none is).

    That is the file a link points to; but the link itself when it points to nothing or to a folder.
    """
    head, _, name = path.rstrip(b"/").rpartition(b"/")
    if name in (b"", b".", b".."):
        return disk.follow(path)
    parent, missing = disk.follow(head)
    here = parent.rstrip(b"/") + b"/" + name
    if missing:
        return here, missing
    try:
        if posix.lstat(here).st_mode & disk.TYPE_BITS != disk.LINK:
            return here, b""
    except (FileNotFoundError, NotADirectoryError):
        return here, here
    try:
        real, missing = disk.follow(here)
    except OSError:  # links in a circle, or into a folder that is closed to us
        return here, b""
    return (here if missing or disk.is_folder(real) else real), b""


def open_below(root: bytes, path: bytes) -> int:
    """Open a file for reading without following a link anywhere below the root. `path` is relative to it.

    The path was resolved a moment ago; a folder of it may have become a link out of the project since.
    """
    flags = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_NOCTTY
    *folders, name = path.split(b"/")
    at = posix.open(root, posix.O_RDONLY | posix.O_DIRECTORY)
    try:
        for folder in folders:
            below = posix.open(folder, flags | posix.O_DIRECTORY, dir_fd=at)
            posix.close(at)
            at = below
        return posix.open(name, flags, dir_fd=at)
    finally:
        posix.close(at)


def identity(found: posix.stat_result) -> tuple[int, ...]:
    return (found.st_dev, found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def read_still(root: bytes, path: bytes, found: posix.stat_result) -> bytes | None:
    """A regular file's bytes; None if it was not the same file, unchanged, from first look to last."""
    fd = open_below(root, path)
    try:
        if identity(posix.fstat(fd)) != identity(found):
            return None
        content = disk.read_whole(fd, found.st_size)
        if len(content) != found.st_size or identity(posix.fstat(fd)) != identity(found):
            return None
        return content
    finally:
        posix.close(fd)


def state_of(root: bytes, path: bytes, found: posix.stat_result, put: "Callable[[bytes], str]") -> bytes:
    """The state line for what stands at a path, empty if it changed while read. Opens only regular files."""
    kind = found.st_mode & disk.TYPE_BITS
    if kind == disk.LINK:
        return b"state link " + disk.escape(posix.readlink(root + b"/" + path))
    if kind != disk.REGULAR:
        return b"state other %o" % found.st_mode
    if found.st_size > LARGEST_FILE:
        return b"state unknown too-large"
    content = read_still(root, path, found)
    if content is None:
        return b""
    try:
        name = put(content)
    except OSError as error:
        return b"state unknown cannot-store " + reason(error)
    return b"state file %o %d %s" % (found.st_mode & 0o7777, found.st_size, name.encode())


def look(root: bytes, path: bytes, put: "Callable[[bytes], str]") -> tuple[bytes, bytes]:
    """State line and stat line of what was there a moment ago. A file that moves gets a second look."""
    why, stat = b"changed-while-reading", b""
    for _ in range(2):
        try:
            found = posix.lstat(root + b"/" + path)
            times = (found.st_mtime_ns, found.st_ctime_ns)
            stat = b"stat %d %d %d %d %d" % (found.st_dev, found.st_ino, *times, found.st_size)
            if state := state_of(root, path, found, put):
                return state, stat
        except (FileNotFoundError, NotADirectoryError):
            return b"state absent", b""
        except OSError as error:
            why = b"cannot-read " + reason(error)
        except MemoryError:
            why = b"out-of-memory"
    return b"state unknown " + why, stat


def observe(root: bytes, path: bytes, put: "Callable[[bytes], str]") -> list[bytes]:
    """Look at one file: the lines of an observation that say where it is, what it is, and its stat.

    `put` stores the content and gives its id. Does not fail because of the file: what could not be looked at
    is `unknown`. A file outside the root has one line only, and its content is not read.
    """
    try:
        real, missing = named(path)
    except (OSError, ValueError) as error:  # a zero byte in a path is a ValueError
        inside = relative(root, path)
        where = b"outside " + disk.escape(path) if inside is None else b"path " + disk.escape(inside)
        return [where, b"state unknown cannot-look " + reason(error)]
    inside = relative(root, real)
    if inside is None:
        return [b"outside " + disk.escape(real)]
    where = b"path " + disk.escape(inside)
    if missing == real:
        return [where, b"state absent"]
    if missing:
        return [where, b"state absent " + disk.escape(relative(root, missing) or b".")]
    state, stat = look(root, inside, put)
    return [where, state, stat] if stat else [where, state]


# The event


class Shallow:
    """How to scan JSON for a few strings: `len` takes any number, also one too long for `int`."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_int = parse_constant = len


def scan(text: str) -> object:
    try:
        import _json
    except ImportError:  # a Python without the C accelerator
        import json

        return json.loads(text, strict=False)
    make_scanner: Any = _json.make_scanner
    value, end = make_scanner(Shallow)(text, 0)
    if end != len(text):
        raise ValueError("more than one value")
    return value


def parse(raw: bytes) -> "dict[str, object]":
    """The event as a dictionary; an empty one if it is anything else."""
    try:
        event = scan(raw.decode().strip())
    except (ValueError, StopIteration, SystemError, RecursionError, MemoryError):
        # SystemError: the C scanner looks for its exception in the json package, which is not loaded.
        return {}
    return event if isinstance(event, dict) else {}


def encode(path: object) -> bytes:
    """A path from an event as the file system has it; empty if it is no path."""
    if not isinstance(path, str):
        return b""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, in whose place the agent's own runtime puts U+FFFD
        return path.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def absolute(path: bytes, folder: bytes) -> bytes:
    if path.startswith(b"/"):
        return path
    return (folder if folder.startswith(b"/") else posix.getcwdb()) + b"/" + path


def named_file(event: "Mapping[str, object]") -> bytes:
    """The file a tool call is about, empty if it names none."""
    given = event.get("tool_input")
    if event.get("hook_event_name") not in OBSERVED_EVENTS or not isinstance(given, dict):
        return b""
    path = encode(given.get("file_path")) or encode(given.get("notebook_path"))
    if not path and event.get("tool_name") in EDIT_TOOLS:
        path = encode(given.get("path"))  # Copilot runs Claude's hooks with names of its own
    return path and absolute(path, encode(event.get("cwd")))


def compose(at_ns: int, agent: str, event: object, mode: bytes, seen: list[bytes], raw: bytes | str) -> bytes:
    """The payload of an observation frame. `raw` is the event itself, or the id of the blob that holds it."""
    lines = [b"blueline-observation 1", b"at %d" % at_ns, b"agent " + agent.encode()]
    if isinstance(event, str) and 0 < len(event) <= LONGEST_EVENT_NAME:
        lines.append(b"event " + disk.escape(event.encode("utf-8", "surrogatepass")))
    lines += [b"mode " + mode, *seen]
    if isinstance(raw, str):
        lines.append(b"raw " + raw.encode())
        raw = b""
    return b"\n".join(lines) + b"\n\n" + raw


class Arrival:
    """One event as it came in, with what has to be known to write it down."""

    def __init__(self, at_ns: int, agent: str, raw: bytes) -> None:
        self.at_ns = at_ns
        self.agent = agent
        self.raw = raw
        self.event = parse(raw)
        self.root = b""
        self.mode = b""

    def is_edit_to_come(self) -> bool:
        return self.event.get("hook_event_name") == "PreToolUse" and self.event.get("tool_name") in EDIT_TOOLS


def write(arrival: Arrival, state: bytes) -> bool:
    """Store file and event below one state folder; says whether the file named is inside the project."""
    disk.prepare(state, arrival.root)
    blobs = state + b"/blobs"
    path = named_file(arrival.event)
    seen = observe(arrival.root, path, lambda content: disk.put_blob(blobs, content)) if path else []
    raw = arrival.raw if len(arrival.raw) <= INLINE_UP_TO else disk.put_blob(blobs, arrival.raw)
    name = arrival.event.get("hook_event_name")
    payload = compose(arrival.at_ns, arrival.agent, name, arrival.mode, seen, raw)
    disk.append(state + b"/journal", disk.frame(b"o", payload))
    return bool(seen) and seen[0].startswith(b"path ")


def write_elsewhere(arrival: Arrival, error: OSError) -> bool:
    """As `write`, on the first other file system that can be written to. Fails with `error` if none can."""
    for state in disk.fallbacks(arrival.root):
        try:
            if disk.make_private(state):
                return write(arrival, state)
        except OSError:
            continue
    raise error


# The process


def complain(error: BaseException) -> None:
    why = reason(error).decode() if isinstance(error, OSError) else type(error).__name__
    posix.write(2, b"blueline: this event could not be recorded (%s)\n" % why.encode())


def record(agent: str) -> int:
    """Take one event from standard input; the exit code."""
    at_ns = time.time_ns()
    posix.umask(0o077)
    try:
        arrival = Arrival(at_ns, agent, disk.read_whole(0))
    except OSError:  # started without any input
        arrival = Arrival(at_ns, agent, b"")
    start = posix.environ.get(b"CLAUDE_PROJECT_DIR") or encode(arrival.event.get("cwd"))
    home = disk.state_home(posix.environ)
    root = disk.find_root(absolute(start, b""), home)
    if root is None:
        return 0
    state = b"%s/%s" % (home, disk.state_key(root).encode())
    arrival.root, arrival.mode = root, disk.read_mode(state)
    if arrival.mode == b"direct":
        return 0
    try:
        inside = write(arrival, state)
    except OSError as error:
        inside = write_elsewhere(arrival, error)
    if inside and arrival.mode == b"hold" and arrival.is_edit_to_come():
        posix.write(2, HELD)
        return 2
    return 0


def main(agent: str) -> "NoReturn":
    """Record, and end the process. Whatever goes wrong here, the agent's work goes on: the exit code is 0."""
    code = 0
    try:
        try:
            code = record(agent)
        except BaseException as error:
            complain(error)
    finally:
        posix._exit(code)
