"""What a host tells about an event: read with care, by name, and only what is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from blueline.hosts.host import BadEvent

Event = Mapping[str, Any]


def read_event(payload: bytes) -> Event:
    try:
        event = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise BadEvent("the event is not JSON") from error
    if not isinstance(event, dict):
        raise BadEvent("the event is not an object")
    return event


def part(found: Event, name: str) -> Event:
    value = found.get(name)
    if not isinstance(value, dict):
        raise BadEvent(f"the event has no {name}")
    return value


def text(found: Event, name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        raise BadEvent(f"the event has no {name}")
    return value


def number(found: Event, name: str) -> int:
    value = found.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadEvent(f"the event has no {name}")
    return value
