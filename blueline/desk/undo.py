"""Taking a decision back, and taking that back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from blueline.desk.answers import refused
from blueline.desk.carrier import Carrier, MovedOn
from blueline.desk.decision_queue import DecisionQueue
from blueline.desk.documents import decision_document
from blueline.desk.project_store import Store
from blueline.desk.selectors import UnknownSelector
from blueline.errors import BluelineError
from blueline.model.decider import Decider
from blueline.model.ids import DECISION, whole_number, whole_of
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import FilePlan, Need, Result, hunks_changed
from blueline.review.deciding.relations import Owners
from blueline.review.deciding.taken_back import turning_needs
from blueline.review.ledger import Decision, Ledger

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument


class DecidedForGood(BluelineError):
    """A decision is part of a baseline by now, and cannot be taken back."""


class Undo:
    """Undo and redo in one project."""

    def __init__(self, store: Store, carrier: Carrier, queue: DecisionQueue) -> None:
        self._store = store
        self._carrier = carrier
        self._queue = queue

    def undo(self, decision: str | None, by: Decider) -> DecisionDocument:
        """Take a decision back: the last, or the one named."""
        named = self.meant(decision)
        if named is None or (not named.stands and named.verdict != "queued"):
            return decision_document(None, "undo", [], written=[], kept=[], needs=[])
        if named.verdict == "queued":
            return self._queue.take_back(named)
        return self._turn(named, stands=named.verdict == "undo", by=by)

    def plans(self, decision: str | None, *, again: bool = False) -> list[FilePlan]:
        """What `undo`, or `redo`, would do to files."""
        named = self.last(("undo",)) if again else self.meant(decision)
        if named is None or named.verdict == "queued" or not named.stands:
            return []
        return self._carrier.turned(self._of(named), stands=again or named.verdict == "undo")

    def redo(self, by: Decider) -> DecisionDocument:
        """Take back the latest undo."""
        named = self.last(("undo",))
        if named is None:
            return decision_document(None, "redo", [], written=[], kept=[], needs=[])
        return self._turn(named, stands=True, by=by)

    def _turn(self, named: Decision, *, stands: bool, by: Decider) -> DecisionDocument:
        of = self._of(named)
        verdict = "redo" if stands else "undo"
        plans = self._carrier.turned(of, stands=stands)
        busy = self._queue.held() & {one.before.live.path for one in plans}
        if busy:
            return refused(verdict, [Need(path=path, why="busy") for path in sorted(busy)])
        if needs := [need for one in plans for need in turning_needs(one)]:
            return refused(verdict, needs)
        try:
            number, written = self._carrier.turn(named, of, plans, stands=stands, by=by)
        except MovedOn as conflict:
            return refused(verdict, [Need(path=one.path, why="moved-on") for one in conflict.conflicts])
        about = hunks_of(self._store.ledger, of)
        changed = hunks_changed(plans, about)
        owners = Owners([*about])
        standing = {owners.of(piece) for one in plans for piece, _ in one.changes}
        results = [_result(hunk, changed, standing) for hunk in about]
        document = decision_document(number, verdict, results, written=written, kept=[], needs=[])
        document["of"] = DECISION.id(of.number)
        return document

    def _of(self, named: Decision) -> Decision:
        """The answer that falls, or stands again, with a decision."""
        of = named if named.of is None else self._store.ledger.decision(named.of)
        assert of is not None
        files = (self._store.ledger.file(number) for number in of.files)
        settled = [file.live.path for file in files if file is not None and of.number <= file.settled]
        if settled:
            raise DecidedForGood(
                f"{DECISION.id(of.number)} was made so long ago that it is part of what was agreed "
                f"about {settled[0]}",
                hint="edit the file: what you change in it is agreed as you do it",
            )
        return of

    def meant(self, decision: str | None) -> Decision | None:
        """The decision that is to be taken back: the one named, or the last."""
        named = self._named(decision) if decision else self.last(("accept", "reject", "queued"))
        if named is not None and named.verdict == "queued" and named.of is not None:
            # It has been carried out meanwhile, under a number of its own.
            return self._store.ledger.decision(named.of)
        return named

    def _named(self, identifier: str) -> Decision:
        number = DECISION.number(identifier) or whole_number(identifier)
        found = self._store.ledger.decision(number) if number else None
        if found is None:
            raise UnknownSelector(
                f"there is no decision {identifier!r}", hint="`blueline log` lists decisions with their ids"
            )
        return found

    def last(self, verdicts: tuple[str, ...]) -> Decision | None:
        """The latest decision with one of these verdicts that stands, or waits."""
        ledger = self._store.ledger
        for number in range(ledger.counters.decision, 0, -1):
            found = ledger.decision(number)
            if found is not None and found.verdict in verdicts:
                waits = found.verdict == "queued" and not found.finished
                if found.stands or waits:
                    return found
        return None


def hunks_of(ledger: Ledger, decision: Decision) -> Sequence[Hunk]:
    """The hunks that a decision was about, by what they are called now."""
    named = set(decision.hunks)
    wholes = {*map(whole_of, named)}
    found = []
    for number in decision.files:
        file = ledger.file(number)
        if file is not None:
            known = hunks(file, ledger.counters.salt)
            exact = [hunk for hunk in known if hunk.id in named]
            found += exact or [hunk for hunk in known if hunk.whole in wholes]
    return found


def _result(hunk: Hunk, changed: set[str], standing: set[str | None]) -> Result:
    """What became of a hunk when a decision about it fell, or stands again."""
    if hunk.id in standing:
        return Result(hunk=hunk, outcome="already", reason="a later call made the same change again")
    if hunk.id in changed:
        return Result(hunk=hunk, outcome="applied")
    return Result(hunk=hunk, outcome="skipped", reason="a later decision counts")
