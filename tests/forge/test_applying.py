"""Applying and refreshing, worked out without git: random suggestions in random order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from blueline.forge.applied import IN_THERE, Overlay, apply, refresh, reject
from blueline.forge.offer import Feedback, Offer, Person, dump, load
from blueline.forge.suggestion import FILE, GitContent, OfferedChange, Suggestion
from tests.forge.offering import change, side

TEXTS = st.lists(st.sampled_from(["a", "b", "", "c\r", "`"]), max_size=12).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@dataclass
class Files:
    """The files of a commit, and its folders."""

    found: dict[str, GitContent] = field(default_factory=dict)

    def read(self, path: str) -> GitContent | None:
        return self.found.get(path)

    def is_folder(self, path: str) -> bool:
        return any(name.startswith(f"{path}/") for name in self.found)


def files(**contents: str | bytes) -> Files:
    made = {name.replace("__", "."): side(content) for name, content in contents.items()}
    return Files({name: one for name, one in made.items() if one is not None})


def offer_of(*changes: OfferedChange, per_hunk: bool = False) -> Offer:
    suggestions: list[Suggestion] = []
    for one in changes:
        for hunk in range(len(one.hunks)) if per_hunk and len(one.hunks) > 1 else (None,):
            suggestions.append(Suggestion(number=len(suggestions) + 1, change=one, hunk=hunk))
    return Offer(
        repository="a/b", number=5, is_pull=False, branch="main", head="0", suggestions=tuple(suggestions)
    )


@given(TEXTS, TEXTS, st.randoms(use_true_random=False))
def test_hunks_applied_one_by_one_in_any_order_are_the_whole(old: str, new: str, order: Random) -> None:
    offer = offer_of(change(old, new), per_hunk=True)
    now = Files({"a.txt": GitContent(mode=FILE, content=old.encode())})
    numbers = [one.number for one in offer.suggestions]
    order.shuffle(numbers)
    for number in numbers if old != new else []:
        overlay = Overlay(now)
        done = apply(offer, {number}, overlay, "ada")
        assert [one.result for one in done.outcomes] == ["applied"]
        now.found |= {path: one for path, one in overlay.writes.items() if one is not None}
        offer = done.offer
    assert now.found["a.txt"].content == new.encode()


@given(TEXTS, TEXTS, TEXTS)
def test_nothing_is_written_over_what_somebody_else_wrote(old: str, new: str, now: str) -> None:
    overlay = Overlay(Files({"a.txt": GitContent(mode=FILE, content=now.encode())}))
    done = apply(offer_of(change(old, new)), None, overlay, "ada")
    if now not in (old, new):
        assert overlay.writes == {}
        assert done.outcomes[0].reason == "the file has changed since it was offered"


@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_what_a_fresh_list_offers_can_be_applied(old: str, new: str, now: str, per_hunk: bool) -> None:
    offer = offer_of(change(old, new), per_hunk=per_hunk)
    there = Files({"a.txt": GitContent(mode=FILE, content=now.encode())})
    fresh, gone = refresh(offer, "1", there)
    assert fresh.head == "1"
    overlay = Overlay(there)
    done = apply(fresh, None, overlay, "ada")
    assert all(one.result == "applied" for one in done.outcomes)
    assert {one.number for one in gone} == {
        one.number for one in fresh.suggestions if one.status in ("outdated", "applied")
    }
    if now == old:
        assert fresh.suggestions == offer.suggestions
    if now == new != old:
        assert all(one.why == IN_THERE for one in fresh.suggestions)


def reasons(offer: Offer, there: Files) -> list[str]:
    overlay = Overlay(there)
    done = apply(offer, None, overlay, "ada")
    assert overlay.writes == {}
    return [one.reason for one in done.outcomes]


def test_what_stands_in_the_way_is_said() -> None:
    assert reasons(offer_of(change(None, "x", "a/b")), files(a="file")) == ["`a` is a file"]
    assert reasons(offer_of(change(None, "x", "a")), Files({"a/b": GitContent(mode=FILE, content=b"")})) == [
        "`a` is a folder"
    ]
    assert reasons(offer_of(change(None, "x", "a")), files(a="other")) == ["there is a file of that name now"]
    assert reasons(offer_of(change("x", None, "a")), files()) == ["the file is gone"]
    module = Files({"a": GitContent(mode=0o160000, content=b"x")})
    assert reasons(offer_of(change("x", "y", "a")), module) == ["it is another kind of file now"]
    moved = replace(change("x", "x", "b"), old_path="a")
    assert reasons(offer_of(moved), files(a="x", b="y")) == ["there is a file `b` now"]


def test_a_folder_and_a_file_of_one_batch_do_not_meet() -> None:
    overlay = Overlay(files())
    done = apply(offer_of(change(None, "x", "a"), change(None, "y", "a/b")), None, overlay, "ada")
    assert [one.result for one in done.outcomes] == ["applied", "skipped"]


def test_what_is_there_already_counts_as_applied() -> None:
    overlay = Overlay(files(a="new"))
    done = apply(offer_of(change("old", "new", "a")), None, overlay, "ada")
    assert [one.result for one in done.outcomes] == ["already"]
    assert overlay.writes == {}
    assert done.offer.suggestions[0].status == "applied"


def test_what_is_decided_is_not_decided_again() -> None:
    offer, rejected, _ = reject(offer_of(change("x", "y", "a")), None, "ada", "no")
    assert len(rejected) == 1
    done = apply(offer, {1}, Overlay(files(a="x")), "bob")
    assert done.outcomes[0].reason == "it was rejected by ada"
    _, again, left = reject(offer, {1, 2}, "bob", "")
    assert again == ()
    assert [one.reason for one in left] == ["it was rejected by ada", "there is no such suggestion"]


@given(
    st.lists(st.tuples(st.text(max_size=8), st.one_of(st.none(), st.binary(max_size=20))), max_size=5),
    st.text(max_size=30),
)
def test_what_is_kept_comes_back(contents: list[tuple[str, bytes | None]], words: str) -> None:
    words = words.encode("utf-8", "replace").decode()
    changes = [change(old.encode("utf-8", "replace"), new, f"p{n}") for n, (old, new) in enumerate(contents)]
    offer = replace(
        offer_of(*changes),
        offered_by=Person(name=words, email="x"),
        handled={7: words},
        feedback=(Feedback(comment=7, by=words, text=words, numbers=(1,), verdict="rejected"),),
    )
    blobs: dict[str, bytes] = {}

    def put(data: bytes) -> str:
        blobs[str(len(blobs))] = data
        return str(len(blobs) - 1)

    record, _ = dump(offer, put)
    assert load(record, blobs.__getitem__) == offer
