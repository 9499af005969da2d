"""Who did something: an agent, a person, another program, one of several, or nobody knows."""

from typing import TypedDict

from blueline.model.actor import ActorKind


class ActorDocument(TypedDict):
    """Who did something. What `person` and `external` did is accepted as it arrives."""

    kind: ActorKind
    name: str
    """The agent's; empty for others."""
