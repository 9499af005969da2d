"""Who caused a change: an agent, a person, another program, or one of several."""

from typing import Literal, NamedTuple

from blueline.model.mark import ACCEPTED, PENDING, Answer

ActorKind = Literal["agent", "person", "external", "shared", "unknown"]


class Actor(NamedTuple):
    """Who did it; `name` tells agents apart."""

    kind: ActorKind
    name: str = ""

    @property
    def first(self) -> Answer:
        """What people and their programs do is accepted as it arrives; the rest is asked about."""
        return ACCEPTED if self.kind in ("person", "external") else PENDING


EXTERNAL = Actor("external")
PERSON = Actor("person")
UNKNOWN = Actor("unknown")
