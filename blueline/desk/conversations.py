"""What a chat has to know of the ledger: which turn runs, which calls are meant, what was taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from blueline.desk.project_store import Store
from blueline.desk.record_documents import turn_document
from blueline.desk.turn_rejections import TurnRejections, turn_rejections
from blueline.model.ids import CALL, TURN

if TYPE_CHECKING:
    from blueline.contract.hunks import PendingTurn
    from blueline.contract.log import ToolTallyDocument


class ChatLedger:
    """A part of the desk, which has the project open."""

    def __init__(self, store: Store) -> None:
        self._ledger = store.ledger
        self._index = store.index
        self._screens = store.index.screens

    def agents(self) -> set[str]:
        """The agents that had a turn."""
        return self._screens.agents()

    def running(self, conversation: str) -> str | None:
        """The turn of a conversation that has not ended."""
        found = [turn for turn in self._ledger.running_turns() if turn.conversation == conversation]
        return TURN.id(found[-1].number) if found else None

    def calls(self, keys: Iterable[str]) -> dict[str, str]:
        """The calls that an agent knows by these keys, as far as they are recorded."""
        found = {key: self._ledger.call_named(key) for key in keys}
        return {key: CALL.id(call.number) for key, call in found.items() if call is not None}

    def rejections(self, noted: Mapping[int, str]) -> TurnRejections:
        """The turns that are taken back. `noted` are the turns of decisions that do not name them."""
        named = dict(noted)
        for number, turn in noted.items():
            decision = self._ledger.decision(number)
            if decision is not None and decision.verdict == "queued" and decision.of is not None:
                named[decision.of] = turn
        numbers = sorted({*named, *self._index.decisions.numbers(whole_turns=True)})
        decisions = [one for number in numbers if (one := self._ledger.decision(number)) is not None]
        return TurnRejections(self._ledger.counters.decision, turn_rejections(decisions, named))

    def turn(self, name: str) -> PendingTurn | None:
        """A turn, with its hunks that are undecided."""
        number = TURN.number(name)
        turn = None if number is None else self._index.turns.get(number)
        if number is None or turn is None:
            return None
        hunks = [hunk for hunk in self._screens.hunks_of([number]) if hunk["status"] == "pending"]
        return {**turn_document(turn), "pending": hunks}

    def tally(self) -> list[ToolTallyDocument]:
        """How much of what each agent did with each tool was kept, and how much was taken back."""
        return self._screens.tally()
