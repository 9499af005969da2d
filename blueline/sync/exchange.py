"""All that a machine and its hub have for each other: what is new, and what people asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from blueline.desk.outgoing_journal import Outgoing
from blueline.errors import BluelineError
from blueline.sync.hub_client import HubAway, HubClient
from blueline.sync.hub_requests import carry_out
from blueline.sync.push import Progress, SyncCount, push

if TYPE_CHECKING:
    from blueline.contract.hub import CarriedDocument, RequestDocument
    from blueline.desk import Desk

Result = TypeVar("Result")

Follow = Callable[[Callable[[], None], Callable[[Exception | None], None]], None]
"""Have the first called whenever something was recorded, from another thread, and the second when that cannot
be known."""

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 30.0


class AskDesk(Protocol):
    """The way to the project's desk."""

    def __call__(self, verb: Callable[[Desk], Result], /) -> Result: ...


class Exchange:
    """One project with one hub."""

    def __init__(
        self, hub: HubClient, ask: AskDesk, never: Sequence[str], tell: Progress = lambda so_far: None
    ) -> None:
        self._hub = hub
        self._ask = ask
        self._never = never
        self._tell = tell
        self.withheld: list[str] = []
        """Files whose content did not leave this machine."""

    def send(self, *, dry_run: bool = False) -> SyncCount:
        """Bring the hub up to this journal."""
        going = self._ask(lambda desk: Outgoing(desk.project, self._never))
        self.withheld = going.withheld
        return push(self._hub, going, dry_run=dry_run, tell=self._tell)

    def carry_out(self) -> list[CarriedDocument]:
        """Carry out what waits at the hub, send what came of it, and only then say so: who reads there that
        something was done finds it in the journal."""
        carried: list[CarriedDocument] = [self._carried(request) for request in self._hub.requests()]
        if carried:
            self.send()
        for one in carried:
            self._hub.answer(one["request"]["number"], one["outcome"])
        return carried

    def _carried(self, request: RequestDocument) -> CarriedDocument:
        return {"request": request, "outcome": self._ask(lambda desk: carry_out(desk, request))}


class Follower:
    """Goes on exchanging, whenever there is something new on either side, until it is stopped."""

    def __init__(
        self,
        follow: Follow,
        connect: Callable[[], HubClient],
        exchange: Exchange,
        tell: Callable[[SyncCount, list[CarriedDocument]], None],
        complain: Callable[[BluelineError], None],
    ) -> None:
        self._follow = follow
        self._connect = connect
        self._exchange = exchange
        self._tell = tell
        self._complain = complain
        self._stop = threading.Event()
        self._due = threading.Event()
        self._refusal: BluelineError | None = None

    def stop(self) -> None:
        self._stop.set()
        self._due.set()

    def run(self) -> None:
        """Fails when the hub does not know this machine any more."""
        self._follow(self._due.set, self._failed)
        threading.Thread(target=self._listen, daemon=True).start()
        wait = FIRST_WAIT_SECONDS
        self._due.set()
        while self._due.wait():
            self._due.clear()
            # Only now: whoever stops it sets both, and a look before the clearing may come before that.
            if self._stop.is_set():
                return
            if self._refusal is not None:
                raise self._refusal
            try:
                sent = self._exchange.send()
                carried = self._exchange.carry_out()
            except HubAway as error:
                self._complain(error)
                self._stop.wait(wait)
                wait = min(wait * 2, LONGEST_WAIT_SECONDS)
                self._due.set()
                continue
            wait = FIRST_WAIT_SECONDS
            if sent.records or carried:
                self._tell(sent, carried)

    def _failed(self, error: Exception | None) -> None:
        if isinstance(error, BluelineError):
            self._complain(error)
        elif error is not None:
            raise error

    def _listen(self) -> None:
        """Hear from the hub when there is something for this machine. What it is, is looked up then: what
        was heard may be old by the time that it is its turn."""
        wait = FIRST_WAIT_SECONDS
        while not self._stop.is_set():
            try:
                with self._connect() as hub:
                    for is_request in hub.words():
                        wait = FIRST_WAIT_SECONDS
                        if is_request:
                            self._due.set()
            except HubAway:
                pass  # said by whoever wants to send something; this only listens
            except BluelineError as error:
                self._refusal = error
                self._due.set()
                return
            self._stop.wait(wait)
            wait = min(wait * 2, LONGEST_WAIT_SECONDS)
            self._due.set()
