"""The answers that a piece can have."""

from typing import Literal

Answer = Literal["pending", "held", "accepted", "rejected"]
"""`held` is pending too, but not in the text until it is accepted."""

PENDING: Answer = "pending"
HELD: Answer = "held"
ACCEPTED: Answer = "accepted"
REJECTED: Answer = "rejected"

STATES: tuple[Answer, ...] = (PENDING, HELD, ACCEPTED, REJECTED)

UNDECIDED: tuple[Answer, ...] = (PENDING, HELD)
"""What a person is still asked about."""

IN_EFFECT: tuple[Answer, ...] = (PENDING, ACCEPTED)
"""What shows in the file as it is."""
