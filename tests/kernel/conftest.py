"""A project that a hook records: what the disk holds is looked at as the hook does."""

from __future__ import annotations

from tests.hook.conftest import project

__all__ = ["project"]
