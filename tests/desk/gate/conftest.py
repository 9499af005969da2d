"""The yard of the reviews: a project with loops."""

from tests.gate.conftest import make, unsynced, yard

__all__ = ["make", "unsynced", "yard"]
