"""The commands, their arguments and options, and where the function of each is."""

from __future__ import annotations

import blueline

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

STATUSES = ("pending", "accepted", "rejected", "all")
GROUPS = ("hunk", "file", "call", "turn")
MODES = ("review", "hold", "direct")
FORMATS = ("json", "patch", "pending-edits")
AGENTS = ("claude-code", "codex", "gemini", "cursor", "opencode", "copilot", "windsurf")
FORGE_MODES = ("suggest-only", "suggest-and-commit", "commit-only", "hybrid")
FORGE_ACTIONS = ("handle-event", "serve", "fetch")
HUB_ROLES = ("reader", "reviewer", "owner")
HUB_ACTIONS = ("serve", "invite", "people", "sign-out", "report", "join", "restore")
SHELLS = ("bash", "zsh", "fish")

SELECTOR_HELP = "what: an id, PATH or PATH:10-20"


class Argument:
    """Something that a command takes: an option, or words without a name."""

    __slots__ = ("help", "names", "settings")

    def __init__(self, names: tuple[str, ...], help: str, settings: Mapping[str, Any]) -> None:
        self.names = names
        self.help = help
        """Empty if nobody is told of it."""
        self.settings = settings
        """As argparse calls them."""

    @property
    def is_option(self) -> bool:
        return self.names[0].startswith("-")

    @property
    def takes_value(self) -> bool:
        return self.settings.get("action") in (None, "append")

    @property
    def value(self) -> str:
        """What its value is called in the help."""
        return str(self.settings.get("metavar") or self.names[0].lstrip("-")).lower()

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(self.settings.get("choices", ()))


class OneOf:
    """Options of which one may be given."""

    __slots__ = ("arguments", "required")

    def __init__(self, arguments: tuple[Argument, ...], required: bool = False) -> None:
        self.arguments = arguments
        self.required = required


class CommandSpec:
    """One command: what the help says of it, its arguments, and where its function is."""

    __slots__ = ("extra", "help", "module", "selects", "takes")

    def __init__(
        self,
        help: str,
        takes: tuple[Argument | OneOf, ...],
        module: str,
        selects: bool = False,
        extra: str = "",
    ) -> None:
        self.help = help
        self.takes = takes
        self.module = module
        self.selects = selects
        """Whether it takes selectors."""
        self.extra = extra
        """What has to be installed for it besides the base."""

    def arguments(self) -> Iterator[Argument]:
        """Its own, and those of every command."""
        yield HELP
        for one in (*self.takes, *EVERYWHERE):
            yield from one.arguments if isinstance(one, OneOf) else (one,)


def argument(*names: str, help: str = "", **settings: Any) -> Argument:
    return Argument(names, help, settings)


HELP = argument("-h", "--help", action="help", help="show this help message and exit")

EVERYWHERE = (
    argument("-C", dest="directory", metavar="DIR", help="work in that folder"),
    argument("--json", action="store_true", help="answer in JSON"),
    argument("--color", choices=("auto", "always", "never"), help="default: auto"),
    argument(
        "--version",
        action="version",
        version=f"blueline {blueline.__version__}",
        help="print the version",
    ),
)
"""Options that may stand before or after the command."""

_INIT = (
    argument(
        "--agent",
        dest="agents",
        action="append",
        choices=(*AGENTS, "all"),
        metavar="NAME",
        help=f"whose hooks: {', '.join(AGENTS)}, or all that are in use (can be given several times; "
        "default: all)",
    ),
    argument("--forge", choices=("github",), help="write the workflow that answers suggestions"),
    argument(
        "--editor",
        dest="editors",
        action="append",
        choices=("vscode", "neovim"),
        metavar="NAME",
        help="install the plugin for an editor, and nothing else: vscode, neovim",
    ),
    argument("--user", action="store_true", help="in your own settings, for all your git repositories"),
    argument("--uninstall", action="store_true", help="take exactly these hooks out again"),
    argument("--loops", action="store_true", help="write loops that suit this project"),
    argument("--git-hooks", action="store_true", help="ask the gate before every commit, merge and push"),
    argument("--shared-hooks", action="store_true", help="even if core.hooksPath is not this project's own"),
    argument("--yes", action="store_true", help="ask no questions"),
)

