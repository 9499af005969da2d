"""An override: named, with a reason, for a while, for exactly one tree, and shown everywhere."""

from __future__ import annotations

import json

import pytest

from tests.gate.yard import Yard


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--reason", "the site is down"],
        ["--expires", "2h"],
        ["--reason", "  ", "--expires", "2h"],
        ["--reason", "x", "--expires", "tomorrow"],
        ["--reason", "x", "--expires", "400d"],
        ["--reason", "x", "--expires", "2001-01-01"],
        ["--reason", "x", "--expires", "0m"],
    ],
)
def test_qg13_it_needs_a_reason_and_an_end(yard: Yard, words: list[str]) -> None:
    assert yard.run("gate", "override", *words).code in (1, 2)
    assert not yard.gate()["open"]


def test_qg13_it_is_shown_everywhere_with_who_why_and_until_when(yard: Yard) -> None:
    assert yard.run("gate", "override", "--reason", "the site is down", "--expires", "2h").code == 0
    found = yard.gate()
    assert (found["open"], [one["code"] for one in found["reasons"]]) == (True, ["no-review"])
    assert found["override"]["reason"] == "the site is down"
    assert found["override"]["by"]
    assert found["override"]["expires"] > found["override"]["at"]
    for words in (["gate"], ["status"], ["gate", "--explain"], ["ship", "--dry-run"], ["log"]):
        assert "the site is down" in yard.run(*words).out, words
    (kept,) = json.loads(yard.run("export").out)["gate"]["overrides"]
    assert kept == found["override"]
    newest = yard.run("log", "--json").document["entries"][0]
    assert newest == {**found["override"], "kind": "override"}
    assert yard.run("status", "--json").document["gate"]["override"]["reason"] == "the site is down"
    assert yard.run("ship", "--dry-run", "--json").document["override"]["reason"] == "the site is down"


def test_it_is_for_exactly_this_tree(yard: Yard) -> None:
    yard.run("gate", "override", "--reason", "x", "--expires", "2h")
    yard.put("a.md", "two\n")
    assert not yard.gate()["open"]
    yard.put("a.md", "one\n")
    assert yard.gate()["open"]


def test_it_ends(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    from blueline.desk.project_store import Store

    yard.run("gate", "override", "--reason", "x", "--expires", "2h")
    now = Store.now
    monkeypatch.setattr(Store, "now", lambda self: "2999" + now(self)[4:])
    assert not yard.gate()["open"]


def test_a_review_that_passes_needs_none(yard: Yard) -> None:
    yard.run("gate", "override", "--reason", "x", "--expires", "2h")
    yard.open()
    assert yard.gate()["override"] is None
