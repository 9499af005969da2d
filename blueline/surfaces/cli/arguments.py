"""The words of the command line. Only the parser of the command that was typed is built."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Container, Iterable, Sequence
from typing import Any, NoReturn

from blueline.surfaces.cli.command_table import COMMANDS, EVERYWHERE, HELP, HELP_GROUPS, Argument, OneOf
from blueline.surfaces.cli.plain_words import START
from blueline.surfaces.cli.request import UsageError
from blueline.surfaces.cli.terminal import screen_of

WIDEST_HELP = 96

UNPAGED = "--no-pager"
"""Who knows git writes it before the command, and there before any."""

DESCRIPTION = """\
Blueline shows what AI agents did to your files, so that you can keep it or take
it back: one hunk, some lines, a file, a tool call, a turn. Say `blueline init`
in a project, and let an agent work. Then `blueline` alone, on a terminal, goes
through what is undecided."""

SELECTORS = """\
SELECTOR is an id that `blueline list` prints (h… a hunk, c… a call, t… a turn),
a PATH, or PATH:10-20 for lines of a file as it is now. A word after -- is never
taken for an option.
"""

EXIT_CODES = """\
Exit codes: 0 done, 1 could not be done, 2 wrong usage, 3 a bug in Blueline,
4 a choice is needed, 10 the gate is closed, 130 interrupted.
"""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Knows how wide it is: to find out for itself it would load half the standard library."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(screen_of(sys.stdout, "auto", os.environ).width - 2, WIDEST_HELP))


class Parser(argparse.ArgumentParser):
    """Complains in Blueline's own way, and never guesses what a short form may mean."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(add_help=False, allow_abbrev=False, formatter_class=Formatter, **settings)

    def format_help(self) -> str:
        from blueline.surfaces.cli.help_pages import page

        more = page(self.prog.rpartition(" ")[2])
        return super().format_help() + (f"\n{more}" if more else "")

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"see: {self.prog} --help")


def parser(only: str = "") -> Parser:
    """The parser of all commands, or of one of them: building all takes longer than most commands."""
    top = Parser(
        prog="blueline",
        usage="blueline [OPTION…] COMMAND …",
        description=f"{DESCRIPTION}\n{_commands()}",
        epilog=SELECTORS + "\n" + EXIT_CODES,
    )
    _add(top, ())
    # Asked for the program's name, argparse would load all it needs to print help. It has no groups of
    # commands either: the description has them.
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", help=argparse.SUPPRESS, required=True, prog="blueline"
    )
    for name, command in COMMANDS.items():
        if only in ("", name):
            below = commands.add_parser(
                name,
                description=_sentence(command.help),
                epilog=SELECTORS if command.selects else None,
            )
            _add(below, command.takes)
    return top


def _commands() -> str:
    """All commands by what somebody is about to do, each with a line."""
    width = max(map(len, COMMANDS)) + 2
    lines = []
    for doing, names in HELP_GROUPS.items():
        lines += ["", f"{doing}:", *(f"  {name:{width}}{COMMANDS[name].help}" for name in names)]
    return "\n".join(lines)


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments. Fails with a UsageError, or leaves after printing the help or the version."""
    start = argparse.Namespace(**START)
    at = command_at(words)
    if at is None:
        return parser().parse_args(words, start)
    command = words[at]
    if command not in COMMANDS:
        raise UsageError(f"there is no command {command}", hint=_nearest(command))
    takes = [*COMMANDS[command].arguments()]
    with_value = {name for one in takes if one.takes_value for name in one.names}
    below = _options_first(words[at + 1 :], with_value)
    above = [word for word in words[:at] if word != UNPAGED]
    if len(above) < at and any(UNPAGED in one.names for one in takes):
        below.insert(0, UNPAGED)
    given, unknown = parser(command).parse_known_args([*above, command, *below], start)
    if unknown:
        named = " ".join(unknown)
        raise UsageError(f"unrecognized arguments: {named}", hint=f"see: blueline {command} --help")
    return given


def _options_first(words: Sequence[str], with_value: Container[str]) -> list[str]:
    """The same words in the only order that argparse takes: it wants all selectors side by side."""
    first: list[str] = []
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            return [*first, *others, "--", *rest]
        if not word.startswith("-") or word == "-":
            others.append(word)
            continue
        first.append(word)
        if word in with_value:
            first += [value for value in (next(rest, None),) if value is not None]
    return [*first, *others]


def command_at(words: Sequence[str]) -> int | None:
    """Where the command stands among the words; None if there is none, or if help stands before it."""
    numbered = iter(enumerate(words))
    for at, word in numbered:
        if word in ("-C", "--color"):
            next(numbered, None)
        elif word in ("-h", "--help"):
            return None
        elif not word.startswith("-"):
            return at
    return None


def _nearest(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    return f"did you mean: blueline {near[0]}" if near else "blueline --help lists all commands"


def _add(parser: argparse.ArgumentParser, takes: Iterable[Argument | OneOf]) -> None:
    parser.add_argument(*HELP.names, help=HELP.help, **HELP.settings)
    for one in takes:
        if isinstance(one, OneOf):
            group = parser.add_mutually_exclusive_group(required=one.required)
            for argument in one.arguments:
                group.add_argument(*argument.names, help=argument.help, **argument.settings)
        else:
            parser.add_argument(*one.names, help=one.help or argparse.SUPPRESS, **one.settings)
    everywhere = parser.add_argument_group("everywhere")
    for argument in EVERYWHERE:
        # No defaults here, or those of the command would undo what stands before it.
        settings = {**argument.settings, "default": argparse.SUPPRESS}
        everywhere.add_argument(*argument.names, help=argument.help, **settings)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
