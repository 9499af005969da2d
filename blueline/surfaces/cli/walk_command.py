"""The command that goes through what is undecided, one change after the other."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, assert_never

from blueline.errors import DONE, INTERRUPTED, BluelineError
from blueline.surfaces.cli import walk_text
from blueline.surfaces.cli.request import Request, joined, write
from blueline.surfaces.cli.walk_decisions import WalkDecisions
from blueline.surfaces.cli.walk_desk import WalkDesk
from blueline.surfaces.cli.walk_queue import WalkItem
from blueline.surfaces.cli.walk_rows import parts, spanned
from blueline.surfaces.cli.walk_window import WalkWindow
from blueline.surfaces.cli.walk_words import Misread, Order, Scope, read

if TYPE_CHECKING:
    from blueline.surfaces.cli.keyboard import Keyboard


def walk(request: Request) -> int:
    """Go through what is undecided, on a terminal."""
    if request.is_json or not is_seen_and_heard():
        raise BluelineError(
            "walk needs a terminal, where somebody answers",
            hint="blueline list, then blueline accept or blueline reject",
        )
    from blueline.surfaces.cli.keyboard import Hangup, Keyboard

    keyboard = Keyboard(sys.stdin, sys.stdout, can_move=os.environ.get("TERM") != "dumb")
    window = WalkWindow(request, keyboard)
    going = Walk(WalkDesk(request), window)
    code = DONE
    with window.keyboard, _signals(window.keyboard):
        try:
            going.run()
        except KeyboardInterrupt:
            write("\n")
            code = INTERRUPTED
        except Hangup:
            pass
    window.say(going.end())
    return code


def is_seen_and_heard() -> bool:
    """Whether somebody sits at a terminal, who reads there as well as types."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


