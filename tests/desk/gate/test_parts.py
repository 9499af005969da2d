"""What is a part of something that was reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.gate.evidence import REVIEWED, Evidence, ReviewRecord
from blueline.desk.gate.parts import Part, placed
from blueline.model.loop import Policy, Review
from blueline.review.gate_answer import Facts

NOW, THEN = Policy(digest="now"), Policy(digest="then")
A, B = (0o100644, "a" * 40), (0o100644, "b" * 40)


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    (tmp_path / "blobs" / "tmp").mkdir(parents=True)
    return Evidence(tmp_path)


def record(evidence: Evidence, config: str = "then", extra: str = "x") -> ReviewRecord:
    manifest = evidence.keep({"a": A, "b": B})
    return ReviewRecord(
        [Review(tree="t", head="h", config=config, extra=extra, at="1", manifest=manifest, loops={})]
    )


def asked(known: ReviewRecord) -> Facts:
    return Facts(tree=None, head="", policy=NOW, latest=known.reviews[-1])


def test_each_file_has_the_bytes_of_one_review(evidence: Evidence) -> None:
    known = record(evidence)
    part = Part("p", "c", {"a": A, "gone": None}, [NOW, THEN], None)
    found = placed(asked(known), part, known, evidence)
    assert (found.review, found.policy, found.tree) == (known.reviews[0], THEN, "p")
    found = placed(asked(known), part._replace(changed={"a": B}), known, evidence)
    assert (found.review, found.changed, found.is_config_other) == (None, ["a"], False)


def test_other_loops_and_other_files_that_ship_are_another_review(evidence: Evidence) -> None:
    known = record(evidence)
    part = Part("p", "c", {"a": A}, [NOW], None)
    found = placed(asked(known), part, known, evidence)
    assert (found.review, found.is_config_other) == (None, True)
    for extra, is_one in (("x", True), ("y", False), ("", False), (None, True)):
        part = Part("p", "c", {"a": A}, [THEN], extra)
        assert (placed(asked(known), part, known, evidence).review is not None) is is_one


def test_nothing_to_review_is_reviewed_and_damage_is_not(evidence: Evidence, tmp_path: Path) -> None:
    known = record(evidence)
    found = placed(asked(known), Part("p", "c", {}, [NOW], ""), known, evidence)
    assert found.review is not None
    (tmp_path / REVIEWED / known.reviews[0].manifest).write_bytes(b"damage")
    found = placed(asked(known), Part("p", "c", {"a": A}, [THEN], None), known, evidence)
    assert (found.review, len(found.unreadable)) == (None, 1)
