"""Nothing here waits for the disk."""

from tests.gate.conftest import unsynced

__all__ = ["unsynced"]
