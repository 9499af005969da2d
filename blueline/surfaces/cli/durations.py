"""How long, as people say it: 30m, 2h, 3d, or a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from blueline.errors import BluelineError

UNITS = {"m": "minutes", "h": "hours", "d": "days"}
LONGEST = timedelta(days=30)


def until(text: str, now: datetime) -> str:
    """When that is, as times are stored. Never later than a month from now."""
    if found := re.fullmatch(r"(\d{1,5})([mhd])", text.strip()):
        then = now + timedelta(**{UNITS[found[2]]: int(found[1])})
    else:
        try:
            then = datetime.fromisoformat(text.strip())
        except ValueError as error:
            hint = "for example: --expires 2h, or 2030-01-31T18:00"
            raise BluelineError(f"{text!r} is not a time", hint=hint) from error
        then = then if then.tzinfo else then.astimezone()
    if then > now + LONGEST:
        raise BluelineError("an override lasts a month at most", hint="for example: --expires 7d")
    return then.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
