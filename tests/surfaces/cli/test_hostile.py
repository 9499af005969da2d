"""Nothing from a file, a name, a prompt or a reason reaches the terminal as anything but text.

Every string of every document is replaced by one that a terminal would obey, and everything is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.surfaces.cli import (
    demo,
    details,
    doctor_command,
    gate_commands,
    init_extras,
    init_words,
    listing_text,
    log_text,
    outcomes,
    projects_command,
    review_commands,
    ship_command,
)
from blueline.surfaces.cli.terminal import STYLES, Screen
from tests.support.fake_desk import (
    UNRECORDED,
    Document,
    call,
    decided,
    decision,
    file,
    hunk,
    listing,
    refused,
    turn,
)

ATTACKS = (
    "\x1b]0;owned\x07",
    "\x1b[2J\x1b[31mred",
    "two\nlines\rover",
    "\x9b31m\x90",
    "abc\u202egpj.exe\u2066",
    "zero\u200bwidth\ufeff",
    "bell\x07\x08\x7f",
    "\u2028\u2029",
    "\udcff\ud800",
    "\U000e0041\U000e0042",
)

# What a document's own vocabulary decides on; the desk never takes these from outside.
VOCABULARY = {"kind", "change", "started", "ended", "at", "stands", "code", "outcome"}

OUR_ESCAPES = re.compile("\x1b\\[(?:0|" + "|".join(STYLES.values()) + ")m")

Draw = Callable[[Any, Screen], Iterable[str]]

INSTALLED: Document = {
    "name": "x",
    "label": "Claude Code",
    "settings": "x",
    "changed": True,
    "works": False,
    "problem": "x",
    "took_ms": 1,
    "shared": True,
    "found": "x",
    "advice": "x",
}

OVERRIDE = dict.fromkeys(("id", "by", "reason", "at", "expires", "tree"), "x")
GATE: Document = {
    "open": False,
    **dict.fromkeys(("tree", "head", "config"), "x"),
    "reasons": [
        {"code": "loop-failed", "message": "x", "hint": "x", "about": ["x"] * 30},
        {"code": "undecided", "message": "x", "hint": "x", "about": ["x"] * 30},
    ],
    "loops": [
        {
            "loop": 1,
            "state": "x",
            "at": "x",
            "issues": [{"severity": "x", "message": "x", "file": "x", "line": 3}],
        }
    ],
    "override": OVERRIDE,
    "overrides": [OVERRIDE],
    "steps": [{"what": "x", "met": True, "how": "x"}],
    "decided": [{"by": "x", "agent": "x", "accepted": 1, "rejected": 0, "files": ["x"]}],
}

EXTRAS: Document = {
    "commands": [{"path": "x", "outcome": "left"}, {"path": "x", "outcome": "written"}],
    "git_hooks": [{"name": "x", "path": "x", "changed": True, "beside": True}],
    "loops": {"languages": ["x"], "written": False, "toml": "x"},
}

STORED = {"records": 1, "blobs": 1, "files": 1}

DRAWN: dict[str, tuple[Draw, Document]] = {
    "status": (
        listing_text.state,
        {
            **listing(hunk(), recording=UNRECORDED),
            "turns_running": 1,
            "gate": {
                "open": False,
                "reasons": [{"code": "x", "message": "x", "hint": "x"}],
                "override": OVERRIDE,
            },
            "root": "x",
            "warnings": [],
        },
    ),
    "list": (
        partial(listing_text.listed, by="hunk", wanted="pending"),
        listing(
            hunk(held=True, builds_on=["x"], complete=False),
            hunk(status="rejected"),
            hunk(kind="rename", **{"from": "x"}),
            hunk(kind="create", old=""),
            hunk(new=""),
        ),
    ),
    "list by file": (
        partial(listing_text.listed, by="file", wanted="all"),
        {**listing(recording=UNRECORDED), "files": [file()]},
    ),
    "list by call": (
        partial(listing_text.listed, by="call", wanted="pending"),
        {**listing(), "calls": [call(outcome="x"), call(ended=None)]},
    ),
    "list by turn": (
        partial(listing_text.listed, by="turn", wanted="accepted"),
        {**listing(), "turns": [turn()]},
    ),
    "ids": (lambda document, screen: listing_text.identifiers(document), listing(hunk())),
    "diff": (listing_text.difference, {"diff": "x"}),
    "show hunk": (
        details.shown,
        {
            **hunk(builds_on=["x"], built_on_by=["x"]),
            "kind": "hunk",
            "change": "modify",
            "prompt": "x",
            "decisions": ["x"],
            "about": {"x": {"x": "x"}, "y": "x"},
        },
    ),
    "show rename": (
        details.shown,
        {
            **hunk(**{"from": "x"}),
            "kind": "hunk",
            "change": "rename",
            "prompt": "x",
            "decisions": [],
            "about": {},
        },
    ),
    "show call": (details.shown, {**call(about={"x": "x"}), "kind": "call"}),
    "show turn": (details.shown, {**turn(), "kind": "turn"}),
    "show file": (details.shown, {**file(), "kind": "file"}),
    "show decision": (details.shown, {**decision(reason="x", of="x"), "kind": "decision", "overtaken": True}),
    "log": (
        log_text.history,
        {
            "entries": [
                {**turn(), "kind": "turn", "at": "x"},
                {**call(outcome="x"), "kind": "call", "at": "2026-01-01T00:00:00Z"},
                {**decision(reason="x", of="x", request="x"), "kind": "decision"},
            ],
            "tally": [{"agent": "x", "tool": "x", "edits": 2, "accepted": 1, "rejected": 1, "pending": 0}],
        },
    ),
    "decided": (
        outcomes.decided,
        decided(
            results=[
                {"hunk": "x", "path": "x", "outcome": "applied", "reason": ""},
                {"hunk": "x", "path": "y", "outcome": "skipped", "reason": "x"},
            ],
            kept=[
                {
                    "path": "x",
                    "line": 3,
                    "text": "x",
                    "actor": {"kind": "agent"},
                    "blank": False,
                    "hunk": "x",
                }
            ],
            linked=["x"],
            written=["x", "y"],
        ),
    ),
    "undone": (outcomes.decided, decided(verdict="undo", of="x")),
    "a question": (
        partial(outcomes.choice, hunks={"x": hunk()}, again=("a", "b")),
        refused({"hunk": "x", "built_on_by": ["x"]}, {"hunk": "x", "now": ["x"]}, {"path": "x", "why": "x"}),
    ),
    "mode": (outcomes.moded, {"mode": "x"}),
    "projects": (
        projects_command.listed,
        {
            "projects": [{"key": "x", "root": "x", "there": False, "bytes": 1, "used": "x"}],
            "forgotten": "x",
        },
    ),
    "doctor": (
        doctor_command.told,
        {"ok": False, "lines": [{"about": "x", "ok": False, "says": "x", "hint": "x"}]},
    ),
    "check": (
        outcomes.checked,
        {
            "ok": False,
            "problems": [{"what": "x", "where": "x", "harmless": False}],
            "repaired": ["x"],
            "concerned": ["x"],
            "counts": STORED,
        },
    ),
    "purge": (
        outcomes.purged,
        {
            "purged": ["x"],
            "bytes": 1,
            "dry_run": False,
            "words": ["x"],
            "words_purged": False,
            "before": None,
        },
    ),
    "gate": (gate_commands.answered, GATE),
    "gate explained": (gate_commands.explained, {**GATE, "open": True, "override": None}),
    "gate verified": (
        gate_commands._verified,
        {**GATE, "commit": "x", "signers": [{"name": "x", "key": "x"}], "base": "x", "unmet": ["x"]},
    ),
    "review": (
        review_commands.previewed,
        {
            "files": ["x"] * 20,
            "scope": "x",
            "covers": False,
            "trusted": False,
            "config": "x",
            "loops": [
                {
                    "loop": 1,
                    "name": "x",
                    "skip": "",
                    "report": True,
                    "commands": [{"run": "x", "last": None}],
                },
                {"loop": 2, "name": "x", "skip": "x", "report": True, "commands": []},
            ],
        },
    ),
    "reviewed": (review_commands.reviewed, {"gate": GATE}),
    "ship": (
        ship_command.shipped,
        {
            **dict.fromkeys(("remote", "branch", "commit", "statement", "pull_request", "message"), "x"),
            "override": GATE["override"],
            "dry_run": False,
            "pushed": True,
            "verified": True,
            "notes": ["x"],
        },
    ),
    "ship refused": (ship_command.refused, GATE),
    "furnished": (init_extras.furnished, EXTRAS),
    "init": (
        init_words.arrived,
        {
            "root": "x",
            "config": "x",
            "made": True,
            "agents": [INSTALLED],
            "looked_at": 1,
            **EXTRAS,
            "doctor": {"ok": False, "lines": [{"about": "x", "ok": False, "says": "x", "hint": "x"}]},
        },
    ),
    "uninstall": (init_words.left, {"root": "x", "agents": [INSTALLED], **EXTRAS}),
    "demo": (
        partial(demo.presented, where="here"),
        {"root": "x", "try": [{"command": "a", "why": "b"}], **listing(hunk())},
    ),
}


def poisoned(value: Any, attack: str, key: str = "") -> Any:
    """The same document with every string and every name of unknown things replaced."""
    if isinstance(value, dict):
        open_ended = key in ("about", "counts_by_name")
        return {attack if open_ended else name: poisoned(item, attack, name) for name, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, attack, key) for item in value]
    return attack if isinstance(value, str) and key not in VOCABULARY else value


def lines(draw: Draw, document: Document) -> Iterator[str]:
    for colour in (True, False):
        for watched in (True, False):
            for width in (40, 120):
                yield from draw(document, Screen(colour=colour, width=width, watched=watched))


def assert_harmless(line: str) -> None:
    rest = OUR_ESCAPES.sub("", line)
    # Tabs and a carriage return before a line end come from files, and move nothing that matters.
    assert rest.removesuffix("\r").replace("\t", "").isprintable(), ascii(line)


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_every_answer_shows_it_and_passes_nothing_on(name: str, attack: str) -> None:
    draw, document = DRAWN[name]
    # The agents' labels and the suggestions of the demo are ours.
    kept = {key: document[key] for key in ("try",) if key in document}
    bad = {**poisoned(document, attack), **kept}
    for agent in bad.get("agents", []):
        agent["label"] = "Claude Code"
    for line in lines(draw, bad):
        assert_harmless(line)


@given(st.sampled_from(sorted(DRAWN)), st.text(min_size=1))
def test_no_text_at_all_gets_through(name: str, attack: str) -> None:
    test_every_answer_shows_it_and_passes_nothing_on(name, attack)
