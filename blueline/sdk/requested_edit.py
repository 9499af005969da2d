"""One edit of one file, made or proposed, and written down."""

from blueline.model.edit import Replacement
from blueline.model.notice import CallBegan
from blueline.model.text import as_text
from blueline.review.intake.proposal import CannotPropose, proposed
from blueline.review.medium.choice import has_section
from blueline.sdk.conversation_record import ConversationRecord, seen
from blueline.sdk.edited_files import RAW, FoundContent, Moved, ProjectFiles
from blueline.sdk.outcome import EditRefused, Outcome

TRIES = 5
"""How often an edit is worked out again because somebody saves the file meanwhile."""


class RequestedEdit:
    """An edit that an agent asks for."""

    def __init__(
        self,
        tool: str,
        call: str,
        *,
        edits: tuple[Replacement, ...] | None = None,
        content: str | None = None,
        cell: dict[str, object] | None = None,
        proposal: bool = False,
        reason: str = "",
    ) -> None:
        # What a hook would have been told: so an edit means the same when it is held and when it is made.
        self._wish = CallBegan(conversation="", key="", tool=tool, edits=edits, content=content, section=cell)
        self._call = call
        self._proposal = proposal
        self._reason = reason

    def make(self, path: str, files: ProjectFiles, record: ConversationRecord) -> Outcome:
        """Make the edit, or in hold mode propose it. Refused edits leave no record."""
        mode = record.mode
        with files.lock():
            found = files.read(path)
            text = self._applied(found)
            if self._proposal or mode == "hold":
                self._propose(path, found, text, record)
                return self._outcome(path, text, held=True)
            if mode == "direct":
                self._land(path, found, text, files, None)
            else:
                self._say(record, "before", path, found, in_full=True)
                self._land(path, found, text, files, record)
        return self._outcome(path, text)

    def _outcome(self, path: str, text: str, *, held: bool = False) -> Outcome:
        cell = str((self._wish.section or {}).get("new_id", ""))
        added = cell if cell and has_section(text, cell) else ""
        return Outcome(path=path, call=self._call, landed=not held, held=held, cell=added)

    def _applied(self, found: FoundContent) -> str:
        try:
            text = proposed(self._wish, found.text)
            text.encode("utf-8", RAW)
        except UnicodeEncodeError:
            raise EditRefused("the new text holds half a character", hint="send whole characters") from None
        except CannotPropose as error:
            raise EditRefused(str(error), hint="read the file again; nothing was changed") from error
        return text

    def _propose(self, path: str, found: FoundContent, text: str, record: ConversationRecord) -> None:
        for side in (found.text or "", text):
            if as_text(side.encode("utf-8", RAW)) is None:
                raise EditRefused(f"{path} is not text, so no edit of it can be proposed")
        if text == found.text:
            raise EditRefused("the proposal changes nothing")
        self._say(record, "before", path, found, held=True, in_full=True)

    def _land(
        self,
        path: str,
        found: FoundContent,
        text: str,
        files: ProjectFiles,
        record: ConversationRecord | None,
    ) -> None:
        """Write, and if somebody saved the file meanwhile, work the edit out again on top of that."""
        for _ in range(TRIES):
            try:
                after = files.replace(path, found.state, text)
            except Moved as moved:
                why, before, found = moved.why, found, files.read(path)
                if found.state == before.state:
                    break
                if record is not None:
                    self._say(record, "found", path, found)
                try:
                    text = self._applied(found)
                except EditRefused as error:
                    why = str(error)
                    break
            else:
                if record is not None:
                    self._say(record, "after", path, FoundContent(after, text), in_full=True)
                return
        else:
            why = "it keeps changing"
        if record is not None:
            self._say(record, "after", path, found, error=why)
        raise EditRefused(f"{path} was not changed: {why}", hint="read the file again, then try again")

    def _say(
        self,
        record: ConversationRecord,
        event: str,
        path: str,
        found: FoundContent,
        *,
        in_full: bool = False,
        held: bool = False,
        error: str | None = None,
    ) -> None:
        """`in_full`: with what the agent asked for, in its own words."""
        wish = self._wish
        about: dict[str, object] = {
            "call": self._call,
            "tool": wish.tool,
            "exact": True,
            "failed": bool(error),
            "error": error,
        }
        if in_full:
            steps = [{"old": one.old, "new": one.new, "every": one.every} for one in wish.edits or ()]
            about |= {"edits": steps or None, "content": wish.content, "cell": wish.section}
            about |= {"proposal": self._proposal, "reason": self._reason or None}
        record.say(event, about, seen(path, found.state), held=held)
