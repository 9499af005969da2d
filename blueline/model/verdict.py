"""The words of a decision."""

from typing import Literal

Verdict = Literal["accept", "reject"]

HunkOutcome = Literal["applied", "already", "conflict", "skipped", "queued"]
"""What a decision came to for one hunk. Never `applied` when nothing changed."""
