"""What was worked out of a file, kept with it: a file never changes, so it stays true.

It stays true of the same file with one more step in its history, too: `File.stepped` hands it on.
"""

from typing import Generic, TypeVar

T = TypeVar("T")


class WorkedOut(Generic[T]):
    """One thing that is worked out of files."""

    def __init__(self, name: str) -> None:
        self._name = f"_{name}"

    def of(self, file: object) -> T | None:
        """What was kept with a file."""
        known: T | None = vars(file).get(self._name)
        return known

    def keep(self, file: object, found: T) -> T:
        """Keep what was found out about a file."""
        vars(file)[self._name] = found
        return found

    def hand_on(self, before: object, after: object) -> None:
        """Let a file know what was found out about the one before it, where that is the same."""
        if self._name in vars(before):
            vars(after)[self._name] = vars(before)[self._name]
