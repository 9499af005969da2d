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
FORMATTER = Actor("agent", "formatter")
"""In journals of before rule D2: a program that had been let loose on what an agent had just written."""
