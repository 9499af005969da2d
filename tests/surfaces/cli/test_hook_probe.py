"""A hook's command is run once, as the agent would run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.adapters import claude_code
from blueline.surfaces.cli.hook_probe import probe
from tests.surfaces.cli.test_init import everything


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("echo oh >&2; exit 3", "it gave 3 and said: oh"),
        ("echo hello", "it gave 0 and said: hello"),
        ("true", "it ran, but recorded nothing"),
    ],
)
def test_one_that_fails_talks_or_does_nothing_does_not_work(command: str, problem: str) -> None:
    assert probe(command)[0] == problem


def test_one_that_works_leaves_nothing_in_the_persons_own_records(home: Path) -> None:
    assert probe(claude_code.command())[0] == ""
    assert everything(home) == {}
