"""Completion: what bash really offers, and the text the other shells get.

zsh and fish may not be on the machine that runs the tests, so their scripts are kept here as they were when
they were tried by hand in both shells (zsh 5.9, fish 3.6). Try them again before changing a line below.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from blueline.surfaces.cli.command_table import SHELLS, argument
from blueline.surfaces.cli.completion import CompletedCommand, Program, script

Offers = Callable[..., list[str]]

# Stands in for the command: knows the ids of this project, and others with -C.
STUB = """\
#!/bin/sh
case "$*" in
    "list --ids --described") printf 'h4f2a9c1\\ta.py:3 old\\nh77\\tb.py:1 new\\nt1\\t2 hunks\\n' ;;
    "-C sub list --ids --described") printf 'h_of_sub\\n' ;;
    *) echo "unexpected: $*" >&2; exit 1 ;;
esac
"""

# Runs the function as readline does, and prints what it found.
RUN = """\
source "$0"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMP_TYPE=$ASKED
_blueline
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""


SMALL = Program(
    "blueline",
    CompletedCommand("", "", (argument("-C", metavar="DIR", help="elsewhere"),)),
    (
        CompletedCommand(
            "list",
            "what there is to decide",
            (
                argument("--by", choices=("hunk", "turn"), default="hunk", help="[hunk]: how"),
                argument("--ids", action="store_true"),
            ),
        ),
        CompletedCommand(
            "reject",
            "it's taken back",
            (
                argument("selectors", metavar="SELECTOR", nargs="*"),
                argument("-r", "--reason", metavar="TEXT", help="why"),
            ),
        ),
        CompletedCommand("mode", "show or set", (argument("mode", nargs="?", choices=("review", "hold")),)),
    ),
)


