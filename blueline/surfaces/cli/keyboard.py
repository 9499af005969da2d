"""Somebody who types at a terminal, a line or a key at a time, while other things may have to be said.

The terminal hands over each key (its own line editing is off), so that a line which is half typed can be
drawn again below whatever is said meanwhile. Ctrl+C stays what it is.
"""

from __future__ import annotations

import codecs
import os
import select
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TextIO

CHUNK = 1 << 12
MOMENT = 1.0
"""How long nothing may be typed before somebody else may say something, in seconds."""

ESCAPE, INTERRUPT, END, WORD, LINE, REDRAW = "\x1b", "\x03", "\x04", "\x17", "\x15", "\x0c"
ERASE = ("\x7f", "\x08")

Said = Callable[[], str]
"""What there is to say meanwhile; empty for nothing."""


class Hangup(Exception):
    """Nobody is there any more."""


class Keyboard:
    """What is typed at a terminal, which hands over single keys as long as this is entered."""

    def __init__(self, stream: TextIO, out: TextIO, *, can_move: bool = True) -> None:
        self._fd = stream.fileno()
        self._out = out
        self._can_move = can_move
        self._decode = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = ""
        self._usual: list[Any] | None = None
        self._asked = ""
        """The line that is being typed, with what was asked."""

    def __enter__(self) -> Self:
        self._usual = termios.tcgetattr(self._fd)
        self.take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._as_usual()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """The terminal for somebody else: an editor, a pager."""
        self._as_usual()
        try:
            yield
        finally:
            self.take()

    def take(self) -> None:
        """Have single keys handed over, after somebody else had the terminal; ask again what was asked."""
        wanted = termios.tcgetattr(self._fd)
        wanted[3] &= ~(termios.ICANON | termios.ECHO)
        wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._fd, termios.TCSADRAIN, wanted)
        if self._asked:
            self._show(self._asked)

    def _as_usual(self) -> None:
        if self._usual is not None:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._usual)

    def line(self, prompt: str, meanwhile: Said | None = None, *, single: str = "") -> str:
        """The line that was typed. One of the keys in `single`, typed first, is a line by itself."""
        try:
            return self._line(prompt, meanwhile, single)
        finally:
            self._asked = ""

    def _line(self, prompt: str, meanwhile: Said | None, single: str) -> str:
        typed = ""
        self._show(prompt)
        while True:
            self._asked = prompt + typed
            key = self._key(meanwhile)
            if key in ("\r", "\n") or (not typed and key in single):
                self._show(f"{key}\n" if key in single else "\n")
                return key if key in single else typed
            if key == END and not typed:
                self._show("\n")
                raise Hangup
            before, typed = typed, edited(typed, key)
            if key == REDRAW:
                self._show(f"\n{prompt}{typed}")
            elif typed.startswith(before):
                self._show(typed[len(before) :])
            else:
                width = os.get_terminal_size(self._out.fileno()).columns
                self._show(redrawn(prompt + before, prompt + typed, width, can_move=self._can_move))

    def _key(self, meanwhile: Said | None) -> str:
        while True:
            if self._waiting:
                key, self._waiting = first_key(self._waiting)
                if key:
                    return key
                continue
            if not self._is_typing() and meanwhile is not None:
                if text := meanwhile():
                    self._show(f"\n{text}{self._asked}")
                continue
            data = os.read(self._fd, CHUNK)
            if not data:
                raise Hangup
            self._waiting += self._decode.decode(data)

    def _is_typing(self) -> bool:
        return bool(select.select([self._fd], [], [], MOMENT)[0])

    def _show(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


def edited(typed: str, key: str) -> str:
    """A line after one more key."""
    if key in ERASE:
        return typed[:-1]
    if key == LINE:
        return ""
    if key == WORD:
        return typed.rstrip()[: len(typed.rstrip()) - len(typed.split()[-1])] if typed.split() else ""
    return typed + key if key.isprintable() else typed


def redrawn(shown: str, wanted: str, width: int, *, can_move: bool) -> str:
    """What makes a terminal show another line than it does; one that is wider than it is on several rows."""
    rows = max(_width(shown) - 1, 0) // max(width, 1)
    if not rows:
        return f"\r{' ' * _width(shown)}\r{wanted}"
    return f"\r{ESCAPE}[{rows}A{ESCAPE}[J{wanted}" if can_move else f"\n{wanted}"


def first_key(waiting: str) -> tuple[str, str]:
    """The first key of what was typed, and the rest. Arrows and the like are no keys: the first is empty."""
    if not waiting.startswith(ESCAPE):
        return waiting[0], waiting[1:]
    if waiting[1:2] not in ("[", "O"):
        return "", waiting[1:]
    end = 2
    while end < len(waiting) and not "@" <= waiting[end] <= "~":
        end += 1
    return "", waiting[end + 1 :]


def _width(text: str) -> int:
    from blueline.surfaces.cli.terminal import columns

    return columns(text)
