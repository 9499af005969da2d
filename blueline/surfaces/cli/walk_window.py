"""The terminal of somebody who goes through changes: what is said there, and what is asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from blueline.surfaces.cli.git_settings import is_set
from blueline.surfaces.cli.request import Request, complain, joined, write
from blueline.surfaces.cli.terminal import wrapped
from blueline.surfaces.cli.walk_words import CHOICES, SINGLE

if TYPE_CHECKING:
    from blueline.errors import BluelineError
    from blueline.surfaces.cli.keyboard import Keyboard
    from blueline.surfaces.cli.terminal import Screen

PROMPT = f"accept, reject? [{CHOICES}] "


class WalkWindow:
    """Plain lines out, lines in; or single keys, where the person told git so."""

    def __init__(self, request: Request, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self._request = request
        self._is_single = is_set("interactive.singlekey", os.environ)

    @property
    def screen(self) -> Screen:
        """Asked for each time: somebody may have made the window narrower."""
        return self._request.screen(sys.stdout)

    def say(self, lines: Iterable[str]) -> None:
        write(joined(lines))

    def tell(self, sentence: str) -> None:
        """Words of ours, broken between words."""
        self.say(wrapped(sentence, self.screen.width))

    def complain(self, error: BluelineError) -> None:
        complain(str(error), self._request.screen(sys.stderr), hint=error.hint)

    def order(self, meanwhile: Callable[[], str]) -> str:
        """What is typed about a change. What there is to say meanwhile is said."""
        return self.keyboard.line(PROMPT, meanwhile, single=SINGLE if self._is_single else "")

    def answer(self, prompt: str, keys: str = "") -> str:
        """What is typed in answer to a question; one of the keys may be enough."""
        return self.keyboard.line(prompt, single=keys if self._is_single else "").strip().lower()
