"""Agents and people edit, decisions fall and processes die; the oracle knows what should be there."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from blueline.contract.overview import Mode
from blueline.desk import Desk
from blueline.model.fact import Fact
from blueline.review.file import File
from tests.support.oracle import UNDECIDED, Answer
from tests.support.steps import CHANGES, KINDS, Change, Kind, Typist, span
from tests.walk.chronicle import Verdict
from tests.walk.machine import PLACES, Choice, Machine, when_something_is_pending
from tests.walk.witness import Change as Expected
from tests.walk.witness import Key, Witness

PATHS = ("a.md", "b.md")
NEW_PATHS = ("new-1.md", "new-2.md")
CONVERSATIONS = st.sampled_from(("one", "two"))
ANY_PATH = st.sampled_from((*PATHS[:1] * 4, *PATHS, *NEW_PATHS))


def is_corrected(file: File, choice: Choice) -> bool:
    """Whether what people did to an agent's text may go along with it (rule D1); of a hunk that is decided
    about once more, also if that text was accepted."""
    people = file.by_people
    if choice.verdict == "reject" and "hunk" in choice.what:
        return any(file.corrections_by(people, lambda mark: mark.op not in people))
    return any(file.corrections)


class Walk(Machine):
    """Every word that is typed is new, and nobody puts an old content back."""

    def __init__(self) -> None:
        super().__init__()
        self.witness = Witness(self.project)
        self.typist = Typist()

    def see(self, facts: Sequence[Fact]) -> None:
        self.witness.take(facts)

    def check(self, file: File) -> None:
        super().check(file)
        self.witness.check(file)

    # What happens to files

    @initialize(lines=st.integers(1, 6))
    def begin(self, lines: int) -> None:
        for path in PATHS:
            self.project.put(path, self.typist.text(lines))
        for conversation in ("one", "two"):
            self.project.prompt(conversation)

    def person_leaves(self, path: str, text: str) -> None:
        change = Expected("external", "accepted", text)
        if text != self.project.text(path) and self.witness.can_follow(path, change):
            self.witness.expect(path, change)
            self.project.put(path, text)

    def agent_leaves(self, path: str, conversation: str, text: str, said: tuple[str, str] | None) -> None:
        change = Expected("agent", "held" if self.mode == "hold" else "pending", text)
        if text != self.project.text(path) and self.witness.can_follow(path, change):
            self.witness.expect(path, change)
            self.project.call(conversation, path, text, said)

    def moved(self, changes: list[Change], near: int) -> tuple[str, list[Change]]:
        """The changes at, or next to, what an agent did to a file."""
        hunk = self.listed[near % len(self.listed)]
        start, size = max(hunk["new_start"] - 1, 0), hunk["new_lines"]
        return hunk["path"], [change._replace(line=start + change.line % (size + 1)) for change in changes]

    @rule(path=ANY_PATH, changes=CHANGES, looked_at=st.booleans())
    def person_edits(self, path: str, changes: list[Change], looked_at: bool) -> None:
        before = self.project.text(path)
        if before is not None:
            self.person_leaves(path, self.typist.changed(before, changes))
        if looked_at:
            self.command()

    @when_something_is_pending
    @rule(near=PLACES, changes=CHANGES, looked_at=st.booleans())
    def person_types_into_a_hunk(self, near: int, changes: list[Change], looked_at: bool) -> None:
        path, changes = self.moved(changes, near)
        self.person_edits(path, changes, looked_at)

    @when_something_is_pending
    @rule(near=PLACES)
    def person_takes_lines_of_a_hunk_out(self, near: int) -> None:
        hunk = self.listed[near % len(self.listed)]
        lines = (self.project.text(hunk["path"]) or "").splitlines(keepends=True)
        if not hunk["held"]:
            del lines[hunk["new_start"] - 1 : hunk["new_start"] - 1 + hunk["new_lines"]]
        if lines:
            self.person_leaves(hunk["path"], "".join(lines))
        self.command()

    @rule(kind=st.sampled_from(KINDS), size=st.integers(1, 3))
    def program_rewrites_every_other_line(self, kind: Kind, size: int) -> None:
        """A formatter, say: the same all over all files."""
        for path in sorted(self.project.contents()):
            text = self.project.text(path) or ""
            changes = [Change(kind, line, 1, size) for line in range(text.count("\n") - 1, -1, -2)]
            self.person_leaves(path, self.typist.changed(text, changes))
        self.command()

    @rule(
        path=ANY_PATH,
        conversation=CONVERSATIONS,
        changes=CHANGES,
        context=st.integers(0, 2),
        looked_at=st.booleans(),
    )
    def agent_edits(
        self, path: str, conversation: str, changes: list[Change], context: int | None, looked_at: bool
    ) -> None:
        before = self.project.text(path)
        if before is not None:
            text = self.typist.changed(before, changes)
            said = None if context is None else span(before, text, context)
            self.agent_leaves(path, conversation, text, said)
        if looked_at:
            self.command()

    @rule(path=ANY_PATH, conversation=CONVERSATIONS, changes=CHANGES, looked_at=st.booleans())
    def agent_writes(self, path: str, conversation: str, changes: list[Change], looked_at: bool) -> None:
        self.agent_edits(path, conversation, changes, None, looked_at)

    @when_something_is_pending
    @rule(near=PLACES, conversation=CONVERSATIONS, changes=CHANGES, looked_at=st.booleans())
    def agent_builds_on_a_hunk(
        self, near: int, conversation: str, changes: list[Change], looked_at: bool
    ) -> None:
        path, changes = self.moved(changes, near)
        self.agent_edits(path, conversation, changes, 1, looked_at)

    @rule(path=st.sampled_from(NEW_PATHS), conversation=CONVERSATIONS, lines=st.integers(1, 4))
    def agent_creates(self, path: str, conversation: str, lines: int) -> None:
        if path not in self.witness.files and self.project.text(path) is None:
            self.agent_leaves(path, conversation, self.typist.text(lines), None)
            self.command()

    @rule(conversation=CONVERSATIONS, mode=st.sampled_from(("review", "review", "review", "hold")))
    def person_asks(self, conversation: str, mode: Mode) -> None:
        if mode != self.mode:
            self.command(lambda desk: desk.set_mode(mode))
            self.mode = mode
        self.project.prompt(conversation)

    # Decisions

    def meaning(self, desk: Desk, choice: Choice) -> set[Key] | None:
        """The pieces that a choice is about; None for a hunk that is not called that any more."""
        match choice.what:
            case "hunk" | "decided hunk":
                found = self.names.get(choice.selector)
                return None if found is None else self.witness.keys_of(found)
            case "call" | "turn":
                calls = {call["id"]: call["turn"] for call in desk.list(by="call", status="all")["calls"]}
                members = {int(call[1:]) for call, turn in calls.items() if choice.selector in (call, turn)}
                return self.witness.undecided(calls=members)
            case "path":
                return self.witness.undecided(path=choice.selector)
            case "lines":
                return {*self.witness.on_lines(choice.selector, *choice.lines)}
            case _:
                return self.witness.undecided()

    def decide(self, desk: Desk, choice: Choice) -> Verdict | None:
        """And see that it was about what it should be."""
        answer = "accepted" if choice.verdict == "accept" else "rejected"
        before, names, meant = self.witness.states(), self.names, self.meaning(desk, choice)
        wanted = {key for key in meant or () if before[key] != answer}
        # The oracle knows words only: a hunk of nothing but blanks is selected without it.
        selected = {
            hunk["path"]
            for hunk in desk.list()["hunks"]
            if choice.selector in (hunk["id"], hunk["call"], hunk["turn"])
        }
        if choice.what == "lines":
            selected.add(choice.selector)  # nor which deletions stand there, and what these build on
        asks: bool | None = False
        if choice.verdict == "accept":
            asks = self.witness.has_to_refuse(wanted)
        elif choice.dependents == "ask":
            asks = self.witness.has_to_ask(wanted)
        corrected = any(is_corrected(file, choice) for file in self.files(desk))
        verdict = super().decide(desk, choice)
        if corrected or any(need.get("why") in ("corrected", "moved-on") for need in self.needs):
            return verdict  # D1: what goes along with what is more than the oracle knows
        if meant is None:
            assert verdict is None
        elif verdict is None:
            built_on_by = {one for need in self.needs for one in need.get("built_on_by", ())}
            of_blanks = any(not self.witness.keys_of(names[one]) for one in built_on_by & names.keys())
            assert asks is not False or not wanted or of_blanks, self.needs
        else:
            assert asks is not True, "it should have been refused"
            answered = self.witness.keys_of(verdict.about)
            assert all(before[key] != answer for key in answered)
            assert wanted <= answered
            self.check_extra(choice, wanted, answered, selected)
            groups = [self.witness.keys_of(held) for held in names.values()]
            self.check_relations(choice, before, groups, answered)
        return verdict

    def check_extra(self, choice: Choice, wanted: set[Key], answered: set[Key], selected: set[str]) -> None:
        """Nothing that nobody asked for is decided, but for what has to go along."""
        extra = answered - wanted
        if choice.what == "lines":
            # Which deletions stand on a line the oracle does not know.
            extra = {key for key in extra if key[1].kind != "delete"}
        if choice.verdict == "reject" and choice.dependents != "with":
            assert not extra
        assert {path for path, _ in extra} <= {path for path, _ in wanted} | selected
        assert all(self.witness.is_agents(key) for key in extra)

    def check_relations(
        self, choice: Choice, before: dict[Key, Answer], groups: list[set[Key]], answered: set[Key]
    ) -> None:
        """Rules B1 and B2: what goes along does so in whole hunks, and all of it does."""
        agents = {key for key in before if self.witness.is_agents(key)}
        if choice.verdict == "accept":
            below = {other for key in answered for other in self.witness.builds_on(key)}
            along = {key for key in below & agents if before[key] in UNDECIDED}
        elif choice.dependents == "with":
            standing = {key for key in agents if before[key] != "rejected"}
            along = {key for key in standing if self.witness.builds_on(key) & answered}
        else:
            along = set()
        assert along <= answered
        if choice.what != "lines":  # which splits hunks
            assert all(group <= answered for group in groups if group & along)
