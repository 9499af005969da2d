"""What goes on beside a command that stays: where a hub was joined, it is kept up to date."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.unsent_purges import HUB
from blueline.surfaces.cli.request import Request, complain, write
from blueline.surfaces.cli.terminal import safe

if TYPE_CHECKING:
    from blueline.sync.companion import Companion


@contextmanager
def hubs_beside(request: Request, places: Mapping[Path, Path]) -> Iterator[None]:
    """The hubs of those projects, each with its state, that have joined one."""
    # Not loaded where there is none.
    started: list[Companion] = []
    for root, state in places.items():
        if (state / HUB).exists():
            started += _started(request, root, state)
    try:
        yield
    finally:
        for one in started:
            one.stop()


def _started(request: Request, root: Path, state: Path) -> list[Companion]:
    from blueline.desk.outgoing_journal import patterns
    from blueline.errors import BluelineError
    from blueline.sync import membership
    from blueline.sync.companion import Companion

    screen = request.screen(sys.stderr)
    try:
        member, never = membership.read(state), patterns(os.environ)
    except BluelineError as error:
        complain(str(error), screen, hint=error.hint)
        return []
    if not request.is_json:
        write(f"{safe(str(root))} is kept up to date at {safe(member.url)}\n", sys.stderr)
    made = Companion(
        root,
        state,
        member,
        never,
        request.open,
        lambda error: complain(str(error), screen, hint=error.hint),
    )
    made.start()
    return [made]
