"""Completion scripts for bash, zsh and fish, made from the command line's own parser.

Commands, options and choices are written into the script. Ids are asked for while the person types: wherever
an argument is a selector, the script runs `list --ids`, without a word when that fails, and offers file names
beside them.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

SHELLS = ("bash", "zsh", "fish")

# The option that picks another project: the ids offered must be that project's.
PROJECT_OPTION = "-C"


class Kind(Enum):
    """What a value stands for."""

    TEXT = auto()
    CHOICE = auto()
    SELECTOR = auto()
    PATH = auto()
    FOLDER = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    kind: Kind
    name: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    names: tuple[str, ...]
    help: str
    value: Value | None
    """None for a flag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletedCommand:
    name: str
    """Empty for the program itself."""
    help: str
    options: tuple[Option, ...]
    argument: Value | None
    """The first positional argument; the ones after it are taken to be of the same kind."""

    def option_names(self) -> list[str]:
        return [name for option in self.options for name in option.names]

    def names_with_value(self) -> list[str]:
        return [name for option in self.options if option.value for name in option.names]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    name: str
    top: CompletedCommand
    commands: tuple[CompletedCommand, ...]

    @property
    def function(self) -> str:
        """The start of the names of all functions in the script."""
        return "_" + re.sub(r"\W", "_", self.name)

    def all(self) -> tuple[CompletedCommand, ...]:
        return (self.top, *self.commands)


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The text to be sourced by one of `SHELLS`."""
    lines = _RENDERERS[shell](_program(parser))
    return "\n".join(lines) + "\n"


def _program(parser: argparse.ArgumentParser) -> Program:
    commands: list[CompletedCommand] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            # What the help does not list is not offered either.
            listed = {choice.dest: choice.help or "" for choice in action._choices_actions}
            commands += [_command(action.choices[name], name, text) for name, text in listed.items()]
    return Program(name=parser.prog, top=_command(parser, "", ""), commands=tuple(commands))


def _command(parser: argparse.ArgumentParser, name: str, text: str) -> CompletedCommand:
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    positional = [
        action
        for action in shown
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
    ]
    return CompletedCommand(
        name=name,
        help=text,
        options=tuple(_option(parser, action) for action in shown if action.option_strings),
        argument=_value(positional[0]) if positional else None,
    )


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Option:
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    value = None if action.nargs == 0 else _value(action)
    return Option(names=tuple(action.option_strings), help=text, value=value)


def _value(action: argparse.Action) -> Value:
    name = (action.metavar if isinstance(action.metavar, str) else action.dest).lower()
    if action.choices is not None:
        return Value(kind=Kind.CHOICE, name=name, choices=tuple(str(choice) for choice in action.choices))
    kinds = {
        "selector": Kind.SELECTOR,
        "path": Kind.PATH,
        "file": Kind.PATH,
        "dir": Kind.FOLDER,
        "folder": Kind.FOLDER,
    }
    return Value(kind=kinds.get(name, Kind.TEXT), name=name)


def _bash(program: Program) -> Iterator[str]:
    function = program.function
    skipping = "|".join(program.top.names_with_value())
    yield f"""\
# bash completion for {program.name}

{function}_words() {{
    COMPREPLY+=($(compgen -W "$1" -- "$cur"))
}}

{function}_files() {{
    local name
    # Fails outside of a completion and in old shells; only the marks on folders are lost.
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$cur")
}}

{function}_selectors() {{
    {function}_words "$({program.name} ${{project[@]+"${{project[@]}}"}} list --ids 2>/dev/null)"
    {function}_files -f
}}

{function}() {{
    local IFS=$' \\t\\n' cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command='' i
    local -a project=()
    COMPREPLY=()
    # The shell splits --name=value into three words.
    if [[ $cur == = ]]; then
        cur=''
    elif [[ $prev == = ]]; then
        prev=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${{COMP_WORDS[i]}} == {PROJECT_OPTION} ]] && project=({PROJECT_OPTION} "${{COMP_WORDS[i+1]}}")
        case ${{COMP_WORDS[i]}} in
            {skipping or "''"}) [[ $command ]] || ((i++)) ;;
            -*) ;;
            *) [[ $command ]] || command=${{COMP_WORDS[i]}} ;;
        esac
    done
    case "$command $prev" in"""
    for command in program.all():
        for option in command.options:
            if option.value:
                patterns = "|".join(f'"{command.name} {name}"' for name in option.names)
                yield f"        {patterns}) {_bash_offer(function, option.value)}; return ;;"
    yield "    esac"
    yield '    case "$command $cur" in'
    for command in program.all():
        words = shlex.quote(" ".join(command.option_names()))
        yield f'        "{command.name} -"*) {function}_words {words} ;;'
    names = shlex.quote(" ".join(command.name for command in program.commands))
    yield f'        " "*) {function}_words {names} ;;'
    for command in program.commands:
        if command.argument:
            yield f'        "{command.name} "*) {_bash_offer(function, command.argument)} ;;'
    yield "    esac"
    yield "}"
    yield ""
    yield f"complete -F {function} {program.name}"


def _bash_offer(function: str, value: Value) -> str:
    match value.kind:
        case Kind.TEXT:
            return ":"
        case Kind.CHOICE:
            return f"{function}_words {shlex.quote(' '.join(value.choices))}"
        case Kind.SELECTOR:
            return f"{function}_selectors"
        case Kind.PATH:
            return f"{function}_files -f"
        case Kind.FOLDER:
            return f"{function}_files -d"


def _zsh(program: Program) -> Iterator[str]:
    function = program.function
    yield f"""\
