"""Who caused a change: an agent, a person, another program, or one of several."""

from typing import Literal, NamedTuple

ActorKind = Literal["agent", "person", "external", "shared", "unknown"]


class Actor(NamedTuple):
    """Who did it; `name` tells agents apart."""

    kind: ActorKind
    name: str = ""


EXTERNAL = Actor("external")
PERSON = Actor("person")
UNKNOWN = Actor("unknown")
