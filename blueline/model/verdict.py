"""The words of a decision."""

from typing import Literal

Verdict = Literal["accept", "reject"]

BY_HAND, BY_GIT = "by-hand", "by-git"
"""Verdicts that the file itself gave: somebody edited it, or git went to another commit, or to a stash."""

BUILT_ON, MOVED_ON = "others built on it meanwhile", "the file has moved on"
WHY_PUT_OFF = (BUILT_ON, MOVED_ON)
"""Why a decision that was put off could not be carried out."""

HunkOutcome = Literal["applied", "already", "conflict", "skipped", "queued"]
"""What a decision came to for one hunk. Never `applied` when nothing changed."""
