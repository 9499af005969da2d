"""What was offered, and what became of it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from blueline.forge.applied import Overlay, apply, reject
from blueline.forge.offer import Feedback, Person, dump, load
from tests.forge.offering import change, files, offer_of


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
