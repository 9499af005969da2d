"""What shipping would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipPlan:
    """All of it, before anything is done."""

    top: str
    """The folder of the repository."""
    branch: str
    remote: str
    """Empty if there is none."""
    tree: str
    """What the gate let through."""
    local: Sequence[str]
    """Files of this machine, which stay out of the commit."""
    commits: bool
    """Whether there is anything to commit."""
    is_there: bool
    """Whether the remote has the branch as it is checked out here, before anything is committed."""
    message: str
    proposal: str
    """What the message would be if nobody typed one: quoted from prompts and reasons."""
    gate: GateDocument
    key: str
    """To sign the gate's statement with; empty for none."""
