"""The door: opens a project, holds lock and clock, offers the verbs."""

TYPE_CHECKING = False  # the typing module costs more than the prompt of a shell can wait for
if TYPE_CHECKING:
    from blueline.desk.desk import Desk

__all__ = ["Desk"]


def __getattr__(name: str) -> object:
    # Loaded when it is used: a glance at a project in which nothing happened does without it.
    if name == "Desk":
        from blueline.desk.desk import Desk

        return Desk
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
