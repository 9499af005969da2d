"""Which repository of which host is meant."""

from __future__ import annotations

import pytest

from blueline.hosts.address import repository_name
from blueline.hosts.host import BadName


@pytest.mark.parametrize("name", ["a", "a/b/c", "../x", "a/..", "a b/c", "a/$(id)", "a/b\n", "/x", "a/"])
def test_qb10_a_repository_has_a_plain_name(name: str) -> None:
    with pytest.raises(BadName):
        repository_name(name)
