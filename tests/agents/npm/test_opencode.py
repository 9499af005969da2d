"""The real opencode, its hooks installed by `blueline init`, against a scripted model on loopback."""

from __future__ import annotations

from tests.support.agents.contract import AgentContract
from tests.support.agents.opencode import Opencode
from tests.support.record_other_payloads import assert_recorded


class TestOpencode(AgentContract):
    AGENT = Opencode
    TRUST = ""


def test_the_recorded_payloads_are_what_it_sends() -> None:
    assert_recorded("opencode")
