"""People who correct words, parts of words, lines and blocks of agents, and formatters that run at any
moment: no line is ever made up (D0)."""

from __future__ import annotations

import itertools
import random
import subprocess
from collections import Counter
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from blueline.desk import Desk
from blueline.model.fact import DecisionMade, DecisionTurned, Fact, FileFormatted
from blueline.review.file import File
from tests.support.home import environment
from tests.support.shown_changes import shown_changes, without
from tests.support.touches import PLACES, TOUCHES, Touch, Toucher
from tests.support.toy_formatter import formatted, joined, undecided_words
from tests.support.typed_words import TypedWords
from tests.walk.chronicle import Held, Verdict
from tests.walk.machine import Choice, Machine, when_something_is_pending

PATHS = ("a.md", "b.md")
CONVERSATIONS = st.sampled_from(("one", "two"))
SOURCES = st.randoms(use_true_random=False)


class Corrections(Machine):
    """Every word that is typed is new; nothing else is known of what should be there."""

    def __init__(self) -> None:
        super().__init__()
        self.toucher = Toucher()
        self.typed: dict[str, TypedWords] = {}
        self._is_decided = False
        self._is_formatted = False

    @initialize(lines=st.integers(1, 5), commits=st.booleans())
    def begin(self, lines: int, commits: bool) -> None:
        for path in PATHS:
            text = self.toucher.first(lines)
            self.project.put(path, text)
            self.typed[path] = TypedWords(text)
        self.git("init", "-q")
        if commits:
            self.person_commits()
        for conversation in ("one", "two"):
            self.project.prompt(conversation)

    # What stays true

    def see(self, facts: Sequence[Fact]) -> None:
        made = [fact for fact in facts if isinstance(fact, DecisionMade)]
        self._is_decided = any(fact.verdict in ("accept", "reject") for fact in made) or any(
            isinstance(fact, DecisionTurned) for fact in facts
        )

    def take(self, desk: Desk) -> list[Verdict]:
        made = super().take(desk)
        for path, typed in self.typed.items():
            text = self.project.text(path) or ""
            if text != typed.text:
                assert self._is_decided, "nobody decided anything, and the file is another one"
                typed.decided(text)
        return made

    def decide(self, desk: Desk, choice: Choice) -> Verdict | None:
        """And what is asked shows no line that is made up (D1)."""
        verdict = super().decide(desk, choice)
        for need in self.needs:
            for line in need.get("lines", ()):
                self.typed[need["path"]].shown(line["before"] or "")
        return verdict

    def is_still(self, held: Held, now: Held, facts: Sequence[Fact]) -> bool:
        """And when a person types words, nothing joins a hunk but blank lines beside it (D2 b)."""
        passes = [fact for fact in facts if isinstance(fact, FileFormatted)]
        blank = not any(text.strip() for fact in passes for text in fact.inserted)
        return held == now or ((blank or self._is_formatted) and super().is_still(held, now, facts))

    def check(self, file: File) -> None:
        super().check(file)
        live, agreed = file.live.text, file.baseline.text
        if live is not None and agreed is not None:
            assert without(agreed, live, shown_changes(file)) == agreed

    # What people and agents do

    def near(self, touches: list[Touch], place: int) -> tuple[str, list[Touch]]:
        hunk = self.listed[place % len(self.listed)]
        start, size = max(hunk["new_start"] - 1, 0), max(hunk["new_lines"], 1)
        return hunk["path"], [touch._replace(line=start + touch.line % size) for touch in touches]

    def leaves(self, path: str, text: str) -> bool:
        if not self.project.text(path) or text == self.project.text(path):
            return False
        self.typed[path].typed(text)
        return True

    @rule(path=st.sampled_from(PATHS), touches=TOUCHES)
    def person_edits(self, path: str, touches: list[Touch]) -> None:
        text = self.toucher.touched(self.project.text(path) or "", touches)
        self.command()
        if self.leaves(path, text):
            self.project.put(path, text)
        self.command()

    @when_something_is_pending
    @rule(place=PLACES, touches=TOUCHES)
    def person_corrects(self, place: int, touches: list[Touch]) -> None:
        self.person_edits(*self.near(touches, place))

    @rule(path=st.sampled_from(PATHS), conversation=CONVERSATIONS, touches=TOUCHES)
    def agent_edits(self, path: str, conversation: str, touches: list[Touch]) -> None:
        text = self.toucher.touched(self.project.text(path) or "", touches)
        self.command()
        if self.leaves(path, text):
            self.project.call(conversation, path, text, None)
        self.command()

    @when_something_is_pending
    @rule(place=PLACES, conversation=CONVERSATIONS, touches=TOUCHES)
    def agent_builds_on_a_hunk(self, place: int, conversation: str, touches: list[Touch]) -> None:
        path, touches = self.near(touches, place)
        self.agent_edits(path, conversation, touches)

    @rule(path=st.sampled_from(PATHS), every=st.integers(1, 2), joins=st.booleans(), source=SOURCES)
    def formatter_runs(self, path: str, every: int, joins: bool, source: random.Random) -> None:
        """D2: on save, by a hook, or before a commit; every word stays whose it is, and undecided."""
        numbers = itertools.count()
        text = formatted(self.project.text(path) or "", source, lambda _: next(numbers) % every == 0)
        text = joined(text, source) if joins else text
        known = self.command(lambda desk: self.undecided(desk, path))
        self._is_formatted = self.leaves(path, text)
        if self._is_formatted:
            self.project.put(path, text)
        assert self.command(lambda desk: self.undecided(desk, path)) == known
        self._is_formatted = False

    def undecided(self, desk: Desk, path: str) -> Counter[tuple[str, int]]:
        file = desk._project.store.ledger.file_at(path)
        return Counter() if file is None or file.live.text is None else undecided_words(file)

    @rule()
    def person_commits(self) -> None:
        """D3: it says nothing of what is undecided but that it was committed."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "so far")

    def git(self, *words: str) -> None:
        home = environment(self.project.root.parent / "home")
        subprocess.run(
            ["git", *words], cwd=self.project.root, env={**home, "PATH": "/usr/bin:/bin"}, check=True
        )
