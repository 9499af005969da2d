"""A look at the disk: what people and their programs did to files we know."""

import os
import time
from collections.abc import Sequence, Set
from contextlib import suppress
from typing import NamedTuple

from blueline.desk.git_moves import GitHand
from blueline.desk.project_store import Store
from blueline.hook import capture, recorder
from blueline.journal.frames import OBSERVATION
from blueline.kernel import disk, processes, project_folder, refs
from blueline.model.actor import UNKNOWN
from blueline.model.file_state import Absent, FileState, Link, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.review.file import File
from blueline.review.fold_files import state_key
from blueline.review.intake.authorship import GIT, OUTSIDE, Author, author_of, names
from blueline.review.intake.file_looks import holds
from blueline.review.intake.renames import renamed
from blueline.review.intake.taking import Taking
from blueline.review.ledger import Call
from blueline.review.medium.choice import on_disk
from blueline.workspace.tree import NoContent, Tree

FEW = 200
"""That many files are looked at every time: it takes no longer than to find out which of them to look at."""

SAYS_NOTHING = (b"tree 0", b"left ")
"""How lines begin that are no news by themselves."""

MOST_READ = 200
"""Files that are read to see whether one of them is a file that vanished."""


def look(
    store: Store, tree: Tree, calls: Sequence[Call], *, besides: set[str], only: Set[str] | None = None
) -> bool:
    """Take in every known file that changed, but for those at the paths `besides`. `calls` are open.

    Of many files, those are looked at that are at or below the paths `only`.

    While a shell command runs, nothing is: what it leaves behind is seen at its end, as a whole.
    False if a hook wrote something down meanwhile, and then nothing was taken in: a change may be that of a
    call it tells of. A hook writes before its tool does anything, so what is seen before it is no call's.
    """
    if any(is_running(call) for call in calls):
        return True
    held = besides | {path for call in calls for path in names(call)}
    everywhere = only is None or store.index.files.count() <= FEW
    found_at = store.index.files.paths() if everywhere else store.index.files.below(only or ())
    paths = [path for path in dict.fromkeys(path for _, path in found_at) if path not in held]
    known = store.index.looks() if everywhere else store.index.looks(paths)
    changed = tree.changed({path: known.get(path) for path in paths})
    if not changed:
        return True
    found = {
        path: Glimpse.at(tree, path, filled=is_filled(store.ledger.file_at(path)))
        for path, signature in changed.items()
        if signature is not None
    }
    vanished = [path for path, signature in changed.items() if signature is None]
    moved = _moved(store, tree, {path: known.get(path) for path in vanished}) if vanished else {}
    gone = {path: Glimpse.at(tree, moved.get(path, path)) for path in vanished}
    if store.has_news():
        return False
    seen = {path: glimpse.look for path, glimpse in found.items()}
    # Most files that look new hold what is known of them: a hook has seen them, or a decision wrote them.
    news = {
        path: one for path, one in found.items() if not holds(store.ledger.file_at(path), one.state, path)
    }
    if news or gone:
        taking = store.taking()
        was, now = store.ledger.git, refs.position(os.fsencode(store.root))
        git = GitHand(store.root, store.read, (was.head, now[0]), (was.stash, now[1]))
        for path, glimpse in news.items():
            author = _author(store, path, glimpse.state, git)
            taking.look(path, glimpse.state, author=author)
        for path, glimpse in gone.items():
            _look_for(taking, store, path, moved.get(path), glimpse, seen, git)
        store.keep(taking)
    store.save(seen)
    return True


def look_at_tree(store: Store) -> None:
    """Look at the whole tree, as a hook does, and write down what is seen: nobody else will."""
    root, state = os.fsencode(store.root), os.fsencode(store.state)
    with capture.Capture(root, state) as now:
        lines = now.look()
        if any(not line.startswith(SAYS_NOTHING) for line in lines):
            mode = project_folder.read_mode(state)
            payload = recorder.compose(time.time_ns(), "blueline", "look", mode, lines, b'{"blueline":1}')
            disk.append(state + b"/journal", disk.frame(OBSERVATION, payload))
        now.save()
        store.left = now.left


def calls_of_the_living(store: Store) -> list[Call]:
    """The open calls, once the turns of agents that are gone have ended, with all that worked for them.

    Before that it is looked at what commands do whose agents are gone, or that have left processes behind
    (rule D9). While a command runs, what these do beside it is seen at its end.
    """
    calls, turns = store.ledger.open_calls(), store.ledger.running_turns()
    is_remaining = capture.has_left(os.fsencode(store.state)) and not any(map(is_running, calls))
    if is_remaining or any(map(is_left, calls)):
        _look_at_remains(store)
        calls, turns = store.ledger.open_calls(), store.ledger.running_turns()
    gone = [turn for turn in turns if turn.process is not None and processes.has_gone(*turn.process)]
    if gone:
        taking = store.taking()
        for turn in gone:
            taking.bury(turn)
        store.keep(taking)
        calls = store.ledger.open_calls()
    return calls


