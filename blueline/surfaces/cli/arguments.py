"""The words of the command line. Only the parser of the command that was typed is built."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import blueline
from blueline.surfaces.cli.request import UsageError
from blueline.surfaces.cli.terminal import screen_of

STATUSES = ("pending", "accepted", "rejected", "all")
GROUPS = ("hunk", "file", "call", "turn")
MODES = ("review", "hold", "direct")
FORMATS = ("json", "patch", "pending-edits")
AGENTS = ("claude-code", "codex", "gemini", "cursor", "opencode", "copilot", "windsurf")
FORGE_MODES = ("suggest-only", "suggest-and-commit", "commit-only", "hybrid")
FORGE_ACTIONS = ("handle-event", "serve", "fetch")
WIDEST_HELP = 96
SHELLS = ("bash", "zsh", "fish")

DESCRIPTION = """\
Blueline shows what AI agents did to your files, so that you can keep it or take
it back: one hunk, some lines, a file, a tool call, a turn."""

SELECTORS = """\
SELECTOR is an id that `blueline list` prints (h… a hunk, c… a call, t… a turn),
a PATH, or PATH:10-20 for lines of a file as it is now. A word after -- is never
taken for an option.
"""

EXIT_CODES = """\
Exit codes: 0 done, 1 could not be done, 2 wrong usage, 3 a bug in Blueline,
4 a choice is needed, 10 the gate is closed, 130 interrupted.
"""

SELECTOR_HELP = "what: an id, PATH or PATH:10-20"


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Knows how wide it is: to find out for itself it would load half the standard library."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(screen_of(sys.stdout, "auto", os.environ).width - 2, WIDEST_HELP))


class Parser(argparse.ArgumentParser):
    """Complains in Blueline's own way, and never guesses what a short form may mean."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=Formatter, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"see: {self.prog} --help")


class CommandSpec(NamedTuple):
    """One command: what the help says of it, its arguments, and where its function is."""

    help: str
    describe: Callable[[Parser], None]
    module: str
    selects: bool = False
    """Whether it takes selectors."""


def _init(parser: Parser) -> None:
    parser.add_argument(
        "--agent",
        dest="agents",
        action="append",
        choices=(*AGENTS, "all"),
        metavar="NAME",
        help=f"whose hooks: {', '.join(AGENTS)}, or all that are in use (can be given several times; "
        "default: all)",
    )
    parser.add_argument("--forge", choices=("github",), help="write the workflow that answers suggestions")
    parser.add_argument("--uninstall", action="store_true", help="take exactly these hooks out again")
    parser.add_argument("--loops", action="store_true", help="write loops that suit this project")
    parser.add_argument("--git-hooks", action="store_true", help="ask the gate before every commit and push")
    parser.add_argument("--yes", action="store_true", help="ask no questions")


def _none(parser: Parser) -> None:
    """A command without arguments of its own."""


def _list(parser: Parser) -> None:
    parser.add_argument("--by", choices=GROUPS, default="hunk", help="one line per … (default: %(default)s)")
    parser.add_argument(
        "--status", choices=STATUSES, default="pending", help="which ones (default: %(default)s)"
    )
    # For the shells' completion: nothing but the ids that accept and reject take.
    parser.add_argument("--ids", action="store_true", help=argparse.SUPPRESS)


def _selectors(parser: Parser) -> None:
    parser.add_argument("selectors", metavar="SELECTOR", nargs="*", help=SELECTOR_HELP)


def _show(parser: Parser) -> None:
    parser.add_argument("selector", metavar="SELECTOR", help=SELECTOR_HELP + ", or d… for a decision")


def _deciding(parser: Parser) -> None:
    _selectors(parser)
    parser.add_argument("--all", dest="everything", action="store_true", help="everything that is undecided")
    parser.add_argument("--reason", metavar="TEXT", default="", help="kept with the decision")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, and do nothing")


def _reject(parser: Parser) -> None:
    _deciding(parser)
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--with-dependents", action="store_true", help="take back what builds on it as well")
    others.add_argument("--keep-dependents", action="store_true", help="leave what builds on it as it is")


def _undo(parser: Parser) -> None:
    parser.add_argument(
        "decision", metavar="DECISION", nargs="?", help="which one: d… from the log (default: the last)"
    )


def _mode(parser: Parser) -> None:
    parser.add_argument("mode", nargs="?", choices=MODES, help="the mode to change to")


def _export(parser: Parser) -> None:
    parser.add_argument("--format", choices=FORMATS, default="json", help="default: %(default)s")


def _check(parser: Parser) -> None:
    parser.add_argument("--repair", action="store_true", help="put right what can be put right")


