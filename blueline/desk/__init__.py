"""The door: opens a project, holds lock and clock, offers the verbs."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from blueline.desk.desk import Desk

__all__ = ["Desk"]


def __getattr__(name: str) -> Any:
    # Loaded when it is used: a glance at a project in which nothing happened does without it.
    if name == "Desk":
        from blueline.desk.desk import Desk

        return Desk
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
