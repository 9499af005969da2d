"""What a system or an account cannot have: the only reasons to skip a test, as `tests/conftest.py` sees to.

A program that is missing is a failure: `make test` installs what it needs, or names it.
"""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from blueline.kernel import identity, processes

CANNOT = "cannot be here: "
"""How such a reason begins."""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason=f"{CANNOT}only root can do this")
needs_attributes = pytest.mark.skipif(
    not identity.HAS_ATTRIBUTES, reason=f"{CANNOT}Python sets no attributes of folders on this system"
)
needs_proc = pytest.mark.skipif(
    sys.platform != "linux" and not processes.known(),
    reason=f"{CANNOT}this system does not tell of processes",
)


def program(name: str) -> str:
    """The path of a program of the distribution."""
    found = shutil.which(name)
    assert found is not None, f"{name} is needed: `make {name}`, or your package manager, installs it"
    return found


def lacking(what: str) -> None:
    """Skip a test because of what this machine has not; where CI is true there is no such thing."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(CANNOT + what)
