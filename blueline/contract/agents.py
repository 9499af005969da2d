"""Agents whose hooks are installed here."""

from typing import TypedDict


class AgentPresence(TypedDict):
    """An agent whose hooks were installed, and whether they do anything."""

    name: str
    label: str
    """Its name, for people."""
    settings: str
    """The file that its hooks are in."""
    hooks: bool
    """Whether they are still there."""
    heard: bool
    """Whether anything was recorded of it."""
    advice: str
    """What to do if nothing is."""
