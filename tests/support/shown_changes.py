"""What the hunks of a file show, held against the two texts that they are about."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

from blueline.diff.edits import split_lines
from blueline.model.answer import PENDING
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import plan
from blueline.review.deciding.sides import Side, Sides
from blueline.review.file import File


class Change(NamedTuple):
    """Lines of the baseline, and the lines of the file that are there in their place."""

    old: Side
    new: Side
    hunk: Hunk


def shown_changes(file: File) -> list[Change]:
    """What the undecided hunks of a file show, in the order of the text."""
    sides = Sides(file)
    found = [
        Change(*sides.of(hunk), hunk) for hunk in hunks(file, 0) if hunk.listed and hunk.state == PENDING
    ]
    return sorted(found, key=lambda change: (change.old.start, change.new.start, change.old.end))


def without(agreed: str, live: str, changes: list[Change]) -> str:
    """The file with the old lines of some changes in the place of their new ones.

    Where several show the same lines, these are taken together.
    """
    old_lines, new_lines = split_lines(agreed), split_lines(live)
    found: list[str] = []
    old_at = new_at = 0
    for change in changes:
        old, new, _ = change
        assert old.text == "".join(old_lines[old.start : old.end]), "shows old lines that are not there"
        assert new.text == "".join(new_lines[new.start : new.end]), "shows new lines that are not there"
        found += new_lines[new_at : new.start]
        found += old_lines[max(old_at, old.start) : old.end]
        old_at, new_at = max(old_at, old.end), max(new_at, new.end)
    return "".join([*found, *new_lines[new_at:]])


def patch_of(live: str, change: Change) -> bytes:
    """One change as git writes it if it is the only one, with all lines around it.

    Without these, git takes a last line without an end for the same line somewhere else.
    """
    around = split_lines(live)
    old, new = split_lines(change.old.text or ""), split_lines(change.new.text or "")
    above, below = around[: change.new.start], around[change.new.end :]
    marked = [(" ", above), ("-", old), ("+", new), (" ", below)]
    counts = [len(above) + len(own) + len(below) for own in (old, new)]
    ranges = " ".join(f"{sign}{min(count, 1)},{count}" for sign, count in zip("-+", counts, strict=True))
    lines = [
        f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
        for sign, side in marked
        for line in side
    ]
    return f"--- a/file\n+++ b/file\n@@ {ranges} @@\n{''.join(lines)}".encode()


def reversed_by_git(folder: Path, live: str, change: Change) -> str:
    """What git makes of the file when it takes one change back."""
    place = folder / "file"
    place.write_bytes(live.encode())
    subprocess.run(
        ["git", "apply", "-R", "--whitespace=nowarn", "-"],
        cwd=folder,
        input=patch_of(live, change),
        env={"PATH": os.environ["PATH"], "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        check=True,
    )
    return place.read_bytes().decode() if place.exists() else ""


def rejected(file: File, hunk: Hunk) -> str:
    """What rejecting one hunk makes of the file."""
    planned = plan({file.number: (file, hunk.pieces)}, "reject", decision=1, salt=0)
    assert not planned.needs
    return planned.files[0].after.live.text or ""


def is_accepted_whole(file: File, hunk: Hunk) -> bool:
    """Whether accepting one hunk changes nothing in the file, and leaves nothing of it undecided."""
    planned = plan({file.number: (file, hunk.pieces)}, "accept", decision=1, salt=0)
    after = planned.files[0].after
    left = [one for one in hunks(after, 0, {hunk.operation.number}) if one.state == PENDING]
    return after.live == file.live and all(one.whole != hunk.whole for one in left)