_STATUS = (argument("--short", action="store_true", help="how much is undecided in a word, for prompts"),)

_WISH = (
    argument("--agent", metavar="NAME", default="", help="only what that agent did"),
    argument("--since", metavar="WHEN", default="", help="only since then: 2h, 3d, yesterday, a date"),
    argument("--turn", metavar="TURN", default="", help="only of that turn (t3)"),
)

_PAGED = argument("--no-pager", dest="pager", action="store_false", help="print all at once")

_LIST = (
    argument("selectors", metavar="PATH", nargs="*", help="only there (default: everywhere); or an id"),
    *_WISH,
    _PAGED,
    argument("--by", choices=GROUPS, default="hunk", help="one line per … (default: hunk)"),
    argument("--status", choices=STATUSES, default="pending", help="which ones (default: pending)"),
    # For the shells' completion: nothing but the ids that accept and reject take.
    argument("--ids", action="store_true"),
    argument("--described", action="store_true"),
)

_SELECTORS = (argument("selectors", metavar="SELECTOR", nargs="*", help=SELECTOR_HELP),)

_DIFF = (
    *_SELECTORS,
    OneOf(
        (
            argument("--stat", action="store_true", help="how much of each file"),
            argument("--name-only", action="store_true", help="only the names of the files"),
            argument("--word", action="store_true", help="word by word"),
        )
    ),
    _PAGED,
)

_SHOW = (
    argument("selector", metavar="SELECTOR", help=SELECTOR_HELP + ", or d… for a decision"),
    _PAGED,
)

_LOG = (
    argument("selectors", metavar="PATH", nargs="*", help="only what is about that; or an id"),
    argument("--oneline", action="store_true", help="a line for each entry"),
    *_WISH,
    _PAGED,
)

_REPORT = (
    argument("--since", metavar="WHEN", default="", help="only since then: 2h, 3d, yesterday, a date"),
    argument("--html", action="store_true", help="as a page with plots, which needs nothing else"),
    _PAGED,
)

_BLAME = (argument("path", metavar="PATH", help="a file"), _PAGED)

_DECIDING = (
    *_SELECTORS,
    argument("--all", dest="everything", action="store_true", help="everything that is undecided"),
    argument("--reason", metavar="TEXT", default="", help="kept with the decision"),
    argument("--dry-run", action="store_true", help="say what would happen, and do nothing"),
)

_ACCEPT = (
    *_DECIDING,
    argument("--committed", action="store_true", help="everything that you have committed as it is"),
)

_REJECT = (
    *_DECIDING,
    OneOf(
        (
            argument("--with-dependents", action="store_true", help="take back what builds on it as well"),
            argument("--keep-dependents", action="store_true", help="leave what builds on it as it is"),
        )
    ),
)

_UNDO = (
    argument(
        "decision", metavar="DECISION", nargs="?", help="which one: d… from the log (default: the last)"
    ),
)

_MODE = (argument("mode", nargs="?", choices=MODES, help="the mode to change to"),)

_EXPORT = (argument("--format", choices=FORMATS, default="json", help="default: json"),)

_CHECK = (argument("--repair", action="store_true", help="put right what can be put right"),)

_PROJECTS = (
    argument("--forget", metavar="WHICH", default="", help="remove what is stored about that key or folder"),
    argument("--yes", action="store_true", help="do not ask"),
)

_PURGE = (
    argument("paths", metavar="PATH", nargs="*", help="files or folders to forget"),
    argument("--all", dest="everything", action="store_true", help="forget all files"),
    argument(
        "--older",
        metavar="DURATION",
        default="",
        help="what files held before that, where it is decided: 90d, 12w, or a date",
    ),
    argument("--and-words", action="store_true", help="prompts, commands, reasons and notes about them, too"),
    argument("--dry-run", action="store_true", help="say what would be removed, and do nothing"),
    argument("--yes", action="store_true", help="do not ask"),
)

