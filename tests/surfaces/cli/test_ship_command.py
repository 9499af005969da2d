"""What is asked before something is shipped."""

from __future__ import annotations

from tests.gate.yard import Make, typed


def test_ship_shows_what_it_would_do_and_asks(make: Make) -> None:
    yard = make("".join(f'[review.loops.{n}]\nskip = "prose"\n' for n in "1234"))
    yard.put("a.md", "two\n")
    assert yard.run("loop", "record", "1", "--passed").code == 0
    before = yard.there()
    code, shown = typed(yard, "n\n", "ship", "--message", "Two")
    assert (code, "Would commit and push to origin/main" in shown) == (0, True)
    assert yard.there() == before
    code, shown = typed(yard, "y\n", "ship", "--message", "Two")
    assert code == 0, shown
    assert yard.there() == yard.git("rev-parse", "HEAD").strip() != before
