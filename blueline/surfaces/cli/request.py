"""One command as it was typed: its arguments, the way to the desk, and where the answer goes."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress

from blueline.errors import CHOICE_NEEDED, DONE, USAGE, BluelineError
from blueline.model.visible import shortened
from blueline.surfaces.cli.terminal import Screen, quoted, screen_of, visible

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from types import SimpleNamespace
    from typing import TextIO, TypeVar

    from _typeshed import StrPath

    from blueline.contract.agents import AgentPresence
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.overview import ListingDocument, StatusDocument
    from blueline.desk import Desk

    Shown = TypeVar("Shown")
    Draw = Callable[[Shown, Screen], Iterable[str]]
    """What a command came to, for people."""


class UsageError(BluelineError):
    """The words typed make no command."""

    exit_code = USAGE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(shortened(message), hint=hint)


class Request:
    """What a command function gets."""

    def __init__(
        self,
        arguments: argparse.Namespace | SimpleNamespace,
        open_desk: Callable[[Path], Desk],
        glance: Callable[[StrPath], ListingDocument | None],
        agents: Callable[[Desk], list[AgentPresence]],
        glance_at_all: Callable[[StrPath], StatusDocument | None] = lambda start: None,
    ) -> None:
        self.arguments = arguments
        self.agents = agents
        self._open_desk = open_desk
        self._glance = glance
        self._glance_at_all = glance_at_all

    @property
    def is_json(self) -> bool:
        return bool(self.arguments.json)

    @property
    def start(self) -> Path:
        """The folder the command is meant for."""
        from pathlib import Path

        return Path(self._start)

    @property
    def _start(self) -> str:
        """The same by name: who only looks does without paths, which take longer to load than to look."""
        try:
            start = os.path.join(os.getcwd(), self.arguments.directory)
        except FileNotFoundError:
            raise BluelineError("the current folder is gone", hint="go to another: cd ~") from None
        if not os.path.isdir(start):
            raise BluelineError(f"there is no folder {self.arguments.directory}", hint="look at: -C DIR")
        return start

    @contextmanager
    def desk(self, start: Path | None = None) -> Iterator[Desk]:
        """The desk of a folder's project; what it has to warn about is said before any other output."""
        with self._open_desk(start or self.start) as desk:
            try:
                yield desk
            finally:
                for warning in desk.warnings:
                    complain(warning, self.screen(sys.stderr))

    def open(self, start: Path) -> Desk:
        """The desk of a folder's project, for a command that says itself what there is to warn about."""
        return self._open_desk(start)

    def glance(self, start: StrPath | None = None) -> ListingDocument | None:
        """What is pending, if nothing happened since the last command; else the desk has to be asked."""
        return self._glance(start or self._start)

    def glance_at_all(self) -> StatusDocument | None:
        """The state of all, if nothing happened since the last command; else the desk has to be asked."""
        return self._glance_at_all(self._start)

    def screen(self, stream: TextIO | None) -> Screen:
        return screen_of(stream, self.arguments.color, os.environ)

    def answer(self, document: Shown, draw: Draw[Shown], *, code: int = DONE) -> int:
        """Print the result of a command, through a pager if it has one; the exit code."""
        if self.is_json:
            write(as_json(document))
            return code
        text = joined(draw(document, self.screen(sys.stdout)))
        if getattr(self.arguments, "pager", False) and sys.stdout is not None and sys.stdout.isatty():
            from blueline.surfaces.cli import pager

            if pager.shown(text, os.environ):
                return code
        write(text)
        return code

    def ask(self, document: DecisionDocument, draw: Draw[DecisionDocument]) -> int:
        """Say that a choice is needed, and which; the exit code. Nobody is waited for."""
        if self.is_json:
            write(as_json(document))
            complain(document["error"], self.screen(sys.stderr), hint=document["hint"])
        else:
            write(joined(draw(document, self.screen(sys.stderr))), sys.stderr)
        return CHOICE_NEEDED

    @property
    def is_conversation(self) -> bool:
        """Whether somebody sits at a terminal who can be asked something."""
        streams = (sys.stdin, sys.stderr)
        return not self.is_json and all(stream is not None and stream.isatty() for stream in streams)

    def again(self, *options: str) -> str:
        """This command as it can be typed once more, with more options."""
        given = self.arguments
        words = ["blueline"]
        if given.directory != ".":
            words += ["-C", given.directory]
        words.append(given.command)
        if getattr(given, "everything", False):
            words.append("--all")
        if getattr(given, "reason", ""):
            words += ["--reason", given.reason]
        if getattr(given, "dry_run", False):
            words.append("--dry-run")
        selectors = list(getattr(given, "selectors", ()))
        if any(selector.startswith("-") for selector in selectors):
            selectors = [*options, "--", *selectors]
        else:
            selectors += options
        return " ".join(quoted(word) for word in (*words, *selectors))


def as_json(document: object) -> str:
    """One JSON document: on one line for programs, indented for people."""
    import json

    indent = 2 if sys.stdout is not None and sys.stdout.isatty() else None
    # The one control character that JSON may hold as it is.
    return json.dumps(document, indent=indent).replace("\x7f", "\\u007f") + "\n"


def joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def write(text: str, stream: TextIO | None = None) -> None:
    """Print; quiet when nobody reads any more."""
    stream = stream or sys.stdout
    if stream is None:  # started with its output closed
        return
    with _printing(stream):
        stream.write(text)
        stream.flush()


def write_bytes(data: bytes) -> None:
    """Print exactly these bytes."""
    if sys.stdout is None:
        return
    with _printing(sys.stdout):
        sys.stdout.flush()  # what was printed before comes first
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


@contextmanager
def _printing(stream: TextIO) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        _give_up(stream)
    except OSError as error:
        _give_up(stream)
        raise BluelineError(f"the output could not be written: {error.strerror}") from error


def _give_up(stream: TextIO) -> None:
    # Python would try once more at its end, and complain then.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def complain(message: str, screen: Screen, *, hint: str = "") -> None:
    """One line, and one for what to try, on standard error."""
    lines = [f"{screen.paint('blueline:', 'bad')} {visible(message)}"]
    if hint:
        lines.append(f"{screen.paint('hint:', 'warn')} {visible(hint)}")
    with suppress(BluelineError):  # nobody is left to be told
        write(joined(lines), sys.stderr)
