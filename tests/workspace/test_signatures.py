"""What files show without being opened."""

from __future__ import annotations

import os

import pytest

from blueline.workspace.signatures import Signature, looks_unchanged
from tests.support.workspace import Ground


class TestSignatures:
    def test_many_at_once_in_any_order(self, ground: Ground) -> None:
        paths = [f"{number % 7}/{number % 3}/{number}" for number in range(300)]
        for path in paths:
            ground.put(path, path.encode())
        asked = [*paths, "no/such", "0/none", "0", "1/1"]
        found = ground.tree.signatures(asked)
        assert list(found) == asked
        for path in paths:
            assert found[path] == ground.tree.signature(path) == Signature.of(os.lstat(ground.root / path))
        assert found["no/such"] is found["0/none"] is None
        assert found["0"] == Signature.of(os.lstat(ground.root / "0"))

    def test_no_descriptor_stays_open(self, ground: Ground) -> None:
        ground.put("a/b/c", b"x")
        before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
        ground.tree.signatures(["a/b/c", "a/b", "x/y"])
        ground.tree.read("a/b/c")
        after = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
        assert len(after) == len(before)

    @pytest.mark.parametrize("what", ["bytes", "mode", "file", "times"])
    def test_any_change_shows(self, ground: Ground, what: str) -> None:
        ground.put("a", b"one")
        os.utime(ground.root / "a", ns=(10**15, 10**15))
        old = ground.tree.signature("a")
        assert old is not None
        match what:
            case "bytes":
                (ground.root / "a").write_bytes(b"two!")
            case "mode":
                (ground.root / "a").chmod(0o600)
            case "file":
                (ground.root / "b").write_bytes(b"two")
                os.rename(ground.root / "b", ground.root / "a")
            case _:
                os.utime(ground.root / "a", ns=(10**15, 10**15 + 1))
        now = ground.tree.signature("a")
        assert now is not None
        assert not looks_unchanged(old, now, old.ctime_ns + 10**12)

    def test_only_an_old_look_at_an_old_file_counts(self) -> None:  # X11
        at = 1_700_000_000_123_456_789
        old = Signature((1, 2, at, at, 3, 0o100644))
        second, close = 10**9, 10**7
        assert looks_unchanged(old, old, at + second)
        assert looks_unchanged(old, old, at - second)
        assert not looks_unchanged(old, old, at + close)
        assert not looks_unchanged(old, old, at - close)
        for times in ((5, at), (at, 5)):
            one = Signature((1, 2, *times, 3, 0o100644))
            assert not looks_unchanged(one, one, at + close)
        # whole seconds: the file system may know no finer ones
        coarse = Signature((1, 2, at // second * second, at, 3, 0o100644))
        assert not looks_unchanged(coarse, coarse, at + second)
        assert looks_unchanged(coarse, coarse, at + 3 * second)


def test_files_that_are_not_as_they_were_are_told(ground: Ground) -> None:  # X11
    for name in ("same", "other", "gone"):
        (ground.root / name).write_bytes(b"one")
    old = ground.tree.signatures(["same", "other", "gone"])
    looked = 10**12
    known: dict[str, list[int] | None] = {
        path: [*one, one.ctime_ns + looked] for path, one in old.items() if one is not None
    }
    (ground.root / "other").write_bytes(b"two!")
    (ground.root / "gone").unlink()
    found = ground.tree.changed({**known, "never": [], "new": None})
    assert set(found) == {"other", "gone", "new"}
    assert found["gone"] is None
