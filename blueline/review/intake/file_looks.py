"""Looks at files: what was found is handed to the recognisers that are for it."""

from stat import S_ISDIR

from blueline.model.call_about import CallAbout
from blueline.model.fact import CallEnded
from blueline.model.file_state import Absent, FileState, Folder, Other, Regular, Unknown
from blueline.review.file import File
from blueline.review.intake.authorship import OUTSIDE, YOU, Author
from blueline.review.intake.recognisers import IN_A_CALL, OUTSIDE_ANY_CALL, Recogniser
from blueline.review.intake.recording import FoundChange, Recording
from blueline.review.setting import FOLDER


class FileLooks(Recording):
    """Collects the facts of one event, from what was found of files."""

    def look(
        self,
        path: str,
        state: FileState,
        *,
        old_path: str | None = None,
        author: Author = OUTSIDE,
    ) -> None:
        """A file was found like this; `old_path` where it stood before."""
        file = self.ledger.file_at(old_path or path)
        if file is None:
            self.see(path, state)
            return
        if isinstance(state, Unknown) or file.live.node.kind == "unknown":
            return
        if holds(file, state, path):
            return
        if isinstance(state, Other):
            # A folder, say, stands where the file was: the file is gone.
            empty = S_ISDIR(state.mode) and file.live.node == FOLDER
            state = Folder() if empty else Absent(missing_folder="")
        found = FoundChange(path=path, state=state, author=author)
        known = self.ledger.counters.op
        self.recognise(file, found, OUTSIDE_ANY_CALL if author.actor.kind == "external" else IN_A_CALL)
        if self.ledger.counters.op > known and author.call is None:
            self._wonder(path)

    def typed(self, file: File, state: FileState) -> None:
        """Somebody changed a file in a surface of ours."""
        self.recognise(file, FoundChange(path=file.live.path, state=state, author=YOU), OUTSIDE_ANY_CALL)

    def recognise(
        self, file: File, found: FoundChange, recognisers: tuple[Recogniser, ...] = IN_A_CALL
    ) -> None:
        """Say what has happened to a file, until all of it is said."""
        for recogniser in recognisers:
            file = recogniser(self, file, found)

    def _wonder(self, path: str) -> None:
        """A change that nobody claims came after a call on that file whose end was not seen: say so."""
        call = self.ledger.last_call_on(path)
        if call is not None and call.outcome == "lost" and not call.about.unseen:
            self.say(CallEnded(call=call.number, outcome="lost", about=CallAbout(unseen=True)))


def holds(file: File | None, state: FileState, path: str) -> bool:
    """Whether a file is known to hold just these bytes, even if it could be reviewed in another medium by
    now."""
    if file is None:
        return False
    live = file.live
    if not isinstance(state, Regular) or not live.node.is_woven:
        return False
    return file.steps[-1].content == state.blob and (path, state.mode) == (live.path, live.mode)
