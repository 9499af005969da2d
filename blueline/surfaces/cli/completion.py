"""Completion scripts for bash, zsh and fish, made from the table of commands.

Commands, options and choices are written into the script. Ids are asked for while the person types: wherever
an argument is a selector, the script runs `list --ids --described`, without a word when that fails, and
offers file names beside them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from blueline.surfaces.cli.command_table import COMMANDS, EVERYWHERE, HELP, Argument

# The option that picks another project: the ids offered must be that project's.
PROJECT_OPTION = "-C"


class Kind(Enum):
    """What a value stands for."""

    TEXT = auto()
    CHOICE = auto()
    SELECTOR = auto()
    PATH = auto()
    FOLDER = auto()


KINDS = {
    "selector": Kind.SELECTOR,
    "path": Kind.PATH,
    "file": Kind.PATH,
    "dir": Kind.FOLDER,
    "folder": Kind.FOLDER,
}


def kind_of(argument: Argument) -> Kind:
    return Kind.CHOICE if argument.choices else KINDS.get(argument.value, Kind.TEXT)


class CompletedCommand(NamedTuple):
    name: str
    """Empty for the program itself."""
    help: str
    arguments: tuple[Argument, ...]

    @property
    def options(self) -> list[Argument]:
        """What the help does not tell of is not offered either."""
        return [one for one in self.arguments if one.is_option and one.help]

    @property
    def argument(self) -> Argument | None:
        """The first positional argument; the ones after it are taken to be of the same kind."""
        return next((one for one in self.arguments if not one.is_option), None)

    def option_names(self) -> list[str]:
        return [name for option in self.options for name in option.names]

    def names_with_value(self) -> list[str]:
        return [name for option in self.options if option.takes_value for name in option.names]


class Program(NamedTuple):
    name: str
    top: CompletedCommand
    commands: tuple[CompletedCommand, ...]

    @property
    def function(self) -> str:
        """The start of the names of all functions in the script."""
        return "_" + re.sub(r"\W", "_", self.name)

    def all(self) -> tuple[CompletedCommand, ...]:
        return (self.top, *self.commands)


BLUELINE = Program(
    "blueline",
    CompletedCommand("", "", (HELP, *EVERYWHERE)),
    tuple(
        CompletedCommand(name, command.help, tuple(command.arguments())) for name, command in COMMANDS.items()
    ),
)


def script(shell: str, program: Program = BLUELINE) -> str:
    """The text to be sourced by one of `SHELLS`."""
    return "\n".join(_RENDERERS[shell](program)) + "\n"


def _bash(program: Program) -> Iterator[str]:
    function = program.function
    yield _bash_helpers(program)
    yield _bash_beginning(program)
    for command in program.all():
        for option in command.options:
            if option.takes_value:
                patterns = "|".join(f'"{command.name} {name}"' for name in option.names)
                yield f"        {patterns}) {_bash_offer(function, option)}; return ;;"
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


def _bash_helpers(program: Program) -> str:
    function = program.function
    return f"""\
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
    local id about
    local -a ids=() shown=()
    while IFS=$'\\t' read -r id about; do
        [[ $id == "$cur"* ]] && ids+=("$id") && shown+=("$id  $about")
    done < <({program.name} ${{project[@]+"${{project[@]}}"}} list --ids --described 2>/dev/null)
    {function}_files -f
    # Only a list of several is read by somebody; one alone is typed.
    if ((${{#ids[@]}} > 1)) && [[ ${{COMP_TYPE-}} == 63 ]]; then
        # Of file names only the last part would be shown.
        compopt +o filenames 2>/dev/null
        COMPREPLY+=("${{shown[@]}}")
    elif ((${{#ids[@]}} > 0)); then
        COMPREPLY+=("${{ids[@]}}")
    fi
}}
"""


def _bash_beginning(program: Program) -> str:
    """Up to the first choice: what is typed so far, and of which project."""
    skipping = "|".join(program.top.names_with_value())
    return f"""\
{program.function}() {{
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


def _bash_offer(function: str, argument: Argument) -> str:
    match kind_of(argument):
        case Kind.TEXT:
            return ":"
        case Kind.CHOICE:
            return f"{function}_words {shlex.quote(' '.join(argument.choices))}"
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
    local -a ids shown
    local each
    for each in ${{(f)"$({program.name} $project list --ids --described 2>/dev/null)"}}; do
        ids+=(${{each%%$'\\t'*}})
        shown+=("${{each/$'\\t'/  }}")
    done
    compadd -l -d shown -a ids
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
            specs.append(shlex.quote(f"*:{command.argument.value}:{_zsh_offer(function, command.argument)}"))
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
        value = f":{option.value}:{_zsh_offer(function, option)}" if option.takes_value else ""
        specs += [shlex.quote(f"{others}{name}[{text}]{value}") for name in option.names]
    return specs


def _zsh_offer(function: str, argument: Argument) -> str:
    match kind_of(argument):
        case Kind.TEXT:
            return " "
        case Kind.CHOICE:
            return f"({' '.join(argument.choices)})"
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
    {program.name} $project list --ids --described 2>/dev/null
end

complete -c {program.name} -f"""
    for command in program.commands:
        yield _fish_line(program, program.top, f"-a {command.name} -d {_fish_quote(command.help)}")
    for command in program.all():
        for option in command.options:
            names = " ".join(_fish_name(name) for name in option.names)
            value = f" {_fish_offer(function, option, required=True)}" if option.takes_value else ""
            yield _fish_line(program, command, f"{names}{value} -d {_fish_quote(option.help)}")
        if command.argument and kind_of(command.argument) is not Kind.TEXT:
            yield _fish_line(program, command, _fish_offer(function, command.argument, required=False))


def _fish_line(program: Program, command: CompletedCommand, rest: str) -> str:
    condition = _fish_quote(f"_{program.function}_command_is {_fish_quote(command.name)}")
    return f"complete -c {program.name} -n {condition} {rest}"


def _fish_name(name: str) -> str:
    if name.startswith("--"):
        return f"-l {name[2:]}"
    return f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"


def _fish_offer(function: str, argument: Argument, *, required: bool) -> str:
    exclusive, files = ("-x ", "-r -F") if required else ("", "-F")
    match kind_of(argument):
        case Kind.TEXT:
            return exclusive.strip()
        case Kind.CHOICE:
            return f"{exclusive}-a {_fish_quote(' '.join(argument.choices))}"
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
