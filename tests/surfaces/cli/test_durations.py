"""Since when, as people say it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from blueline.errors import BluelineError
from blueline.surfaces.cli.durations import since

NOW = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("30m", "2026-03-15T11:30:00.000Z"),
        ("2h", "2026-03-15T10:00:00.000Z"),
        ("1w", "2026-03-08T12:00:00.000Z"),
        ("2026-01-02T03:04+00:00", "2026-01-02T03:04:00.000Z"),
    ],
)
def test_since(text: str, expected: str) -> None:
    assert since(text, NOW) == expected


def test_days_begin_at_the_persons_midnight() -> None:
    today, yesterday = (datetime.fromisoformat(since(word, NOW)) for word in ("today", "yesterday"))
    assert today - yesterday <= timedelta(hours=25)
    assert today.astimezone().hour == 0


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(BluelineError, match="not a time"):
        since("soonish", NOW)
