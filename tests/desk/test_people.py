"""Who is a person."""

from __future__ import annotations

from tests.gate.yard import TOUCHING, Make, Yard, typed


def test_an_agent_with_a_terminal_is_not_a_person(make: Make) -> None:
    yard = make(TOUCHING)
    yard.project.environ["CLAUDECODE"] = "1"
    code, shown = typed(yard, "y\ny\n", "review")
    assert (code, "a person has to" in shown) == (1, True)
    assert not yard.project.exists("out")


def test_an_agent_cannot_trust_or_override(yard: Yard) -> None:
    digest = yard.run("review", "--preview", "--json").document["config"]
    for words in (["trust", digest], ["gate", "override", "--reason", "x", "--expires", "1h"]):
        said = yard.run(*words, CLAUDECODE="1")
        assert said.code == 1
        assert "a person has to" in said.err
    assert "not trusted" in yard.review().document["error"]
