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
    from collections.abc import Callable
    from typing import NoReturn

    from blueline.hook import capture

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.hook import hosts
    from blueline.kernel import disk, project_folder, sight
else:
    import sys

    # The command that is installed names this folder alone; what both stand on is beside it.
    sys.path.insert(1, __file__.rpartition("/")[0].rpartition("/")[0] + "/kernel")
    import disk
    import hosts
    import project_folder
    import sight

INLINE_UP_TO = 32 << 10
LONGEST_EVENT_NAME = 100

HELD = b"""\
This edit was not made. Blueline is in hold mode: the edit is kept as a proposal, and the person you work for
will accept or reject it in Blueline. The file on disk is unchanged. Do not try the same edit again, and do
not make it in another way (a shell command, another tool, another file). Go on with other work that does not
need it, or stop and say what is waiting for review.
"""

HELD_LINE = HELD.strip().replace(b"\n", b" ")
HELD_FOR_COPILOT = b'{"permissionDecision":"deny","permissionDecisionReason":"%s"}\n' % HELD_LINE
HELD_FOR_CLAUDE_CODE = (
    b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",'
    b'"permissionDecisionReason":"%s"}}\n' % HELD_LINE
)


# The record


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
        self.raw = raw
        self.event = hosts.parse(raw)
        self.said = hosts.reading(agent, self.event, posix.environ)
        self.root = b""
        self.mode = b""


def looks(root: bytes, paths: "list[bytes]", put: "Callable[[bytes], str]") -> list[bytes]:
    """Look at the files that a call names."""
    if len(paths) == 1:
        return sight.observe(root, paths[0], put)
    lines = []
    for path in paths:
        where, *about = sight.observe(root, path, put)
        if where.startswith(b"path "):
            lines.append(b"look %s\0%s" % (where[5:], about[0][6:]))
        else:
            lines.append(where)
    return lines


def prepare(state: bytes, root: bytes, *, elsewhere: bool = False) -> None:
    """Make the state folder, unless it is there: hardly ever, so what that needs is loaded then."""
    if elsewhere or project_folder.is_prepared(state):
        return project_folder.prepare(state, root)
    if TYPE_CHECKING or __package__:
        from blueline.kernel import identity
    else:
        import identity
    return identity.prepare(state, root)


def write(arrival: Arrival, state: bytes, *, elsewhere: bool = False) -> bool:
    """Store file and event below one state folder; says whether a file named is inside the project."""
    prepare(state, arrival.root, elsewhere=elsewhere)
    blobs = state + b"/blobs"
    said = arrival.said
    seen = (
        looks(arrival.root, said.paths, lambda content: disk.put_blob(blobs, content)) if said.paths else []
    )
    raw = arrival.raw if len(arrival.raw) <= INLINE_UP_TO else disk.put_blob(blobs, arrival.raw)

    if said.phase == "prompt":
        seen += agent_process()

    def append(more: list[bytes]) -> None:
        payload = compose(arrival.at_ns, said.agent, said.event, arrival.mode, seen + more, raw)
        disk.append(state + b"/journal", disk.frame(b"o", payload))

    if said.reach == "tree" or (said.phase != "after" and not elsewhere and is_waited_for(state)):
        with_tree(arrival, state, append, elsewhere=elsewhere)
    else:
        append([])
    return any(line.startswith((b"path ", b"look ")) for line in seen)


def agent_process() -> list[bytes]:
    """The process that a turn ends with, if its end is not told."""
    if TYPE_CHECKING or __package__:
        from blueline.kernel import processes
    else:
        import processes
    pid, start = processes.agent()
    return [b"process %d %d" % (pid, start)] if pid else []


def is_waited_for(state: bytes) -> bool:
    """Whether a call that may have changed anything has not ended, or has left processes behind.

    Then what it did until now has to be seen before somebody else begins, and before a turn ends.
    """
    try:
        posix.lstat(state + b"/calls")  # see `capture.calls_path`
    except OSError:
        return False
    return True


def with_tree(
    arrival: Arrival, state: bytes, append: "Callable[[list[bytes]], None]", *, elsewhere: bool = False
) -> None:
    """Write an event down with what changed in the tree since the last look, or why that is not known."""
    reach = [b"reach tree"] if arrival.said.reach == "tree" else []  # see `capture.REACH`
    if elsewhere:
        return append([b"tree-unknown cannot-store", *reach])
    # Costs what a shell command takes anyway, and an edit does not need it.
    if TYPE_CHECKING or __package__:
        from blueline.hook import capture
    else:
        import gc

        gc.disable()  # this process is gone before anything that it could free is missed
        import capture
    is_written = False
    try:
        # Nobody else runs in a process of its own; imported by others, that is not known.
        with capture.Capture(arrival.root, state, may_fork=not __package__) as now:
            lines = now.look() + mark(now, arrival)
            append(lines)
            is_written = True
            now.save()
        return None
    except capture.CannotLook as error:
        why = disk.escape(str(error).encode())
    except OSError as error:
        why = sight.reason(error)
    except Exception as error:  # whatever it is, the event itself must not be lost with it
        why = type(error).__name__.encode()
        forget_tree(state)
    # What was seen and not remembered is seen again by the next look.
    return None if is_written else append([b"tree-unknown " + why, *reach])


