"""A project with files that are open in the editor: followed, and asked for what stands in them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import unquote, urlsplit

from blueline.desk import Desk
from blueline.desk.followed_project import FollowedProject
from blueline.desk.screens.editor_wishes import EditorWishes
from blueline.desk.screens.pages import TooLargeToRead
from blueline.desk.selectors import UnknownSelector
from blueline.desk.state_folder import find

if TYPE_CHECKING:
    from blueline.contract.editors import EditorNews
    from blueline.contract.files import FileDocument
    from blueline.contract.overview import FollowedDocument, OverviewDocument, OverviewPatch

Result = TypeVar("Result")
OpenDesk = Callable[[Path], Desk]


class EditorProject:
    """One project. All but `ask` happens in the loop."""

    def __init__(self, root: Path, state: Path, open_desk: OpenDesk) -> None:
        self.root = root
        self.wishes = EditorWishes()
        self._followed = FollowedProject(root, state, open_desk)
        self._version = -1
        self._shown = (-1, 0)
        """The version of the last overview that was asked for, and the place in the journal that belongs to
        it."""

    def follow(
        self, listener: Callable[[EditorNews], None], failed: Callable[[Exception | None], None]
    ) -> None:
        """Have news told in the loop, until `close`."""
        loop = asyncio.get_running_loop()

        def soon(act: Callable[..., object], *given: object) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(act, *given)

        def learn(found: FollowedDocument) -> None:
            listener(self._news(found))

        self._followed.follow(lambda found: soon(learn, found), lambda error: soon(failed, error))

    def _news(self, found: FollowedDocument) -> EditorNews:
        is_back = found["version"] < self._version
        self._version = found["version"]
        return {
            "root": str(self.root),
            # The journal was put back: nobody knows what changed.
            "everything": is_back,
            "version": found["version"],
            "files": found["files"],
            "turns": found["turns"],
            "counts": found["counts"],
            "gate": found["gate"],
            "mode": found["mode"],
        }

    async def ask(self, verb: Callable[[Desk], Result]) -> Result:
        """Ask the desk something, with all that is new taken in: one after the other.

        The answer is there before anybody is told what is new: to count all that is undecided takes as long
        as a decision, and whoever decided waits for the text.
        """
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Result] = loop.create_future()

        def asked(desk: Desk) -> None:
            self.wishes.watch(desk)
            result = verb(desk)
            loop.call_soon_threadsafe(_settle, answered, result)

        def ended(done: Future[None]) -> None:
            error = CancelledError() if done.cancelled() else done.exception()
            if error is not None:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(_settle, answered, None, error)

        self._followed.asked(asked).add_done_callback(ended)
        return await asyncio.shield(answered)

    async def page(self, path: str) -> FileDocument | None:
        """A file as it is; None if there is nothing to show of it."""
        (found,) = await self.pages([path])
        return found

    async def pages(self, paths: Sequence[str]) -> list[FileDocument | None]:
        """Some files as they are, in one step."""

        def page(desk: Desk, path: str) -> FileDocument | None:
            try:
                return desk.workbench.file(path)
            except (UnknownSelector, TooLargeToRead):
                return None

        return await self.ask(lambda desk: [page(desk, path) for path in paths])

    async def overview(self, known: int) -> OverviewDocument | OverviewPatch:
        """The whole project, or, for who has an overview of some version, what is different since."""

        def found(desk: Desk) -> OverviewDocument | OverviewPatch:
            version, cursor = self._shown
            patch = desk.workbench.overview_since(known, cursor) if known == version else None
            overview = desk.workbench.overview() if patch is None else patch
            self._shown = overview["version"], desk.workbench.cursor
            return overview

        return await self.ask(found)

    def hint(self, path: str) -> None:
        """A file was saved."""
        self._followed.hint({path})

    def close(self) -> None:
        self._followed.close()


def _settle(
    answered: asyncio.Future[Result], result: Result | None, error: BaseException | None = None
) -> None:
    """What is heard first counts: if telling of the news fails afterwards, the next step meets it again."""
    if answered.done():
        return
    if error is not None:
        answered.set_exception(error)
    else:
        answered.set_result(cast("Result", result))


def path_of(uri: str) -> Path | None:
    """The file that an address of the editor means; None if it means no file of this machine."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    found = unquote(parts.path, errors="surrogateescape")
    return Path(found) if os.path.isabs(found) and "\0" not in found else None


def place_of(file: Path) -> tuple[Path, Path, str]:
    """The root of the project that a file is in, its state folder, and the file's path from there."""
    folder = Path(os.path.realpath(file.parent))
    root, state = find(folder, os.environ)
    return root, state, (folder / file.name).relative_to(os.path.realpath(root)).as_posix()
