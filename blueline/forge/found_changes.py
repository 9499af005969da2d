"""From what changed, wherever it is known from, to suggestions for a commit on the code host."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from blueline.desk.pending_files import PathContent, PendingFile
from blueline.forge.line_hunks import carried
from blueline.forge.objects import LARGEST, Objects
from blueline.forge.suggestion import FILE, LINK, PROGRAM, GitContent, OfferedChange, Suggestion, is_plain
from blueline.model.secret import is_secret
from blueline.model.text import as_text

OURS = (".blueline/state/",)
"""Nothing below these is ever a suggestion."""

MOST_PROMPT = 300
ASKED = "Asked for: "


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferableChange:
    """One change, with the words that came with it."""

    change: OfferedChange
    rationale: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A file that is not offered, and why."""

    path: str
    why: str


def from_pending(files: Iterable[PendingFile], prefix: str) -> tuple[list[OfferableChange], list[Left]]:
    """What is pending at the desk. `prefix` is where the project is in its repository."""
    found, left = [], []
    for file in files:
        if file.problem:
            left.append(Left(path=file.path, why=file.problem))
            continue
        change = OfferedChange(
            path=prefix + file.path,
            old_path=prefix + file.old_path,
            # Of a file that an agent made, all is offered: nobody has had it before.
            old=None if file.is_new else _side(file.old),
            new=_side(file.new),
        )
        found.append(
            OfferableChange(change=change, rationale=rationale(file.words, file.prompts), of=file.of)
        )
    return found, left


def _side(content: PathContent | None) -> GitContent | None:
    return None if content is None else GitContent(mode=content.mode, content=content.content)


def rationale(words: Sequence[str], prompts: Sequence[str]) -> str:
    """Why a change is proposed: the agent's words first, then what it was asked for."""
    said = [" ".join(word.split()) for word in words]
    asked = [" ".join(prompt.split()) for prompt in prompts]
    cut = [one[:MOST_PROMPT] + ("…" if len(one) > MOST_PROMPT else "") for one in asked if one]
    return " ".join([*said, *([f"{ASKED}{' / '.join(cut)}"] if cut else [])])


def from_range(objects: Objects, words: str) -> list[OfferableChange]:
    """What changed between two commits, `A..B`, or in one; the last commit's subject says why."""
    old, dots, new = words.partition("..")
    new = new.removeprefix(".") or "HEAD"
    if not dots:
        old, new = f"{words}^", words
    first, last = objects.resolve(old or "HEAD"), objects.resolve(new)
    subject = objects.subject(last)
    return [OfferableChange(change=change, rationale=subject) for change in objects.changed(first, last)]


def from_worktree(objects: Objects, root: Path) -> tuple[list[OfferableChange], list[Left]]:
    """What is in the work tree and not in the commit that is checked out."""
    head = objects.head()
    files = objects.commit(head)
    top = _top(root, objects.prefix)
    found, left = [], []
    for path in objects.differing(head):
        if not path.startswith(objects.prefix):
            continue
        new = _on_disk(top, path)
        if isinstance(new, str):
            left.append(Left(path=path, why=new))
            continue
        change = OfferedChange(path=path, old_path=path, old=files.read(path), new=new)
        if change.old != change.new:
            found.append(OfferableChange(change=change))
    return found, left


def _top(root: Path, prefix: str) -> Path:
    depth = prefix.count("/")
    return root.resolve().parents[depth - 1] if depth else root.resolve()


def _on_disk(top: Path, path: str) -> GitContent | str | None:
    """What stands at a path; why not, if that cannot be said. Links are not followed."""
    place = top / path
    try:
        if place.is_symlink():
            return GitContent(mode=LINK, content=os.fsencode(os.readlink(place)))
        if not place.exists():
            return None
        if any(above.is_symlink() for above in place.parents if above.is_relative_to(top) and above != top):
            return "it is behind a link"
        with open(place, "rb", opener=_opened) as file:
            status = os.fstat(file.fileno())
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        return f"it cannot be read ({type(error).__name__})"
    return GitContent(mode=PROGRAM if status.st_mode & 0o100 else FILE, content=data)


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def fitted(
    found: Iterable[OfferableChange], objects: Objects, head: str
) -> tuple[list[OfferableChange], list[Left]]:
    """The changes as they are made to a commit: its files may not be the ones that were changed here."""
    files = objects.commit(head)
    fit, left = [], []
    for one in found:
        answer = _why_not(one.change) or _fitted(
            one.change, files.read(one.change.old_path), files.read(one.change.path)
        )
        if isinstance(answer, str):
            left.append(Left(path=one.change.path, why=answer))
        elif answer.old != answer.new or answer.path != answer.old_path:
            fit.append(replace(one, change=answer))
    return fit, left


def _why_not(change: OfferedChange) -> str:
    """Why something is offered to nobody."""
    paths = {change.path, change.old_path}
    if any(is_secret(path) for path in paths):
        return "it holds passwords or keys by its name"
    if not all(is_plain(path) for path in paths):
        return "its path leads elsewhere"
    if any(path.startswith(OURS) for path in paths):
        return "it is kept by Blueline for itself"
    try:
        for path in paths:
            path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if any(side is not None and len(side.content) > LARGEST for side in (change.old, change.new)):
        return "it is too large"
    if any(side is not None and side.mode not in (FILE, PROGRAM, LINK) for side in (change.old, change.new)):
        return "it is another repository"
    return ""


def _fitted(change: OfferedChange, now: GitContent | None, there: GitContent | None) -> OfferedChange | str:
    if now == change.old and (change.path == change.old_path or there is None):
        return change
    if change.old is None or now is None or change.new is None:
        if now == change.new:
            return replace(change, old=now, new=now)  # nothing is left to do
        return "it is not on the branch as it was here"
    texts = [as_text(side.content) for side in (change.old, change.new, now)]
    old, new, live = texts
    if old is None or new is None or live is None or LINK in (change.old.mode, change.new.mode, now.mode):
        return "it is not on the branch as it was here"
    if "\r\n" in old and "\r\n" not in live:
        # Git may keep the lines of a work tree without their carriage returns.
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    text = carried(old, new, live)
    if text is None:
        return "the same lines are different on the branch"
    mode = change.new.mode if change.new.mode != change.old.mode else now.mode
    return replace(change, old=now, new=GitContent(mode=mode, content=text.encode()))


def numbered(
    found: Sequence[OfferableChange],
    *,
    per_hunk: bool,
    first: int = 1,
    rationales: Mapping[int, str] | None = None,
) -> list[Suggestion]:
    """The suggestions: one for each file, or for each hunk of a file that is only modified."""
    suggestions: list[Suggestion] = []
    for one in sorted(found, key=lambda it: it.change.path):
        is_split = per_hunk and one.change.action == "modify" and len(one.change.hunks) > 1
        for hunk in range(len(one.change.hunks)) if is_split else (None,):
            number = first + len(suggestions)
            words = (rationales or {}).get(number, one.rationale)
            suggestions.append(
                Suggestion(number=number, change=one.change, hunk=hunk, rationale=words, of=one.of)
            )
    return suggestions
