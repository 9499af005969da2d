"""How long, and since when, as people say it: 30m, 2h, 3d, yesterday, or a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from blueline.errors import BluelineError
from blueline.model.visible import shortened

UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
LONGEST = timedelta(days=30)


def until(text: str, now: datetime) -> str:
    """When that is, as times are stored. Never later than a month from now."""
    if found := re.fullmatch(r"(\d{1,5})([mhdw])", text.strip()):
        then = now + timedelta(**{UNITS[found[2]]: int(found[1])})
    else:
        then = _moment(text, "for example: --expires 2h, or 2030-01-31T18:00")
    if then > now + LONGEST:
        raise BluelineError("an override lasts a month at most", hint="for example: --expires 7d")
    return _stored(then)


def since(text: str, now: datetime, option: str = "--since") -> str:
    """When that was, as times are stored; days begin at the person's midnight. Empty for no limit."""
    spelled = text.strip().lower()
    if not spelled:
        return ""
    midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    if spelled in ("today", "yesterday"):
        return _stored(midnight - timedelta(days=spelled == "yesterday"))
    if found := re.fullmatch(r"(\d{1,5})([mhdw])", spelled):
        return _stored(now - timedelta(**{UNITS[found[2]]: int(found[1])}))
    return _stored(_moment(text, f"for example: {option} 2h, 3d, yesterday, or 2030-01-31"))


def _moment(text: str, hint: str) -> datetime:
    try:
        then = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise BluelineError(f"{shortened(text)!r} is not a time", hint=hint) from error
    return then if then.tzinfo else then.astimezone()


def _stored(then: datetime) -> str:
    return then.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
