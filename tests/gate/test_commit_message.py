"""What a commit says."""

from __future__ import annotations

from tests.gate.yard import Yard


def test_the_message_is_proposed_from_turns_and_decisions(yard: Yard) -> None:
    yard.project.prompt("# Make it two\nplease")
    yard.project.edit("a.md", "one", "two")
    yard.project.prompt("and add a file")
    yard.project.write("b.md", "b\n")
    yard.project.accept("a.md")
    yard.project.reject("b.md")
    yard.open()
    yard.run("ship", "--json")
    assert yard.git("log", "-1", "--format=%B").strip().splitlines() == [
        "Make it two",
        "",
        "- Make it two",
        "- and add a file",
        "",
        "Reviewed with Blueline: 1 change of claude-code kept, 1 taken back.",
    ]
