"""What every walk has: decisions in any order, and processes that die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from blueline.desk import Desk
from blueline.desk.selectors import UnknownSelector
from blueline.model.fact import Fact, FileFormatted
from blueline.review.file import File
from blueline.workspace.tree import is_temporary
from tests.walk.chronicle import Chronicle, Held, Names, Verdict, names_of, whole
from tests.walk.dying import Killed, dying
from tests.walk.project import Project

Document = Any
Answer = Literal["accept", "reject"]
Dependents = Literal["ask", "with", "keep"]

PLACES = st.integers(0, 99)
CALLS_UNTIL_DEATH = st.integers(0, 90)


class Choice(NamedTuple):
    """What somebody answers."""

    verdict: Answer
    what: str
    selector: str = ""
    dependents: Dependents = "ask"
    lines: tuple[int, int] = (0, 0)
    """For a range of lines of the path `selector`."""

    @property
    def selectors(self) -> tuple[str, ...]:
        match self.what:
            case "all":
                return ()
            case "lines":
                return (f"{self.selector}:{self.lines[0]}-{self.lines[1]}",)
            case _:
                return (self.selector,)

    def ask(self, desk: Desk) -> Document:
        """Give the answer. Lines that name nothing undecided are none (D8)."""
        try:
            return desk.decide(
                self.verdict, self.selectors, everything=self.what == "all", dependents=self.dependents
            )
        except UnknownSelector:
            assert self.what == "lines"
            return {"decision": None, "needs": [], "results": []}


class Wish(NamedTuple):
    """A choice before anybody looked at what there is; places count round."""

    verdict: Answer
    what: str
    place: int
    size: int
    dependents: Dependents


KINDS = ("hunk", "hunk", "hunk", "decided hunk", "call", "turn", "path", "lines", "lines", "all")
WISHES = st.builds(
    Wish,
    verdict=st.sampled_from(("accept", "reject", "reject")),
    what=st.sampled_from(KINDS),
    place=PLACES,
    size=st.integers(0, 2),
    dependents=st.sampled_from(("ask", "ask", "with", "with", "keep")),
)


def when_something_is_pending(function: Any) -> Any:
    """A step that means nothing before."""
    return precondition(lambda self: bool(self.listed))(function)


class Machine(RuleBasedStateMachine):
    """A project, and those who decide."""

    def __init__(self) -> None:
        super().__init__()
        self.project = Project()
        self.chronicle = Chronicle()
        self.names: Names = {}
        self.listed: list[Document] = []
        self.needs: list[Document] = []
        """What the last decision was refused for."""
        self.mode = "review"

    def teardown(self) -> None:
        self.project.remove()

    # Every command

    def command(self, act: Callable[[Desk], Any] = lambda desk: None) -> Any:
        """Open the desk, see that all is as it should be, do something, and see again."""
        with self.project.desk() as desk:
            self.take(desk)
            answer = act(desk)
            self.take(desk)
        return answer

    def take(self, desk: Desk) -> list[Verdict]:
        """See that all is as it should be after what was written down; the decisions that fell."""
        facts = self.project.news()
        made = self.chronicle.take(facts)
        self.see(facts)
        names: Names = {}
        for file in self.files(desk):
            self.check(file)
            names |= names_of(file, desk._project.store.ledger.counters.salt)
        touched = self.chronicle.touched(self.names, names)
        for name, held in self.names.items():
            # Property 8: what nobody answered is still called the same; formatting may join it (D2 b).
            assert self.is_still(held, names.get(name, frozenset()), facts) or whole(name) in touched, name
        self.names = names
        self.listed = desk.list()["hunks"]
        for hunk in self.listed:
            self.check_sides(desk, hunk)
        return made

    def is_still(self, held: Held, now: Held, facts: Sequence[Fact]) -> bool:
        """Whether a hunk holds what it held, and besides at most what a formatter did to it."""
        joined = {op for fact in facts if isinstance(fact, FileFormatted) for op, _ in fact.joins}
        return held <= now and {character.op for character in now - held} <= joined

    def files(self, desk: Desk) -> Iterator[File]:
        """All that is known of all files."""
        for number, _ in desk._project.store.index.files.paths():
            file = desk._project.store.ledger.file(number)
            assert file is not None
            yield file

    def see(self, facts: Sequence[Fact]) -> None:
        """What was written down just now."""

    def check(self, file: File) -> None:
        """Property 1, as far as it can be seen from one file: what should be on disk is on disk."""
        self.project.check(file)

    def check_sides(self, desk: Desk, hunk: Document) -> None:
        """R14: `old` and `new` are whole lines of the baseline and of the file as it is."""
        if hunk["kind"] != "modify" or hunk["held"] or not hunk["complete"]:
            return
        file = desk._project.store.ledger.file_at(hunk["path"])
        assert file is not None
        for side, text in (("old", file.baseline.text), ("new", file.live.text)):
            start, count = hunk[f"{side}_start"], hunk[f"{side}_lines"]
            lines = (text or "").split("\n")
            first = start - 1 if count else start
            assert 0 <= first <= len(lines), hunk
            assert hunk[side].removesuffix("\n") == "\n".join(lines[first : first + count]), hunk

    def snapshot(self, desk: Desk) -> tuple[dict[str, Any], Document]:
        """Everything that a person can see but the log, and which hunks have a decision that waits."""
        listed = desk.list(status="all")
        hunks = [{**hunk, "queued": None} for hunk in listed["hunks"]]
        return self.project.contents(), {**listed, "hunks": hunks}

    # Decisions

    def choose(self, desk: Desk, wish: Wish) -> Choice | None:
        """What a wish means now; None when there is nothing of the kind."""
        candidates = self.candidates(desk, wish.what)
        if not candidates:
            return None
        chosen, lines = candidates[wish.place % len(candidates)], (0, 0)
        if wish.what == "lines":
            count = len((self.project.text(chosen) or "").splitlines())
            first = 1 + wish.place % max(count, 1)
            lines = (first, first + wish.size)
        return Choice(wish.verdict, wish.what, chosen, wish.dependents, lines)

    def candidates(self, desk: Desk, what: str) -> list[str]:
        match what:
            case "hunk" | "decided hunk":
                hunks = desk.list(status="pending" if what == "hunk" else "all")["hunks"]
                return [hunk["id"] for hunk in hunks if hunk["actor"]["kind"] == "agent"]
            case "call" | "turn":
                listing: Document = desk.list(by=what, status="all")
                return [group["id"] for group in listing[f"{what}s"]]
            case "path" | "lines":
                return [
                    path
                    for _, path in desk._project.store.index.files.paths()
                    if self.project.text(path) is not None
                ]
            case _:
                return ["--all"]

    def decide(self, desk: Desk, choice: Choice) -> Verdict | None:
        """Ask for a decision; None if there is none."""
        before = self.snapshot(desk)
        document = choice.ask(desk)
        made = self.take(desk)
        self.needs = document["needs"]
        # Of no results, all are queued, too.
        queued = all(result["outcome"] == "queued" for result in document["results"])
        if queued or document["decision"] is None:
            assert made == []
            assert self.snapshot(desk) == before
            return None
        assert self.needs == []
        (verdict,) = made
        assert document["decision"] == f"d{verdict.number}"
        return verdict

    def turn(self, desk: Desk, what: str | None, of: int | None) -> None:
        """Undo a decision, or `redo`; `of` is the one that should fall, or stand again (rule B7)."""
        document = desk.redo() if what == "redo" else desk.undo(what)
        made = self.take(desk)
        if of is None or any(need["why"] in ("busy", "moved-on") for need in document["needs"]):
            assert (document["decision"], made) == (None, [])
        else:
            queued = self.chronicle.verdicts[of].verdict == "queued"
            assert [verdict.of for verdict in made] == ([] if queued else [of])
            assert document["of"] == f"d{of}"

    @when_something_is_pending
    @rule(wish=WISHES, back_and_forth=st.booleans())
    def person_decides(self, wish: Wish, back_and_forth: bool) -> None:
        """And perhaps turns it back and forth: property 4."""

        def act(desk: Desk) -> None:
            before, choice = self.snapshot(desk), self.choose(desk, wish)
            verdict = None if choice is None else self.decide(desk, choice)
            if choice is not None and verdict is not None and choice.what == "hunk":
                ids = [
                    hunk["id"] for hunk in self.listed if f"{hunk['id']}.".startswith(f"{choice.selector}.")
                ]
                assert choice.verdict == "reject" or not ids, "accepted in part"
            if verdict is None or not back_and_forth:
                return
            after = self.snapshot(desk)
            self.turn(desk, f"d{verdict.number}", of=verdict.number)
            assert self.snapshot(desk) == before
            self.turn(desk, "redo", of=verdict.number)
            assert self.snapshot(desk) == after

        self.command(act)

    @when_something_is_pending
    @rule(first=WISHES, second=WISHES)
    def the_order_of_two_decisions_does_not_matter(self, first: Wish, second: Wish) -> None:
        """Property 3, for decisions that share no piece."""

        def act(desk: Desk) -> None:
            choices = [self.choose(desk, wish) for wish in (first, second)]
            seen = []
            for order in (choices, choices[::-1]):
                verdicts = [self.decide(desk, choice) for choice in order if choice is not None]
                made = [verdict for verdict in verdicts if verdict is not None]
                seen.append((self.snapshot(desk), {verdict.about for verdict in made}))
                for verdict in made:
                    self.turn(desk, f"d{verdict.number}", of=verdict.number)
            (one, about), (other, again) = seen
            if len(about) == 2 and about == again and frozenset.isdisjoint(*about):
                assert one == other

        self.command(act)

    @when_something_is_pending
    @rule()
    def everything_is_kept_or_taken_back(self) -> None:
        """Property 2, and 4: all of it can be undone."""

        def act(desk: Desk) -> None:
            before = self.snapshot(desk)
            held = any(hunk["held"] for hunk in self.listed)
            for verdict in ("accept", "reject"):
                made = self.decide(desk, Choice("accept" if verdict == "accept" else "reject", "all"))
                if made is None:
                    continue
                assert self.listed == []
                assert all(file.live == file.baseline for file in self.files(desk))
                if verdict == "accept" and not held:
                    assert self.snapshot(desk)[0] == before[0]
                self.turn(desk, f"d{made.number}", of=made.number)
                assert self.snapshot(desk) == before

        self.command(act)

    @precondition(lambda self: self.chronicle.verdicts)
    @rule(what=st.sampled_from(("the last", "any", "redo")), place=PLACES)
    def person_undoes(self, what: str, place: int) -> None:
        def act(desk: Desk) -> None:
            if what == "any":
                known = [*self.chronicle.verdicts.values()]
                named = chosen = known[place % len(known)]
                if named.became is not None:
                    chosen = self.chronicle.verdicts[named.became]
                of = chosen.number if chosen.of is None else chosen.of
                self.turn(desk, f"d{named.number}", of=of if chosen.stands else None)
            elif what == "redo":
                last = self.chronicle.last("undo")
                self.turn(desk, "redo", of=last.of if last else None)
            else:
                last = self.chronicle.last("accept", "reject", "queued")
                self.turn(desk, None, of=last.number if last else None)

        self.command(act)

    # What happens to us

    @when_something_is_pending
    @rule(damage=st.sampled_from((None, b"", b"SQLite format 3\0 and nothing more")))
    def index_is_lost(self, damage: bytes | None) -> None:
        """Property 7."""

        def see(desk: Desk) -> Any:
            found = desk.check(repair=False)
            assert found["ok"], found["problems"]
            return self.snapshot(desk), desk.log(), {**desk.status(), "warnings": []}

        before = self.command(see)
        self.project.damage_index(damage)
        assert self.command(see) == before

    @when_something_is_pending
    @rule(wish=WISHES, calls=CALLS_UNTIL_DEATH, again=st.none() | CALLS_UNTIL_DEATH)
    def process_dies_while_it_decides(self, wish: Wish, calls: int, again: int | None) -> None:
        """And perhaps the next one dies while it clears up: X01, R10."""
        self.command()
        with suppress(Killed), self.project.desk() as desk:
            choice = self.choose(desk, wish)
            if choice is not None:
                with dying(calls):
                    choice.ask(desk)
        if again is not None:
            with suppress(Killed), self.project.desk_dying(again):
                pass
        self.command()
        assert not any(is_temporary(path) for path in self.project.contents())
