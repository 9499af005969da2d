"""Taking in what changed anywhere in the tree: between the beginning and the end of a shell command, say."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from blueline.model.answer import ACCEPTED
from blueline.model.file_state import Absent, FileState, Folder, Other, Regular, Unknown
from blueline.model.tree_look import Sighting, TreeLook
from blueline.review.intake.authorship import GIT, Author
from blueline.review.intake.file_looks import FileLooks, holds
from blueline.review.intake.overtaken_looks import is_overtaken
from blueline.review.intake.recognisers import IN_A_CALL, IN_A_CALL_WITH_GIT
from blueline.review.intake.recording import FoundChange
from blueline.review.intake.renames import MOST_COMPARED, renamed
from blueline.review.ledger import Call

LARGEST_COMPARED = 1 << 20
"""Of larger files only equal ones are seen to be the same."""

Authors = Callable[[str, FileState], Author]
"""Whose it is that something is now like this at a path."""


def sweep(looks: FileLooks, tree: TreeLook, author_of: Authors) -> None:
    """Record every change of a look at the tree.

    Of what people and their programs did, only changes to files under review are: the rest is nobody's
    question. What git took from one commit to another is not somebody's edit either.
    """
    sightings = _merged(tree.sightings)
    moves = _renames(looks, sightings.values())
    targets = set(moves.values())
    for seen in sightings.values():
        if seen.path not in targets:
            moved = sightings[moves[seen.path]] if seen.path in moves else seen
            _change(looks, tree, seen, moved, author_of)


def unheard_of(looks: FileLooks, tree: TreeLook, call: Call) -> list[Sighting]:
    """Files under review that were not as they are known to be when the call began.

    If that look was the first of all, nothing else tells of it: it could compare them with nothing.
    """
    found = []
    for seen in tree.sightings:
        file = looks.ledger.file_at(seen.path)
        if file is None or not file.operations or holds(file, seen.before, seen.path):
            continue
        last = [*file.operations.values()][-1]
        if last.at <= call.started and not is_overtaken(looks.ledger, call.started, seen.path, seen.before):
            found.append(seen)
    return found


def _merged(sightings: Iterable[Sighting]) -> dict[str, Sighting]:
    """One for each path: where a folder stands now instead of a file, both are said to have changed."""
    found: dict[str, Sighting] = {}
    for seen in sightings:
        if isinstance(seen.after, Other):
            # Never looked into, and nothing that can be kept: what was there before is gone.
            seen = replace(seen, after=Absent())
        other = found.get(seen.path)
        if other is not None:
            first, last = (other, seen) if isinstance(seen.before, Absent) else (seen, other)
            seen = replace(last, before=first.before)
        found[seen.path] = seen
    return found


def _change(looks: FileLooks, tree: TreeLook, seen: Sighting, moved: Sighting, author_of: Authors) -> None:
    """One file is not as it was. `moved` is where it is now."""
    path, after = moved.path, moved.after
    file = looks.ledger.file_at(seen.path)
    if isinstance(seen.before, Other) and isinstance(after, Folder) and not _was_made(looks, tree, path):
        return
    if {seen.path, path} <= tree.moved:
        if file is not None:
            looks.look(path, after, old_path=seen.path, author=GIT)
        return
    author = author_of(path, after)
    if author.actor.kind == "external":
        if file is not None:
            looks.look(path, after, old_path=seen.path, author=author)
        return
    if isinstance(after, Unknown):
        return
    if file is None:
        file = looks.see(seen.path, _as_file(seen.before))
    missing = moved.before.missing_folder if isinstance(moved.before, Absent) else ""
    gone = seen.after.missing_folder if moved is not seen and isinstance(seen.after, Absent) else ""
    found = FoundChange(path=path, state=after, author=author, missing=missing, gone=gone)
    looks.recognise(file, found, IN_A_CALL if tree.refs is None else IN_A_CALL_WITH_GIT)


def _was_made(looks: FileLooks, tree: TreeLook, folder: str) -> bool:
    """Whether a folder that is empty now came with a file that just went, and was not accepted."""
    for seen in tree.sightings:
        file = looks.ledger.file_at(seen.path) if seen.path.startswith(f"{folder}/") else None
        for setting in () if file is None else (*file.nodes, *file.paths):
            if setting.missing and f"{folder}/".startswith(f"{setting.missing}/"):
                return setting.mark.state != ACCEPTED
    return False


def _as_file(state: FileState) -> FileState:
    return Absent() if isinstance(state, Other) else state


def _renames(looks: FileLooks, sightings: Iterable[Sighting]) -> dict[str, str]:
    """Paths that vanished, and where their files are now (rule A15)."""
    gone, come = {}, {}
    for seen in sightings:
        if isinstance(seen.before, Regular) and isinstance(seen.after, Absent) and seen.before.size:
            gone[seen.path] = seen.before
        elif (
            isinstance(seen.before, Absent)
            and isinstance(seen.after, Regular)
            and seen.after.size
            # A path that is known already gets a new content; a second file cannot stand there.
            and looks.ledger.file_at(seen.path) is None
        ):
            come[seen.path] = seen.after
    found = renamed(_names(gone), _names(come))
    rest = {path: state for path, state in gone.items() if path not in found}
    open_ends = {path: state for path, state in come.items() if path not in found.values()}
    if 0 < len(rest) * len(open_ends) <= MOST_COMPARED:
        found |= renamed(_contents(looks, rest.items()), _contents(looks, open_ends.items()))
    return found


def _names(states: Mapping[str, Regular]) -> dict[str, bytes]:
    return {path: state.blob.encode() for path, state in states.items()}


def _contents(looks: FileLooks, states: Iterable[tuple[str, Regular]]) -> dict[str, bytes]:
    return {
        path: content
        for path, state in states
        if state.size <= LARGEST_COMPARED and (content := looks.read(state.blob)) is not None
    }
