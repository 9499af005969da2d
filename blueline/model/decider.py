"""Who makes a decision: a person here, an agent that was let, or a person elsewhere who asked for it."""

from typing import NamedTuple


class Decider(NamedTuple):
    """Whose word a decision is."""

    by: str
    """The name of their account here, or of the person at a hub."""
    agent: str = ""
    """The agent that decides under that account; empty if a person does."""
    request: str = ""
    """What the hub calls the request, if it came from there: none is carried out twice."""


NOBODY = Decider("")
"""For what the files themselves said, or a commit."""
