"""The yard of the reviews, to ask what would ship."""

from tests.gate.conftest import make, yard

__all__ = ["make", "yard"]
