"""What is asked on a terminal before anything runs or ships, with a person's answers typed into it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from tests.gate.yard import Make, Yard

LOOPS = "".join(f'[review.loops.{n}]\ncommands = ["touch out/{n}"]\n' for n in "1234")


def typed(yard: Yard, answers: str, *words: str) -> tuple[int, str]:
    """Run a command on a terminal of its own; its exit code and all that was on the screen."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", *words],
        cwd=yard.root,
        env={**yard.project.environ, "TERM": "dumb", "PYTHONSAFEPATH": "1"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, answers.encode())
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not more:
            break
        shown += more
    os.close(ours)
    return process.wait(), shown.decode()


def test_a_review_asks_for_trust_and_then_whether_to_proceed(make: Make) -> None:
    yard = make(LOOPS)
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


def test_an_agent_with_a_terminal_is_not_a_person(make: Make) -> None:
    yard = make(LOOPS)
    yard.project.environ["CLAUDECODE"] = "1"
    code, shown = typed(yard, "y\ny\n", "review")
    assert (code, "a person has to" in shown) == (1, True)
    assert not yard.project.exists("out")


def test_ship_shows_what_it_would_do_and_asks(make: Make) -> None:
    yard = make("".join(f'[review.loops.{n}]\nskip = "prose"\n' for n in "1234"))
    yard.put("a.md", "two\n")
    before = yard.there()
    code, shown = typed(yard, "n\n", "ship", "--message", "Two")
    assert (code, "Would commit and push to origin/main" in shown) == (0, True)
    assert yard.there() == before
    code, shown = typed(yard, "y\n", "ship", "--message", "Two")
    assert code == 0, shown
    assert yard.there() == yard.git("rev-parse", "HEAD").strip() != before


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