def _purge(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", help="files or folders to forget")
    parser.add_argument("--all", dest="everything", action="store_true", help="forget all files")
    parser.add_argument("--dry-run", action="store_true", help="say what would be removed, and do nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _demo(parser: Parser) -> None:
    parser.add_argument("folder", metavar="DIR", nargs="?", help="a folder to make (default: blueline-demo)")


def _ui(parser: Parser) -> None:
    parser.add_argument("--port", metavar="N", type=int, default=0, help="listen there (default: any free)")
    parser.add_argument("--no-open", dest="open", action="store_false", help="do not open a browser")
    parser.add_argument(
        "--project",
        dest="projects",
        metavar="DIR",
        action="append",
        default=[],
        help="a project to open (can be given several times; default: this one)",
    )


def _gate(parser: Parser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("override", "sign", "verify", "hook", "context"),
        help="override it, sign its answer, verify a signed one (default: ask it)",
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="verify, sign: a commit")
    parser.add_argument("--explain", action="store_true", help="every requirement, and how it is known")
    parser.add_argument("--commit", metavar="REV", default="", help="ask about a commit")
    parser.add_argument("--staged", action="store_true", help="ask about what is about to be committed")
    parser.add_argument("--reason", metavar="TEXT", default="", help="override: why")
    parser.add_argument("--expires", metavar="WHEN", default="", help="override: until when (2h, 3d, a date)")
    parser.add_argument("--key", metavar="FILE", default="", help="sign: an SSH key; verify: who may sign")
    parser.add_argument("--people", metavar="N", type=int, default=1, help="verify: how many have to sign")


def _review(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", help="more files or folders of the scope")
    parser.add_argument("--loops", metavar="N,…", default="1,2,3,4", help="which ones (default: %(default)s)")
    parser.add_argument(
        "--scope", metavar="WHAT", action="append", default=[], help="changed (default), all, or a path"
    )
    parser.add_argument("--preview", action="store_true", help="show what would be run, and run nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--events", action="store_true", help="say what happens as lines of JSON")


def _loop(parser: Parser) -> None:
    parser.add_argument("action", choices=("record",), help="report what was found")
    parser.add_argument("number", metavar="N", choices=("1", "2", "3", "4"), help="the loop: 1, 2, 3 or 4")
    outcome = parser.add_mutually_exclusive_group(required=True)
    outcome.add_argument("--passed", action="store_true", help="nothing stands in the way")
    outcome.add_argument("--failed", action="store_true", help="something does")
    parser.add_argument(
        "--issue",
        dest="issues",
        metavar="TEXT",
        action="append",
        default=[],
        help="[warning:][PATH:LINE:] what (can be given several times)",
    )


def _trust(parser: Parser) -> None:
    parser.add_argument("digest", metavar="DIGEST", nargs="?", help="exactly this content")
    parser.add_argument("--forget", action="store_true", help="trust nothing any more")


def _ship(parser: Parser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, and do nothing")
    parser.add_argument("--message", metavar="TEXT", default="", help="of the commit (default: proposed)")
    parser.add_argument("--no-pr", dest="pr", action="store_false", help="open no pull request")
    parser.add_argument("--key", metavar="FILE", default="", help="sign the gate's answer with this SSH key")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _thread(parser: Parser) -> None:
    thread = parser.add_mutually_exclusive_group()
    thread.add_argument("--issue", metavar="N", type=int, help="the issue")
    thread.add_argument("--pr", metavar="N", type=int, help="the pull request")
    _host(parser)


def _host(parser: Parser) -> None:
    parser.add_argument(
        "--repo", metavar="OWNER/NAME", help="the repository (default: where the clone is from)"
    )
    parser.add_argument("--api-url", metavar="URL", help="a GitHub of your own (default: GITHUB_API_URL)")


def _suggest(parser: Parser) -> None:
    parser.add_argument("selectors", metavar="SELECTOR", nargs="*", help=SELECTOR_HELP + " (default: all)")
    parser.add_argument("--range", metavar="A..B", help="what changed between two commits")
    parser.add_argument("--worktree", action="store_true", help="the work tree against the last commit")
    parser.add_argument(
        "--per-hunk", action="store_true", help="a suggestion for each hunk, not for each file"
    )
    parser.add_argument("--mode", choices=FORGE_MODES, help="what happens (default: as the config says)")
    parser.add_argument("--branch", metavar="NAME", help="where it is to go (default: the default branch)")
    parser.add_argument(
        "--rationale", metavar="N=TEXT", action="append", default=[], help="why number N is proposed"
    )
    parser.add_argument("--edit", action="store_true", help="type the rationales in an editor")
    parser.add_argument("--dry-run", action="store_true", help="show what would be posted, and do nothing")
    _thread(parser)


def _apply(parser: Parser) -> None:
    parser.add_argument("numbers", metavar="NUMBERS", nargs="+", help="all, or such as 1,3 or 2-4")
    parser.add_argument("--head", metavar="COMMIT", help="only if the branch is there")
    _thread(parser)


def _forge(parser: Parser) -> None:
    parser.add_argument("action", choices=FORGE_ACTIONS, help=" or ".join(FORGE_ACTIONS))
    parser.add_argument(
        "--port", metavar="N", type=int, default=0, help="serve: listen there (default: any free)"
    )
    parser.add_argument("--address", metavar="IP", help="serve: where to listen (default: only this machine)")
    parser.add_argument("--secret-file", metavar="FILE", help="serve: the webhook's secret")
    _host(parser)


def _chat(parser: Parser) -> None:
    parser.add_argument("prompt", metavar="PROMPT", nargs="*", help="what to begin with")
    parser.add_argument("--agent", metavar="NAME", default="", help="whom to talk to (default: the first)")
    parser.add_argument("--resume", metavar="ID", default="", help="go on with that conversation")
    parser.add_argument("--list", action="store_true", help="show the agents and the conversations")


def _completion(parser: Parser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=" or ".join(SHELLS))


COMMANDS = {
    "init": CommandSpec("set Blueline up in this project", _init, "init"),
    "status": CommandSpec("mode, counts and gate in one look", _none, "look_commands"),
    "review": CommandSpec("run the checks in four loops", _review, "review_commands"),
    "gate": CommandSpec("whether what is here may ship", _gate, "gate_commands"),
    "ship": CommandSpec("commit, push and open a pull request, through the gate", _ship, "ship_command"),
    "loop": CommandSpec("report how a loop of a review went", _loop, "review_commands"),
    "trust": CommandSpec("let the commands of the loops run", _trust, "review_commands"),
    "list": CommandSpec("what there is to decide", _list, "look_commands"),
    "diff": CommandSpec("the pending changes as a unified diff", _selectors, "look_commands", selects=True),
    "show": CommandSpec("one thing with all that is known of it", _show, "look_commands", selects=True),
    "accept": CommandSpec(
        "keep changes, as they are in the files", _deciding, "decide_commands", selects=True
    ),
    "reject": CommandSpec("take changes back, out of the files", _reject, "decide_commands", selects=True),
    "undo": CommandSpec("take back a decision, the last or any other", _undo, "decide_commands"),
    "redo": CommandSpec("make the decision stand that was undone last", _none, "decide_commands"),
    "log": CommandSpec("turns, calls and decisions, newest first", _none, "look_commands"),
    "watch": CommandSpec("take in edits as they are made, until stopped", _none, "watch_command"),
    "mode": CommandSpec("show or set how edits arrive", _mode, "house_commands"),
    "ui": CommandSpec("open the workbench in a browser", _ui, "ui"),
    "chat": CommandSpec("talk to an agent, and keep or take back its turns", _chat, "chat_command"),
    "mcp": CommandSpec("serve the tools to an agent, as an MCP server", _none, "mcp_command"),
    "suggest": CommandSpec(
        "offer changes on GitHub, to be taken one by one", _suggest, "forge_commands", selects=True
    ),
    "apply": CommandSpec("apply suggestions of an issue or pull request", _apply, "forge_commands"),
    "forge": CommandSpec("answer what people say to suggestions", _forge, "forge_commands"),
    "export": CommandSpec("the review state for other programs", _export, "house_commands"),
    "check": CommandSpec("verify all that is stored", _check, "house_commands"),
    "purge": CommandSpec("really remove stored content", _purge, "house_commands"),
    "demo": CommandSpec("a sample project, with agent work to decide on", _demo, "demo"),
    "completion": CommandSpec("print the completion script for a shell", _completion, "house_commands"),
}


def parser(only: str = "") -> Parser:
    """The parser of all commands, or of one of them: building all takes longer than most commands."""
    top = Parser(prog="blueline", description=DESCRIPTION, epilog=SELECTORS + "\n" + EXIT_CODES)
    _everywhere(top)
    # Asked for the program's name, argparse would load all it needs to print help.
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", required=True, prog="blueline"
    )
    for name, command in COMMANDS.items():
        if only in ("", name):
            below = commands.add_parser(
                name,
                help=command.help,
                description=_sentence(command.help),
                epilog=SELECTORS if command.selects else None,
            )
            command.describe(below)
            _everywhere(below)
    return top


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments. Fails with a UsageError, or leaves after printing the help or the version."""
    start = argparse.Namespace(directory=".", json=False, color="auto")
    at = command_at(words)
    if at is None:
        return parser().parse_args(words, start)
    command = words[at]
    if command not in COMMANDS:
        raise UsageError(f"there is no command {command}", hint=_nearest(command))
    top = parser(command)
    below = _options_first(words[at + 1 :], _options_of(top, command))
    return top.parse_args([*words[: at + 1], *below], start)


def _options_of(top: Parser, command: str) -> dict[str, argparse.Action]:
    (commands,) = (action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    below: argparse.ArgumentParser = commands.choices[command]
    return below._option_string_actions


def _options_first(words: Sequence[str], options: Mapping[str, argparse.Action]) -> list[str]:
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
        if word in options and options[word].nargs is None:
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


def _everywhere(parser: Parser) -> None:
    """Options that may stand before or after the command."""
    group = parser.add_argument_group("everywhere")
    # No defaults here, or those of the command would undo what stands before it.
    none = argparse.SUPPRESS
    group.add_argument("-C", dest="directory", metavar="DIR", default=none, help="work in that folder")
    group.add_argument("--json", action="store_true", default=none, help="answer in JSON")
    group.add_argument("--color", choices=("auto", "always", "never"), default=none, help="default: auto")
    version = f"blueline {blueline.__version__}"
    group.add_argument("--version", action="version", version=version, help="print the version")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
