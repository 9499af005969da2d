"""Says whether something may ship, and writes down what reviews came to."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.gate.deciders import who_decided
from blueline.desk.gate.evidence import Evidence, ReviewRecord, Unreadable
from blueline.desk.gate.fact_finder import FactFinder, GateQuestion, Others
from blueline.desk.gate.gate_documents import gate_document, loop_state
from blueline.desk.project_store import Store
from blueline.errors import BluelineError
from blueline.model.loop import (
    ERROR,
    NAMES,
    Finding,
    LoopOutcome,
    LoopResult,
    Override,
    Policy,
    Review,
)
from blueline.review.gate_answer import Answer, Facts, answered
from blueline.review.loop_config import policy_of as policy_of
from blueline.workspace.shipment import CannotTell, Files, Shipment, differences

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument, GateSummary
    from blueline.contract.reviews import ReviewPlan
    from blueline.workspace.work_tree import WorkTree


class Gatekeeper:
    """Answers for one project, which whoever asks has locked."""

    def __init__(self, store: Store, others: Others) -> None:
        self._store = store
        self._evidence = Evidence(store.state)
        self._facts = FactFinder(store, self._evidence, others)

    @property
    def work_tree(self) -> WorkTree:
        """What git has here."""
        return self._facts.work_tree

    @property
    def policy(self) -> Policy:
        """What the config asks for, as agreed."""
        return self._facts.policy

    # The answer

    def gate(self, asked: GateQuestion | None = None) -> GateDocument:
        """Whether something may ship, and why not."""
        asked = asked or GateQuestion()
        facts = self._facts.found(asked)
        answer = answered(facts)
        if asked == GateQuestion():
            self._export(facts, answer)
        return gate_document(facts, answer, who_decided(self._store, self._changed(asked)))

    def _changed(self, asked: GateQuestion) -> set[str]:
        """Files of the project that are not as others have them."""
        try:
            files = self.work_tree.at(asked.commit)[1] if asked.commit else self.work_tree.here()
            found = differences(self.work_tree.base(), files.files)
        except CannotTell:
            return set()
        below = self._facts.below
        return {path.removeprefix(below) for path in found if path.startswith(below)}

    def summary(self) -> GateSummary:
        """The answer in short, for those who show it beside other things."""
        facts = self._facts.found(GateQuestion(), is_quick=True)
        answer = answered(facts)
        self._export(facts, answer)
        whole = gate_document(facts, answer, [])
        return {"open": whole["open"], "reasons": whole["reasons"], "override": whole["override"]}

    @property
    def is_set_up(self) -> bool:
        """Whether anybody ever asked for reviews here: loops in the config, or one that was run."""
        try:
            return self._evidence.path.exists() or self.policy != policy_of({})
        except BluelineError:
            return True  # something is meant to be there, and cannot be read

    def stamp(self) -> object:
        """Equal as long as the answer is, but for what the ledger says. Costs nothing without a review."""
        found = self.kept()
        if found is None:
            return None
        with contextlib.suppress(CannotTell):
            return found, self.work_tree.here().tree
        return None, self._store.now()

    def kept(self) -> object:
        """Equal as long as what reviews left is, which is None without any."""
        try:
            found = self._evidence.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    # What a review would do

    def plan(self, loops: Sequence[int], scope: str, paths: Sequence[str]) -> ReviewPlan:
        """What a review would run, on which files, and how long that took last time."""
        record = self._record()
        shipment = self.work_tree.here()
        changed = [
            path
            for path, state in differences(self.work_tree.base(), shipment.files).items()
            if state is not None
        ]
        files = self._in_scope(scope, paths, changed, shipment.files)
        known = record.seconds
        return {
            "tree": shipment.tree,
            "head": self.work_tree.head(),
            "config": self.policy.digest,
            "manifest": self._evidence.keep(shipment.files),
            "trusted": not self.policy.commands or self._evidence.is_trusted(self.policy.digest),
            "top": str(self.work_tree.top),
            "scope": scope,
            "files": files,
            "covers": scope != "paths" or {*changed} <= {*files},
            "seconds": sum(known.get(one.run, 0.0) for n in loops for one in self.policy.loops[n].commands),
            "loops": [
                {
                    "loop": n,
                    "name": NAMES[n],
                    "commands": [
                        {
                            "run": one.run,
                            "timeout": one.seconds,
                            "last": known.get(one.run),
                            "results": one.results,
                        }
                        for one in self.policy.loops[n].commands
                    ],
                    "report": self.policy.loops[n].needs_report,
                    "skip": self.policy.loops[n].skip,
                }
                for n in loops
            ],
        }

    def _in_scope(self, scope: str, paths: Sequence[str], changed: list[str], files: Files) -> list[str]:
        if scope == "changed":
            return changed
        if scope == "all":
            return sorted(files)
        top = Path(os.path.realpath(self.work_tree.top))
        wanted = []
        for path in paths:
            place = Path(os.path.realpath(self._store.root / path))
            if not place.is_relative_to(top):
                raise BluelineError(f"{path} is outside of the project", hint="name files of the project")
            wanted.append(str(place.relative_to(top)))
        return [
            path
            for path in sorted(files)
            if any(one in (".", path) or path.startswith(one + "/") for one in wanted)
        ]

    # What is written down

    def _record(self) -> ReviewRecord:
        return self._evidence.load()

    def trust(self, digest: str) -> None:
        """Let exactly these commands run."""
        if digest != self.policy.digest:
            raise BluelineError(
                "these are not the loops that the config has now",
                hint="look at them: blueline review --preview",
            )
        self._evidence.trust(digest, self._store.now())

    def distrust(self) -> None:
        self._evidence.distrust()

    @property
    def is_trusted(self) -> bool:
        return not self.policy.commands or self._evidence.is_trusted(self.policy.digest)

    def ran(
        self, number: int, outcome: LoopOutcome, plan: ReviewPlan, seconds: Mapping[str, float]
    ) -> GateDocument:
        """Write down how a loop's commands ended, which were run by a plan."""
        record = self._record()
        record.seconds = {**record.seconds, **seconds}
        shipment = self.work_tree.here()
        if shipment.tree != plan["tree"]:
            moved = Finding(severity=ERROR, message=self._moved(plan["manifest"], shipment.files))
            outcome = replace(outcome, passed=False, findings=(*outcome.findings, moved))
        return self._put(record, number, shipment, lambda known: replace(known, run=outcome))

    def _moved(self, manifest: str, files: Files) -> str:
        names: list[str] = []
        with contextlib.suppress(Unreadable):
            names = [*differences(self._evidence.files(manifest), files)]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        which = f" ({', '.join(names[:3])}{more})" if names else ""
        return f"files changed while this loop ran{which}, so it says nothing about them: review again"

    def reported(self, number: int, outcome: LoopOutcome) -> GateDocument:
        """Write down what an agent reported of a loop."""
        return self._put(
            self._record(), number, self.work_tree.here(), lambda known: replace(known, report=outcome)
        )

    def _put(
        self,
        record: ReviewRecord,
        number: int,
        shipment: Shipment,
        change: Callable[[LoopResult], LoopResult],
    ) -> GateDocument:
        policy, extra = self.policy, self._facts.extra(self.policy)
        review = record.of(shipment.tree, policy.digest, extra)
        if review is None:
            review = Review(
                tree=shipment.tree,
                head=self.work_tree.head(),
                config=policy.digest,
                extra=extra,
                at=self._store.now(),
                manifest=self._evidence.keep(shipment.files),
            )
        loops = {**review.loops, number: change(review.loops.get(number, LoopResult()))}
        record.put(replace(review, loops=loops, at=self._store.now(), head=self.work_tree.head()))
        self._evidence.save(record)
        return self.gate()

    def override(self, *, by: str, reason: str, expires: str) -> Override:
        """Open the gate for exactly this tree, for a while."""
        record = self._record()
        now = self._store.now()
        if expires <= now:
            raise BluelineError("an override must end later than now", hint="for example: --expires 2h")
        tree = self.work_tree.here().tree
        found = Override(
            number=len(record.overrides) + 1, by=by, reason=reason, at=now, expires=expires, tree=tree
        )
        record.overrides = [*record.overrides, found]
        self._evidence.save(record)
        self.gate()
        return found

    def overrides(self) -> Sequence[Override]:
        """All there ever were."""
        return self._record().overrides

    def _export(self, facts: Facts, answer: Answer) -> None:
        """`loop-state.json`, for other programs; only where a review was ever run."""
        if facts.latest is None and facts.review is None:
            return
        document = loop_state(facts, answer)
        if document != getattr(self, "_exported", None):
            self._exported = document
            self._evidence.export(document)
