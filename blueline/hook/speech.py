"""What a hook says back to the agent: what became of its changes. Nearly always nothing.

The desk has put the words down for each conversation, ready to be printed. They are said once: the file is
set aside, printed, and put where the desk finds it. A hook that dies in between leaves it to be said again:
twice is better than never.

A hook process imports this, and the agent waits for it: only built-in modules at the top.
"""

import posix
import time

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Mapping

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.hook import hosts
    from blueline.kernel import disk
else:
    import disk
    import hosts

FIRST_LINE = b"blueline-reply 1"
ASIDE = b".saying"
LONGEST = 64 << 20

COMMANDS = (b"review", b"ship")
LONGEST_COMMAND = 2000
CONTEXT = b'{"context": '
UNANSWERED = b'"Ship gate: BLOCKED\\nThe gate could not be asked. Run: blueline gate"'
ASK_SECONDS = 20.0
"""How long a person waits at most for the gate: Claude Code gives up on the hook after 30."""
LONGEST_ANSWER = 1 << 20

CARRY_OUT_SECONDS = 5.0
"""How long an agent waits at most for decisions that were put off until the end of its call."""

LOOK_EVERY_SECONDS = 0.01

# For an agent and the name of its event, what stands before and after the text, which is a JSON string. An
# agent that is not here cannot be told anything: it would ignore the words, or show them to the person.
FRAMES = {
    ("claude-code", "UserPromptSubmit"): (
        b'{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":',
        b"}}",
    ),
    ("claude-code", "Stop"): (b'{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":', b"}}"),
    ("codex", "UserPromptSubmit"): (
        b'{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":',
        b"}}",
    ),
    ("copilot", "UserPromptSubmit"): (b'{"additionalContext":', b"}"),
    ("copilot", "userPromptSubmitted"): (b'{"additionalContext":', b"}"),
    ("cursor", "beforeSubmitPrompt"): (b'{"continue":true,"additional_context":', b"}"),
    ("gemini", "BeforeAgent"): (
        b'{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":',
        b"}}",
    ),
    # Our own plugin takes the text as it is.
    ("opencode", "chat.message"): None,
}


def speak(state: bytes, root: bytes, said: "hosts.Said", event: "Mapping[str, object]") -> None:
    """Say on standard output what this event's conversation has to hear. Call it once the event is recorded.

    At the end of a call, decisions that were put off for it are carried out first.
    """
    if said.phase in ("after", "prompt", "stop", "end") and is_there(state + b"/queued"):
        carry_out(root)
    # VS Code runs Copilot's hooks, and nobody has seen what it does with an answer.
    if (said.agent, said.event) not in FRAMES or "hookEventName" in event or not said.conversation:
        return
    name = disk.reply_name(said.conversation)
    # To speak at the end of a turn makes it go on. That is worth it only for what was taken back, and once.
    if said.phase == "stop" and (event.get("stop_hook_active") is not False or not is_worth_it(state, name)):
        return
    words = claim(state, name)
    context = asked(root, event) if said.phase == "prompt" else b""
    if words or context:
        try:
            disk.write_whole(1, framed(joined(words, context), FRAMES[said.agent, said.event]))
            if words:
                heard(state, name)
        except OSError:  # nobody listens, or another hook of this event was faster
            return


def asked(root: bytes, event: "Mapping[str, object]") -> bytes:
    """What the gate has to say when somebody asks for /review or /ship, as a JSON string; else nothing.

    Only the command is looked for here. What it means is found out by another process, and only then.
    """
    prompt = event.get("prompt")
    if not isinstance(prompt, str) or prompt[:1] != "/":
        return b""
    words = prompt[1:LONGEST_COMMAND].encode("utf-8", "replace").replace(b"\0", b"").split()
    if not words or words[0] not in COMMANDS:
        return b""
    said = output([b"gate", b"--json", b"context", b"--", *words], root)
    # The document has one key. Whatever cannot be understood is no approval.
    if said.startswith(CONTEXT) and said.rstrip().endswith(b'"}'):
        return said.rstrip()[len(CONTEXT) : -1]
    return UNANSWERED


