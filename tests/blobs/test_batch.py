"""Many contents are stored together, and all of them are durable before anybody is told their names."""

import os
from pathlib import Path

import pytest

from blueline.blobs.batch import AT_ONCE
from blueline.blobs.store import BlobNotStored, Blobs
from blueline.kernel import disk

CONTENTS = [b"content %d" % number for number in range(AT_ONCE * 2 + 5)]


def test_each_is_stored_under_its_hash(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    known = blobs.put(CONTENTS[1])
    names = blobs.put_all([*CONTENTS, CONTENTS[0]])
    assert names[0] == names[-1]
    assert names[1] == known
    assert [blobs.get(name) for name in names] == [*CONTENTS, CONTENTS[0]]
    assert not os.listdir(tmp_path / "tmp")


def test_bytes_are_on_disk_before_they_have_a_name_and_names_before_all_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, folders, nameless = set[int](), set[bytes](), list[bytes]()
    rename, sync_folder = disk.rename, disk.sync_folder

    def renamed(old: bytes, new: bytes) -> None:
        if os.stat(old).st_ino not in files:
            nameless.append(new)
        rename(old, new)

    def synced(folder: bytes) -> None:
        folders.add(folder)
        sync_folder(folder)

    monkeypatch.setattr(disk, "sync_file", lambda fd: files.add(os.fstat(fd).st_ino))
    monkeypatch.setattr(disk, "rename", renamed)
    monkeypatch.setattr(disk, "sync_folder", synced)
    names = Blobs(tmp_path).put_all(CONTENTS)
    assert not nameless
    assert {os.fsencode(tmp_path / name[:2]) for name in names} <= folders


def test_what_another_process_has_just_stored_is_made_durable_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = set[bytes]()
    monkeypatch.setattr(disk, "sync_folder", folders.add)
    names = Blobs(tmp_path).put_all(CONTENTS)
    folders.clear()
    Blobs(tmp_path).put_all(CONTENTS)
    assert folders == {os.fsencode(tmp_path / name[:2]) for name in names}


def test_a_full_disk_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "sync_file", full)
    with pytest.raises(BlobNotStored, match="No space left on device"):
        Blobs(tmp_path).put_all(CONTENTS)
    assert not os.listdir(tmp_path / "tmp")
