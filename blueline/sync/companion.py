"""A hub is kept up to date beside another command that stays: `watch`, or the workbench."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from blueline.desk.tree_watch import records
from blueline.errors import BluelineError
from blueline.sync.exchange import Exchange, Follower
from blueline.sync.hub_client import HubClient
from blueline.sync.sending_turn import standing

if TYPE_CHECKING:
    from blueline.contract.hub import CarriedDocument
    from blueline.desk import Desk
    from blueline.sync.membership import Membership
    from blueline.sync.push import SyncCount

Result = TypeVar("Result")


class Companion:
    """One project and its hub, in a thread of its own, until it is stopped.

    It ends when the hub does not know this machine any more; the command goes on. Nothing is looked at on the
    disk but the journal: that is what the command is for.
    """

    def __init__(
        self,
        root: Path,
        state: Path,
        member: Membership,
        never: Sequence[str],
        open_desk: Callable[[Path], Desk],
        complain: Callable[[BluelineError], None],
    ) -> None:
        self._root, self._open_desk = root, open_desk
        self._member, self._never = member, never
        self._complain = complain
        self._said = ""
        self._state = state
        self._stop = threading.Event()
        self._follower: Follower | None = None

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """What is under way is not waited for: whatever was not sent is sent next time."""
        self._stop.set()
        if self._follower is not None:
            self._follower.stop()

    def _run(self) -> None:
        with standing(self._state), self._connect() as client:
            exchange = Exchange(client, self._ask, self._never)
            self._follower = Follower(self._follow, self._connect, exchange, self._well, self._once)
            try:
                self._follower.run()
            except BluelineError as error:
                self._once(error)

    def _connect(self) -> HubClient:
        return HubClient(self._member.url, self._member.project, self._member.token)

    def _ask(self, verb: Callable[[Desk], Result]) -> Result:
        with self._open_desk(self._root) as desk:
            return verb(desk)

    def _follow(self, due: Callable[[], None], failed: Callable[[Exception | None], None]) -> None:
        def watch() -> None:
            for _ in records(self._state, self._stop):
                due()

        threading.Thread(target=watch, daemon=True).start()

    def _well(self, sent: SyncCount, carried: list[CarriedDocument]) -> None:
        self._said = ""

    def _once(self, error: BluelineError) -> None:
        """Say what is wrong, and not again for as long as it is the same."""
        if str(error) != self._said:
            self._said = str(error)
            self._complain(error)