def joined(words: bytes, more: bytes) -> bytes:
    """Two JSON strings as one."""
    return words[:-1] + b"\\n\\n" + more[1:] if words and more else words or more


def claim(state: bytes, name: bytes) -> bytes:
    """The words for a conversation, as a JSON string, set aside for whoever says them; nothing if none.

    Moved before they are read: a command may put others in their place at any moment, and what was said must
    be what is known to be said. What a hook that died had set aside is found again.
    """
    aside = state + b"/told/" + name + ASIDE
    try:
        posix.rename(state + b"/replies/" + name, aside)
    except OSError:
        if not is_there(aside):
            return b""
    return read(aside)[0]


def heard(state: bytes, name: bytes) -> None:
    """The words that were set aside have been said."""
    posix.rename(state + b"/told/" + name + ASIDE, state + b"/told/" + name)


def is_worth_it(state: bytes, name: bytes) -> bool:
    """Whether something was taken back, which is worth keeping a turn from ending."""
    return any(read(path)[1] for path in (state + b"/replies/" + name, state + b"/told/" + name + ASIDE))


def framed(words: bytes, frame: "tuple[bytes, bytes] | None") -> bytes:
    """What the agent's own program understands as words for its model."""
    if frame is None:
        return str(hosts.scan(words.decode())).encode("utf-8", "replace")
    return frame[0] + words + frame[1] + b"\n"


def is_there(path: bytes) -> bool:
    try:
        posix.lstat(path)
    except OSError:
        return False
    return True


def read(path: bytes) -> tuple[bytes, bool]:
    """The words, as a JSON string, and whether they are worth keeping a turn from ending; nothing if none."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except OSError:
        return b"", False
    try:
        lines = disk.read_whole(fd, LONGEST).split(b"\n", 3)
    finally:
        posix.close(fd)
    if len(lines) != 4 or lines[0] != FIRST_LINE:
        return b"", False
    return lines[2], lines[1] == b"stop"


def output(words: "list[bytes]", root: bytes) -> bytes:
    """What a command prints, if it is done in time."""
    import sys

    python = sys.executable.encode("utf-8", "surrogateescape")
    command = [python, b"-I", b"-m", b"blueline", b"-C", root, *words]
    ours, theirs = posix.pipe()
    actions = [
        (posix.POSIX_SPAWN_OPEN, 0, b"/dev/null", posix.O_RDWR, 0),
        (posix.POSIX_SPAWN_DUP2, theirs, 1),
        (posix.POSIX_SPAWN_OPEN, 2, b"/dev/null", posix.O_RDWR, 0),
    ]
    process = posix.posix_spawn(python, command, posix.environ, file_actions=actions, setpgroup=0)
    posix.close(theirs)
    posix.set_blocking(ours, False)
    until = time.monotonic() + ASK_SECONDS
    said = b""
    while time.monotonic() < until and len(said) < LONGEST_ANSWER:
        try:
            more = posix.read(ours, 65536)
        except BlockingIOError:
            time.sleep(LOOK_EVERY_SECONDS)
            continue
        if not more:
            posix.waitpid(process, 0)
            return said
        said += more
    return b""


def carry_out(root: bytes) -> None:
    """Let a command take in what was recorded, which carries out what was put off; wait a little for it."""
    import sys

    python = sys.executable.encode("utf-8", "surrogateescape")
    command = [python, b"-I", b"-m", b"blueline", b"-C", root, b"status", b"--json"]
    nowhere = [(posix.POSIX_SPAWN_OPEN, fd, b"/dev/null", posix.O_RDWR, 0) for fd in range(3)]
    # In a group of its own: an agent that loses patience with the hook must not cut a decision short.
    process = posix.posix_spawn(python, command, posix.environ, file_actions=nowhere, setpgroup=0)
    until = time.monotonic() + CARRY_OUT_SECONDS
    while posix.waitpid(process, posix.WNOHANG)[0] == 0 and time.monotonic() < until:
        time.sleep(LOOK_EVERY_SECONDS)
