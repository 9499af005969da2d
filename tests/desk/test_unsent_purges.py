"""What a hub still has to purge is remembered until it has, and never forgotten in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.unsent_purges import HUB, NAME, PurgesUnreadable, UnsentPurges, read, remember, settle
from blueline.model.ids import BlobId

ONE, TWO = BlobId("1" * 40), BlobId("2" * 40)


def joined(state: Path) -> Path:
    (state / "blobs" / "tmp").mkdir(parents=True)
    (state / HUB).write_text("{}")
    return state


def test_what_was_told_goes_and_what_came_meanwhile_stays(tmp_path: Path) -> None:
    state = joined(tmp_path)
    remember(state, [30, 10], [ONE])
    told = read(state)
    remember(state, [20], [TWO])
    settle(state, told)
    assert (told, read(state)) == (UnsentPurges((10, 30), (ONE,)), UnsentPurges((20,), (TWO,)))


def test_without_a_hub_nobody_has_to_be_told(tmp_path: Path) -> None:
    remember(tmp_path, [10], [ONE])
    assert read(tmp_path) == UnsentPurges()
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize("damaged", [b"", b"[]", b'{"frames": 1}', b"\xff"])
def test_what_cannot_be_read_is_said(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / NAME).write_bytes(damaged)
    with pytest.raises(PurgesUnreadable, match="cannot be read"):
        read(tmp_path)
