"""What an agent's recorded payloads mean, written down shortly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import ADAPTERS, interpret
from blueline.model.notice import CallBegan, CallFinished, Notice

PAYLOADS = Path(__file__).parents[1] / "support" / "payloads"


def recorded(agent: str) -> dict[str, bytes]:
    """The payloads recorded from an agent, by the names of their files."""
    files = sorted((PAYLOADS / agent).glob("*.json"))
    return {path.stem: path.read_bytes() for path in files if path.stem != "environment"}


def meaning(agent: str, payload: bytes | dict[str, Any]) -> Notice:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    (notice,) = interpret(agent, raw)
    return notice


def began(agent: str, payload: bytes | dict[str, Any]) -> CallBegan:
    notice = meaning(agent, payload)
    assert isinstance(notice, CallBegan)
    return notice


def finished(agent: str, payload: bytes | dict[str, Any]) -> CallFinished:
    notice = meaning(agent, payload)
    assert isinstance(notice, CallFinished)
    return notice


def said(notice: CallBegan | CallFinished) -> dict[str, Any]:
    """What a notice says of a call, without what is not there. Its key is not for people."""
    names = ("tool", "edits", "content", "section", "patches", "about")
    found = {name: getattr(notice, name) for name in names if getattr(notice, name)}
    return {**found, "failed": True} if isinstance(notice, CallFinished) and notice.failed else found


def check_pairs(agent: str, payloads: dict[str, bytes], before: str, after: str) -> None:
    """Beginning and end of a call have one key, and all calls different ones."""
    keys = {}
    for name, payload in payloads.items():
        step, _, event = name.partition(".")
        if event == before:
            keys[step] = began(agent, payload).key
    assert len(set(keys.values())) == len(keys)
    for name, payload in payloads.items():
        step, _, event = name.partition(".")
        if event.startswith(after):
            assert finished(agent, payload).key == keys[step]


AGENTS = pytest.mark.parametrize("agent", ADAPTERS)
