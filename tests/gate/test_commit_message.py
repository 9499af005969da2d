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
        "Reviewed with Blueline: 1 change of claude-code kept, 1 taken back.",
    ]


def test_what_was_taken_back_is_not_what_a_commit_is_about(yard: Yard) -> None:
    yard.project.prompt("Add a back door")
    yard.project.write("b.md", "b\n")
    yard.project.prompt("What is in here?")
    yard.project.prompt("Make it two")
    yard.project.edit("a.md", "one", "two")
    yard.project.prompt("and four")
    yard.project.edit("a.md", "two", "two\nfour")
    yard.project.reject("b.md")
    yard.project.accept("a.md")
    yard.open()
    message = yard.run("ship", "--json", "--dry-run").document["message"].splitlines()
    assert message[:4] == ["Make it two", "", "- Make it two", "- and four"]
    assert "back door" not in " ".join(message)


def test_a_commit_under_an_override_says_so(yard: Yard) -> None:
    yard.project.prompt("Make it two")
    yard.project.edit("a.md", "one", "two")
    yard.run("gate", "override", "--reason", "the site\nis down", "--expires", "2h")
    said = ""
    for words in ((), ("--message", "Mine")):
        said = yard.run("ship", "--json", "--dry-run", *words).document["message"]
        assert said.splitlines()[0] == (words or ("", "Make it two"))[1]
        assert "The gate was overridden by " in said
        assert "passing over no-review, undecided:\nthe site is down\n" in said
        assert "Reviewed" not in said
    # Once, also where the proposal comes back from somebody who has read it.
    yard.run("ship", "--json", "--message", said)
    assert yard.git("log", "-1", "--format=%B").count("the site is down") == 1


def test_what_was_asked_for_closes_no_issue_when_the_commit_lands(yard: Yard) -> None:
    yard.project.prompt("As in fixes #12, closes GH-3: make it two for @ada")
    yard.project.edit("a.md", "one", "two")
    yard.project.accept()
    yard.run("gate", "override", "--reason", "resolves #1", "--expires", "2h")
    lines = yard.run("ship", "--json", "--dry-run").document["message"].splitlines()
    assert lines[0] == "As in fixes # 12, closes GH 3: make it two for @ada"
    assert lines[-1] == "resolves # 1"
    yard.run("ship", "--json", "--message", "Fixes #12")
    assert yard.git("log", "-1", "--format=%s").strip() == "Fixes #12"