def _look_at_remains(store: Store) -> None:
    try:
        look_at_tree(store)
    except (capture.CannotLook, OSError) as error:
        store.warn(f"what processes that were left behind have done could not be looked at: {error}")
    store.catch_up()


def is_left(call: Call) -> bool:
    """Whether an open call may have changed anything, and its agent is gone."""
    process = call.about.process
    return call.about.tree and process is not None and not processes.is_alive(*process)


def is_running(call: Call) -> bool:
    """Whether an open call may change any file just now. One whose agent is gone, or not known, does not."""
    process = call.about.process
    return call.about.tree and process is not None and processes.is_alive(*process)


def own_calls(store: Store) -> frozenset[int]:
    """The open call that this process was started in, if any; all it has changed until now is taken in.

    Of two open calls of one agent nobody can say which it is: then it is none.
    """
    line = processes.line(os.getpid())
    ours = [
        call.number
        for call in store.ledger.open_calls()
        if (process := call.about.process) is not None and process[0] in line and is_running(call)
    ]
    if len(ours) != 1:
        return frozenset()
    look_at_tree(store)
    store.catch_up()
    store.save()
    return frozenset(ours)


class Glimpse(NamedTuple):
    """What stood at a path."""

    state: FileState
    look: list[int] | None
    """As the index remembers it."""

    @classmethod
    def at(cls, tree: Tree, path: str, *, filled: bool = False) -> "Glimpse":
        started = time.time_ns()
        state, signature = tree.read(path, filled=filled)
        if signature is not None:
            # What could not be read has to be looked at again, although nothing about it changes.
            look = None if isinstance(state, Unknown) else [*signature, started]
            return cls(state, look)
        return cls(state, [] if isinstance(state, Absent) else None)


def is_filled(file: File | None) -> bool:
    """Whether a file is known to hold something."""
    return file is not None and bool(file.live.text or file.live.node.kind == "bytes")


def _moved(store: Store, tree: Tree, vanished: dict[str, list[int] | None]) -> dict[str, str]:
    """Where files that vanished are now, as far as their content tells."""
    gone: dict[str, bytes] = {}
    for path in vanished:
        file = store.ledger.file_at(path)
        if file is not None and file.live.text:
            gone[path] = on_disk(file.live, store.read) or b""
        elif file is not None and file.live.node.kind == "bytes":
            gone[path] = store.read(BlobId(str(file.live.node.value))) or b""
    if not gone:
        return {}
    looks = [before for path in gone if (before := vanished[path])]
    since = min((before[-1] for before in looks), default=0)
    largest = 2 * max(len(content) for content in gone.values())
    come: dict[str, bytes] = {}
    for one in tree.appeared(since, {(before[0], before[1]) for before in looks}):
        if one.size <= largest and len(come) < MOST_READ and store.ledger.file_at(one.path) is None:
            with suppress(NoContent):
                come[one.path] = tree.content(one.path)
    return renamed(gone, come)


def _look_for(
    taking: Taking,
    store: Store,
    path: str,
    moved: str | None,
    glimpse: Glimpse,
    seen: dict[str, list[int] | None],
    git: GitHand,
) -> None:
    """A file is gone from its path: it was renamed to `moved`, or it is no more."""
    file = store.ledger.file_at(path)
    seen[path] = []
    if file is None or file.live.node.kind in ("absent", "unknown"):
        return
    if moved is not None and isinstance(glimpse.state, Regular):
        taking.look(moved, glimpse.state, old_path=path, author=author_at(store, path))
        seen[path], seen[moved] = None, glimpse.look
        return
    state = glimpse.state if moved is None else Absent()
    taking.look(path, state, author=_author(store, path, state, git))


def _last_known(store: Store, file: File) -> FileState:
    """A file as it was last known, as far as git can tell one from another."""
    node, blob = file.live.node, BlobId(file.steps[-1].content)
    match node.kind:
        case "absent":
            return Absent()
        case "link":
            return Link(target=str(node.value))
        case _:
            known = store.blobs.has(blob)
            return Regular(mode=file.live.mode, size=0, blob=blob) if known else Unknown(why="not stored")


def _author(store: Store, path: str, state: FileState, git: GitHand) -> Author:
    """Whose a change is, if it is not git's own."""
    found, file = author_at(store, path), store.ledger.file_at(path)
    if found == OUTSIDE and file is not None:
        is_known = any(step.content == state_key(state) for step in file.steps)
        if git.did(path, _last_known(store, file), state, is_known=is_known):
            return GIT
    return found


def author_at(store: Store, path: str) -> Author:
    """Whose a change is: nobody knows when we could not look at the end of a call, or records are lost."""
    found = author_of(store.ledger, path, store.left)
    if found != OUTSIDE:
        return found
    call = store.ledger.last_call_on(path)
    gap = call is not None and call.about.gap is not None
    return Author(UNKNOWN) if gap or store.doubtful else OUTSIDE
