"""What every blob store promises, and what the one on disk promises besides."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.blobs.store import (
    BlobDamaged,
    BlobMissing,
    BlobNotStored,
    BlobPurged,
    Blobs,
)
from blueline.kernel import disk
from blueline.model.ids import BlobId
from tests.support.in_memory import BlobStore, MemoryBlobs

NOWHERE = BlobId("0" * 40)
LARGE = b"".join(b"%d\n" % number for number in range(1_300_000))

EDGES = [
    b"",
    b"x",
    b"0",
    b"x\r\n",
    b"\0" * 4095,
    b"ab" * 2048,
    random.Random(1).randbytes(4096),
    b"z" * 70_000,
]


class BlobsContract:
    """What every blob store promises."""

    @pytest.fixture
    def blobs(self, tmp_path: Path) -> BlobStore:
        raise NotImplementedError

    @pytest.mark.parametrize("content", EDGES, ids=lambda content: f"{len(content)} {content[:4]!r}")
    def test_what_goes_in_comes_out(self, blobs: BlobStore, content: bytes) -> None:
        blob = blobs.put(content)
        assert blobs.get(blob) == content
        assert blobs.size(blob) == len(content)
        assert blobs.has(blob)
        assert blob in blobs.ids()

    def test_large_content_comes_out(self, blobs: BlobStore) -> None:
        blob = blobs.put(LARGE)
        assert blobs.get(blob) == LARGE
        assert blobs.size(blob) == len(LARGE)
        assert list(blobs.ids()) == [blob]

    def test_equal_content_has_one_id_and_other_content_another(self, blobs: BlobStore) -> None:
        assert blobs.put(b"a") == blobs.put(b"a") != blobs.put(b"b")
        assert len(list(blobs.ids())) == 2

    @pytest.mark.parametrize("blob", [NOWHERE, BlobId(""), BlobId("../../etc/passwd"), BlobId("Z" * 40)])
    def test_what_was_never_stored_is_missing(self, blobs: BlobStore, blob: BlobId) -> None:
        assert not blobs.has(blob)
        for verb in (blobs.get, blobs.size, blobs.forget):
            with pytest.raises(BlobMissing) as caught:
                verb(blob)
            assert caught.value.hint

    @pytest.mark.parametrize("content", [b"", b"secret", b"secret" * 5000, LARGE], ids=len)
    def test_what_is_forgotten_is_gone_until_it_is_stored_again(
        self, blobs: BlobStore, content: bytes
    ) -> None:
        blob = blobs.put(content)
        blobs.forget(blob)
        blobs.forget(blob)
        assert not blobs.has(blob)
        assert list(blobs.ids()) == []
        for verb in (blobs.get, blobs.size):
            with pytest.raises(BlobPurged):
                verb(blob)
        assert blobs.put(content) == blob
        assert blobs.get(blob) == content

    def test_forgetting_one_leaves_the_others(self, blobs: BlobStore) -> None:
        first, second = blobs.put(LARGE), blobs.put(LARGE[:-1])
        blobs.forget(first)
        assert blobs.get(second) == LARGE[:-1]


class TestMemory(BlobsContract):
    @pytest.fixture
    def blobs(self, tmp_path: Path) -> BlobStore:
        return MemoryBlobs()


class TestFolder(BlobsContract):
    @pytest.fixture
    def blobs(self, tmp_path: Path) -> BlobStore:
        return Blobs(tmp_path / "blobs")


@given(st.lists(st.builds(bytes.__mul__, st.binary(max_size=9), st.integers(0, 3000)), max_size=5))
def test_both_stores_say_the_same(tmp_path_factory: pytest.TempPathFactory, contents: list[bytes]) -> None:
    memory, folder = MemoryBlobs(), Blobs(tmp_path_factory.mktemp("blobs"))
    for content in contents:
        assert memory.put(content) == folder.put(content)
    assert {blob: memory.get(blob) for blob in memory.ids()} == {
        blob: folder.get(blob) for blob in folder.ids()
    }


@pytest.fixture
def store(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


def path_of(store: Blobs, blob: BlobId) -> Path:
    return store.folder / blob[:2] / blob[2:]


class TestDamage:
    @pytest.mark.parametrize("content", [b"one", b"one" * 5000, LARGE], ids=len)
    @pytest.mark.parametrize("damage", [b"", b"0", b"0two", b"z", b"zjunk", b"c", b"cjunk\n", b"?", b"xx"])
    def test_content_that_is_not_what_was_stored_is_not_given_out(
        self, store: Blobs, content: bytes, damage: bytes
    ) -> None:  # QD5
        blob = store.put(content)
        path_of(store, blob).write_bytes(damage)
        with pytest.raises(BlobDamaged) as caught:
            store.get(blob)
        assert blob in str(caught.value)

    def test_a_flipped_bit_is_found_wherever_it_is(self, store: Blobs) -> None:
        blob = store.put(b"three little words")
        stored = path_of(store, blob).read_bytes()
        for at in range(len(stored)):
            path_of(store, blob).write_bytes(stored[:at] + bytes([stored[at] ^ 1]) + stored[at + 1 :])
            with pytest.raises(BlobDamaged):
                store.get(blob)

    def test_a_lost_chunk_is_damage(self, store: Blobs) -> None:
        blob = store.put(LARGE)
        chunk = next((store.folder / "chunks").rglob("??/*"))
        chunk.unlink()
        with pytest.raises(BlobDamaged):
            store.get(blob)

    def test_a_link_is_not_followed(self, store: Blobs, tmp_path: Path) -> None:
        blob = store.put(b"one")
        (tmp_path / "twin").write_bytes(b"0one")
        path_of(store, blob).unlink()
        path_of(store, blob).symlink_to(tmp_path / "twin")
        assert not store.has(blob)
        with pytest.raises(BlobDamaged):
            store.get(blob)

    def test_an_emptied_blob_is_not_there_and_can_be_stored_again(self, store: Blobs) -> None:  # QD5
        blob = store.put(b"one")
        path_of(store, blob).write_bytes(b"")
        assert not store.has(blob)
        store.put(b"one")
        assert store.get(blob) == b"one"


class TestOnDisk:
    def test_everything_is_for_the_owner_only(self, store: Blobs) -> None:
        store.put(b"small")
        store.put(LARGE)
        for path in [store.folder, *store.folder.rglob("*")]:
            assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)

    def test_text_takes_less_room_than_it_has_bytes(self, store: Blobs) -> None:
        text = b"the same line again and again\n" * 1000
        assert path_of(store, store.put(text)).stat().st_size < len(text) // 10
        noise = os.urandom(10_000)
        assert path_of(store, store.put(noise)).stat().st_size == len(noise) + 1

    def test_content_that_a_hook_left_as_it_is_reads_the_same(self, store: Blobs) -> None:
        text = b"the same line again and again\n" * 1000
        blob = BlobId(disk.put_blob(os.fsencode(store.folder), text))
        assert path_of(store, blob).read_bytes() == b"0" + text
        assert store.put(text) == blob
        assert (store.get(blob), store.size(blob)) == (text, len(text))

    def test_forgetting_leaves_no_trace_of_the_bytes(self, store: Blobs) -> None:
        store.forget(store.put(LARGE))
        left = [path.read_bytes() for path in store.folder.rglob("*") if path.is_file()]
        assert left == [b"x"]

    def test_a_full_disk_is_an_error_with_a_hint(self, store: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(fd: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("posix.write", full)
        with pytest.raises(BlobNotStored, match="No space left") as caught:
            store.put(b"one")
        assert caught.value.hint
        assert os.listdir(store.folder / "tmp") == []

    def test_leftovers_are_swept_when_they_are_old(self, store: Blobs) -> None:  # Z01
        store.put(LARGE)
        for folder in (store.folder / "tmp", store.folder / "chunks" / "tmp"):
            (folder / "1-1").write_bytes(b"0half")
            os.utime(folder / "1-1", (1, 1))
            (folder / "1-2").write_bytes(b"0in use")
        assert store.sweep(older_than_seconds=3600) == 2
        assert os.listdir(store.folder / "tmp") == ["1-2"]
        assert store.sweep(older_than_seconds=3600) == 0


class TestAdopting:
    def test_blobs_move_in(self, store: Blobs, tmp_path: Path) -> None:
        other = Blobs(tmp_path / "other")
        theirs = {other.put(content): content for content in (b"", b"one", b"both", LARGE)}
        store.put(b"both")
        assert store.adopt(other.folder) == (4, ())
        assert {blob: store.get(blob) for blob in store.ids()} == theirs
        assert [path for path in other.folder.rglob("*") if path.is_file()] == []

    def test_damaged_ones_stay_where_they_are(self, store: Blobs, tmp_path: Path) -> None:
        other = Blobs(tmp_path / "other")
        good, bad = other.put(b"good"), other.put(b"bad")
        path_of(other, bad).write_bytes(b"0worse")
        assert store.adopt(other.folder) == (1, (bad,))
        assert list(store.ids()) == [good]
        assert path_of(other, bad).exists()

    def test_from_a_folder_that_is_not_there_comes_nothing(self, store: Blobs, tmp_path: Path) -> None:
        assert store.adopt(tmp_path / "nowhere") == (0, ())
