"""What `init` set up or took out, and the demo."""

from typing import Annotated, Literal, NotRequired, TypedDict

from blueline.contract.doctor import DoctorDocument
from blueline.contract.overview import ListingDocument


class ProjectFileDocument(TypedDict):
    """A file of ours in a project."""

    path: str
    outcome: Literal["written", "found", "left", "removed"]
    """`left` if somebody else has written or changed it."""


class GitHookDocument(TypedDict):
    """One of git's own hooks."""

    name: str
    path: str
    changed: bool
    beside: NotRequired[bool]
    """Whether there was one already, which still runs, first."""
    left: NotRequired[str]
    """`shared` if nothing was done because other repositories or people use the same folder."""


class ProposedLoops(TypedDict):
    """Loops for reviews that were proposed where the config has none."""

    languages: list[str]
    written: bool
    toml: str
    """What was, or would be, written into the config."""


class ExtrasRemoved(TypedDict):
    """What was taken out besides the agents' hooks."""

    commands: list[ProjectFileDocument]
    """Files of /review and /ship for Claude Code."""
    git_hooks: list[GitHookDocument]


class ExtrasDocument(ExtrasRemoved):
    """What was set up besides the agents' hooks."""

    loops: ProposedLoops | None


class WorkflowDocument(TypedDict):
    """The workflow that answers comments on GitHub."""

    path: str
    outcome: str
    """written, found, left, removed; empty if there was none."""


class InstalledAgent(TypedDict):
    """An agent whose hooks were installed."""

    name: str
    label: str
    settings: str
    """The file that the hooks are in."""
    shared: bool
    """Whether others get that file with the project."""
    changed: bool
    works: bool
    """Whether the hook recorded an event when it was tried."""
    problem: str
    took_ms: int
    advice: str
    found: NotRequired[str]
    """What shows that it is in use here; empty if somebody named it."""


class SetUpDocument(TypedDict):
    """A folder was made a project."""

    root: str
    config: str
    made: bool
    """False if the config was there already."""
    agents: list[InstalledAgent]
    looked_at: int
    """How many files were looked at."""


class InitDocument(SetUpDocument, ExtrasDocument):
    """The answer to `init`."""

    doctor: DoctorDocument
    forge: NotRequired[WorkflowDocument]


class RemovedAgent(TypedDict):
    """An agent whose hooks were taken out."""

    name: str
    label: str
    settings: str
    changed: bool


class UninstallDocument(ExtrasRemoved):
    """The answer to `init --uninstall`."""

    root: str
    agents: list[RemovedAgent]
    forge: NotRequired[WorkflowDocument]


class UserInitDocument(TypedDict):
    """The answer to `init --user`."""

    agents: list[InstalledAgent]
    ignore: list[str]
    """Folders that are left alone, from the person's own config."""
    config: str
    """Where that is."""


class UserUninstallDocument(TypedDict):
    """The answer to `init --user --uninstall`."""

    agents: list[RemovedAgent]


PluginOutcome = Literal["installed", "found", "removed", "absent", "to-do"]


class EditorPluginDocument(TypedDict):
    """An editor that reviews can be done in."""

    name: Literal["vscode", "neovim"]
    outcome: PluginOutcome
    """`to-do` if somebody has to do it by hand."""
    path: str
    """Where the plugin is; of VS Code, the file that it is installed from."""
    hint: str
    """What to type then."""


class EditorPluginsDocument(TypedDict):
    """The answer to `init --editor`."""

    editors: list[EditorPluginDocument]


class DemoStep(TypedDict):
    """A command to type, and why."""

    command: str
    why: str


DemoSteps = TypedDict("DemoSteps", {"try": Annotated[list[DemoStep], "What to type, in this order."]})
"""A story to follow."""


class DemoDocument(ListingDocument, DemoSteps):
    """The answer to `demo`."""

    root: str
