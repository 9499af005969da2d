"""What is kept in git, and what is read from there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blueline.errors import BluelineError
from blueline.forge.found_changes import OfferableChange
from blueline.forge.suggest_run import SuggestRun, target_of
from blueline.forge.suggestion import LINK, PROGRAM
from blueline.hosts.host import ThreadName
from tests.forge.ground import BASE, Ground, run_git
from tests.forge.offering import CHANGES, change, side


@pytest.mark.parametrize(
    "path", [".git/config", "a/.GIT/hooks/x", "../x", "/etc/passwd", "a//b", "./a", "a/."]
)
def test_qb10_a_path_that_leads_elsewhere_is_never_written(ground: Ground, path: str) -> None:
    ground.suggest({"a.py": "one\nTWO\nthree\n"})
    offer = ground.offer()
    one = offer.suggestions[0]
    bad = replace(one.change, path=path, old_path=path, old=None)
    bench = ground.responder()
    found = bench.offer(ThreadName(5))
    assert found is not None
    state = bench.objects.keep_offer(
        replace(offer, suggestions=(replace(one, change=bad),)), found[1], "evil"
    )
    run_git(ground.clone, "push", "-q", "-f", str(ground.remote), f"{state}:refs/blueline/suggestions/5")
    before = ground.head()
    assert "its path leads elsewhere" in ground.say("/apply all").answer
    assert ground.head() == before


def test_what_is_kept_in_git_and_was_broken_is_said(ground: Ground) -> None:
    ground.suggest(CHANGES)
    bench = ground.responder()
    bad = bench.objects.write(ground.head(), {}, "nothing of ours")
    run_git(ground.clone, "push", "-q", "--force", str(ground.remote), f"{bad}:refs/blueline/suggestions/5")
    with pytest.raises(BluelineError, match="cannot be read"):
        ground.say("/apply all")


def test_suggestions_live_in_git_and_not_in_the_work_tree(ground: Ground) -> None:
    ground.suggest(CHANGES)
    assert run_git(ground.clone, "status", "--porcelain") == ""
    assert "refs/blueline/suggestions/5" in ground.github.git("for-each-ref")
    names = ground.github.git("ls-tree", "-r", "--name-only", "refs/blueline/suggestions/5").split()
    assert names == ["new/0", "new/2", "old/0", "old/1", "suggestions.json"]


def test_modes_links_bytes_and_renames_are_applied_exactly(ground: Ground) -> None:
    found = [
        OfferableChange(
            change=replace(change(BASE["a.py"], BASE["a.py"], "a.py"), new=side(BASE["a.py"], PROGRAM))
        ),
        OfferableChange(change=replace(change(None, "b.py", "link"), new=side("b.py", LINK))),
        OfferableChange(change=change(None, b"\0\xff\r\n", "bytes.bin")),
        OfferableChange(change=replace(change(BASE["b.py"], "uno\nDUE\n", "moved/b.py"), old_path="b.py")),
    ]
    bench = ground.responder()
    target = target_of(bench, issue=5, pull=None, branch="")
    SuggestRun(bench, "suggest-only").offer(found, target)
    (text,) = ground.github.bodies()
    assert "_The file becomes executable._" in text
    assert "_A link to `b.py`._" in text
    assert "not text: 0 bytes become 4" in text
    assert "🚚 `moved/b.py` (rename from `b.py`)" in text
    assert ground.say("/apply all").answer.startswith("Applied 4.")
    tree = ground.github.git("ls-tree", "-r", "main")
    assert "100755 blob" in tree
    assert "120000 blob" in tree
    assert ground.content("b.py") is None
    assert ground.content("moved/b.py") == "uno\nDUE\n"
