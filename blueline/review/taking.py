"""Taking in: what was observed becomes facts, each folded into the ledger as it is said."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from blueline.diff.edits import text_edits
from blueline.model.actor import EXTERNAL, Actor
from blueline.model.answer import HELD
from blueline.model.edit import Edit, Replacement
from blueline.model.fact import (
    CallEnded,
    CallStarted,
    DecisionFinished,
    DecisionMade,
    Fact,
    FileChanged,
    FileSeen,
    TurnEnded,
    TurnStarted,
    Write,
)
from blueline.model.ids import BlobId
from blueline.model.notice import (
    CallBegan,
    CallFinished,
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    TurnStopped,
)
from blueline.model.piece import Change
from blueline.model.state import Absent, FileState, Link, Other, Regular, Unknown
from blueline.model.text import as_text
from blueline.review.building import Owners, is_asked_about
from blueline.review.coming_back import changes_back_to, put_back
from blueline.review.file import ABSENT, Content, File, Node
from blueline.review.folding import Read, fold_fact, state_key
from blueline.review.hunks import hunks
from blueline.review.ledger import Call, Ledger, Turn
from blueline.review.operating import fitted_edits, inline, moved_block
from blueline.review.proposing import CannotPropose, proposed
from blueline.review.weave import IMAGINED

NEW_FILE_MODE = 0o644


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What an observation says about the one file that a call names."""

    agent: str
    path: str | None
    outside: str | None
    state: FileState | None
    held: bool
    record: int
    """Where the observation stands in the journal."""