_DEMO = (argument("folder", metavar="DIR", nargs="?", help="a folder to make (default: blueline-demo)"),)

_UI = (
    argument("--port", metavar="N", type=int, help="listen there (default: the project's own; 0: any free)"),
    argument(
        "--public-url",
        metavar="URL",
        default="",
        help="where a browser elsewhere has it, by a forwarded port",
    ),
    argument("--no-open", dest="open", action="store_false", help="do not open a browser"),
    argument(
        "--project",
        dest="projects",
        metavar="DIR",
        action="append",
        default=[],
        help="a project to open (can be given several times; default: this one)",
    ),
)

# Many editors' plugins add it to whatever they start; there is no other way to speak here.
_LSP = (argument("--stdio", action="store_true"),)

_GATE = (
    argument(
        "action",
        nargs="?",
        choices=("override", "sign", "verify", "hook", "context"),
        help="override it, sign its answer, verify a signed one (default: ask it)",
    ),
    argument("words", nargs="*", metavar="WORD", help="verify, sign: a commit"),
    argument("--explain", action="store_true", help="every requirement, and how it is known"),
    argument("--commit", metavar="REV", default="", help="ask about a commit"),
    argument("--staged", action="store_true", help="ask about what is about to be committed"),
    argument("--reason", metavar="TEXT", default="", help="override: why"),
    argument("--expires", metavar="WHEN", default="", help="override: until when (2h, 3d, a date)"),
    argument("--key", metavar="FILE", default="", help="sign: an SSH key; verify: who may sign"),
    argument("--people", metavar="N", type=int, default=1, help="verify: how many have to sign"),
    argument("--base", metavar="REV", default="", help="verify: the commit whose loops count"),
)

_REVIEW = (
    argument("paths", metavar="PATH", nargs="*", help="more files or folders of the scope"),
    argument("--loops", metavar="N,…", default="1,2,3,4", help="which ones (default: 1,2,3,4)"),
    argument(
        "--scope", metavar="WHAT", action="append", default=[], help="changed (default), all, or a path"
    ),
    argument("--preview", action="store_true", help="show what would be run, and run nothing"),
    argument("--yes", action="store_true", help="do not ask"),
    argument("--events", action="store_true", help="say what happens as lines of JSON"),
)

_LOOP = (
    argument("action", choices=("record",), help="report what was found"),
    argument("number", metavar="N", choices=("1", "2", "3", "4"), help="the loop: 1, 2, 3 or 4"),
    OneOf(
        (
            argument("--passed", action="store_true", help="nothing stands in the way"),
            argument("--failed", action="store_true", help="something does"),
        ),
        required=True,
    ),
    argument(
        "--issue",
        dest="issues",
        metavar="TEXT",
        action="append",
        default=[],
        help="[warning:][PATH:LINE:] what (can be given several times)",
    ),
)

_TRUST = (
    argument("digest", metavar="DIGEST", nargs="?", help="exactly this content"),
    argument("--forget", action="store_true", help="trust nothing any more"),
)

_SHIP = (
    argument("--dry-run", action="store_true", help="say what would happen, and do nothing"),
    argument("--message", metavar="TEXT", default="", help="of the commit (default: proposed)"),
    argument("--no-pr", dest="pr", action="store_false", help="open no pull request"),
    argument("--key", metavar="FILE", default="", help="sign the gate's answer with this SSH key"),
    argument("--yes", action="store_true", help="do not ask"),
)

_HOST = (
    argument("--repo", metavar="OWNER/NAME", help="the repository (default: where the clone is from)"),
    argument("--api-url", metavar="URL", help="the API of a host of your own: …/api/v3, v4 or v1"),
)

_THREAD = (
    OneOf(
        (
            argument("--issue", metavar="N", type=int, help="the issue"),
            argument("--pr", "--mr", metavar="N", type=int, help="the pull request, or merge request"),
        )
    ),
    *_HOST,
)

