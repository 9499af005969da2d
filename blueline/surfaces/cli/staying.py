"""Commands that stay: what other commands leave to their end has to be done meanwhile."""

from __future__ import annotations

import gc

MADE_BETWEEN = 10_000
"""Objects that are made between two looks for cycles. A step of a large review makes hundreds of thousands
and keeps many: with the usual 700, a fifth of its time goes into looks that find nothing."""


def collect() -> None:
    """Have cycles found again: this process does not end soon."""
    gc.set_threshold(MADE_BETWEEN)
    gc.enable()
