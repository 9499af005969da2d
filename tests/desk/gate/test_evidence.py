"""Damaged, missing or unreadable evidence closes the gate, and says which file it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from blueline.desk.gate.evidence import REVIEWED, REVIEWS, Evidence, ReviewRecord, Unreadable
from tests.gate.yard import Yard


def evidence(yard: Yard) -> list[Path]:
    (manifest,) = (yard.state / REVIEWED).iterdir()
    return [yard.state / REVIEWS, manifest]


@pytest.mark.parametrize("which", [0, 1])
def test_a_flipped_bit_anywhere_closes_it(yard: Yard, which: int) -> None:
    yard.open()
    path = evidence(yard)[which]
    whole = path.read_bytes()
    # Every byte of the head, and some of the rest.
    for at in [*range(min(90, len(whole))), *range(90, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        (reason,) = [one for one in yard.gate()["reasons"] if one["code"] == "corrupt-state"]
        assert str(path) in reason["message"]
        assert reason["hint"]
    path.write_bytes(whole)
    assert yard.gate()["open"]


@pytest.mark.parametrize("which", [0, 1])
def test_truncated_evidence_closes_it(yard: Yard, which: int) -> None:
    yard.open()
    path = evidence(yard)[which]
    whole = path.read_bytes()
    for length in [0, 1, 18, 40, 83, len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        assert "corrupt-state" in yard.codes()


def test_missing_evidence_closes_it(yard: Yard) -> None:
    yard.open()
    reviews, manifest = evidence(yard)
    kept = manifest.read_bytes()
    manifest.unlink()
    assert yard.codes() == ["corrupt-state"]
    manifest.write_bytes(kept)
    reviews.unlink()
    assert yard.codes() == ["no-review"]


def test_a_folder_or_a_link_to_nowhere_in_its_place_closes_it(yard: Yard) -> None:
    yard.open()
    path = yard.state / REVIEWS
    path.unlink()
    path.mkdir()
    assert "corrupt-state" in yard.codes()
    path.rmdir()
    path.symlink_to("nowhere")
    assert not yard.gate()["open"]


def test_damage_is_told_by_the_review_too(yard: Yard) -> None:
    yard.open()
    (yard.state / REVIEWS).write_text("{}")
    said = yard.review()
    assert said.code == 1
    assert str(yard.state / REVIEWS) in said.document["error"]


def test_qd14_a_lost_journal_closes_it(yard: Yard) -> None:
    yard.project.prompt()
    yard.project.edit("a.md", "one", "two")
    yard.project.accept()
    yard.open()
    yard.project.is_damaged = True
    whole = yard.project.journal.read_bytes()
    yard.project.journal.write_bytes(whole[: len(whole) // 3])
    assert not yard.gate()["open"]


def test_qd5_a_blob_that_is_lost_closes_it(yard: Yard) -> None:
    yard.project.prompt()
    yard.project.edit("a.md", "one", "two")
    yard.project.is_damaged = True
    for blob in (yard.state / "blobs").rglob("*"):
        if blob.is_file():
            blob.write_bytes(b"")
    yard.project.lose_index()
    assert not yard.gate()["open"]


def test_a_field_that_is_missing_is_damage_and_not_a_default(tmp_path: Path) -> None:
    store = Evidence(tmp_path)
    (tmp_path / "blobs" / "tmp").mkdir(parents=True)
    store.save(ReviewRecord())
    import hashlib

    body = b'{"reviews":[{"tree":"1"}],"overrides":[],"seconds":{}}'
    head = b"blueline-reviews 1 " + hashlib.sha256(body).hexdigest().encode() + b"\n"
    (tmp_path / REVIEWS).write_bytes(head + body)
    with pytest.raises(Unreadable):
        store.load()


@pytest.mark.parametrize("damage", ["emptied", "half", "flipped", "gone"])
def test_no_damage_to_any_file_of_the_state_opens_a_closed_gate(yard: Yard, damage: str) -> None:
    # All loops have passed for these bytes; only the journal knows that nobody has decided on them.
    yard.project.prompt()
    yard.project.edit("a.md", "one", "two")
    yard.project.prompt("once more")
    yard.project.write("b.md", "b\n")
    yard.project.accept("b.md")
    yard.trust()
    assert yard.review().code == 0
    assert yard.codes() == ["undecided"]
    yard.project.is_damaged = True
    kept = yard.state.with_name("kept")
    shutil.copytree(yard.state, kept)
    names = [path.relative_to(kept) for path in sorted(kept.rglob("*")) if path.is_file()]
    assert len(names) > 10
    for name in names:
        whole = (kept / name).read_bytes()
        half = len(whole) // 2
        if damage == "gone":
            (yard.state / name).unlink()
        else:
            flipped = whole[:half] + bytes(byte ^ 1 for byte in whole[half : half + 1]) + whole[half + 1 :]
            content = {"emptied": b"", "half": whole[:half], "flipped": flipped}[damage]
            (yard.state / name).write_bytes(content)
        said = yard.run("gate", "--json")
        assert said.code != 0, f"{name} {damage}: {said}"
        shutil.rmtree(yard.state)
        shutil.copytree(kept, yard.state)
    assert yard.codes() == ["undecided"]
