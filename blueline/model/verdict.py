"""The words of a decision."""

from typing import Literal

Verdict = Literal["accept", "reject"]

BY_HAND, BY_GIT = "by-hand", "by-git"
"""Verdicts that the file itself gave: somebody edited it, or git went to another commit, or to a stash."""

HunkOutcome = Literal["applied", "already", "conflict", "skipped", "queued"]
"""What a decision came to for one hunk. Never `applied` when nothing changed."""
