"""What is asked of the remote, and how it is named there."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.forge.forge_place import open_responder
from blueline.forge.remote import NotABranch, branch_ref
from blueline.forge.responder import PushRefused
from blueline.hosts.kinds import NoSuchHost
from tests.forge.ground import TOKEN, Ground, run_git
from tests.forge.offering import CHANGES
from tests.forge.standin import REPO


@pytest.mark.parametrize(
    "name",
    ["--upload-pack=evil", "a:b", "a b", "a..b", "x@{1}", "", "a/../b", "-x", "a\nb", "x.lock", "*"],
)
def test_qb10_a_name_that_means_something_to_git_is_no_branch(name: str) -> None:
    with pytest.raises(NotABranch):
        branch_ref(name)


@pytest.mark.parametrize("name", ["$(touch)", "`id`", "${{github.token}}", "a;b", "%0a", "é"])
def test_qb10_a_branch_with_shell_syntax_is_only_a_name(ground: Ground, name: str) -> None:
    branch = f"w/{name}"
    ground.push({"a.py": "one\ntwo\nthree\nfour\n"}, branch=branch)
    ground.github.pull(7, branch=branch)
    ground.suggest({"a.py": "one\nTWO\nthree\nfour\n"}, pull=7)
    assert ground.say("/apply all", number=7).outcome == "done"
    assert ground.content("a.py", branch) == "one\nTWO\nthree\nfour\n"


def test_qb12_the_token_stands_in_no_command_line_and_no_odd_one_is_taken(ground: Ground) -> None:
    bench = open_responder(
        ground.clone, {"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": REPO, "PATH": "/usr/bin:/bin"}, print
    )
    assert TOKEN not in repr(bench.api)
    assert bench.remote.safe(f"https://x:{TOKEN}@github.com/ {TOKEN}") == "https://github.com/ ***"
    with pytest.raises(NoSuchHost):
        open_responder(ground.clone, {"GITHUB_TOKEN": "abc\nX-Evil: 1", "GITHUB_REPOSITORY": REPO}, print)


def test_a_remote_that_refuses_the_first_push_is_tried_again(ground: Ground) -> None:
    ground.suggest(CHANGES)
    ground.refuse(1)
    assert ground.say("/apply all").answer.startswith("Applied 3.")
    assert ground.content("a.py") == CHANGES["a.py"]
    assert [line for line in ground.said if "come back later" in line]
    assert ground.slept == [0.5]
    assert len(ground.answers()) == 1


def test_a_remote_that_never_takes_it_is_said(ground: Ground) -> None:
    ground.suggest(CHANGES)
    before = ground.head()
    ground.refuse(99)
    with pytest.raises(PushRefused, match=r"refused 5 times: .*come back later"):
        ground.say("/apply all")
    assert ground.head() == before
    assert set(ground.statuses().values()) == {"pending"}
    assert "Nothing was applied" in ground.answers()[0]


def test_a_shallow_clone_as_an_action_has_it_is_enough(ground: Ground, tmp_path: Path) -> None:
    ground.push({"x.txt": "x\n"})
    ground.suggest(CHANGES)
    shallow = tmp_path / "shallow"
    run_git(tmp_path, "clone", "-q", "--depth=1", f"file://{ground.remote}", str(shallow))
    done = ground.responder(shallow).handle(ground.comment("/apply all"))
    assert done.answer.startswith("Applied 3.")
    assert ground.content("a.py") == CHANGES["a.py"]
    assert ground.github.git("rev-list", "--count", "main").strip() == "3"
