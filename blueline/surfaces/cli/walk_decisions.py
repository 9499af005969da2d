"""What somebody decides who goes through changes, with all that has to be asked before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from blueline.model.dependents import Dependents
from blueline.surfaces.cli import outcomes, walk_text
from blueline.surfaces.cli.walk_desk import WalkDesk
from blueline.surfaces.cli.walk_queue import WalkItem, looks
from blueline.surfaces.cli.walk_rows import Lines, spanned
from blueline.surfaces.cli.walk_window import WalkWindow
from blueline.surfaces.cli.walk_words import Order

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.model.verdict import Verdict

ANSWERS: dict[str, Dependents] = {"b": "with", "k": "keep"}

Made = tuple[str, int]
"""A verdict, and how many changes it was about."""


class WalkDecisions:
    """Decides, takes back, and keeps count."""

    def __init__(self, desk: WalkDesk, window: WalkWindow) -> None:
        self.made: dict[str, Made] = {}
        """What was decided here, and stands."""
        self._undone: dict[str, Made] = {}
        self._desk = desk
        self._queue = desk.queue
        self._window = window

    @property
    def count(self) -> int:
        """How many changes were decided."""
        return sum(number for _, number in self.made.values())

    def decide(self, order: Order) -> bool:
        """Accept or reject what an order is about; whether there is something else to look at now."""
        item = self._queue.here
        verdict: Verdict = "accept" if order.verb == "accept" else "reject"
        if order.scope == "lines" or (order.scope == "change" and item.lines):
            meant = [item.hunk]
            lines = order.lines if order.scope == "lines" else item.lines or (0, 0)
            chosen, part = self._line_selector(item, lines), walk_text.numbered(lines)
        else:
            part = ""
            meant = self._queue.of(order.scope)
            chosen = [hunk["id"] for hunk in meant]
        if not chosen or not self._is_sure(verdict, meant):
            return False
        self._window.say(self._carried_out(verdict, chosen, meant, order.text, part))
        return True

    def _line_selector(self, item: WalkItem, lines: Lines) -> list[str]:
        first, last = spanned(self._desk.rows(item))
        if not first or not (first <= lines[0] and lines[1] <= last):
            self._window.tell(f"This change is on {walk_text.numbered((first, last))}; name some of that.")
            return []
        if item.hunk["held"]:
            self._window.tell("This is a proposal, not in the file yet: a or x decides about all of it.")
            return []
        cell = item.hunk.get("cell")
        part = f"#{cell['id'] or cell['index']}" if cell else ""
        return [f"{self._desk.root / item.hunk['path']}{part}:{lines[0]}-{lines[1]}"]

    def _is_sure(self, verdict: Verdict, meant: Sequence[HunkDocument]) -> bool:
        """Whether somebody wants that; asked if it takes in what was never shown."""
        unseen = self._queue.unseen(meant)
        if not unseen:
            return True
        about = f"{verdict} {walk_text.in_words(meant)}"
        self._window.tell(f"{about}, {len(unseen)} of them not shown in full yet:")
        self._window.say(walk_text.listed(unseen, self._window.screen))
        return self._window.answer("all of them? [y, Enter for no] ", "y") in ("y", "yes")

    def _carried_out(
        self, verdict: Verdict, chosen: Sequence[str], meant: Sequence[HunkDocument], reason: str, part: str
    ) -> Iterator[str]:
        """Decide, as long as everything looks as it did, and ask what has to be chosen; what came of it."""
        dependents: Dependents = "ask"
        seen = {hunk["id"]: looks(hunk) for hunk in meant}
        while True:
            with self._desk.open() as desk:
                now = {hunk["id"]: looks(hunk) for hunk in self._desk.undecided(desk)}
                if any(now.get(name) != look for name, look in seen.items()):
                    yield "This changed while you looked at it; nothing was decided. It is now:"
                    return
                document = desk.decide(verdict, chosen, dependents=dependents, reason=reason)
                known = self._desk.asked_about(desk, document)
            if not document["needs"]:
                self._count(document)
                yield from outcomes.brief(document, self._window.screen, part=part)
                return
            dependents = self._chosen(document, known)
            if dependents == "ask":
                return

    def _chosen(self, document: DecisionDocument, known: dict[str, HunkDocument]) -> Dependents:
        """What somebody answers to a question; "ask" if nothing is to be done."""
        if outcomes.answers_to(document) is None:
            self._refuse(document, known)
            return "ask"
        self._window.say(outcomes.question(document, self._window.screen, hunks=known))
        return ANSWERS.get(self._window.answer("? ", "bk")[:1], "ask")

    def _refuse(self, document: DecisionDocument, known: dict[str, HunkDocument]) -> None:
        self._window.say(outcomes.choice(document, self._window.screen, hunks=known, again=("", "")))

    def take_back(self, verb: str) -> bool:
        """Undo or redo; whether there is something else to look at now."""
        with self._desk.open() as desk:
            document = desk.undo(None) if verb == "undo" else desk.redo()
            known = self._desk.asked_about(desk, document)
            self._desk.renew(desk)
        if document["needs"]:
            self._refuse(document, known)
            return False
        self._count(document)
        self._window.say(outcomes.brief(document, self._window.screen))
        self._queue.go_to(result["hunk"] for result in document["results"])
        return True

    def _count(self, document: DecisionDocument) -> None:
        applied = sum(result["outcome"] == "applied" for result in document["results"])
        of = document.get("of") or ""
        match document["verdict"]:
            case "undo" if of in self.made:
                self._undone[of] = self.made.pop(of)
            case "redo" if of in self._undone:
                self.made[of] = self._undone.pop(of)
            case "accept" | "reject" as verdict if document["decision"]:
                self.made[document["decision"]] = verdict, applied
