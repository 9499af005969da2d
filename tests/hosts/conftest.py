"""The small GitHub of the forge's tests, for what is asked of it."""

from tests.forge.conftest import ground as ground
from tests.forge.conftest import template as template