_SUGGEST = (
    argument("selectors", metavar="SELECTOR", nargs="*", help=SELECTOR_HELP + " (default: all)"),
    argument("--range", metavar="A..B", help="what changed between two commits"),
    argument("--worktree", action="store_true", help="the work tree against the last commit"),
    argument("--per-hunk", action="store_true", help="a suggestion for each hunk, not for each file"),
    argument(
        "--mode",
        choices=FORGE_MODES,
        metavar="MODE",
        help=f"what happens: {', '.join(FORGE_MODES)} (default: as the config says)",
    ),
    argument("--branch", metavar="NAME", help="where it is to go (default: the default branch)"),
    argument("--rationale", metavar="N=TEXT", action="append", default=[], help="why number N is proposed"),
    argument("--edit", action="store_true", help="type the rationales in an editor"),
    argument("--dry-run", action="store_true", help="show what would be posted, and do nothing"),
    *_THREAD,
)

_APPLY = (
    argument("numbers", metavar="NUMBERS", nargs="+", help="all, or such as 1,3 or 2-4"),
    argument("--head", metavar="COMMIT", help="only if the branch is there"),
    *_THREAD,
)

_FORGE = (
    argument("action", choices=FORGE_ACTIONS, help=" or ".join(FORGE_ACTIONS)),
    argument("--port", metavar="N", type=int, default=0, help="serve: listen there (default: any free)"),
    argument("--address", metavar="IP", help="serve: where to listen (default: only this machine)"),
    argument("--secret-file", metavar="FILE", help="serve: the webhook's secret"),
    *_HOST,
)

_CHAT = (
    argument("prompt", metavar="PROMPT", nargs="*", help="what to begin with"),
    argument("--agent", metavar="NAME", default="", help="whom to talk to (default: the first)"),
    argument("--resume", metavar="ID", default="", help="go on with that conversation"),
    argument("--list", action="store_true", help="show the agents and the conversations"),
)

_HUB = (
    argument("action", choices=HUB_ACTIONS, help=" or ".join(HUB_ACTIONS)),
    argument(
        "words", nargs="*", metavar="WORD", help="join: URL; restore: URL PROJECT DIR; sign-out: NUMBER"
    ),
    argument("--invitation", metavar="CODE", default="", help="join, restore: who lets this machine in"),
    argument("--database", metavar="URL", default="", help="serve, invite, report: PostgreSQL's address"),
    argument("--objects", metavar="URL", default="", help="serve, report: where large contents are kept"),
    argument("--host", metavar="IP", default="127.0.0.1", help="serve: where to listen"),
    argument("--port", metavar="N", type=int, default=0, help="serve: listen there (default: any free)"),
    argument("--project", metavar="ID", default="", help="invite, report: for that project"),
    argument("--since", metavar="DAY", default="", help="report: only since then, such as 2030-01-31"),
    argument("--html", action="store_true", help="report: as a page with plots, which needs nothing else"),
    argument("--person", metavar="NAME", default="", help="invite: somebody, and no machine"),
    argument("--role", choices=HUB_ROLES, default="reviewer", help="invite: what they may do"),
    argument("--public-url", metavar="URL", default="", help="serve, invite: where browsers have it"),
    argument(
        "--provider", metavar="URL", default="", help="serve: the OpenID Connect issuer to sign in with"
    ),
    argument("--client", metavar="ID", default="", help="serve: by what the provider knows this hub"),
    argument(
        "--let-in",
        metavar="CLAIM=VALUE:ROLE",
        action="append",
        default=[],
        help="serve: who may enter without an invitation",
    ),
)

_SYNC = (
    argument("--dry-run", action="store_true", help="say what would be sent, and send nothing"),
    argument("--follow", action="store_true", help="go on with it until it is stopped"),
    argument("--queued", action="store_true", help="for hooks: do nothing if another one waits to send"),
)

_COMPLETION = (argument("shell", metavar="SHELL", choices=SHELLS, help=" or ".join(SHELLS)),)


