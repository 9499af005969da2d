"""The words that are typed after `blueline`."""

from __future__ import annotations

import json

import pytest

import blueline
from blueline.surfaces.cli import arguments, help_pages
from blueline.surfaces.cli.command_table import COMMANDS, SHELLS
from blueline.surfaces.cli.completion import script
from blueline.surfaces.cli.walk_words import KEYS
from tests.support.command import Run
from tests.support.fake_desk import FakeDesk


class TestWords:
    @pytest.mark.parametrize(
        "words",
        [
            ["-C", "/", "--json", "--color", "never", "list", "--by", "turn"],
            ["list", "--by", "turn", "-C", "/", "--json", "--color", "never"],
            ["-C", "/", "list", "--json", "--by=turn", "--color=never"],
        ],
    )
    def test_options_for_everything_stand_before_or_after_the_command(self, words: list[str]) -> None:
        given = arguments.parse(words)
        assert (given.command, given.directory, given.json, given.color) == ("list", "/", True, "never")
        assert given.by == "turn"

    def test_a_folder_may_be_called_like_a_command(self) -> None:
        given = arguments.parse(["-C", "list", "list", "--by", "file", "-C", "reject"])
        assert (given.command, given.directory, given.by) == ("list", "reject", "file")

    def test_what_is_not_said_has_a_value(self) -> None:
        given = arguments.parse(["reject", "h1"])
        assert (given.directory, given.json, given.color) == (".", False, "auto")
        assert (given.everything, given.reason, given.dry_run) == (False, "", False)

    def test_words_after_two_dashes_are_paths(self) -> None:
        given = arguments.parse(["reject", "--all", "--", "-x", "--json", "h1"])
        assert (given.selectors, given.json) == (["-x", "--json", "h1"], False)

    @pytest.mark.parametrize(
        "words",
        [
            ["h1", "h2", "--reason", "why", "--dry-run"],
            ["h1", "--reason", "why", "h2", "--dry-run"],
            ["--dry-run", "h1", "--reason=why", "h2"],
            ["--reason", "why", "--dry-run", "--", "h1", "h2"],
            ["h1", "--dry-run", "--reason", "why", "--", "h2"],
        ],
    )
    def test_options_may_stand_between_the_selectors(self, words: list[str]) -> None:
        given = arguments.parse(["reject", *words])
        assert (given.selectors, given.reason, given.dry_run) == (["h1", "h2"], "why", True)

    @pytest.mark.parametrize("words", [["--version"], ["list", "--version"], ["--json", "--version"]])
    def test_the_version(self, run: Run, words: list[str]) -> None:
        assert run(FakeDesk(), *words) == (0, f"blueline {blueline.__version__}\n", "")

    def test_help(self, run: Run) -> None:
        for words in (["--help"], ["-h", "list"]):
            done = run(FakeDesk(), *words)
            assert done.code == 0
            assert all(done.out.count(f"\n  {name} ") == 1 for name in COMMANDS)
            assert max(map(len, done.out.splitlines())) <= 80
        done = run(FakeDesk(), "reject", "--help")
        assert done.code == 0
        assert "--keep-dependents" in done.out

    @pytest.mark.parametrize("command", [*COMMANDS])
    def test_the_help_of_each_command_fits_a_terminal(self, run: Run, command: str) -> None:
        done = run(FakeDesk(), command, "--help")
        assert done.code == 0
        assert max(map(len, done.out.splitlines())) <= 80
        assert done.out.endswith(help_pages.page(command))

    def test_words_that_a_command_takes_are_explained(self, run: Run) -> None:
        for command in ("mode", "gate", "forge", "hub", "export", "completion"):
            page = help_pages.page(command)
            (choices,) = (
                one.choices
                for one in COMMANDS[command].arguments()
                if one.choices and one.names != ("--color",) and one.names != ("--role",)
            )
            assert all(f"  {word} " in page for word in choices)
        assert {*help_pages.PAGES} <= {*COMMANDS}

    def test_the_keys_of_walk_are_in_its_help(self, run: Run) -> None:
        assert all(f"  {key} " in run(FakeDesk(), "walk", "--help").out for key, _ in KEYS)

    def test_no_words_at_all_show_the_help(self, run: Run) -> None:
        done = run(FakeDesk())
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("usage: blueline ")

    @pytest.mark.parametrize("shell", SHELLS)
    def test_completion_knows_every_command(self, run: Run, shell: str) -> None:
        done = run(FakeDesk(), "completion", shell)
        assert done == (0, script(shell), "")
        assert all(name in done.out for name in COMMANDS)


class TestWrongUsage:
    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["list", "--by", "colour"], "argument --by: invalid choice"),
            (["lst"], "there is no command lst"),
            (["x" * 5_000], f"there is no command {'x' * 50}"),
            (["accept"], "what to accept?"),
            (["reject"], "what to reject?"),
            (["reject", "h1", "--with-dependents", "--keep-dependents"], "not allowed with"),
            (["show"], "SELECTOR"),
            (["list", "--stat", "all"], "unrecognized arguments: --stat"),
            (["--json"], "COMMAND"),
            (["status", "\x1b[31m"], "unrecognized arguments: \\x1b[31m"),
            (["mode", "fast"], "invalid choice"),
            (["-C"], "expected one argument"),
        ],
    )
    def test_it_is_said_with_a_hint_and_ends_in_2(self, run: Run, words: list[str], message: str) -> None:
        desk = FakeDesk()
        done = run(desk, *words)
        assert done.code == 2
        assert desk.asked == []
        first, second = done.err.splitlines()
        assert first.startswith("blueline: ")
        assert message in first
        assert len(first) < 300
        assert second.startswith("hint: ")

    def test_a_command_that_is_nearly_right_is_guessed(self, run: Run) -> None:
        assert run(FakeDesk(), "lits").err.endswith("hint: did you mean: blueline list\n")

    def test_what_a_command_does_not_know_is_looked_up_in_its_own_help(self, run: Run) -> None:
        done = run(FakeDesk(), "report", "--by", "folder")
        assert done.err.endswith("unrecognized arguments: --by folder\nhint: see: blueline report --help\n")

    def test_with_json_it_is_a_document_too(self, run: Run) -> None:
        done = run(FakeDesk(), "reject", "--json")
        assert (done.code, json.loads(done.out)["error"]) == (2, "what to reject?")
        assert run(FakeDesk(), "foo", "--", "--json").out == ""