def forget_tree(state: bytes) -> None:
    """What is remembered of the tree may be what makes every look fail. The next one begins anew."""
    try:
        posix.unlink(state + b"/tree")
    except OSError:
        return


def mark(now: "capture.Capture", arrival: Arrival) -> list[bytes]:
    said = arrival.said
    if said.phase == "before":
        return now.began(key(arrival), said.conversation, said.subagent) if said.reach == "tree" else []
    if said.phase == "after":
        return now.ended(key(arrival))
    if said.phase or said.subagent:
        now.stopped(said.conversation, said.subagent, is_over=said.phase == "end")
    return []


def key(arrival: Arrival) -> str:
    """What a call is known by, from its beginning to its end."""
    said, event = arrival.said, arrival.event
    return hosts.call_key(said.conversation, hosts.call_id(event), said.tool, hosts.tool_input(event))


def write_elsewhere(arrival: Arrival, error: OSError) -> bool:
    """As `write`, on the first other file system that can be written to. Fails with `error` if none can."""
    for state in project_folder.fallbacks(arrival.root):
        try:
            if project_folder.make_private(state):
                return write(arrival, state, elsewhere=True)
        except OSError:
            continue
    raise error


# The answer


def speak(arrival: Arrival, state: bytes) -> None:
    """Tell the agent what became of its changes. Nearly always there is nothing to tell."""
    phase = arrival.said.phase
    if phase in ("prompt", "stop") or (phase in ("after", "end") and is_queued(state)):
        if TYPE_CHECKING or __package__:
            from blueline.hook import speech
        else:
            import speech
        speech.speak(state, arrival.root, arrival.said, arrival.event)


def is_queued(state: bytes) -> bool:
    """Whether a decision waits for the end of a call."""
    try:
        posix.lstat(state + b"/queued")
    except OSError:
        return False
    return True


# The process


def complain(error: BaseException) -> None:
    why = sight.reason(error).decode() if isinstance(error, OSError) else type(error).__name__
    posix.write(2, b"blueline: this event could not be recorded (%s)\n" % why.encode())


def record(agent: str, *, everywhere: bool = False) -> int:
    """Take one event from standard input; the exit code. `everywhere` is said by a person's own settings."""
    at_ns = time.time_ns()
    posix.umask(0o077)
    try:
        arrival = Arrival(at_ns, agent, disk.read_whole(0))
    except OSError:  # started without any input
        arrival = Arrival(at_ns, agent, b"")
    said = arrival.said
    home = project_folder.state_home(posix.environ)
    find = find_everywhere if everywhere else find_here
    found = find(agent, said, home)
    if found is None or hosts.is_double(agent, said, found[0]) or is_harmless(said):
        return 0
    root, state = found
    arrival.root, arrival.mode = root, project_folder.read_mode(state)
    if arrival.mode == b"direct":
        return 0
    if has_work_trees(root, said.phase) and not write_in_trees(arrival, agent, home, state):
        return refuse(said) if arrival.mode == b"hold" else 0
    try:
        inside = write(arrival, state)
    except OSError as error:
        inside = write_elsewhere(arrival, error)
    if inside and arrival.mode == b"hold" and hosts.is_edit(said):
        return refuse(said)
    speak(arrival, state)
    if said.phase in ("stop", "end"):
        start_sync(root, state)
    return 0


def start_sync(root: bytes, state: bytes) -> None:
    """Where a hub was joined, have it told, by a process that nobody waits for: this one speaks to no
    network, and a machine may be gone soon after its agent has stopped."""
    try:
        posix.lstat(state + b"/hub.json")
    except OSError:
        return
    if is_waiting(state):
        return
    import sys

    python = sys.executable.encode("utf-8", "surrogateescape")
    command = [python, b"-I", b"-m", b"blueline", b"-C", root, b"sync", b"--queued", b"--json"]
    nowhere = [(posix.POSIX_SPAWN_OPEN, fd, b"/dev/null", posix.O_RDWR, 0) for fd in range(3)]
    # In a group of its own: whoever ends the agent, with all that it started, does not end this.
    posix.posix_spawn(python, command, posix.environ, file_actions=nowhere, setpgroup=0)