#compdef {program.name}

{function}_selectors() {{
    local -a ids
    ids=(${{(f)"$({program.name} $project list --ids 2>/dev/null)"}})
    compadd -a ids
    _files
}}

{function}() {{
    local curcontext=$curcontext state line
    local -a project commands
    typeset -A opt_args
    integer at=${{words[(I){PROJECT_OPTION}]}}
    (( at )) && project=({PROJECT_OPTION} ${{(Q)words[at+1]}})"""
    specs = [*_zsh_options(function, program.top), "'1:command:->command'", "'*::argument:->argument'"]
    yield "    _arguments -C \\"
    yield from _continued(specs, indent=" " * 8)
    yield "    case $state in"
    yield "        command)"
    yield "            commands=("
    for command in program.commands:
        yield f"                {shlex.quote(f'{command.name}:{command.help}')}"
    yield "            )"
    yield "            _describe command commands ;;"
    yield "        argument)"
    yield "            case $line[1] in"
    for command in program.commands:
        specs = _zsh_options(function, command)
        if command.argument:
            specs.append(shlex.quote(f"*:{command.argument.name}:{_zsh_offer(function, command.argument)}"))
        if specs:
            yield f"                {command.name})"
            yield "                    _arguments \\"
            *first, last = _continued(specs, indent=" " * 24)
            yield from first
            yield f"{last} ;;"
    yield f"""\
            esac ;;
    esac
}}

# Found by the shell on its path, this file is the body of the function; sourced, it has to register it.
if [[ $funcstack[1] == {function} ]]; then
    {function} "$@"
else
    compdef {function} {program.name}
fi"""


def _zsh_options(function: str, command: CompletedCommand) -> list[str]:
    specs = []
    for option in command.options:
        text = re.sub(r"([\\\[\]:])", r"\\\1", option.help)
        others = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
        value = f":{option.value.name}:{_zsh_offer(function, option.value)}" if option.value else ""
        specs += [shlex.quote(f"{others}{name}[{text}]{value}") for name in option.names]
    return specs


def _zsh_offer(function: str, value: Value) -> str:
    match value.kind:
        case Kind.TEXT:
            return " "
        case Kind.CHOICE:
            return f"({' '.join(value.choices)})"
        case Kind.SELECTOR:
            return f"{function}_selectors"
        case Kind.PATH:
            return "_files"
        case Kind.FOLDER:
            return "_files -/"


def _continued(words: list[str], *, indent: str) -> list[str]:
    """One word per line, all of one command."""
    return [f"{indent}{word} \\" for word in words[:-1]] + [indent + words[-1]]


def _fish(program: Program) -> Iterator[str]:
    function = program.function
    skipping = " ".join(program.top.names_with_value())
    yield f"""\
# fish completion for {program.name}

function _{function}_command_is
    set -l command ''
    set -l skip no
    for token in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
            continue
        end
        switch $token
            case {skipping or "''"}
                set skip yes
            case '-*'
            case '*'
                set command $token
                break
        end
    end
    test "$command" = "$argv[1]"
end

function _{function}_selectors
    set -l tokens (commandline -opc)
    set -l project
    if set -l at (contains -i -- {PROJECT_OPTION} $tokens)
        set project {PROJECT_OPTION} $tokens[(math $at + 1)]
    end
    {program.name} $project list --ids 2>/dev/null
end

complete -c {program.name} -f"""
    for command in program.commands:
        yield _fish_line(program, program.top, f"-a {command.name} -d {_fish_quote(command.help)}")
    for command in program.all():
        for option in command.options:
            names = " ".join(_fish_name(name) for name in option.names)
            value = f" {_fish_offer(function, option.value, required=True)}" if option.value else ""
            yield _fish_line(program, command, f"{names}{value} -d {_fish_quote(option.help)}")
        if command.argument and command.argument.kind is not Kind.TEXT:
            yield _fish_line(program, command, _fish_offer(function, command.argument, required=False))


def _fish_line(program: Program, command: CompletedCommand, rest: str) -> str:
    condition = _fish_quote(f"_{program.function}_command_is {_fish_quote(command.name)}")
    return f"complete -c {program.name} -n {condition} {rest}"


def _fish_name(name: str) -> str:
    if name.startswith("--"):
        return f"-l {name[2:]}"
    return f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"


def _fish_offer(function: str, value: Value, *, required: bool) -> str:
    exclusive, files = ("-x ", "-r -F") if required else ("", "-F")
    match value.kind:
        case Kind.TEXT:
            return exclusive.strip()
        case Kind.CHOICE:
            return f"{exclusive}-a {_fish_quote(' '.join(value.choices))}"
        case Kind.SELECTOR:
            return f"{files} -a '(_{function}_selectors)'"
        case Kind.PATH:
            return files
        case Kind.FOLDER:
            return f"{exclusive}-a '(__fish_complete_directories)'"


def _fish_quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_RENDERERS: dict[str, Callable[[Program], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