COMMANDS = {
    "init": CommandSpec("set Blueline up in this project", _INIT, "init"),
    "status": CommandSpec("mode, counts and gate in one look", _STATUS, "look_commands"),
    "walk": CommandSpec(
        "go through what is undecided, one by one",
        _SELECTORS,
        "walk_command",
        selects=True,
    ),
    "list": CommandSpec("what there is to decide", _LIST, "look_commands"),
    "diff": CommandSpec("the pending changes as a unified diff", _DIFF, "look_commands", selects=True),
    "show": CommandSpec("one thing with all that is known of it", _SHOW, "look_commands", selects=True),
    "accept": CommandSpec("keep changes, as they are in the files", _ACCEPT, "decide_commands", selects=True),
    "reject": CommandSpec("take changes back, out of the files", _REJECT, "decide_commands", selects=True),
    "undo": CommandSpec("undo a decision, the last or any other", _UNDO, "decide_commands"),
    "redo": CommandSpec("redo the decision that was undone last", (), "decide_commands"),
    "log": CommandSpec("turns, calls and decisions, newest first", _LOG, "look_commands"),
    "blame": CommandSpec("who wrote each line of a file, agents and turns too", _BLAME, "look_commands"),
    "report": CommandSpec("what became of agents' work, in numbers", _REPORT, "look_commands"),
    "review": CommandSpec("run the checks in four loops", _REVIEW, "review_commands"),
    "gate": CommandSpec("whether what is here may ship", _GATE, "gate_commands"),
    "ship": CommandSpec("commit, push and open a pull request, through the gate", _SHIP, "ship_command"),
    "loop": CommandSpec("report how a loop of a review went", _LOOP, "review_commands"),
    "trust": CommandSpec("let the commands of the loops run", _TRUST, "review_commands"),
    "watch": CommandSpec("take in edits as they are made, until stopped", (), "watch_command"),
    "mode": CommandSpec("show or set how edits arrive", _MODE, "house_commands"),
    "ui": CommandSpec("open the workbench in a browser", _UI, "ui"),
    "chat": CommandSpec(
        "talk to an agent, and accept or reject its turns", _CHAT, "chat_command", extra="chat"
    ),
    "mcp": CommandSpec("serve the tools to an agent, as an MCP server", (), "mcp_command"),
    "lsp": CommandSpec("serve an editor, as a language server", _LSP, "lsp_command"),
    "suggest": CommandSpec(
        "offer changes on GitHub, to be taken one by one", _SUGGEST, "forge_commands", selects=True
    ),
    "apply": CommandSpec("apply suggestions of an issue or pull request", _APPLY, "forge_commands"),
    "forge": CommandSpec("answer what people say to suggestions", _FORGE, "forge_commands"),
    "hub": CommandSpec("one review for many machines", _HUB, "hub_commands"),
    "sync": CommandSpec("send what was recorded to the hub", _SYNC, "hub_commands"),
    "export": CommandSpec("the review state for other programs", _EXPORT, "house_commands"),
    "projects": CommandSpec("the projects known on this machine", _PROJECTS, "projects_command"),
    "doctor": CommandSpec("is it recorded here, and what to type if not", (), "doctor_command"),
    "check": CommandSpec("verify all that is stored", _CHECK, "house_commands"),
    "purge": CommandSpec("really remove stored content", _PURGE, "house_commands"),
    "demo": CommandSpec("a sample project, with agent work to decide on", _DEMO, "demo"),
    "completion": CommandSpec("print the completion script for a shell", _COMPLETION, "house_commands"),
}

HELP_GROUPS = {
    "to begin": ("init", "demo", "doctor", "mode"),
    "to see what agents did": ("status", "list", "diff", "show", "log", "blame", "report"),
    "to decide": ("walk", "ui", "accept", "reject", "undo", "redo", "chat"),
    "to ship": ("review", "gate", "ship", "loop", "trust"),
    "with others": ("suggest", "apply", "forge", "hub", "sync"),
    "for editors, agents and other programs": ("lsp", "mcp", "watch", "export", "completion"),
    "to keep house": ("projects", "check", "purge"),
}
"""The commands by what somebody is about to do, as the help lists them."""
