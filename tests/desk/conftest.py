"""The yard of the reviews: a project with loops; and projects without."""

from tests.gate.conftest import make, yard
from tests.scenarios.conftest import project

__all__ = ["make", "project", "yard"]
