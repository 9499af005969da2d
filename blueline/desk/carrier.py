"""Decisions: planned, written down, then carried out on disk.

Order, each durable before the next: blobs, temporaries beside the files, the event, the files. After a kill
at any instant, opening the project finishes what was written down and forgets the rest.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from blueline.blobs.store import StoredContent
from blueline.desk.disk_look import author_at, is_filled
from blueline.desk.folders import EmptiedFolders
from blueline.desk.project_store import Store
from blueline.errors import BluelineError
from blueline.model.decider import NOBODY, Decider
from blueline.model.fact import DecisionFinished, DecisionMade, DecisionTurned, Write
from blueline.model.file_state import Absent, FileState, Folder, Link, Regular
from blueline.model.ids import DECISION, BlobId
from blueline.review.deciding.planning import FilePlan, Plan
from blueline.review.deciding.taken_back import turned
from blueline.review.file import File
from blueline.review.intake.taking import Taking
from blueline.review.ledger import Decision
from blueline.review.medium.choice import composed, composed_last
from blueline.review.setting import ABSENT, Content
from blueline.workspace.open_folders import above
from blueline.workspace.tree import Landed, Tree

TRIES = 5
"""How often a decision is planned again because files change while it is carried out."""


class Unsettled(BluelineError):
    """A file would not hold still."""


class ContentLost(BluelineError):
    """What a file should become is not stored any more."""


class MovedOn(Exception):
    """Files are not what the plan expected; nothing was written."""

    def __init__(self, conflicts: list[Landed]) -> None:
        super().__init__(", ".join(conflict.path for conflict in conflicts))
        self.conflicts = conflicts


class Carrier:
    """Makes the files what a decision says, all of them or none, and records it."""

    def __init__(self, store: Store, tree: Tree) -> None:
        self._store = store
        self._tree = tree
        self._staged = store.state / "staged"

    def writes(self, plans: Iterable[FilePlan]) -> list[Write]:
        """What the files on disk have to become. Fails with `MovedOn` if two would stand at one place, or one
        below another."""
        found: list[Write] = []
        every = list(plans)
        plans = [one for one in every if _is_visible(one)]
        going = [one.before.live.path for one in plans if _vacates(one)]
        # Also of what stands nowhere it is known which folders went with it.
        folders = EmptiedFolders(self._store, {one.after.number: one.after for one in every}, going)
        contents = (content for one in plans for content in self._contents(one))
        stored = iter(self._store.blobs.stored(contents))
        for one in plans:
            old, new = one.before.live, one.after.live
            missing = folders.outermost(old.path) if _vacates(one) else ""
            before, after = file_state(old, next(stored)), file_state(new, next(stored))
            found.append(Write(path=new.path, old_path=old.path, before=before, after=after, missing=missing))
        coming = Counter(write.path for write in found if not isinstance(write.after, Absent | Folder))
        if twice := [path for path, files in coming.items() if files > 1]:
            raise MovedOn([Landed(path=path, outcome="conflict", why="two files") for path in twice])
        come = {*coming}
        if below := [path for path in sorted(come) if not come.isdisjoint(above(path))]:
            raise MovedOn([Landed(path=path, outcome="conflict", why="below a file") for path in below])
        return [_with_room(write, come) for write in found]

    def _contents(self, one: FilePlan) -> Iterator[bytes | BlobId | None]:
        """What a file is, and what it becomes."""
        store = self._store
        yield composed_last(one.before, store.blobs.has, store.read)
        yield composed(one.after.live, store.read)

    def make(
        self, plan: Plan, reason: str, turns: Iterable[int] = (), by: Decider = NOBODY, commit: str = ""
    ) -> tuple[int, list[str]]:
        """Write a decision down and carry it out; its number, and the paths written.

        Made `by` somebody, or by a `commit`.
        """
        number = self._store.ledger.counters.decision + 1
        writes = self.writes(plan.files)
        fact = DecisionMade(
            decision=number,
            verdict=plan.verdict,
            reason=reason,
            changes=tuple((one.before.number, one.changes) for one in plan.files),
            hunks=tuple(result.hunk.id for result in plan.results if result.outcome != "already"),
            writes=tuple(writes),
            by=by.by,
            agent=by.agent,
            turns=tuple(sorted(turns)),
            commit=commit,
            request=by.request,
            passes=tuple((one.before.number, one.passes) for one in plan.files if one.passes),
        )
        return number, self._carry(fact, number, writes)

    def turn(
        self, named: Decision, of: Decision, plans: list[FilePlan], *, stands: bool, by: Decider
    ) -> tuple[int, list[str]]:
        """Take a decision back, or make it stand again."""
        number = self._store.ledger.counters.decision + 1
        writes = self.writes(plans)
        fact = DecisionTurned(
            decision=number,
            of=of.number,
            stands=stands,
            takes_back=named.number,
            files=tuple(one.before.number for one in plans),
            writes=tuple(writes),
            by=by.by,
            agent=by.agent,
            changes=tuple((one.before.number, one.changes) for one in plans if one.changes),
            request=by.request,
        )
        return number, self._carry(fact, number, writes)

    def turned(self, of: Decision, *, stands: bool) -> list[FilePlan]:
        """The files of a decision before and after it is taken back or stands again."""
        ledger = self._store.ledger
        number, salt = ledger.counters.decision + 1, ledger.counters.salt
        return [
            turned(file, of.number, stands=stands, number=number, salt=salt)
            for one in of.files
            if (file := ledger.file(one)) is not None
        ]

    def _carry(self, fact: DecisionMade | DecisionTurned, number: int, writes: list[Write]) -> list[str]:
        with self._tree.stage(writes, self._staged, is_new=True) as staged:
            if staged.conflicts:
                raise MovedOn(staged.conflicts)
            self._store.record([fact])
            staged.commit()
            if staged.conflicts:
                self._follow(number, [conflict.path for conflict in staged.conflicts])
        self._store.record([DecisionFinished(decision=number)])
        self._store.save()
        return [write.path for write in writes]

    def _follow(self, number: int, paths: list[str]) -> None:
        """Somebody wrote between plan and write: theirs counts first, then the decision again."""
        for _ in range(TRIES):
            paths = [one.path for one in self._replace(self._again(number, paths))]
            if not paths:
                return
        raise Unsettled(
            f"{paths[0]} keeps changing while it is being written",
            hint="stop what writes to it; the decision is carried out by the next command",
        )

    def _replace(self, writes: list[Write]) -> list[Landed]:
        """Write what can be written; the rest."""
        landed = self._tree.replace(writes, self._staged, in_part=True)
        return [one for one in landed if one.outcome == "conflict"]

    def _again(self, number: int, paths: list[str]) -> list[Write]:
        """Let a decision fall for some files, take in what stands there now, and let it stand again."""
        ledger = self._store.ledger
        decision = ledger.decision(number)
        assert decision is not None
        of, stands = decision.of or number, decision.verdict != "undo"
        taking = self._store.taking()
        writes: list[Write] = []
        for path in paths:
            file = ledger.file_at(path)
            if file is None:
                continue
            self._turn(taking, of, file, stands=not stands)
            path = self._known(file).live.path
            state, _ = self._tree.read(path, filled=is_filled(self._known(file)))
            if self._store.has_news():
                # A hook has told of a call meanwhile, and what stands there may be that call's.
                self._store.keep(taking)
                state = self._told(path)
                taking = self._store.taking()
            taking.look(path, state, author=author_at(self._store, path))
            before = self._known(file)
            after = before.with_decision(of, stands=stands)
            write = self.writes([FilePlan(before=before, after=after, changes=())])
            self._turn(taking, of, file, stands=stands, writes=tuple(write))
            writes += write
        self._store.keep(taking)
        return writes

    def _told(self, path: str) -> FileState:
        """Take in what hooks wrote down; what stands at a path when that is all."""
        tries = TRIES
        while True:
            self._store.catch_up()
            state, _ = self._tree.read(path)
            tries -= 1
            if not tries or not self._store.has_news():
                return state

    def _known(self, file: File) -> File:
        found = self._store.ledger.file(file.number)
        assert found is not None
        return found

    def _turn(
        self, taking: Taking, of: int, file: File, *, stands: bool, writes: tuple[Write, ...] = ()
    ) -> None:
        """Let a decision fall for one file, or stand again."""
        number = self._store.ledger.counters.decision + 1
        taking.say(
            DecisionTurned(
                decision=number, of=of, stands=stands, takes_back=of, files=(file.number,), writes=writes
            )
        )
        taking.say(DecisionFinished(decision=number))

    def recover(self, unfinished: Iterable[Decision]) -> set[str]:
        """Finish what a killed process began. The paths that could not be finished, if any."""
        if os.path.lexists(self._staged):
            self._tree.sweep(self._staged)
        stuck: set[str] = set()
        for decision in unfinished:
            if decision.verdict == "queued":
                continue
            try:
                self._finish(decision)
            except BluelineError as error:
                stuck |= {path for write in decision.writes for path in (write.path, write.old_path)}
                self._store.warnings.append(
                    f"decision {DECISION.id(decision.number)} could not be carried out yet: {error}"
                )
        return stuck

    def _finish(self, decision: Decision) -> None:
        """Write what is left; a file that has moved on meanwhile first says what happened to it."""
        of, stands = decision.of or decision.number, decision.verdict != "undo"
        files = [file for one in decision.files if (file := self._store.ledger.file(one)) is not None]
        # Killed between the fall of a decision and its standing again, for a file that had moved on.
        fallen = {file.live.path for file in files if (of in file.fallen) == stands}
        writes = [one for one in decision.writes if not {one.path, one.old_path} & fallen]
        paths = [one.path for one in self._replace(writes)]
        if paths or fallen:
            self._follow(decision.number, [*paths, *sorted(fallen)])
        self._store.record([DecisionFinished(decision=decision.number)])


def file_state(content: Content, stored: StoredContent | None) -> FileState:
    """What should be on disk, by what it is put together to, if that is known."""
    if stored is not None:
        return Regular(mode=content.mode, size=stored.size, blob=stored.blob)
    match content.node.kind:
        case "link":
            return Link(target=str(content.node.value))
        case "folder":
            return Folder()
        case "absent":
            return Absent(missing_folder="")
        case _:
            raise ContentLost(
                f"what {content.path} should hold is not known",
                hint="its content was lost; see `blueline check`",
            )


def _with_room(write: Write, come: set[str]) -> Write:
    """A file that goes takes its folder along, where another file comes to stand in the folder's place."""
    if not isinstance(write.after, Absent) and write.path == write.old_path:
        return write
    blocking = next((path for path in sorted(come) if write.old_path.startswith(f"{path}/")), None)
    return write if blocking is None else replace(write, missing=blocking)


def _is_visible(one: FilePlan) -> bool:
    """Whether anything on disk changes."""
    before, after = one.before.live, one.after.live
    return before != after and not (before.node == after.node == ABSENT)


def _vacates(one: FilePlan) -> bool:
    """Whether nothing stands any more where the file is now."""
    before, after = one.before.live, one.after.live
    return after.node == ABSENT or before.path != after.path