def is_waiting(state: bytes) -> bool:
    """Whether somebody is about to read the journal and to send it (`sync/sending_turn.py`)."""
    import fcntl

    try:
        fd = posix.open(state + b"/sync.waiting", posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        posix.close(fd)
    return False


def find_here(agent: str, said: "hosts.Said", home: bytes) -> "tuple[bytes, bytes] | None":
    """Root and state folder of the project that an event is about."""
    return project_folder.find_project(said.project, home)


def find_everywhere(agent: str, said: "hosts.Said", home: bytes) -> "tuple[bytes, bytes] | None":
    """The same for a hook of a person's own: every repository counts, unless others tell of it."""
    if TYPE_CHECKING or __package__:
        from blueline.hook import settings_places
        from blueline.kernel import user_wide
    else:
        import settings_places
        import user_wide
    found = user_wide.project(said.project, home, posix.environ)
    if found is None:
        return None
    folders = {said.project.rstrip(b"/"), user_wide.repository(said.project)} - {b""}
    told = settings_places.is_told_elsewhere(agent, said.agent, folders, posix.environ)
    return None if told else found


def has_work_trees(root: bytes, phase: str) -> bool:
    """Whether a project's repository may have other work trees, or may get one in the turn that begins."""
    try:
        posix.lstat(root + (b"/.git" if phase in ("prompt", "end") else b"/.git/worktrees"))
    except FileNotFoundError:
        return False
    except OSError:  # it is one of them itself
        return True
    return True


def write_in_trees(arrival: Arrival, agent: str, home: bytes, state: bytes) -> bool:
    """Write an event down in the other work trees that it is about; whether it is about this one, too."""
    if TYPE_CHECKING or __package__:
        from blueline.hook import worktrees
    else:
        import worktrees
    said = arrival.said
    trees = worktrees.others(arrival.root)
    by_tree: dict[bytes, list[bytes]] = {}
    if said.phase == "prompt":
        prepare(state, arrival.root)
        worktrees.keep_prompt(state, said.conversation, arrival.event, arrival.raw)
    elif said.reach == "files":
        by_tree = worktrees.shared_out(arrival.root, trees, said.paths)
        said.paths = by_tree.pop(arrival.root, [])
    elif said.reach == "tree":
        by_tree = {tree: [] for tree in worktrees.reached(arrival.root, trees, arrival.event)}
    elif said.phase == "end":
        worktrees.was_told(state, said.conversation, forget=True)
    is_over = said.phase in ("stop", "end")
    is_held = False
    for tree in trees:
        there = b"%s/%s" % (home, project_folder.state_key(tree).encode())
        if tree not in by_tree and not (
            is_over and worktrees.was_told(there, said.conversation, forget=said.phase == "end")
        ):
            continue
        if said.phase == "after" and not disk.is_folder(there):
            continue  # it was not there when the call began: what is in it is git's
        try:
            prepare(there, tree)
            prompt = b"" if is_over else worktrees.untold_prompt(state, there, said.conversation)
            for raw in (prompt, arrival.raw) if prompt else (arrival.raw,):
                is_held |= write_there(Arrival(arrival.at_ns, agent, raw), tree, there, by_tree.get(tree, []))
        except OSError as error:
            complain(error)
    if said.reach != "files" or said.paths or not by_tree:
        return True
    arrival.mode = b"hold" if is_held else b"review"
    return False


def write_there(arrival: Arrival, root: bytes, state: bytes, paths: "list[bytes]") -> bool:
    """Write an event down in another project; whether the edit it tells of is held there."""
    arrival.root, arrival.mode = root, project_folder.read_mode(state)
    if arrival.mode == b"direct":
        return False
    if arrival.said.reach == "files":
        arrival.said.paths = paths
    inside = write(arrival, state)
    return inside and arrival.mode == b"hold" and hosts.is_edit(arrival.said)


def refuse(said: "hosts.Said") -> int:
    """Tell the agent that its edit is kept and not made; the exit code that says so.

    Every agent understands exit code 2. Claude Code puts the whole command of the hook before the reason
    then, so it gets an answer in its own form. Others that read its settings would not heed that: it is for
    whoever names its own process, as Claude Code alone does.
    """
    if said.agent == "claude-code" and posix.environ.get(b"CLAUDE_PID", b"").isdigit():
        posix.write(1, HELD_FOR_CLAUDE_CODE)
        return 0
    if said.agent == "copilot":  # it does not pass on what stands on standard error
        posix.write(1, HELD_FOR_COPILOT)
    posix.write(2, HELD)
    return 2


def is_harmless(said: "hosts.Said") -> bool:
    """Whether an event is about a tool that changes nothing: not every agent can leave those out."""
    if said.phase in hosts.STAFFING.get(said.agent, {}).get(said.tool, ()):
        return False
    return said.phase in ("before", "after") and said.reach == "none"


def main(agent: str, everywhere: bool = False) -> "NoReturn":
    """Record, and end the process. Whatever goes wrong here, the agent's work goes on: the exit code is 0."""
    code = 0
    try:
        try:
            code = record(agent, everywhere=everywhere)
        except BaseException as error:
            complain(error)
    finally:
        posix._exit(code)
