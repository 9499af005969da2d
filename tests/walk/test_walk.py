"""What stays true, whatever agents, people and processes do."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from blueline.review.weave import weave
from tests.support.asking import answering
from tests.walk.corrections import Corrections
from tests.walk.machine import Machine
from tests.walk.rough import Rough
from tests.walk.shell import Shell
from tests.walk.walk import Walk

STEPS = 40


@pytest.fixture(autouse=True)
def small_blocks() -> Iterator[None]:
    """Short texts have few runs: they should reach over several blocks all the same."""
    with patch.object(weave, "BLOCK", 5):
        yield


@pytest.mark.walk
def test_what_shows_follows_from_what_was_typed_and_decided() -> None:
    walk(Walk)


@pytest.mark.walk
def test_no_line_is_made_up_whatever_people_correct() -> None:
    walk(Corrections, of=4)  # the rules alone go through many more, beside their own tests


@pytest.mark.walk
def test_what_can_be_undone_is_undone_exactly_whatever_stands_in_a_file() -> None:
    walk(Rough)


@pytest.mark.walk
def test_what_commands_do_can_be_undone_as_exactly() -> None:
    with answering():
        walk(Shell)


def walk(machine: type[Machine], *, of: int = 1) -> None:
    """Take all walks that are asked for, or one of so many."""
    profile = settings.get_profile("walk")
    most = -(-profile.max_examples // of)
    bounds = settings(profile, max_examples=most, stateful_step_count=STEPS)
    run_state_machine_as_test(machine, settings=bounds)
