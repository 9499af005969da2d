"""Applying and refreshing, worked out without git: random suggestions in random order."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from blueline.forge.applied import IN_THERE, Overlay, apply, refresh
from blueline.forge.offer import Offer
from blueline.forge.suggestion import FILE, GitContent
from tests.forge.offering import Files, change, files, offer_of

TEXTS = st.lists(st.sampled_from(["a", "b", "", "c\r", "`"]), max_size=12).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


def test_what_is_critical_is_applied_only_by_its_own_number() -> None:
    plain, workflow = change("a\n", "b\n", "a.txt"), change("a\n", "b\n", ".github/workflows/x.yml")
    made = offer_of(plain, workflow)
    offer = made.with_suggestions([replace(made.suggestions[1], risk="critical")])
    now = Files({path: GitContent(mode=FILE, content=b"a\n") for path in ("a.txt", workflow.path)})
    overlay = Overlay(now)
    done = apply(offer, None, overlay, "ada")
    assert [one.result for one in done.outcomes] == ["applied", "skipped"]
    assert "/apply 2" in done.outcomes[1].reason
    assert set(overlay.writes) == {"a.txt"}
    assert [one.number for one in done.offer.pending] == [2]
    named = apply(done.offer, {2}, Overlay(now), "ada")
    assert [one.result for one in named.outcomes] == ["applied"]


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
