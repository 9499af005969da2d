"""Every word that ever stood in a file, and who brought and took it: tells lines that nobody wrote."""

from __future__ import annotations

import re
from collections import defaultdict

WORD = re.compile(r"\w+")

OLD_SIGN = re.compile(r"[=()]")
"""Signs that only the first version of a file brings: as old as anything on the line."""


class TypedWords:
    """The versions of one file, seen as words. Each word is brought by one step only."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._step = 0
        self._lines = {*text.split("\n")}
        self._brought = dict.fromkeys(WORD.findall(text), 0)
        self._took: dict[str, list[int]] = defaultdict(list)

    def typed(self, text: str) -> None:
        """Somebody left this."""
        self._step += 1
        before, after = {*WORD.findall(self.text)}, {*WORD.findall(text)}
        for word in after - before:
            self._brought.setdefault(word, self._step)
        for word in before - after:
            self._took[word].append(self._step)
        self._lines |= {*text.split("\n")}
        self.text = text

    def decided(self, text: str) -> None:
        """A decision left this: every line is known, or an even merge (rule D0)."""
        before = [{*WORD.findall(line)} for line in self.text.split("\n")]
        was, now = {*WORD.findall(self.text)}, {*WORD.findall(text)}
        for line in text.split("\n"):
            if self._stood(line):
                continue
            words = self._words(line)
            gone = {word for there in before if there & words for word in there - now}
            turned = [self._turned_in(word) for word in (*gone, *(words - was))]
            oldest = 0 if OLD_SIGN.search(line) else min(self._brought[word] for word in words)
            assert not turned or oldest < min(turned), f"{line!r} is of nothing but what came and went"
        self._lines |= {*text.split("\n")}
        self.text = text

    def shown(self, text: str) -> None:
        """Somebody is told that this stood there once."""
        for line in text.split("\n"):
            if not self._stood(line):
                self._words(line)

    def _stood(self, line: str) -> bool:
        """Whether a line is blank, or stood there once; of signs alone, perhaps between other blanks."""
        if not line.strip() or line in self._lines:
            return True
        return not WORD.search(line) and line.strip() in {one.strip() for one in self._lines}

    def _words(self, line: str) -> set[str]:
        """The words of a line that a decision may leave."""
        words = {*WORD.findall(line)}
        assert words or OLD_SIGN.search(line), f"{line!r} is of nothing but signs"
        assert words <= self._brought.keys(), f"{line!r} has a word that nobody typed"
        return words

    def _turned_in(self, word: str) -> int:
        """The step that a decision about a word was about: the last that took it, or that brought it."""
        return max([self._brought[word], *self._took[word]])
