"""Which mode commits what."""

from __future__ import annotations

import pytest

from blueline.forge.forge_config import MODES, ForgeSettings
from blueline.forge.modes import route, sort, weighed
from blueline.model.risk import LEVELS, Level
from tests.forge.offering import suggestion


@pytest.mark.parametrize("risk", LEVELS)
@pytest.mark.parametrize("threshold", LEVELS)
def test_hybrid_goes_by_the_threshold_and_the_other_modes_do_not(risk: Level, threshold: Level) -> None:
    is_high = LEVELS.index(risk) >= LEVELS.index(threshold)
    assert route("hybrid", threshold, risk) == ("suggest-only" if is_high else "commit-only")
    assert [route(mode, threshold, risk) for mode in MODES[:3]] == list(MODES[:3])


def test_reasons_stand_beside_each_suggestion() -> None:
    (one,) = weighed([suggestion("a\n", None, "src/auth.py")], ForgeSettings())
    assert one.risk == "high"
    assert one.reasons[0] in ("auth: its path is like *auth*", "deletion: it is deleted")
    assert "untested: no test of it changes with it" in one.reasons
    assert [one.number for one in sort([one], "hybrid", "high").shown] == [1]
