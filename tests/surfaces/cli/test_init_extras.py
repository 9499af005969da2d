"""What init asks about besides hooks."""

from __future__ import annotations

from tests.gate.yard import Make, typed


def test_without_a_terminal_init_only_says_how(make: Make) -> None:
    yard = make("")
    yard.put("go.mod", "module m\n")
    before = yard.project.text(".blueline/config.toml")
    said = yard.run("init", "--agent", "claude-code")
    assert "blueline init --loops" in said.out
    assert yard.project.text(".blueline/config.toml") == before
    assert yard.run("init", "--agent", "claude-code", "--loops", "--json").document["loops"]["written"]
    assert "go build" in yard.project.text(".blueline/config.toml")
    # They were written, and nobody has read them yet.
    assert "not trusted" in yard.review().document["error"]
    assert yard.run("init", "--agent", "claude-code", "--json").document["loops"] is None


def test_init_proposes_loops_and_trusts_what_was_read(make: Make) -> None:
    yard = make("")
    yard.put("go.mod", "module m\n")
    code, shown = typed(yard, "n\n", "init", "--agent", "claude-code")
    assert (code, "go vet ./..." in shown) == (0, True)
    assert "[review.loops" not in yard.project.text(".blueline/config.toml")
    code, _ = typed(yard, "y\n", "init", "--agent", "claude-code")
    assert code == 0
    assert "go vet" in yard.project.text(".blueline/config.toml")
    assert yard.run("review", "--preview", "--json").document["trusted"]
