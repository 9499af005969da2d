"""The form of a machine's token."""

from __future__ import annotations

import pytest

from blueline.model.machine_token import machine_token, project_in


def test_a_token_names_its_project_whatever_the_secret() -> None:
    assert project_in(machine_token("0a1b", "x_y-z_")) == "0a1b"


@pytest.mark.parametrize("other", ["", "blm", "bli_0a1b_secret", "BLM_0a1b_secret", "0a1b"])
def test_what_is_no_token_names_none(other: str) -> None:
    assert not project_in(other)
