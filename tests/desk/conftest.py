"""The yard of the reviews: a project with loops."""

from tests.gate.conftest import make, yard

__all__ = ["make", "yard"]
