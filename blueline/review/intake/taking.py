"""Taking in: what an agent's message says becomes facts, with what was seen of the files just then."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, assert_never

from blueline.model.actor import Actor
from blueline.model.call_about import CallAbout, CommitMove, load_about, noted
from blueline.model.edit import Edit, Replacement
from blueline.model.fact import CallEnded, CallStarted
from blueline.model.file_state import Absent, FileState, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.model.notice import (
    CallBegan,
    CallFinished,
    CallGrew,
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    SubagentBegan,
    SubagentFinished,
    SubagentSaid,
    TurnStopped,
    WorkReported,
)
from blueline.model.text import as_text
from blueline.model.tree_look import Sighting, TreeLook
from blueline.review.file import File
from blueline.review.intake.authorship import Author, author_of, by_calls, left_behind, may_change, names
from blueline.review.intake.call_identity import Said, is_another, is_by_same, last_named
from blueline.review.intake.current_turns import Turns
from blueline.review.intake.overtaken_looks import is_overtaken
from blueline.review.intake.proposal import CannotPropose, moved_path, patch_for, proposed
from blueline.review.intake.recording import FoundChange
from blueline.review.intake.tree_changes import sweep, unheard_of
from blueline.review.ledger import Call, Ledger, Subagent
from blueline.review.medium.choice import is_alike, on_disk
from blueline.review.medium.medium import Read
from blueline.review.setting import ABSENT, Content

NEW_FILE_MODE = 0o644

Replacements = tuple[Replacement, ...]


class ObservedFiles(NamedTuple):
    """What an observation says about files."""

    agent: str
    path: str | None
    """The one file that a call names."""
    outside: str | None
    state: FileState | None
    held: bool
    record: int
    """Where the observation stands in the journal."""
    several: tuple[tuple[str, FileState], ...] = ()
    """The files that a call names, if it names several."""
    tree: TreeLook | None = None
    """What changed anywhere, for a call that may change anything."""
    process: tuple[int, int] | None = None
    """The agent: process number and start."""

    @property
    def left(self) -> tuple[str, ...]:
        """Keys of calls that had left processes behind."""
        return self.tree.left if self.tree is not None else ()

    @property
    def files(self) -> tuple[tuple[str, FileState], ...]:
        """All files that the call names."""
        if self.path is None or self.state is None:
            return self.several
        return ((self.path, self.state), *self.several)


class Taking(Turns):
    """Collects the facts of one observation, or of one look at the disk."""

    def __init__(
        self,
        ledger: Ledger,
        at: str,
        read: Read,
        store: Callable[[bytes], BlobId],
        said: Said = lambda call: None,
        knew_nothing: Callable[[Call], bool] = lambda call: False,
    ) -> None:
        super().__init__(ledger, at, read, store)
        self._said = said
        self._knew_nothing = knew_nothing

    def notice(self, notice: Notice, look: ObservedFiles) -> None:
        """Something an agent's message says happened."""
        if not isinstance(notice, Nothing) and (above := self.working_for(notice.conversation)):
            notice = replace(notice, conversation=above)
        match notice:
            case PromptGiven():
                if self.is_said_twice(notice):
                    return
                self._swept(look)
                self.stop(notice.conversation, None, look.agent)
                self.start_turn(notice.conversation, look.agent, notice.prompt, notice.chat, look.process)
            case WorkReported():
                self._swept(look)
                self.report(notice, look.agent, look.process)
            case SubagentBegan():
                self._swept(look)
                self._subagent(notice, look)
            case SubagentFinished():
                self._swept(look)
                key = f"{notice.conversation}/{notice.subagent}"
                known = self.ledger.subagent_named(key)
                if known is not None and known.ended is None:
                    self.end_subagent(known)
            case CallBegan():
                self._began(notice, look)
            case CallFinished():
                self._finished(notice, look)
            case CallGrew():
                self._grew(notice, look)
            case TurnStopped() | ConversationEnded():
                self._swept(look)
                if isinstance(notice, TurnStopped):
                    self.stop(notice.conversation, notice.busy, look.agent, wakes=notice.wakes)
                else:
                    self.stop(notice.conversation, (), look.agent)
            case Nothing():
                self._swept(look)
            case _:
                assert_never(notice)

    def _swept(self, look: ObservedFiles) -> None:
        """Take in what changed anywhere, if that was looked at."""
        if look.tree is not None:
            self._sweep(look.tree)

    def _subagent(self, notice: SubagentBegan, look: ObservedFiles) -> None:
        found = self.subagent_for(
            notice.conversation, notice.subagent, look.agent, look.process, notice.parent
        )
        if notice.is_over:
            self.end_subagent(found)

    def _bury(self, tree: TreeLook) -> None:
        """Calls of agents that are no more have no end to wait for."""
        for call in self.ledger.open_calls():
            if call.about.process in tree.dead:
                self.say(CallEnded(call=call.number, outcome="lost"))

    # Calls

    def _subagent_of(self, notice: CallBegan | CallFinished, look: ObservedFiles) -> Subagent | None:
        said = notice.about.get("subagent")
        if isinstance(said, Mapping) and said:
            who = SubagentSaid(id=said["id"], type=said.get("type", ""))
            return self.subagent_for(notice.conversation, who, look.agent, look.process)
        return self.only_one_at_work(notice.conversation) if notice.unsigned else None

    def _start_call(self, notice: CallBegan | CallFinished, look: ObservedFiles) -> Call:
        subagent = self._subagent_of(notice, look)
        turn = subagent.turn if subagent else self.turn_for(notice.conversation, look.agent, look.process)
        missing = {
            path: state.missing_folder
            for path, state in look.files
            if isinstance(state, Absent) and state.missing_folder
        }
        is_wide = look.tree is not None and (look.tree.reaches or isinstance(notice, CallFinished))
        tree = look.tree if is_wide else None
        found = noted(
            record=look.record,
            outside=look.outside,
            paths=tuple(path for path, _ in look.several),
            missing=missing or None,
            tree=tree is not None,
            process=tree.process if tree is not None else None,
            beside=tuple(call.number for call in left_behind(self.ledger, look.left)),
        )
        call = self.ledger.counters.call + 1
        self.say(
            CallStarted(
                call=call,
                turn=turn,
                key=notice.key,
                tool=notice.tool,
                path=look.path,
                subagent=subagent.number if subagent is not None else None,
                about=_words(notice).then(found),
            )
        )
        started = self.ledger.call(call)
        assert started is not None
        return started

    def _began(self, notice: CallBegan, look: ObservedFiles) -> None:
        if look.tree is not None:
            self._sweep(look.tree)
        known = last_named(self.ledger, notice)
        if known is not None and not self._is_another(known, notice):
            # Somebody else, as the chat, told of it: whose it is, and that it is held, only the hook knows.
            self._sign(known, notice, look)
            if look.held and known.ended is None:
                self._hold(known, notice, look)
            return
        if known is not None and known.ended is None and is_by_same(known, notice):
            self.say(CallEnded(call=known.number, outcome="lost"))
        authors = {path: author_of(self.ledger, path) for path, _ in look.files}
        held = {path for call in self.ledger.open_calls() for path in names(call) if may_change(call, path)}
        call = self._start_call(notice, look)
        for path, state in look.files:
            if path not in held and not is_overtaken(self.ledger, self.at, path, state):
                self.look(path, state, author=authors[path])
        if look.held and look.files:
            self._hold(call, notice, look)

    def _sign(self, call: Call, notice: CallBegan, look: ObservedFiles) -> None:
        """A call that is known is a sub-agent's."""
        if call.subagent is not None or call.ended is not None:
            return
        if (subagent := self._subagent_of(notice, look)) is not None:
            self.say(
                CallStarted(
                    call=call.number,
                    turn=subagent.turn,
                    key=call.key,
                    tool=call.tool,
                    path=call.path,
                    subagent=subagent.number,
                    about=call.about,
                )
            )

    def _is_another(self, known: Call, notice: CallBegan | CallFinished) -> bool:
        return is_another(known, notice, self.current(notice.conversation), self._said)

    def _hold(self, call: Call, notice: CallBegan, look: ObservedFiles) -> None:
        """The edit is not made, but offered."""
        try:
            offers = [(path, offer) for path, _ in look.files for offer in self._offers(notice, path)]
        except (CannotPropose, UnicodeEncodeError) as error:
            self.say(CallEnded(call=call.number, outcome="failed", about=CallAbout(why=str(error))))
            return
        author = Author(Actor("agent", look.agent), call.number)
        for path, (state, new_path, said) in offers:
            file = self.ledger.file_at(path)
            assert file is not None
            self.recognise(
                file,
                FoundChange(
                    path=new_path,
                    state=state,
                    author=author,
                    said=said,
                    held=True,
                    missing=call.about.missing_at(path),
                ),
            )
        self.say(CallEnded(call=call.number, outcome="held"))

    def _offers(self, notice: CallBegan, path: str) -> Iterator[tuple[FileState, str, Replacements]]:
        """What a call would make of a file: its state, its path, and what was said to be replaced."""
        file = self.ledger.file_at(path)
        if file is None:
            return
        live = file.live
        patch = patch_for(notice.patches, path)
        if notice.patches and patch is None:
            return  # where a file would have been moved to
        if patch is not None and patch.deleted:
            yield Absent(), path, ()
            return
        data = proposed(notice, self._raw(live), patch).encode("utf-8")
        mode = live.mode if live.node.is_woven else NEW_FILE_MODE
        state = Regular(mode=mode, size=len(data), blob=self.store(data))
        new_path = path
        if patch is not None and patch.moved_to:
            new_path = moved_path(patch, path)
        yield state, new_path, patch.edits if patch is not None else notice.edits or ()

    def _finished(self, notice: CallFinished, look: ObservedFiles) -> None:
        call = last_named(self.ledger, notice)
        if call is not None and self._is_another(call, notice):
            call = None
        if call is not None and call.ended is not None and call.outcome != "lost":
            return
        if call is None:
            call = self._start_call(notice, look)
            for path, _ in look.files:
                if self.ledger.file_at(path) is None:
                    self.see(path, Unknown(why="the end of a call was seen, but not its beginning"))
        gap = None
        moves = self._moves(notice, dict(look.files))
        for path, state in look.files:
            if isinstance(state, Unknown):
                gap = state.why
            elif path not in moves.values() and (file := self.ledger.file_at(path)) is not None:
                self._ended_on(file, state, call, notice, look, moved_to=moves.get(path))
        about = _words(notice).then(noted(end=look.record, gap=gap))
        if look.tree is not None:
            about = about.then(self._sweep(look.tree, call))
        self.say(CallEnded(call=call.number, outcome="failed" if notice.failed else "done", about=about))

    def _grew(self, notice: CallGrew, look: ObservedFiles) -> None:
        """A call that goes on, and says itself what it did: its files so far, or what others did to them."""
        call = self.ledger.call_named(notice.key)
        if call is None or call.ended is not None:
            return
        for path, state in look.files:
            if notice.by_others:
                self.look(path, state, author=author_of(self.ledger, path))
            elif (file := self.ledger.file_at(path)) is not None:
                own = Author(Actor("agent", look.agent), call.number)
                exact = None
                if notice.inserted:
                    at, length = notice.inserted
                    if self.grow(file, state, own, at, length):
                        continue
                    exact = Edit(old_start=at, old_end=at, new_start=at, new_end=at + length)
                missing = call.about.missing_at(path)
                found = FoundChange(path=path, state=state, author=own, exact=exact, missing=missing)
                self.recognise(file, found)

    def _moves(self, notice: CallFinished, found: Mapping[str, FileState]) -> dict[str, str]:
        """Files that a patch says it moves, and that are gone; where each is now, if nothing was there."""
        moves: dict[str, str] = {}
        for path, state in found.items():
            patch = patch_for(notice.patches, path)
            if patch is None or not patch.moved_to or not isinstance(state, Absent):
                continue
            target = moved_path(patch, path)
            there = self.ledger.file_at(target)
            is_free = there is None or (there.live.node == ABSENT and len(there.operations) <= 1)
            if is_free and isinstance(found.get(target), Regular):
                moves[path] = target
        return moves

    def _ended_on(
        self,
        file: File,
        state: FileState,
        call: Call,
        notice: CallFinished,
        look: ObservedFiles,
        *,
        moved_to: str | None = None,
    ) -> None:
        """A call that names a file has ended, and the file is found like this, or elsewhere."""
        path = file.live.path
        patch = patch_for(notice.patches, path)
        said = patch.edits if patch is not None else notice.edits or ()
        own = Author(Actor("agent", look.agent), call.number)
        missing = call.about.missing_at(moved_to or path)
        gone = ""
        if moved_to is not None and isinstance(state, Absent):
            gone, state = state.missing_folder, dict(look.files)[moved_to]
        others = [
            other
            for other in self.ledger.open_calls()
            if other.number != call.number and may_change(other, path)
        ]
        beside = (self.ledger.call(number) for number in call.about.beside)
        others += [other for other in beside if other is not None]
        for text, author in self._parts(file, state, own, notice, others):
            now = self.again(file.number)
            step = self._text_state(text, state) if text is not None else state
            asked = said if author == own else ()
            found = FoundChange(
                path=moved_to or now.live.path,
                state=step,
                author=author,
                said=asked,
                missing=missing,
                gone=gone,
            )
            self.recognise(now, found)

    def _parts(
        self, file: File, state: FileState, own: Author, notice: CallFinished, others: Sequence[Call]
    ) -> list[tuple[str | None, Author]]:
        """Who did what, when other calls may have changed the file in the same time: texts and authors.

        None stands for the state that was found. What a tool was asked to do can be done over again here: if
        that leads to what was found, it is proved. If nothing does, nobody can tell.
        """
        text = as_text(self.read(state.blob)) if others and isinstance(state, Regular) else None
        if text is None:
            return [(None, own)]
        path, now = file.live.path, self._raw(file.live)
        mine = _outcome(notice, path, now)
        if is_alike(mine, text, path):
            return [(None, own)]
        for other in others:
            began = self._said(other)
            theirs = by_calls(self.ledger, [other])
            if began is None or other.about.tree:
                continue
            first = _outcome(began, path, now)
            if is_alike(first, text, path):
                return [(None, theirs)]
            if first is not None and is_alike(_outcome(notice, path, first), text, path):
                return [(first, theirs), (None, own)]
            if mine is not None and is_alike(_outcome(began, path, mine), text, path):
                return [(mine, own), (None, theirs)]
        if mine is not None and all(other.about.tree for other in others):
            return [(mine, own), (None, by_calls(self.ledger, others))]
        call = self.ledger.call(own.call or 0)
        assert call is not None
        return [(None, by_calls(self.ledger, [call, *others]))]

    def _raw(self, live: Content) -> str | None:
        """The text that stands in a file."""
        return as_text(on_disk(live, self.read)) if live.node.is_woven else None

    def _text_state(self, text: str, like: FileState) -> Regular:
        data = text.encode("utf-8")
        mode = like.mode if isinstance(like, Regular) else NEW_FILE_MODE
        return Regular(mode=mode, size=len(data), blob=self.store(data))

    # The tree

    def _sweep(self, tree: TreeLook, call: Call | None = None) -> CallAbout:
        """Take in what changed anywhere; what is worth knowing of that for the call that ended, if any."""

        def author(path: str, state: FileState) -> Author:
            found = author_of(self.ledger, path, tree.left, self.at)
            if call is not None and call.ended is not None and found.actor.kind == "external":
                return by_calls(self.ledger, [call])  # its end was not seen in time, but it is this one's
            return self._proved(path, state, found) if found.others else found

        if call is not None and (unheard := unheard_of(self, tree, call)) and self._knew_nothing(call):
            for one in unheard:
                self.look(one.path, one.before)
        seen = [one for one in tree.sightings if not self._is_late(one, tree)]
        sweep(self, replace(tree, sightings=tuple(seen)), author)
        self._bury(tree)
        return CallAbout(
            gap=_gap(tree), counted=tree.counted, closed=tree.closed, stays=tree.stays, git=_move(tree)
        )

    def _is_late(self, seen: Sighting, tree: TreeLook) -> bool:
        """Whether a decision overtook what was seen, and no call may have brought it back."""
        if author_of(self.ledger, seen.path, tree.left).actor.kind != "external":
            return False
        return is_overtaken(self.ledger, self.at, seen.path, seen.after)

    def _proved(self, path: str, state: FileState, found: Author) -> Author:
        """One of several calls, if what it was asked to do leads exactly to what was found."""
        file = self.ledger.file_at(path)
        text = as_text(self.read(state.blob)) if isinstance(state, Regular) else None
        if file is None or text is None:
            return found
        for number in (found.call or 0, *found.others):
            call = self.ledger.call(number)
            if call is None or path not in names(call) or (began := self._said(call)) is None:
                continue
            if is_alike(_outcome(began, path, self._raw(file.live)), text, path):
                return by_calls(self.ledger, [call])
        return found


def _words(notice: CallBegan | CallFinished) -> CallAbout:
    """What the agent says of a call."""
    return load_about({name: value for name, value in notice.about.items() if value})


def _gap(tree: TreeLook) -> str | None:
    """What a look at the tree could not see, and why."""
    unread = {seen.path: seen.after.why for seen in tree.sightings if isinstance(seen.after, Unknown)}
    if unread:
        return ", ".join(f"{path} ({why})" for path, why in sorted(unread.items()))
    if tree.unknown:
        return f"the tree could not be looked at: {tree.unknown}"
    return "the tree was not known before this call" if tree.is_first else None


def _move(tree: TreeLook) -> CommitMove | None:
    if tree.move is None:
        return None
    return {
        "from": tree.move.old,
        "to": tree.move.new,
        "from_branch": tree.move.old_branch,
        "to_branch": tree.move.new_branch,
        "files": len(tree.moved),
    }


def _outcome(notice: CallBegan | CallFinished, path: str, text: str | None) -> str | None:
    """What a call, done over again, makes of a file's text; None if it cannot be done."""
    try:
        return proposed(notice, text, patch_for(notice.patches, path))
    except CannotPropose:
        return None
