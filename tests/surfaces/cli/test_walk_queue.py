"""Where somebody is among the changes."""

from __future__ import annotations

from blueline.surfaces.cli.walk_queue import WalkQueue
from tests.support.fake_desk import Document, hunk


def some(*names: str, **changes: object) -> list[Document]:
    """Hunks by path and line: `a.py:3`."""
    found = []
    for name in names:
        path, _, line = name.partition(":")
        found.append(hunk(id=f"h{path[0]}{line}", path=path, new_start=int(line), **changes))
    return found


def here(queue: WalkQueue) -> str:
    assert queue.current is not None
    return queue.current.hunk["id"]


def test_it_stays_where_it_was_when_others_come_and_go() -> None:
    queue = WalkQueue(some("a.py:1", "b.py:5", "c.py:9"))
    queue.step(1)
    assert [one["id"] for one in queue.renew(some("a.py:1", "a.py:7", "b.py:5"))] == ["ha7"]
    assert here(queue) == "hb5"


def test_rule_b11_after_a_decision_comes_the_next_in_order() -> None:
    queue = WalkQueue(some("a.py:1", "b.py:5", "c.py:9"))
    queue.step(1)
    queue.renew(some("a.py:1", "c.py:9"))
    assert here(queue) == "hc9"
    queue.renew(some("a.py:1"))
    assert here(queue) == "ha1"


def test_what_nobody_reads_comes_last_also_when_something_is_new() -> None:
    lock, image = some("a.lock:1")[0], hunk(id="hb1", path="b.png", kind="binary", new_start=1)
    came = hunk(id="h00", path="0.png", kind="create", old="", new=None)
    went = hunk(id="h01", path="1.png", kind="delete", old=None, new="")
    renamed = hunk(id="h02", path="2.png", kind="rename", old=None, new=None)
    queue = WalkQueue([came, went, renamed, lock, image, *some("c.py:9")])
    paths = [item.hunk["path"] for item in queue.items]
    assert paths == ["2.png", "c.py", "0.png", "1.png", "a.lock", "b.png"]
    queue = WalkQueue([lock, image, *some("c.py:9")])
    queue.renew([lock, image, *some("c.py:9", "d.py:1")])
    assert here(queue) == "hc9"
    queue.renew([lock, image, *some("d.py:1")])
    assert here(queue) == "hd1"
    queue.renew([lock, image])
    assert here(queue) == "ha1"


def test_it_begins_again_at_the_other_end_and_says_so() -> None:
    queue = WalkQueue(some("a.py:1", "b.py:5"))
    assert not queue.step(1)
    assert queue.step(1)
    assert here(queue) == "ha1"
    assert queue.step(-1)
    assert here(queue) == "hb5"


def test_a_viewed_file_is_passed_over_until_something_is_new_in_it() -> None:
    queue = WalkQueue(some("a.py:1", "a.py:5", "b.py:1"))
    assert queue.view()
    assert here(queue) == "hb1"
    queue.step(1)
    assert here(queue) == "hb1"
    queue.renew(some("a.py:1", "a.py:5", "a.py:9", "b.py:1"))
    queue.step(1)
    assert here(queue) == "ha1"


def test_the_last_file_that_is_viewed_says_that_it_is_the_last() -> None:
    queue = WalkQueue(some("a.py:1", "a.py:5"))
    assert not queue.view()


def test_what_is_left_of_a_split_change_is_still_in_parts() -> None:
    queue = WalkQueue([hunk(id="h0000000a", old="", new="a\nb\nc\n", new_start=3)])
    queue.split([(3, 3), (4, 4), (5, 5)])
    queue.step(1)
    queue.renew([hunk(id="h0000000a.000001", old="", new="b\nc\n", new_start=4)])
    assert [item.lines for item in queue.items] == [(4, 4), (5, 5)]
    assert queue.current is not None
    assert queue.current.lines == (4, 4)


def test_only_what_looks_as_it_did_was_seen() -> None:
    queue = WalkQueue(some("a.py:1", "b.py:1"))
    first, second = queue.hunks
    queue.see([first])
    assert queue.unseen([first, second]) == [second]
    assert queue.unseen([{**first, "new": "other\n"}]) != []


def test_what_a_scope_takes_in() -> None:
    queue = WalkQueue(
        [*some("a.py:1", "a.py:5", turn="t1"), *some("b.py:1", turn="t1"), *some("c.py:1", turn="t2")]
    )
    assert [hunk["id"] for hunk in queue.of("file")] == ["ha1", "ha5"]
    assert [hunk["id"] for hunk in queue.of("turn")] == ["ha1", "ha5", "hb1"]
    assert [hunk["id"] for hunk in queue.of("same")] == ["ha1", "ha5", "hb1", "hc1"]
    assert [hunk["id"] for hunk in queue.of("change")] == ["ha1"]
    nobodys = WalkQueue(some("a.py:1", "b.py:1", turn=None))
    assert [hunk["id"] for hunk in nobodys.of("turn")] == ["ha1"], "what is of no turn is not of one turn"
