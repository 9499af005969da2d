"""Decisions that wait for the end of a call: put off, carried out, taken back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from blueline.desk.answers import answer, refused
from blueline.desk.carrier import Carrier, MovedOn
from blueline.desk.disk_look import is_running
from blueline.desk.documents import decision_document
from blueline.desk.people import account
from blueline.desk.project_store import Store
from blueline.desk.reports import put_off
from blueline.desk.rewound_turns import followed
from blueline.desk.selectors import Selection, Selectors
from blueline.kernel import disk
from blueline.model.decider import Decider
from blueline.model.fact import DecisionQueued, QueueLeft
from blueline.model.ids import DECISION
from blueline.model.piece import Piece, both
from blueline.model.verdict import BUILT_ON, MOVED_ON, Verdict
from blueline.review.choices import Choices
from blueline.review.deciding.planning import Plan, Result, next_plan
from blueline.review.intake.authorship import names
from blueline.review.ledger import Decision

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument


class DecisionQueue:
    """What was put off in one project."""

    def __init__(self, store: Store, carrier: Carrier, selectors: Selectors) -> None:
        self._store = store
        self._carrier = carrier
        self._selectors = selectors

    def held(self) -> set[str]:
        """Paths that open calls name."""
        return {path for call in self._store.ledger.open_calls() for path in names(call)}

    def busy(self, selection: Selection) -> set[str]:
        """Selected files that an open call has in its hands."""
        return self.held() & {file.live.path for file, _ in selection.files.values()}

    def is_command_running(self) -> bool:
        """Whether any file may be in somebody's hands."""
        return any(is_running(call) for call in self._store.ledger.open_calls())

    def contradicts(self, plan: Plan) -> bool:
        """Whether what stands already as the plan wants it will be otherwise when calls have ended."""
        turning = self._turning("accept" if plan.verdict == "accept" else "reject")
        return any(result.hunk.id in turning for result in plan.results)

    def _turning(self, verdict: Verdict) -> set[str]:
        """The hunks for which another verdict than this waits."""
        waiting = (one for one in self._store.ledger.unfinished() if one.verdict == "queued")
        return {name for one in waiting if one.waits_for != verdict for name in one.hunks}

    def put_off(
        self,
        verdict: Verdict,
        selection: Selection,
        busy: set[str],
        choices: Choices,
        reason: str,
        by: Decider,
    ) -> DecisionDocument:
        """Let a decision wait until the calls that hold its files have ended."""
        plan = next_plan(self._store.ledger, selection.files, verdict, choices)
        if plan.needs:
            return refused(verdict, plan.needs)
        turning = self._turning(verdict)
        chosen = [
            result.hunk for result in plan.results if result.outcome == "applied" or result.hunk.id in turning
        ]
        if not chosen:
            return answer(None, plan, [], [])
        number = self._store.ledger.counters.decision + 1
        self._store.record(
            [
                DecisionQueued(
                    decision=number,
                    verdict=verdict,
                    reason=reason,
                    hunks=tuple(hunk.id for hunk in chosen),
                    dependents=choices.dependents,
                    choices=tuple(choices.files.items()),
                    parts=tuple((hunk.id, hunk.pieces) for hunk in chosen if hunk.id != hunk.whole),
                    turns=tuple(sorted(selection.turns)),
                    agent=by.agent,
                    by=by.by,
                    request=by.request,
                )
            ]
        )
        self._store.save()
        self._flag(self._store.ledger.unfinished())
        why = f"an agent is writing to {', '.join(sorted(busy))}"
        results = [Result(hunk=hunk, outcome="queued", reason=why) for hunk in chosen]
        document = decision_document(number, verdict, results, written=[], kept=[], needs=[])
        return followed(document, self._store.ledger, selection.turns)

    def leave(self, unfinished: Iterable[Decision]) -> None:
        """Carry out what was put off, where nobody holds the files any more."""
        put_off = [decision for decision in unfinished if decision.verdict == "queued"]
        # All of it before any is carried out: that one waited for another is no answer since.
        meant = {waiting.number: [*self._still_meant(waiting)] for waiting in put_off}
        for waiting in put_off:
            if self.is_command_running():
                continue
            selection = self._selectors.select(())
            for number, pieces in meant[waiting.number]:
                if (file := self._store.ledger.file(number)) is not None:
                    selection.add(file, pieces)
            if not self.busy(selection):
                self._carry_out(waiting, selection)
        self._flag(self._store.ledger.unfinished() if put_off else ())

    def _still_meant(self, waiting: Decision) -> Iterator[tuple[int, list[Piece]]]:
        """What nobody has decided about since it was put off, by file: the later answer counts."""
        recorded = dict(waiting.parts)
        for name in waiting.hunks:
            for one in self._selectors.parts_of(name):
                if max(one.signature, default=0) >= waiting.number:
                    continue
                if name in (one.id, one.whole):
                    yield one.file, [*one.pieces]
                else:
                    pieces = recorded.get(name, ())
                    yield (
                        one.file,
                        [part for own in one.pieces for piece in pieces for part in both(piece, own)],
                    )

    def _flag(self, unfinished: Iterable[Decision]) -> None:
        """Let hooks know whether a decision waits for the end of a call: they have it carried out there."""
        state = os.fsencode(self._store.state)
        flag = state + b"/queued"
        try:
            if not any(decision.verdict == "queued" for decision in unfinished):
                with suppress(FileNotFoundError):
                    os.unlink(flag)
            elif not os.path.lexists(flag):
                disk.place(flag, b"", state + b"/blobs/tmp")
        except OSError as error:
            # The next command tries this again, and carries it out itself by then.
            self._store.warn(f"hooks could not be told that a decision waits: {error.strerror}")

    def _carry_out(self, waiting: Decision, selection: Selection) -> None:
        verdict: Verdict = "accept" if waiting.waits_for == "accept" else "reject"
        plan = next_plan(self._store.ledger, selection.files, verdict, waiting.choices)
        became, why = None, ""
        if plan.needs:
            why = BUILT_ON
        elif plan.files:
            try:
                # One that an earlier version put off does not say who it was.
                by = Decider(waiting.by or account(), waiting.agent, waiting.request)
                became, _ = self._carrier.make(plan, waiting.reason, waiting.turns, by)
            except MovedOn:
                why = MOVED_ON
        self._store.record([QueueLeft(decision=waiting.number, became=became, why=why)])
        self._store.save()
        if why:
            self._store.warn(put_off(waiting.number, why))

    def take_back(self, waiting: Decision) -> DecisionDocument:
        """Let one that was not carried out yet never be."""
        if waiting.finished:
            return decision_document(None, "undo", [], written=[], kept=[], needs=[])
        self._store.record([QueueLeft(decision=waiting.number, became=None, why="taken back")])
        self._store.save()
        self._flag(self._store.ledger.unfinished())
        found = [hunk for name in waiting.hunks if (hunk := self._selectors.hunk(name)) is not None]
        results = [Result(hunk=hunk, outcome="applied") for hunk in found]
        document = decision_document(waiting.number, "undo", results, written=[], kept=[], needs=[])
        return {**document, "of": DECISION.id(waiting.number)}
