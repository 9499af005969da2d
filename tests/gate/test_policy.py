"""What a base asks of a commit's review."""

from __future__ import annotations

from typing import Any

import pytest

from blueline.gate.policy import unmet
from blueline.model.loop import LOOPS, Loop, LoopCommand, Policy

MAKE = (LoopCommand(run="make"),)
RAN = {"state": "passed", "passed": True, "commands": ["make"], "reported": False, "skip": ""}


def policy(**first: Any) -> Policy:
    others = {n: Loop(number=n, skip="not here") for n in LOOPS}
    return Policy(loops=others | {1: Loop(number=1, **first)}, shipped=())


@pytest.mark.parametrize(
    ("asked", "said", "missing"),
    [
        ({"commands": MAKE}, RAN, []),
        ({"commands": MAKE}, {**RAN, "commands": ["more", "make"]}, []),
        ({"commands": MAKE}, {**RAN, "commands": []}, ["has not run: make"]),
        ({"commands": MAKE}, {**RAN, "commands": None}, ["has not run: make"]),
        ({"commands": MAKE}, {**RAN, "commands": "make"}, ["has not run: make"]),
        ({"commands": MAKE}, {}, ["has not run: make"]),
        ({"commands": MAKE, "report": True}, RAN, ["has no report"]),
        ({"commands": MAKE, "report": True}, {**RAN, "reported": True}, []),
        ({}, RAN, []),
        ({}, {**RAN, "state": "skipped", "skip": "slow"}, ["was skipped: slow"]),
        ({}, {**RAN, "state": "skipped"}, ["was skipped: nobody says why"]),
        ({"skip": "slow"}, {**RAN, "state": "skipped", "skip": "slow"}, []),
    ],
)
def test_a_commit_may_ask_for_more_and_not_for_less(
    asked: dict[str, Any], said: dict[str, Any], missing: list[str]
) -> None:
    found = list(unmet(policy(**asked), policy(), [{"loop": 1, **said}]))
    assert found == [f"loop 1 (builds and basic checks) {one}" for one in missing]


def test_what_git_ignores_and_the_base_ships_is_looked_at() -> None:
    base = Policy(loops=policy(skip="x").loops, shipped=("dist", "build"))
    own = Policy(loops=base.loops, shipped=("dist",))
    assert list(unmet(base, own, [])) == ["build ships and was not looked at"]
