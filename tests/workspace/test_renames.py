"""Files that change their names, and files and folders that change places."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from blueline.model.file_state import Other
from blueline.workspace import landing
from tests.support.workspace import ABSENT, Ground, write

WRITTEN, ALREADY, CONFLICT, LEFT = "written", "already", "conflict", "left"


@pytest.fixture(params=["exchange", "no exchange"])
def ground(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Ground:
    """Also as on a file system that cannot let two files change places."""
    if request.param == "no exchange":
        monkeypatch.setattr(landing, "kernel", lambda: None)
    return Ground(tmp_path)


class TestRenames:
    def test_a_file_is_renamed_and_stays_the_same_file(self, ground: Ground) -> None:
        state = ground.put("new/deep/b", b"x", 0o700)
        times = ground.times("new/deep/b")
        back = write("old/a", state, state, old_path="new/deep/b", missing="new")
        assert ground.replace(back) == [("old/a", WRITTEN)]
        assert ground.on_disk() == {"old": None, "old/a": (0o700, b"x")}
        assert ground.times("old/a") == times
        assert ground.replace(back) == [("old/a", ALREADY)]

    def test_with_other_bytes(self, ground: Ground) -> None:
        before, after = ground.put("b", b"x"), ground.file(b"y", 0o755)
        back = write("a", before, after, old_path="b")
        assert ground.replace(back) == [("a", WRITTEN)]
        assert ground.on_disk() == {"a": (0o755, b"y")}
        assert ground.replace(back) == [("a", ALREADY)]

    def test_case_only(self, ground: Ground) -> None:  # F12
        before, after = ground.put("readme", b"x"), ground.file(b"y")
        assert ground.replace(write("README", before, after, old_path="readme")) == [("README", WRITTEN)]
        assert ground.on_disk() == {"README": (0o644, b"y")}
        assert ground.replace(write("Readme", after, after, old_path="README")) == [("Readme", WRITTEN)]
        assert ground.on_disk() == {"Readme": (0o644, b"y")}

    @pytest.mark.parametrize("content", [b"x", b"y"])
    def test_nothing_goes_if_it_cannot_come(self, ground: Ground, content: bytes) -> None:
        before, after = ground.put("b", b"x"), ground.file(content)
        ground.put("a", b"somebody's")
        assert ground.replace(write("a", before, after, old_path="b")) == [("a", CONFLICT)]
        assert ground.on_disk() == {"a": (0o644, b"somebody's"), "b": (0o644, b"x")}

    def test_a_folder_that_goes_is_made_again_for_a_file_that_comes(self, ground: Ground) -> None:
        going, coming = ground.put("d/e/x", b"1"), ground.put("z", b"2")
        writes = [
            write("d/e/x", going, ABSENT, missing="d"),
            write("d/e/y", coming, coming, old_path="z"),
        ]
        assert ground.replace(*writes) == [("d/e/x", WRITTEN), ("d/e/y", WRITTEN)]
        assert ground.on_disk() == {"d": None, "d/e": None, "d/e/y": (0o644, b"2")}

    def test_nothing_comes_if_it_has_changed(self, ground: Ground) -> None:
        before = ground.put("b", b"x")
        ground.put("b", b"somebody's")
        assert ground.replace(write("a", before, before, old_path="b")) == [("a", CONFLICT)]
        assert ground.on_disk() == {"b": (0o644, b"somebody's")}

    def test_a_half_done_one_is_finished(self, ground: Ground) -> None:
        before, after = ground.put("b", b"x"), ground.put("a", b"y")
        assert ground.replace(write("a", before, after, old_path="b")) == [("a", WRITTEN)]
        assert ground.on_disk() == {"a": (0o644, b"y")}

    def test_two_names_of_one_file_become_one(self, ground: Ground) -> None:
        state = ground.put("b", b"x")
        os.link(ground.root / "b", ground.root / "a")
        assert ground.replace(write("a", state, state, old_path="b")) == [("a", WRITTEN)]
        assert ground.on_disk() == {"a": (0o644, b"x")}

    def test_a_swap(self, ground: Ground) -> None:
        one, two = ground.put("a", b"1"), ground.put("b", b"2")
        swap = [write("a", two, two, old_path="b"), write("b", one, one, old_path="a")]
        assert ground.replace(*swap) == [("a", WRITTEN), ("b", WRITTEN)]
        assert ground.on_disk() == {"a": (0o644, b"2"), "b": (0o644, b"1")}

    def test_a_chain(self, ground: Ground) -> None:
        states = [ground.put(f"{number + 1}", b"%d" % number) for number in range(12)]
        writes = [
            write(f"{number}", state, state, old_path=f"{number + 1}") for number, state in enumerate(states)
        ]
        assert {outcome for _, outcome in ground.replace(*reversed(writes))} == {WRITTEN}
        assert ground.on_disk() == {f"{number}": (0o644, b"%d" % number) for number in range(12)}

    def test_a_conflict_stops_the_chain_behind_it(self, ground: Ground) -> None:
        one, two = ground.put("b", b"1"), ground.put("c", b"2")
        writes = [write("b", two, two, old_path="c"), write("a", one, one, old_path="b")]
        with ground.tree.stage(writes, ground.staged) as staged:
            ground.put("a", b"somebody's")
            assert [landed.outcome for landed in staged.commit()] == [CONFLICT, CONFLICT]
        assert ground.on_disk() == {
            "a": (0o644, b"somebody's"),
            "b": (0o644, b"1"),
            "c": (0o644, b"2"),
        }

    def test_one_that_gives_way_to_another(self, ground: Ground) -> None:
        """An agent moved a to b and made a new a: both taken back."""
        new, old = ground.put("a", b"new"), ground.put("b", b"old")
        writes = [write("a", new, ABSENT), write("a", old, old, old_path="b")]
        assert ground.replace(*writes) == [("a", WRITTEN), ("a", WRITTEN)]
        assert ground.on_disk() == {"a": (0o644, b"old")}


class TestFoldersAndFilesChangePlaces:
    def test_a_folder_that_became_a_link(self, ground: Ground, tmp_path: Path) -> None:  # Z11
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a").write_bytes(b"secret")
        link = ground.link("src", str(tmp_path / "outside"))
        folder = Other(mode=stat.S_IFDIR | 0o755)
        writes = [
            write("src/a", ABSENT, ground.file(b"1")),
            write("src/deep/b", ABSENT, ground.file(b"2")),
            write("src", link, folder),
        ]
        assert {outcome for _, outcome in ground.replace(*writes)} == {WRITTEN}
        whole = {"src": None, "src/a": (0o644, b"1"), "src/deep": None, "src/deep/b": (0o644, b"2")}
        assert ground.on_disk() == whole
        assert {outcome for _, outcome in ground.replace(*writes)} == {ALREADY}
        assert ground.on_disk() == whole
        assert [path.name for path in (tmp_path / "outside").iterdir()] == ["a"]

    def test_a_file_that_became_a_folder(self, ground: Ground) -> None:
        inner = ground.put("f/deep/a", b"agent's")
        writes = [
            write("f", Other(mode=stat.S_IFDIR | 0o755), ground.file(b"old")),
            write("f/deep/a", inner, ABSENT, missing="f"),
        ]
        assert {outcome for _, outcome in ground.replace(*writes)} == {WRITTEN}
        assert ground.on_disk() == {"f": (0o644, b"old")}
        assert {outcome for _, outcome in ground.replace(*writes)} == {ALREADY}

    @pytest.mark.parametrize("extra", ["f/mine", "f/deep/mine", "f/empty/"])
    def test_somebodys_things_in_such_a_folder_stay(self, ground: Ground, extra: str) -> None:  # QR8
        inner = ground.put("f/deep/a", b"agent's")
        if extra.endswith("/"):
            (ground.root / extra).mkdir()
        else:
            ground.put(extra, b"mine")
        on_disk = ground.on_disk()
        writes = [
            write("f", ABSENT, ground.file(b"old")),
            write("f/deep/a", inner, ABSENT, missing="f"),
        ]
        assert ground.replace(*writes) == [("f", CONFLICT), ("f/deep/a", LEFT)]
        assert ground.on_disk() == on_disk

    @pytest.mark.parametrize("content", [[], ["f/mine"]])
    def test_a_folder_in_the_place_of_a_deleted_file_is_a_conflict(
        self, ground: Ground, content: list[str]
    ) -> None:  # QR8
        (ground.root / "f").mkdir()
        for path in content:
            ground.put(path, b"mine")
        on_disk = ground.on_disk()
        for before in (ABSENT, ground.file(b"1")):
            (landed,) = ground.tree.replace([write("f", before, ground.file(b"old"))], ground.staged)
            assert (landed.outcome, landed.why) == (CONFLICT, "a folder stands there now")
        assert ground.on_disk() == on_disk


class TestSpellings:
    """A file system that does not tell `a` from `A`, as far as one that does can play it."""

    @pytest.fixture
    def folded(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ground:
        ground = Ground(tmp_path)
        real = {name: getattr(os, name) for name in ("stat", "open", "rename")}

        def spelled(path: Any, folder: int | None) -> Any:
            if folder is None or not isinstance(path, str) or path.startswith("."):
                return path
            names = os.listdir(f"/proc/self/fd/{folder}")
            return next((name for name in names if name.casefold() == path.casefold()), path)

        def stat(path: Any, *rest: Any, dir_fd: int | None = None, **named: Any) -> Any:
            return real["stat"](spelled(path, dir_fd), *rest, dir_fd=dir_fd, **named)

        def open(path: Any, *rest: Any, dir_fd: int | None = None, **named: Any) -> Any:
            return real["open"](spelled(path, dir_fd), *rest, dir_fd=dir_fd, **named)

        def rename(
            old: Any, new: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None
        ) -> None:
            real["rename"](spelled(old, src_dir_fd), new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

        for name, call in (("stat", stat), ("open", open), ("rename", rename)):
            monkeypatch.setattr(os, name, call)
        return ground

    @pytest.mark.parametrize("content", [b"x", b"y"])
    def test_a_file_is_not_removed_with_the_old_spelling_of_its_name(
        self, folded: Ground, content: bytes
    ) -> None:  # F12
        before, after = folded.put("d/readme", b"x"), folded.file(content)
        back = write("d/README", before, after, old_path="d/readme")
        assert folded.replace(back) == [("d/README", WRITTEN)]
        assert folded.on_disk() == {"d": None, "d/README": (0o644, content)}
        assert folded.replace(write("D/README", after, after, old_path="d/README")) == [("D/README", WRITTEN)]
        assert folded.on_disk() == {"d": None, "d/README": (0o644, content)}

    def test_one_that_was_cut_off_is_finished(self, folded: Ground) -> None:
        before, after = folded.file(b"x"), folded.put("readme", b"y")
        assert folded.replace(write("README", before, after, old_path="readme")) == [("README", WRITTEN)]
        assert folded.on_disk() == {"README": (0o644, b"y")}
