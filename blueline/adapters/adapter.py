"""What every adapter offers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from blueline.model.notice import Notice


class Hooks(Protocol):
    """Hooks of ours in one place of an agent's settings: a project's, or a person's own."""

    # put the hooks into the agent's settings of a project; False if they were there already
    def install(self, root: Path, state: Path) -> bool: ...

    # take exactly those hooks out; False if there were none, and without state if that is lost
    def uninstall(self, root: Path, state: Path | None) -> bool: ...

    def installed(self, root: Path) -> bool: ...

    # the shell command that the agent runs for an event
    def command(self) -> str: ...

    # the file with the agent's settings
    def settings(self, root: Path) -> Path: ...


class Adapter(Hooks, Protocol):
    """A way to learn what one agent did. A plain module is one."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """As it is typed and stored."""

    @property
    def LABEL(self) -> str:  # noqa: N802
        """As people call it."""

    @property
    def PROGRAM(self) -> str:  # noqa: N802
        """The command that starts it, as a shell finds it."""

    @property
    def TRACES(self) -> tuple[str, ...]:  # noqa: N802
        """Files and folders of a project that show that somebody uses it there."""

    @property
    def FOLDER(self) -> str:  # noqa: N802
        """Where a person's own settings of it are, below their home."""

    @property
    def SHARED(self) -> bool:  # noqa: N802
        """Whether a team may commit the file with the hooks."""

    @property
    def ADVICE(self) -> str:  # noqa: N802
        """What a person must do before it runs the hooks; empty if nothing."""

    @property
    def USER_ADVICE(self) -> str:  # noqa: N802
        """The same for hooks in their own settings."""

    # what one message from the agent says happened; never fails
    def interpret(self, raw: bytes) -> Iterable[Notice]: ...

    # the same hooks in the file with a person's own settings, for all projects; their root is `/`
    def for_user(self, place: Path) -> Hooks: ...