@contextmanager
def _signals(keyboard: Keyboard) -> Iterator[None]:
    """Leave the terminal as it was when somebody ends us, and find it as we need it after Ctrl+Z."""
    from blueline.surfaces.cli.keyboard import Hangup

    def end(*_: object) -> None:
        raise Hangup

    wanted: dict[signal.Signals, Callable[[int, FrameType | None], object]] = {
        signal.SIGCONT: lambda *_: keyboard.take(),
        signal.SIGTERM: end,
        signal.SIGHUP: end,
    }
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Walk:
    """One person going through changes."""

    def __init__(self, desk: WalkDesk, window: WalkWindow) -> None:
        self._desk = desk
        self._queue = desk.queue
        self._window = window
        self._decisions = WalkDecisions(desk, window)

    def run(self) -> None:
        """Until nothing is left, or somebody leaves."""
        if not self._queue.items:
            return
        self._window.tell(f"{walk_text.in_words(self._queue.hunks)} to decide; ? says what the keys do.")
        self._show()
        while self._queue.items:
            order = read(self._window.order(self._meanwhile))
            if isinstance(order, Misread):
                self._window.tell(order.why)
            elif order.verb == "quit":
                return
            else:
                self._guarded(order)

    def end(self) -> Iterator[str]:
        """What it came to."""
        made, left = self._decisions.made.values(), len(self._queue.hunks)
        return walk_text.end(made, left, self._window.screen, of_some=self._desk.is_of_some)

    def _guarded(self, order: Order) -> None:
        try:
            self._do(order)
        except BluelineError as error:
            self._window.complain(error)

    def _do(self, order: Order) -> None:
        match order.verb:
            case "accept" | "reject":
                if self._decisions.decide(order):
                    self._show()
            case "next" | "previous":
                self._move(1 if order.verb == "next" else -1)
            case "undo" | "redo":
                if self._decisions.take_back(order.verb):
                    self._show()
            case "split":
                self._split()
            case "viewed":
                self._view()
            case "note":
                self._note(order.text)
            case "why":
                self._why()
            case "file" | "turn" | "same":
                self._look_at(order.verb)
            case "edit":
                self._edit()
            case "help":
                self._window.say(walk_text.keys(self._window.screen))
            case "show":
                self._show()
            case "quit":
                pass
            case never:
                assert_never(never)

    def _meanwhile(self) -> str:
        """What came since anybody looked; asked for while nobody types."""
        found = self._desk.news()
        return joined(walk_text.news(found, self._window.screen)) if found else ""

    def _show(self) -> None:
        """The change where somebody is, as it is now."""
        with self._desk.open() as desk:
            found = self._desk.renew(desk)
            item = self._queue.current
            why = desk.workbench.hunk(item.hunk["id"]) if item else None
            lines = self._desk.rows_of(desk, item.hunk) if item else []
        screen = self._window.screen
        if found:
            self._window.say(walk_text.news(found, screen))
        if item is None or why is None:
            return
        if walk_text.is_shown_whole(lines, item.lines):
            self._queue.see([item.hunk])
        done = self._decisions.count
        position = done + self._queue.at + 1, done + len(self._queue.items)
        same = len(self._queue.of("same")) - 1
        self._window.say(["", *walk_text.heading(item, why, position, screen, same=same)])
        self._window.say(walk_text.drawn(lines, screen, part=item.lines))

    def _left(self) -> str:
        return f"{walk_text.in_words(self._queue.hunks)} left to decide"

    def _move(self, by: int) -> None:
        if self._queue.step(by):
            self._window.tell(f"From {'the start' if by > 0 else 'the end'} again; {self._left()}.")
        self._show()

    def _view(self) -> None:
        path = self._queue.here.hunk["path"]
        if self._queue.view():
            self._window.tell(f"{walk_text.named(path)} is left for now; {self._left()}.")
        else:
            self._queue.viewed.clear()
            self._window.tell(f"That was the last file; {self._left()}, and q leaves.")
        self._show()

    def _split(self) -> None:
        item = self._queue.here
        into = parts(self._desk.rows(item), item.lines)
        if len(into) < 2 or item.hunk["held"]:
            self._window.tell("This is one piece: it cannot be split any further.")
            return
        self._queue.split(into)
        self._window.tell(f"Split into {len(into)}.")
        self._show()

    def _why(self) -> None:
        from blueline.surfaces.cli.details import shown

        with self._desk.open() as desk:
            document = desk.show(self._queue.here.hunk["id"])
        self._window.say([*shown(document, self._window.screen)][:-1])

    def _look_at(self, scope: Scope) -> None:
        """All changes of a file, of a turn, or the same one elsewhere: each of them whole."""
        with self._desk.open() as desk:
            self._desk.renew(desk)
            if self._queue.current is None:
                return
            hunk, found = self._queue.here.hunk, self._queue.of(scope)
            lines = [self._desk.rows_of(desk, one) for one in found]
        if scope == "same" and len(found) == 1:
            self._window.tell("This change was made nowhere else.")
            return
        key, name = {
            "file": ("f", hunk["path"]),
            "turn": ("t", f"turn {hunk['turn']}"),
        }.get(scope, ("=", "the same change"))
        screen = self._window.screen
        self._window.tell(f"{walk_text.named(name)}: {walk_text.in_words(found)}, undecided.")
        for one, rows in zip(found, lines, strict=True):
            self._window.say(["", *walk_text.title(WalkItem(one), screen)])
            self._window.say(walk_text.drawn(rows, screen, whole=True))
        self._queue.see(found)
        back = "Enter goes back to the change"
        self._window.say([""])
        self._window.tell(f"a {key} accepts all of this, x {key} rejects it; {back}.")

    def _note(self, text: str) -> None:
        from blueline.desk.talkback.notes import NoteTarget

        text = text or self._window.keyboard.line("note: ").strip()
        if not text:
            self._window.tell("No note was written.")
            return
        kind = "must-fix" if text.startswith("!") else "question" if text.endswith("?") else "change"
        with self._desk.open() as desk:
            target = NoteTarget(kind="hunk", id=self._queue.here.hunk["id"])
            note = desk.workbench.write_note(target, kind, text.lstrip("! ") or text)
            desk.workbench.change_note(note["id"], text=None, status="sent")
            self._desk.renew(desk)
        self._window.tell(f"Noted ({kind}, {note['id']}): the agent hears it with its next prompt.")

    def _edit(self) -> None:
        from blueline.surfaces.cli.editor import edit

        item = self._queue.here
        path = Path(self._desk.root, item.hunk["path"])
        if not path.is_file():
            self._window.tell(f"{walk_text.named(item.hunk['path'])} is not there to be edited.")
            return
        line = spanned(self._desk.rows(item))[0] or 1
        with self._window.keyboard.lent():
            edit(path, line, os.environ)
        self._show()
