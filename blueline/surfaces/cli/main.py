"""The `blueline` command.

Every tool call of an agent may start it, and every look of a person does: each part is loaded when it is
needed and not before.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from _typeshed import StrPath

    from blueline.contract.agents import AgentPresence
    from blueline.contract.overview import ListingDocument, RecordingDocument, StatusDocument
    from blueline.desk import Desk
    from blueline.surfaces.cli.request import Request


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] == ["hook"]:
        return _hook(words[1:])
    if words == ["status", "--short"]:
        return _prompt()
    code = _guarded(words)
    if argv is None:
        if "blueline.desk.desk" not in sys.modules:
            _leave(code)
        import gc

        gc.freeze()  # or an interpreter that ends looks for cycles in all that a large review has made
    return code


def _leave(code: int) -> None:
    """End the process at once. To take an interpreter apart takes as long as to start a bare one, and who
    came without a desk has left nothing open."""
    import os

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except (OSError, ValueError):
                return  # the usual end says so
    os._exit(code)


def _prompt() -> int:
    """A word for the prompt of a shell, which waits for it each time: nothing else is loaded."""
    import os

    from blueline.desk.prompt_line import prompt_line

    try:
        line = prompt_line(".", os.environ)
        if line:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    except OSError:
        pass  # a prompt is no place for messages
    return 0


def _hook(words: list[str]) -> int:
    """Record one event of an agent. Whatever goes wrong, the agent must not notice: the exit code is 0."""
    try:
        from blueline.adapters import record

        record(words[0] if words else "")
    except BaseException as error:
        from contextlib import suppress

        with suppress(Exception):  # nobody listens
            sys.stderr.write(f"blueline: this event could not be recorded ({type(error).__name__})\n")
    return 0


def _guarded(words: list[str]) -> int:
    """Run a command; every way it can end has its exit code."""
    import gc

    from blueline.errors import INTERRUPTED, BluelineError

    # A command ends soon, and a long history is many small objects: looking for cycles among them takes
    # longer than making them.
    gc.disable()
    # What a terminal or a pipe cannot take is shown as an escape, not as an error.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _run(words)
    except BluelineError as error:
        return _failed(words, str(error), error.hint, error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        import os

        from blueline.desk.state_folder import unusable

        if refusal := unusable(error, os.environ):
            return _failed(words, str(refusal), refusal.hint, refusal.exit_code)
        return _bug(words, error)
    except Exception as error:
        return _bug(words, error)


def _run(words: list[str]) -> int:
    from blueline.surfaces.cli.plain_words import plain_words
    from blueline.surfaces.cli.request import Request

    if not words:
        words = _usual_words()
    given = plain_words(words)
    if given is None:
        return _parsed(words)
    return _function(given.command)(Request(given, open_desk, glance, agents, glance_at_all))


def _parsed(words: list[str]) -> int:
    """Run what only argparse understands."""
    from blueline.errors import USAGE
    from blueline.surfaces.cli import arguments
    from blueline.surfaces.cli.request import Request, write

    if not words:
        write(arguments.parser().format_help(), sys.stderr)
        return USAGE
    at = arguments.command_at(words)
    if at is not None and words[at] == "hook":
        return _hook(words[at + 1 :])
    try:
        given = arguments.parse(words)
    except SystemExit as asked:  # the help or the version was asked for, and printed
        return int(asked.code or 0)
    return _function(given.command)(Request(given, open_desk, glance, agents, glance_at_all))


def _usual_words() -> list[str]:
    """What somebody at a terminal means who types nothing: to go through what there is, or to hear of none.

    No words where there is no project, or none that can be opened: the help says what there is to type.
    """
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return []
    import os

    from blueline.errors import BluelineError

    try:
        found = glance(os.getcwd())
        if found is None:
            from pathlib import Path

            with open_desk(Path.cwd()) as desk:
                found = desk.list(by="hunk", status="pending")
    except (BluelineError, OSError):
        return []
    return ["walk"] if found["counts"]["hunks"] else ["status"]


def _function(command: str) -> Callable[[Request], int]:
    from blueline.surfaces.cli.command_table import COMMANDS

    spec = COMMANDS[command]
    if spec.extra:
        from blueline.extras import need

        need(spec.extra)
    name = f"blueline.surfaces.cli.{spec.module}"
    __import__(name)  # importlib takes a moment to load itself
    function: Callable[[Request], int] = getattr(sys.modules[name], "list_" if command == "list" else command)
    return function


def open_desk(start: Path) -> Desk:
    """The desk of the project that a folder belongs to."""
    import os

    from blueline.desk import Desk
    from blueline.surfaces.cli.agent_hooks import complaints, interpret, recording

    return Desk.open(
        start, environ=os.environ, interpret=interpret, recording=recording, complaints=complaints
    )


def agents(desk: Desk) -> list[AgentPresence]:
    """The agents whose hooks were installed in a project, and whether anything was heard of them."""
    from blueline.surfaces.cli import agent_hooks

    return agent_hooks.agents(desk)


def glance(start: StrPath) -> ListingDocument | None:
    """What is pending in that project, if nothing happened since the last command."""
    import os

    from blueline.desk import glance

    def recording(root: StrPath, state: StrPath, environ: Mapping[str, str]) -> RecordingDocument:
        from blueline.surfaces.cli import agent_hooks  # if the desk has to be asked, it asks that itself

        return agent_hooks.recording(root, state, environ)

    return glance.glance(start, os.environ, recording)


def glance_at_all(start: StrPath) -> StatusDocument | None:
    """The state of all in that project, if nothing happened since the last command."""
    import os

    from blueline.surfaces.cli import agent_hooks

    return agent_hooks.glanced(start, os.environ)


def _failed(words: list[str], message: str, hint: str, code: int) -> int:
    """Say what went wrong, in JSON as well when that was asked for."""
    import os
    from contextlib import suppress

    from blueline.errors import BluelineError
    from blueline.surfaces.cli.request import as_json, complain, write
    from blueline.surfaces.cli.terminal import screen_of

    # The words may be what is wrong, so they are not parsed.
    options = words[: words.index("--")] if "--" in words else words
    if "--json" in options:
        with suppress(BluelineError):  # a full disk is not news any more
            write(as_json({"error": message, "hint": hint}))
    wish = "never" if "never" in options or "--color=never" in options else "auto"
    complain(message, screen_of(sys.stderr, wish, os.environ), hint=hint)
    return code


def _bug(words: list[str], error: Exception) -> int:
    from blueline.errors import BUG
    from blueline.surfaces.cli.bug_report import report

    hint = f"please send this report to the makers of Blueline: {report(words, error)}"
    return _failed(words, "a bug in Blueline stopped this command", hint, BUG)


if __name__ == "__main__":
    sys.exit(main())
