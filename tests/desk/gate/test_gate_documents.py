"""What surfaces are shown of the gate."""

from __future__ import annotations

import json

from tests.gate.yard import Yard


def test_explain_says_how_everything_is_known(yard: Yard) -> None:
    yard.open()
    said = yard.run("gate", "--explain")
    assert said.code == 0
    assert said.out.count("\n  yes  ") == len(yard.gate()["steps"])


def test_the_state_for_other_programs_has_the_schema_they_know(yard: Yard) -> None:
    yard.put("BROKEN-3", "")
    yard.trust()
    yard.review()
    found = json.loads((yard.state / "loop-state.json").read_text())
    assert found["head_commit"] == yard.git("rev-parse", "HEAD").strip()
    assert [found[f"loop_{n}_passed"] for n in "1234"] == [True, True, False, False]
    assert found["ship_allowed"] is False
    assert found["blockers"]
    (issue,) = found["loop_details"]["loop_3"]["issues"]
    assert issue["severity"] == "error"
    assert set(found) == {
        "head_commit", "timestamp", "ship_allowed", "blockers", "loop_details",
        *(f"loop_{n}_passed" for n in "1234"),
    }  # fmt: skip
    (yard.root / "BROKEN-3").unlink()
    yard.review()
    found = json.loads((yard.state / "loop-state.json").read_text())
    assert (found["ship_allowed"], found["blockers"]) == (True, [])