class Taking:
    """Collects the facts of one event."""

    def __init__(self, ledger: Ledger, at: str, read: Read, store: Callable[[bytes], BlobId]) -> None:
        self.facts: list[Fact] = []
        self._ledger = ledger
        self.at = at
        self._read = read
        self._store = store

    def say(self, fact: Fact) -> None:
        """One more fact is true."""
        fold_fact(self._ledger, fact, self.at, self._read)
        self.facts.append(fact)

    def notice(self, notice: Notice, look: Look) -> None:
        """Something an agent's message says happened."""
        match notice:
            case PromptGiven():
                self._stop(notice.conversation)
                self._start_turn(notice.conversation, look.agent, notice.prompt)
            case CallBegan():
                self._began(notice, look)
            case CallFinished():
                self._finished(notice, look)
            case TurnStopped() | ConversationEnded():
                self._stop(notice.conversation)
            case Nothing():
                pass
            case _:
                assert_never(notice)

    def _running(self, conversation: str) -> Turn | None:
        turns = [turn for turn in self._ledger.running_turns() if turn.conversation == conversation]
        return turns[-1] if turns else None

    def _start_turn(self, conversation: str, agent: str, prompt: str) -> int:
        number = self._ledger.counters.turn + 1
        self.say(TurnStarted(turn=number, conversation=conversation, agent=agent, prompt=prompt))
        return number

    def _stop(self, conversation: str) -> None:
        """The turn is over: calls whose end was not seen have ended too."""
        turn = self._running(conversation)
        if turn is None:
            return
        for call in self._ledger.open_calls():
            if call.turn == turn.number:
                self.say(CallEnded(call=call.number, outcome="lost", about={}))
        self.say(TurnEnded(turn=turn.number))

    def _start_call(self, notice: CallBegan | CallFinished, look: Look) -> Call:
        turn = self._running(notice.conversation)
        number = turn.number if turn else self._start_turn(notice.conversation, look.agent, "")
        about = {name: value for name, value in notice.about.items() if value}
        about["record"] = look.record
        if look.outside is not None:
            about["outside"] = look.outside
        if isinstance(look.state, Absent) and look.state.missing_folder:
            about["missing"] = look.state.missing_folder
        call = self._ledger.counters.call + 1
        self.say(
            CallStarted(call=call, turn=number, key=notice.key, tool=notice.tool, path=look.path, about=about)
        )
        started = self._ledger.call(call)
        assert started is not None
        return started

    def _began(self, notice: CallBegan, look: Look) -> None:
        if self._ledger.call_named(notice.key) is not None:
            return
        others = {call.path for call in self._ledger.open_calls()}
        call = self._start_call(notice, look)
        if look.path is None or look.state is None:
            return
        if look.path not in others:
            self.look(look.path, look.state)
        if look.held:
            self._hold(call, notice, look)

    def _hold(self, call: Call, notice: CallBegan, look: Look) -> None:
        assert look.path is not None
        file = self._ledger.file_at(look.path)
        if file is None:
            return
        live = file.live
        try:
            text = proposed(notice, live.text)
            data = text.encode("utf-8")
        except (CannotPropose, UnicodeEncodeError) as error:
            self.say(CallEnded(call=call.number, outcome="failed", about={"why": str(error)}))
            return
        mode = live.mode if live.node.kind == "text" else NEW_FILE_MODE
        state = Regular(mode=mode, size=len(data), blob=self._store(data))
        actor = Actor("agent", look.agent)
        self._operation(file, state, actor, call, list(notice.edits or ()), held=True)
        self.say(CallEnded(call=call.number, outcome="held", about={}))

    def _finished(self, notice: CallFinished, look: Look) -> None:
        call = self._ledger.call_named(notice.key)
        if call is not None and call.ended is not None and call.outcome != "lost":
            return
        if call is None:
            call = self._start_call(notice, look)
            if look.path is not None and self._ledger.file_at(look.path) is None:
                why = "the end of a call was seen, but not its beginning"
                number = self._ledger.counters.file + 1
                self.say(FileSeen(file=number, path=look.path, state=Unknown(why=why)))
        about = {name: value for name, value in notice.about.items() if value}
        about["end"] = look.record
        if isinstance(look.state, Unknown):
            about["gap"] = look.state.why
        elif look.path is not None and look.state is not None:
            file = self._ledger.file_at(look.path)
            if file is not None:
                actor = Actor("agent", look.agent)
                self._operation(file, look.state, actor, call, list(notice.edits or ()))
        self.say(CallEnded(call=call.number, outcome="failed" if notice.failed else "done", about=about))

    def look(
        self, path: str, state: FileState, *, old_path: str | None = None, actor: Actor = EXTERNAL
    ) -> None:
        """A file was found like this, outside any call; `old_path` where it stood before."""
        file = self._ledger.file_at(old_path or path)
        if file is None:
            self.say(FileSeen(file=self._ledger.counters.file + 1, path=path, state=state))
            return
        if isinstance(state, Unknown):
            return
        if isinstance(state, Other):
            # A folder, say, stands where the file was: the file is gone.
            state = Absent(missing_folder="")
        if file.live.node.kind == "unknown":
            return
        if not self._same_content(file.live, state) and actor == EXTERNAL:
            file = self._come_back(file, state)
        known = len(self.facts)
        self._operation(file, state, actor, None, [], path=path)
        if len(self.facts) > known:
            self._wonder(path)

    def _wonder(self, path: str) -> None:
        """A change that nobody claims came after a call on that file whose end was not seen: say so."""
        call = self._ledger.last_call_on(path)
        if call is not None and call.outcome == "lost" and "unseen" not in call.about:
            self.say(CallEnded(call=call.number, outcome="lost", about={"unseen": True}))

    def _same_content(self, live: Content, state: FileState) -> bool:
        match state:
            case Regular() if live.node.kind == "text":
                return as_text(self._read(state.blob)) == live.text
            case Regular():
                return live.node == Node("bytes", state.blob)
            case Link():
                return live.node == Node("link", state.target)
            case _:
                return live.node == ABSENT

    def _come_back(self, file: File, state: FileState) -> File:
        """The file after what its new content answers by itself."""
        changes = changes_back_to(file, state_key(state))
        if changes and self._same_content(file.answered(changes, IMAGINED).live, state):
            ops = {change.piece.op for change in changes}
            about = [hunk for hunk in hunks(file, self._ledger.counters.salt, ops) if is_asked_about(hunk)]
            owners = Owners(about)
            named = {owner for change in changes if (owner := owners.of(change.piece)) is not None}
            return self._by_hand(file, changes, tuple(h.id for h in about if h.id in named), state)
        text = as_text(self._read(state.blob)) if isinstance(state, Regular) else None
        if text is None or file.live.text is None:
            return file
        if moved_block(file, text, tuple(text_edits(file.live.text, text))) is not None:
            return file
        found = put_back(file, text, self._ledger.counters.salt)
        if not found:
            return file
        changes = [Change(piece, one.answer) for one in found for piece in one.pieces]
        between = (
            state if file.answered(changes, IMAGINED).live.text == text else Unknown(why="passed through")
        )
        return self._by_hand(file, changes, tuple(one.hunk.id for one in found), between)

    def _by_hand(self, file: File, changes: list[Change], hunks: tuple[str, ...], after: FileState) -> File:
        number = self._ledger.counters.decision + 1
        path = file.live.path
        write = Write(path=path, old_path=path, before=after, after=after)
        self.say(
            DecisionMade(
                decision=number,
                verdict="by-hand",
                reason="",
                changes=((file.number, tuple(changes)),),
                hunks=hunks,
                writes=(write,),
            )
        )
        self.say(DecisionFinished(decision=number))
        again = self._ledger.file(file.number)
        assert again is not None
        return again

    def _operation(
        self,
        file: File,
        state: FileState,
        actor: Actor,
        call: Call | None,
        said: list[Replacement],
        *,
        path: str | None = None,
        held: bool = False,
    ) -> None:
        live = file.live
        path = path or live.path
        first = HELD if held else actor.first
        same = self._same_content(live, state)
        same_mode = not isinstance(state, Regular) or state.mode == live.mode
        if isinstance(state, Other | Unknown) or (same and same_mode and path == live.path):
            return
        edits, inserted, fresh = None, None, False
        if isinstance(state, Regular) and live.node.kind == "text":
            text = as_text(self._read(state.blob))
            if text is not None:
                op = self._ledger.counters.op + 1
                edits = fitted_edits(file, text, said, op=op, first=first)
                fresh = edits is None
                inserted = inline(text, edits) if edits is not None else None
                if edits and actor == EXTERNAL and (moved := moved_block(file, text, edits)) is not None:
                    self._moved(file, text, state, moved[0], edits[moved[1]])
                    return
        self.say(
            FileChanged(
                op=self._ledger.counters.op + 1,
                file=file.number,
                actor=actor,
                call=call.number if call else None,
                hunk=self._ledger.counters.hunk + 1,
                path=path,
                before=file.steps[-1].content,
                after=state,
                first=first,
                edits=edits,
                inserted=inserted,
                fresh=fresh,
                missing=str(call.about.get("missing", "")) if call else "",
                complete=live.node.kind != "unknown",
            )
        )

    def _moved(self, file: File, text: str, state: Regular, op: int, paste: Edit) -> None:
        """The block that `op` wrote was cut and pasted: it stays its author's at the new place."""
        without = (text[: paste.new_start] + text[paste.new_end :]).encode("utf-8")
        between = Regular(mode=state.mode, size=len(without), blob=self._store(without))
        self._operation(file, between, EXTERNAL, None, [])
        author = file.operations[op]
        again = self._ledger.file(file.number)
        assert again is not None
        call = self._ledger.call(author.call) if author.call is not None else None
        self._operation(again, state, author.actor, call, [])
