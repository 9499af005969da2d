"""Verbs of the workbench: a reason that is given once it is decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.selectors import UnknownSelector
from tests.support.project import POEM, Project


def test_a_reason_given_afterwards_is_kept_with_the_decision(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    decision = p.reject("a.txt")["decision"]
    with p.desk() as desk:
        assert desk.workbench.explain(decision, "shouting") == {"decision": decision, "reason": "shouting"}
    p.lose_index()
    assert [one["reason"] for one in p.log("decision")] == ["shouting"]
    p.assert_sound()


def test_a_reason_for_no_decision_is_refused(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.txt": POEM})
    with p.desk() as desk, pytest.raises(UnknownSelector, match="there is no decision 'd7'"):
        desk.workbench.explain("d7", "because")
