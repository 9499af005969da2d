"""The table of commands: each leads to a function, and its names are those of others."""

from __future__ import annotations

from importlib import import_module

from blueline.adapters import ADAPTERS
from blueline.surfaces.cli.command_table import AGENTS, COMMANDS, EVERYWHERE, HELP, argument


def test_every_command_has_its_function() -> None:
    for name, command in COMMANDS.items():
        module = import_module(f"blueline.surfaces.cli.{command.module}")
        assert callable(getattr(module, "list_" if name == "list" else name))


def test_names_that_stand_in_two_places_are_the_same() -> None:
    assert list(AGENTS) == list(ADAPTERS)


def test_no_command_has_a_name_twice() -> None:
    for command in COMMANDS.values():
        names = [name for one in command.arguments() for name in one.names]
        assert len(names) == len({*names})
        assert {"-h", "--json", "-C"} <= {*names}


def test_a_command_says_that_it_takes_selectors_if_it_does() -> None:
    for command in COMMANDS.values():
        assert command.selects == any(one.value == "selector" for one in command.arguments())


def test_what_an_argument_takes() -> None:
    assert [one.names[0] for one in (HELP, *EVERYWHERE) if one.takes_value] == ["-C", "--color"]
    assert argument("--no-open", action="store_false").takes_value is False
    assert argument("--issue", action="append", metavar="TEXT").takes_value
    assert (argument("mode", choices=("hold",)).value, argument("mode").is_option) == ("mode", False)
