"""What a ledger knows of paths is what an index would say that has been saved just now."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.review.file import File, new_file
from blueline.review.ledger import Ledger
from blueline.review.setting import ABSENT, Node
from tests.support.in_memory import NoSource

PATHS = ("a", "b", "c")


def file(number: int, path: str, *, gone: bool) -> File:
    return new_file(number, path, ABSENT if gone else Node("bytes", "0"), None, 0o644, "")


def numbers_at(files: dict[int, File], path: str) -> list[int]:
    """One that is there counts before one that is gone, then the later."""
    here = [one for one in files.values() if one.live.path == path]
    return [one.number for one in sorted(here, key=lambda one: (one.live.node == ABSENT, -one.number))]


def is_taken(files: dict[int, File], path: str, by: int) -> bool:
    return any(
        one.live.path == path and one.live.node != ABSENT for one in files.values() if one.number != by
    )


class Saved(NoSource):
    """What was known at the last save."""

    def __init__(self) -> None:
        self.files: dict[int, File] = {}

    def file(self, number: int) -> File | None:  # type: ignore[override]
        return self.files.get(number)

    def files_at(self, path: str) -> list[int]:
        return numbers_at(self.files, path)


STEPS = st.one_of(
    st.tuples(st.just("put"), st.integers(1, 4), st.sampled_from(PATHS), st.booleans()),
    st.tuples(st.sampled_from(("drop", "fold")), st.integers(1, 4), st.just(""), st.just(False)),
    st.tuples(st.sampled_from(("save", "shed")), st.just(0), st.just(""), st.just(False)),
)


@given(st.lists(STEPS, max_size=25))
def test_whichever_file_leaves_a_path_the_one_that_counts_next_is_found(
    steps: list[tuple[str, int, str, bool]],
) -> None:
    source = Saved()
    ledger, files = Ledger(source), dict[int, File]()
    for what, number, path, gone in steps:
        match what:
            case "put" if number not in ledger.purged and (gone or not is_taken(files, path, number)):
                files[number] = file(number, path, gone=gone)
                ledger.put_file(files[number])
            case "drop":
                files.pop(number, None)
                ledger.drop_file(number)
            case "fold" if number in files:
                ledger.fold_file(files[number])
            case "save" | "shed":
                source.files = {**files}
                ledger.changed.clear()
                if what == "shed":
                    ledger.shed(0)
            case _:
                pass
        for one in PATHS:
            found = ledger.file_at(one)
            assert ([] if found is None else [found.number]) == numbers_at(files, one)[:1]
