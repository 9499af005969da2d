"""Every request that is made is one that GitHub's own description of its API takes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.forge.ground import Ground
from tests.forge.npm.conftest import PATHS
from tests.forge.standin import REPO

CHANGES: dict[str, str | None] = {"a.py": "one\nTWO\nthree\n", "b.py": None, "new/🦊 `x`.txt": "brand\r\nnew"}


@pytest.fixture
def judged(ground: Ground, validator: str) -> Ground:
    ground.github.validator = validator
    return ground


def refused(ground: Ground) -> list[tuple[str, str, int, str]]:
    """The requests that are not as described.

    Some of GitHub's own examples of answers are not as it describes them either, which is not asked here.
    """
    return [one for one in ground.github.judged if one[2] >= 400 or _is_about_request(one[3])]


def _is_about_request(wrong: str) -> bool:
    return any(one["location"][0] == "request" for one in json.loads(wrong or "[]"))


def kinds(ground: Ground) -> set[tuple[str, str]]:
    """Which operations were asked for."""
    found = set()
    for method, path, _, _ in ground.github.judged:
        parts = path.partition("?")[0].split("/")
        for known in PATHS:
            names = known.split("/")
            if len(names) == len(parts) and all(
                name.startswith("{") or name == part for name, part in zip(names, parts, strict=True)
            ):
                found.add((method.lower(), known))
    return found


def test_an_issue_from_offer_to_applied(judged: Ground) -> None:
    judged.suggest(CHANGES)
    judged.say("Please shout less.")
    judged.say("/apply 1", login="eve")
    judged.say("/apply 1")
    judged.say("/reject 2 because no")
    judged.push({"x.txt": "x\n"})
    judged.say("/apply all")
    judged.say("/apply all")
    assert refused(judged) == []
    assert len(judged.github.judged) == len(judged.github.requests) > 20


def test_a_pull_request_with_buttons_and_without(judged: Ground) -> None:
    lines = [f"row {n}\n" for n in range(200)]
    judged.push({"rows.txt": "".join(lines)}, branch="work")
    judged.github.pull(7)
    new = "".join(line.upper() if n % 4 == 0 else line for n, line in enumerate(lines))
    judged.suggest({"rows.txt": new.replace("row 5\nrow 6\n", "", 1), "a.py": "one\nTWO\nthree\n"}, pull=7)
    judged.say("/apply all", number=7)
    assert refused(judged) == []
    assert len(judged.github.reviews) == 2


def test_every_operation_is_asked_for_by_these_tests(judged: Ground) -> None:
    judged.push({"a.py": "one\ntwo\nthree\nfour\n"}, branch="work")
    judged.github.pull(7)
    judged.suggest({"a.py": "one\nTWO\nthree\nfour\n"}, pull=7)
    judged.suggest(CHANGES)
    judged.say("Please shout less.")
    judged.say("/apply 1")
    api = judged.api()
    api.reviews(7)
    api.react(replace(judged.comment("x"), id=-55), "eyes")
    assert refused(judged) == []
    assert kinds(judged) == {(method, path) for path, methods in PATHS.items() for method in methods}


def test_five_hundred_files(judged: Ground) -> None:
    judged.suggest({f"many/{n:03}.txt": f"new {n}\n" * 80 for n in range(500)})
    assert refused(judged) == []
    assert len(judged.github.bodies()) > 30


def test_the_server_does_refuse_what_is_not_as_described(judged: Ground) -> None:
    wrong = json.dumps({"event": "MAYBE", "comments": [{"path": "a.py", "line": "3"}]}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/vnd.github+json"}
    judged.github.judge("POST", f"/repos/{REPO}/pulls/7/reviews", wrong, headers)
    judged.github.judge("POST", f"/repos/{REPO}/issues/7/comments", b"{}", headers)
    assert [one[2] for one in judged.github.judged] == [422, 422]
    assert len(refused(judged)) == 2
