"""Old contents stand many in one file, and nothing of them is lost on the way in or out."""

from __future__ import annotations

import os
import random
from functools import partial
from pathlib import Path

import pytest

from blueline.blobs import packs
from blueline.blobs.store import BlobDamaged, BlobMissing, BlobPurged, Blobs
from blueline.model.ids import BlobId
from tests.support.killing import every_step

DAY, NEXT = "2030-01-31", "2030-02-01"
CONTENTS = [b"", b"x", b"one\n" * 3000, random.Random(1).randbytes(5000), b"\xb1BLJ\1b\0\0\0\0\0\5 no frame"]


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


def loose(blobs: Blobs) -> int:
    return sum(1 for _ in blobs._names())


def pack_of(blobs: Blobs, day: str = DAY) -> Path:
    return blobs.folder / "packs" / day


class TestPacked:
    def test_what_goes_in_comes_out(self, blobs: Blobs) -> None:
        ids = blobs.put_all(CONTENTS)
        blobs.pack(ids, DAY)
        assert loose(blobs) == 0
        for again in (blobs, Blobs(blobs.folder)):
            assert [again.get(blob) for blob in ids] == CONTENTS
            assert [again.size(blob) for blob in ids] == [*map(len, CONTENTS)]
            assert {*again.ids()} == {*ids}
            assert all(map(again.has, ids))

    def test_in_several_frames_and_days(self, blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(packs, "CHUNK", 4000)
        ids = blobs.put_all(CONTENTS)
        blobs.pack(ids[:3], DAY)
        blobs.pack(ids[3:], NEXT)
        blobs.pack(ids, NEXT)
        assert [blobs.get(blob) for blob in ids] == CONTENTS

    def test_versions_of_a_file_take_little(self, blobs: Blobs) -> None:
        text = random.Random(2).randbytes(6000)
        versions = [text + b"%d" % number for number in range(50)]
        blobs.pack(blobs.put_all(versions), DAY)
        assert pack_of(blobs).stat().st_size < sum(map(len, versions)) / 8

    def test_seen_by_who_looked_before(self, blobs: Blobs) -> None:
        [blob] = blobs.put_all([b"content"])
        other = Blobs(blobs.folder)
        assert other.packs.ids() == set()
        blobs.pack([blob], DAY)
        assert other.get(blob) == b"content"

    def test_one_that_came_back_is_known_once(self, blobs: Blobs) -> None:
        blob = blobs.put(b"content")
        blobs.pack([blob], DAY)
        blobs.put(b"content")
        assert [*blobs.ids()] == [blob]
        blobs.pack([blob], NEXT)
        assert (loose(blobs), [*blobs.ids()]) == (0, [blob])
        blobs.remove([blob], NEXT)
        with pytest.raises(BlobPurged):
            blobs.get(blob)

    def test_no_other_pack_is_read_meanwhile(self, blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
        first, second = blobs.put_all([b"first", b"second"])
        blobs.pack([first], DAY)
        with monkeypatch.context() as closed:
            closed.setattr(packs, "_list", None)
            Blobs(blobs.folder).pack([second], NEXT)
        assert [blobs.get(blob) for blob in (first, second)] == [b"first", b"second"]

    def test_large_ones_stay_where_they_share_chunks(self, blobs: Blobs) -> None:
        large = blobs.put(b"".join(b"%d\n" % number for number in range(1_300_000)))
        blobs.pack([large], DAY)
        assert loose(blobs) == 1
        assert blobs.has(large)

    def test_damaged_ones_stay_where_they_are(self, blobs: Blobs) -> None:
        blob = blobs.put(b"content")
        (blobs.folder / blob[:2] / blob[2:]).write_bytes(b"0other")
        blobs.pack([blob, BlobId("0" * 40)], DAY)
        with pytest.raises(BlobDamaged):
            blobs.get(blob)

    @pytest.mark.parametrize("torn", [False, True])
    def test_killed_at_any_step_all_is_there(self, blobs: Blobs, torn: bool) -> None:
        ids = blobs.put_all(CONTENTS)
        blobs.pack(ids[:1], DAY)
        for _ in every_step(partial(blobs.pack, ids, DAY), torn=torn):
            assert [Blobs(blobs.folder).get(blob) for blob in ids] == CONTENTS
            blobs.put_all(CONTENTS)
        blobs.pack(ids, DAY)
        assert loose(blobs) == 0
        assert [blobs.get(blob) for blob in ids] == CONTENTS


class TestDamage:
    def test_hits_one_frame_and_is_noticed(self, blobs: Blobs) -> None:
        first, second, third = (blobs.put(b"%d" % number * 100) for number in range(3))
        for blob in (first, second, third):
            blobs.pack([blob], DAY)
        data = bytearray(pack_of(blobs).read_bytes())
        data[len(data) // 2] ^= 1
        pack_of(blobs).write_bytes(data)
        assert (blobs.get(first), blobs.get(third)) == (b"0" * 100, b"2" * 100)
        with pytest.raises(BlobMissing):
            blobs.get(second)

    @pytest.mark.parametrize("hit", [DAY, NEXT])
    def test_of_one_pack_leaves_the_other_that_has_it(self, blobs: Blobs, hit: str) -> None:
        blob = blobs.put(b"content" * 100)
        blobs.pack([blob], DAY)
        blobs.put(b"content" * 100)
        blobs.pack([blob], NEXT)
        assert blobs.packs.ids() == {blob}
        pack, stat = pack_of(blobs, hit), pack_of(blobs, hit).stat()
        data = bytearray(pack.read_bytes())
        data[-3] ^= 1
        pack.write_bytes(data)
        os.utime(pack, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert blobs.get(blob) == b"content" * 100

    def test_that_happens_after_it_was_listed_is_noticed(self, blobs: Blobs) -> None:
        blob = blobs.put(b"content" * 100)
        blobs.pack([blob], DAY)
        assert blobs.packs.ids() == {blob}
        pack, stat = pack_of(blobs), pack_of(blobs).stat()
        data = bytearray(pack.read_bytes())
        data[-3] ^= 1
        with pack.open("r+b") as file:
            file.write(data)
        os.utime(pack, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        with pytest.raises(BlobDamaged):
            blobs.get(blob)


class TestRemoved:
    def test_wherever_it_stands(self, blobs: Blobs) -> None:
        ids = blobs.put_all(CONTENTS)
        blobs.pack(ids[:3], DAY)
        blobs.remove([ids[0], ids[2], ids[4]], NEXT)
        for again in (blobs, Blobs(blobs.folder)):
            assert {*again.ids()} == {ids[1], ids[3]}
            assert again.get(ids[1]) == CONTENTS[1]
            for blob in (ids[0], ids[2], ids[4]):
                with pytest.raises(BlobPurged):
                    again.get(blob)
        assert loose(blobs) == 1

    def test_takes_no_more_room(self, blobs: Blobs) -> None:
        noise = [random.Random(number).randbytes(3000) for number in range(20)]
        ids = blobs.put_all(noise)
        blobs.pack(ids, DAY)
        blobs.remove(ids, NEXT)
        assert pack_of(blobs).stat().st_size < 1000
        assert not pack_of(blobs, NEXT).exists()

    def test_put_again_it_is_back(self, blobs: Blobs) -> None:
        blob = blobs.put(b"content")
        blobs.pack([blob], DAY)
        blobs.remove([blob], DAY)
        blobs.put(b"content")
        assert blobs.get(blob) == b"content"
        blobs.pack([blob], DAY)
        assert (blobs.get(blob), loose(blobs), blobs.packs.removed()) == (b"content", 0, set())

    def test_a_purge_of_a_file_reaches_packs(self, blobs: Blobs) -> None:
        packed, alone = blobs.put_all([b"packed", b"alone"])
        blobs.pack([packed], DAY)
        blobs.forget_all([packed, alone])
        assert [*blobs.ids()] == []
        assert b"packed" not in pack_of(blobs).read_bytes()

    @pytest.mark.parametrize("torn", [False, True])
    def test_killed_at_any_step_each_is_there_or_removed(self, blobs: Blobs, torn: bool) -> None:
        ids = blobs.put_all(CONTENTS)
        going, staying = ids[1:4], [ids[0], ids[4]]
        for _ in every_step(partial(blobs.remove, going, NEXT), torn=torn):
            again = Blobs(blobs.folder)
            assert [again.get(blob) for blob in staying] == [CONTENTS[0], CONTENTS[4]]
            for blob in going:
                try:
                    assert again.get(blob) == CONTENTS[ids.index(blob)]
                except BlobPurged:
                    continue
            blobs.put_all(CONTENTS)
            blobs.pack(ids[:3], DAY)
        blobs.remove(going, NEXT)
        assert {*blobs.ids()} == {*staying}
