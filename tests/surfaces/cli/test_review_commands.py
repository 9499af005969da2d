"""What is asked before a review runs anything."""

from __future__ import annotations

from tests.gate.yard import TOUCHING, Make, typed


def test_a_review_asks_for_trust_and_then_whether_to_proceed(make: Make) -> None:
    yard = make(TOUCHING)
    (yard.root / "out").mkdir()
    code, shown = typed(yard, "n\n", "review")
    assert (code, "Let them run from now on?" in shown, "Nothing was run" in shown) == (0, True, True)
    code, shown = typed(yard, "y\nn\n", "review")
    assert (code, "Proceed with review?" in shown) == (0, True)
    assert not yard.project.exists("out/1")
    # Trusted by now, so only one question is left.
    code, shown = typed(yard, "y\n", "review")
    assert code == 0, shown
    assert shown.index("touch out/4") < shown.index("Proceed with review?") < shown.index("open: reviewed")
    assert yard.gate()["open"]
