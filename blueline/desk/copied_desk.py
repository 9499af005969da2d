"""A desk over a copy of another machine's journal: it shows what that machine recorded, and changes nothing.

What somebody decides here is a wish, for the machine to carry out. The journal has one writer, and it is not
this one: nothing is looked at on a disk, nothing is finished, and no event is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.carrier import Carrier
from blueline.desk.desk import Desk
from blueline.desk.documents import decision_document
from blueline.desk.open_project import OpenProject
from blueline.desk.undo import hunks_of
from blueline.errors import BluelineError
from blueline.model.decider import Decider
from blueline.model.ids import DECISION, whole_of
from blueline.model.selector import LinesSelector, readings
from blueline.review.deciding.planning import Result

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hub import PartDocument, WishDocument
    from blueline.contract.overview import RecordingDocument
    from blueline.model.dependents import Dependents, FileChoice
    from blueline.model.notice import Notice
    from blueline.model.verdict import Verdict
    from blueline.review.ledger import Decision

ELSEWHERE: RecordingDocument = {
    "recorded": False,
    "by": "",
    "why": "this is what a machine has sent; whether all is recorded there, it knows itself",
    "hint": "on that machine: blueline doctor, blueline gate",
}


class NotHereInParts(BluelineError):
    """A selection that a machine could not be told exactly."""


class CopiedProject(OpenProject):
    """Reads on in the journal, and does nothing else."""

    def take_in(self, hinted: Set[str] | None = None) -> None:
        self._reports = None
        self.store.place = ""  # on another machine
        self.store.read_on()
        self.carrier = Carrier(self.store, self.tree)
        for complaint in self._complaints(self.root, self.state):
            self.store.warn(complaint)


class CopiedDesk(Desk):
    """The verbs of a project that is elsewhere."""

    project_kind = CopiedProject

    def __init__(
        self, root: Path, state: Path, machine: str, complaints: Callable[[], Sequence[str]]
    ) -> None:
        self._machine = machine
        self.wish: WishDocument | None = None
        """What was decided last, for the machine to carry out."""
        super().__init__(
            root,
            state,
            root,
            _understood,
            {},
            lambda root, state, environ: ELSEWHERE,
            lambda root, state: complaints(),
        )

    def decide(
        self,
        verdict: Verdict,
        selectors: Sequence[str],
        *,
        everything: bool = False,
        committed: bool = False,
        dependents: Dependents = "ask",
        choices: Mapping[str, FileChoice] | None = None,
        reason: str = "",
        dry_run: bool = False,
        decider: Decider | None = None,
    ) -> DecisionDocument:
        """What a decision would come to, as far as is known here; unless it is tried only, a wish."""
        found = super().decide(
            verdict,
            selectors,
            everything=everything,
            committed=committed,
            dependents=dependents,
            choices=choices,
            reason=reason,
            dry_run=True,
        )
        if dry_run or found["needs"]:
            return found
        asked = [one["hunk"] for one in found["results"] if one["outcome"] == "applied"]
        if asked:
            hunks = dict(self.workbench.digests(asked))
            self.wish = {
                "verb": verdict,
                "hunks": hunks,
                "decision": "",
                "dependents": dependents,
                "reason": reason,
            }
            paths = {one["hunk"]: one["path"] for one in found["results"]}
            if some := {name: paths[name] for name in asked if name not in hunks}:
                self.wish |= {"hunks": {}, "parts": self._parts(some, hunks, selectors)}
        for one in found["results"]:
            if one["outcome"] == "applied":
                one["outcome"], one["reason"] = "queued", self._why
        return {**found, "written": [], "kept": [], "dry_run": False, "diff": ""}

    def _parts(
        self, some: Mapping[str, str], whole: Mapping[str, str], selectors: Sequence[str]
    ) -> dict[str, PartDocument]:
        """What was selected by its lines, hunk by hunk: where these stand in a file may be another place on
        the machine by now, and within the hunk it is not. `some`, each with its path, would be parts of
        hunks once they are decided."""
        found: dict[str, PartDocument] = {
            name: {"digest": digest, "first": 0, "last": 0} for name, digest in whole.items()
        }
        for lines in (
            one for typed in selectors for one in readings(typed) if isinstance(one, LinesSelector)
        ):
            path = os.path.normpath(lines.path)
            for hunk in self.workbench.file(path)["hunks"] if path in some.values() else ():
                first = max(lines.first - hunk["new_start"] + 1, 1)
                last = min(lines.last - hunk["new_start"] + 1, hunk["new_lines"])
                if hunk["id"] not in whole and hunk["status"] == "pending" and first <= last:
                    found[hunk["id"]] = {"digest": hunk["digest"], "first": first, "last": last}
        if {whole_of(one) for one in some} - {whole_of(one) for one in found}:
            raise NotHereInParts(
                "this can be decided as a whole, and not in parts",
                hint="accept or reject the whole change, or do it on the machine: blueline ui",
            )
        return found

    def undo(self, decision: str | None, *, decider: Decider | None = None) -> DecisionDocument:
        """The wish to take a decision back: the last, or the one named."""
        return self._turned("undo", self._project.undo.meant(decision))

    def redo(self) -> DecisionDocument:
        """The wish to take the latest undo back."""
        return self._turned("redo", self._project.undo.last(("undo",)))

    def _turned(self, verdict: str, named: Decision | None) -> DecisionDocument:
        if named is None or (not named.stands and named.verdict != "queued"):
            return decision_document(None, verdict, [], written=[], kept=[], needs=[])
        name = DECISION.id(named.number)
        self.wish = {"verb": "undo", "hunks": {}, "decision": name, "dependents": "ask", "reason": ""}
        about = hunks_of(self._project.store.ledger, named)
        results = [Result(hunk=hunk, outcome="queued", reason=self._why) for hunk in about]
        document = decision_document(None, verdict, results, written=[], kept=[], needs=[])
        return {**document, "of": name}

    @property
    def _why(self) -> str:
        return f"{self._machine} carries it out as soon as it is there"


def _understood(agent: str, message: bytes) -> list[Notice]:
    """Records of hooks are taken in by the machine that they were written on."""
    return []