@pytest.fixture
def offers(tmp_path: Path) -> Offers:
    """What bash offers for the last of some words, in a folder with a few files."""
    for name in ("bin", "here", "here/sub"):
        (tmp_path / name).mkdir()
    for name in ("hello.md", "two words.md"):
        (tmp_path / "here" / name).touch()
    stub = tmp_path / "bin" / "blueline"
    stub.write_text(STUB)
    stub.chmod(0o755)
    completion = tmp_path / "completion.bash"
    completion.write_text(script("bash", SMALL))

    def run(*words: str, listed: bool = False) -> list[str]:
        done = subprocess.run(
            ["bash", "--norc", "-c", RUN, str(completion), "blueline", *words],
            cwd=tmp_path / "here",
            env={"PATH": f"{stub.parent}:{os.environ['PATH']}", "ASKED": "63" if listed else "9"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return sorted(done.stdout.splitlines())

    return run


def test_commands_are_offered_first(offers: Offers) -> None:
    assert offers("") == ["list", "mode", "reject"]
    assert offers("re") == ["reject"]
    assert offers("-C", "sub", "") == ["list", "mode", "reject"]


def test_options_are_those_of_the_command(offers: Offers) -> None:
    assert offers("-") == ["-C"]
    assert offers("list", "-") == ["--by"]
    assert offers("reject", "h77", "--") == ["--reason"]


def test_a_choice_is_offered_with_a_space_or_an_equals_sign(offers: Offers) -> None:
    assert offers("list", "--by", "") == ["hunk", "turn"]
    assert offers("list", "--by", "t") == ["turn"]
    assert offers("list", "--by", "=") == ["hunk", "turn"]
    assert offers("list", "--by", "=", "t") == ["turn"]
    assert offers("mode", "h") == ["hold"]


def test_ids_and_files_are_offered_as_selectors(offers: Offers) -> None:
    assert offers("reject", "h") == ["h4f2a9c1", "h77", "hello.md"]
    assert offers("reject", "h77", "t") == ["t1", "two words.md"]


def test_a_list_of_ids_says_what_they_are(offers: Offers) -> None:
    assert offers("reject", "h", listed=True) == ["h4f2a9c1  a.py:3 old", "h77  b.py:1 new", "hello.md"]
    assert offers("reject", "h4", listed=True) == ["h4f2a9c1"]


def test_the_ids_are_those_of_the_project_asked_for(offers: Offers) -> None:
    assert offers("-C", "sub", "reject", "h_") == ["h_of_sub"]


def test_only_files_are_offered_when_there_are_no_ids(offers: Offers) -> None:
    assert offers("-C", "elsewhere", "reject", "h") == ["hello.md"]


def test_folders_are_offered_where_a_folder_is_meant(offers: Offers) -> None:
    assert offers("-C", "") == ["sub"]


def test_nothing_is_offered_for_free_text(offers: Offers) -> None:
    assert offers("reject", "--reason", "") == []


@pytest.mark.parametrize("shell", SHELLS)
def test_what_the_help_hides_is_in_no_script(shell: str) -> None:
    text = script(shell, SMALL)
    # Called by the script itself, but never offered.
    assert "--ids[" not in text
    assert "-l ids" not in text


def test_the_script_for_zsh() -> None:
    assert script("zsh", SMALL) == ZSH


def test_the_script_for_fish() -> None:
    assert script("fish", SMALL) == FISH


ZSH = r"""#compdef blueline

_blueline_selectors() {
    local -a ids shown
    local each
    for each in ${(f)"$(blueline $project list --ids --described 2>/dev/null)"}; do
        ids+=(${each%%$'\t'*})
        shown+=("${each/$'\t'/  }")
    done
    compadd -l -d shown -a ids
    _files
}

_blueline() {
    local curcontext=$curcontext state line
    local -a project commands
    typeset -A opt_args
    integer at=${words[(I)-C]}
    (( at )) && project=(-C ${(Q)words[at+1]})
    _arguments -C \
        '-C[elsewhere]:dir:_files -/' \
        '1:command:->command' \
        '*::argument:->argument'
    case $state in
        command)
            commands=(
                'list:what there is to decide'
                'reject:it'"'"'s taken back'
                'mode:show or set'
            )
            _describe command commands ;;
        argument)
            case $line[1] in
                list)
                    _arguments \
                        '--by[\[hunk\]\: how]:by:(hunk turn)' ;;
                reject)
                    _arguments \
                        '(-r --reason)-r[why]:text: ' \
                        '(-r --reason)--reason[why]:text: ' \
                        '*:selector:_blueline_selectors' ;;
                mode)
                    _arguments \
                        '*:mode:(review hold)' ;;
            esac ;;
    esac
}

# Found by the shell on its path, this file is the body of the function; sourced, it has to register it.
if [[ $funcstack[1] == _blueline ]]; then
    _blueline "$@"
else
    compdef _blueline blueline
fi
"""

FISH = r"""# fish completion for blueline

function __blueline_command_is
    set -l command ''
    set -l skip no
    for token in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
            continue
        end
        switch $token
            case -C
                set skip yes
            case '-*'
            case '*'
                set command $token
                break
        end
    end
    test "$command" = "$argv[1]"
end

function __blueline_selectors
    set -l tokens (commandline -opc)
    set -l project
    if set -l at (contains -i -- -C $tokens)
        set project -C $tokens[(math $at + 1)]
    end
    blueline $project list --ids --described 2>/dev/null
end

complete -c blueline -f
complete -c blueline -n '__blueline_command_is \'\'' -a list -d 'what there is to decide'
complete -c blueline -n '__blueline_command_is \'\'' -a reject -d 'it\'s taken back'
complete -c blueline -n '__blueline_command_is \'\'' -a mode -d 'show or set'
complete -c blueline -n '__blueline_command_is \'\'' -s C -x -a '(__fish_complete_directories)' -d 'elsewhere'
complete -c blueline -n '__blueline_command_is \'list\'' -l by -x -a 'hunk turn' -d '[hunk]: how'
complete -c blueline -n '__blueline_command_is \'reject\'' -s r -l reason -x -d 'why'
complete -c blueline -n '__blueline_command_is \'reject\'' -F -a '(__blueline_selectors)'
complete -c blueline -n '__blueline_command_is \'mode\'' -a 'review hold'
"""
