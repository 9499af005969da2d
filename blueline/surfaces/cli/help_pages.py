"""What the help of a command says besides its options, for somebody who knows git and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from blueline.surfaces.cli import walk_text
from blueline.surfaces.cli.command_table import SHELLS
from blueline.surfaces.cli.listing_text import MODES
from blueline.surfaces.cli.request import joined
from blueline.surfaces.cli.terminal import Screen

WIDTH = 78


def page(command: str) -> str:
    """The lines that come after a command's options; nothing for most."""
    match command:
        case "mode":
            return _table(MODES.items())
        case "walk":
            return f"{_WALK}\n{joined(walk_text.keys(Screen(width=WIDTH)))}"
        case "completion":
            return _table((shell, _COMPLETION[shell]) for shell in SHELLS)
        case _:
            return PAGES.get(command, "")


PAGES = {
    "init": """\
Finds which agents are in use, and puts hooks into their settings that record
what they change in this project. It says which files it writes, and run twice
it changes nothing. Then let an agent work, and go through it: blueline

  blueline init --user        once, for all your git repositories
  blueline init --uninstall   takes out exactly what was put in
""",
    "status": """\
--short prints nothing where nothing is undecided, or else the number of
changes, with + if more was recorded since somebody looked, and * while an
agent works.
""",
    "list": """\
  blueline list src --since 2h          what came there in the last two hours
  blueline list --by turn --status all  every turn, and what became of it
""",
    "diff": """\
What agents changed and nobody has decided about, with the id of each hunk at
its @@. It can be applied: blueline diff | git apply -R --check
""",
    "blame": """\
As git blame: the turn that wrote a line, the agent and the day. Lines that
are older have git's commit and author, a * stands at what is undecided, and
`you` is whoever typed without an agent.
""",
    "reject": """\
What you typed yourself stays. What other changes build on is asked about on a
terminal; elsewhere it ends with exit code 4, and one of --with-dependents and
--keep-dependents says what is meant.
""",
    "gate": """\
Exit code 0 if it may ship, and 10 if not: blueline gate && git push

  override  let it pass all the same, with --reason, until --expires
  sign      sign the answer about a commit, with --key
  verify    whether the answer about a commit was signed, by keys of --key
  hook      what git's hooks start (init --git-hooks)
  context   what the agents' commands /review and /ship start
""",
    "loop": """\
For the agent that does a review: it reports what a loop has found.
""",
    "trust": """\
Shows the commands that this project's review would run, and asks. Without a
terminal, name the DIGEST that blueline review --preview prints.
""",
    "forge": """\
  handle-event  in a GitHub Action: deal with the comment that started it
  serve         listen for webhooks until stopped
  fetch         hand on to the agents here what people answered
""",
    "hub": """\
  serve     run a process of the hub
  invite    let a machine in, or with --person somebody with a browser
  people    who is known, with a number each
  sign-out  make a person of that NUMBER a stranger in all browsers
  report    what became of agents' work, over all projects
  join      in a project: send what is recorded to the hub at URL
  restore   go on in DIR with a PROJECT whose machine is gone
""",
    "export": """\
  json           hunks of every status, turns, calls, the log and the gate
  patch          as blueline diff
  pending-edits  the undecided Edit and Write calls, each with what it replaced
""",
    "check": """\
Reads everything that is stored, and compares it: records, contents, index,
files. --repair makes a wrong index anew and clears away contents that no
record names. What is lost cannot be made up: it says which files to look at.
""",
    "purge": """\
For files in which everything is decided: what they held is removed for good,
and no decision about it can be taken back. Your own files are not touched.
""",
}

_WALK = """\
As `git add -p`: one change after the other, and a letter with Enter for each.
"""

_COMPLETION = {
    "bash": 'in ~/.bashrc: eval "$(blueline completion bash)"',
    "zsh": 'in ~/.zshrc, after compinit: eval "$(blueline completion zsh)"',
    "fish": "in ~/.config/fish/config.fish: blueline completion fish | source",
}


def _table(rows: Iterable[tuple[str, str]]) -> str:
    found = [*rows]
    width = max(len(name) for name, _ in found)
    return "".join(f"  {name.ljust(width)}  {meaning}\n" for name, meaning in found)
