"""One run that offers what is pending."""

from __future__ import annotations

from blueline.forge.forge_config import ForgeSettings
from tests.forge.ground import Ground
from tests.forge.offering import CHANGES


def test_suggest_only_posts_the_diff_and_commits_nothing(ground: Ground) -> None:
    before = ground.head()
    done = ground.suggest(CHANGES)
    (text,) = ground.github.bodies()
    assert "## 📝 Proposed Changes" in text
    assert (
        "### **1.** 📝 `a.py` (modify)\n\n```diff\n@@ -2 +2 @@\n- two\n+ TWO\n```\n\n> 💡 why a.py\n" in text
    )
    assert "### **2.** 🗑️ `b.py` (delete)\n\n_This file will be deleted._" in text
    assert "### **3.** ✨ `new/d.txt` (create)" in text
    assert "`/apply all` — apply all suggestions and commit" in text
    assert before[:12] in text
    assert ground.head() == before
    assert done.commit == ""
    assert ground.statuses() == {1: "pending", 2: "pending", 3: "pending"}


def test_suggest_and_commit_does_both(ground: Ground) -> None:
    done = ground.suggest(CHANGES, mode="suggest-and-commit")
    assert ground.head() == done.commit
    assert ground.content("a.py") == CHANGES["a.py"]
    (text,) = ground.github.bodies()
    assert "- two\n+ TWO" in text
    assert f"Commit {done.commit}" in text
    assert "/apply" not in text
    assert set(ground.statuses().values()) == {"applied"}


def test_commit_only_shows_nothing(ground: Ground) -> None:
    done = ground.suggest(CHANGES, mode="commit-only", issue=None)
    assert ground.head() == done.commit
    assert ground.content("b.py") is None
    assert ground.github.bodies() == []
    assert "refs/blueline" not in ground.github.git("for-each-ref")


def test_hybrid_commits_what_is_harmless_and_offers_what_is_not(ground: Ground) -> None:
    done = ground.suggest(
        {"docs/c.md": "# Title\n\nbetter\n", ".github/workflows/ci.yml": "on: push\n"}, mode="hybrid"
    )
    assert [one.path for one in done.shown] == [".github/workflows/ci.yml"]
    assert [one.path for one in done.committed] == ["docs/c.md"]
    assert ground.content("docs/c.md") == "# Title\n\nbetter\n"
    assert ground.content(".github/workflows/ci.yml") is None
    (text,) = ground.github.bodies()
    assert "Risk: **critical**: ci: its path is like .github/workflows/\\*" in text
    assert "docs/c.md" not in text
    assert ground.statuses() == {1: "pending", 2: "applied"}
    assert "it is critical, and wants its own number" in ground.say("/apply all").answer
    assert ground.say("/apply 1").answer.startswith("Applied 1.")
    assert ground.content(".github/workflows/ci.yml") == "on: push\n"


def test_a_rationale_that_is_not_shown_is_not_kept_either(ground: Ground) -> None:
    ground.settings = ForgeSettings(show_rationale=False)
    ground.suggest(CHANGES)
    assert "why a.py" not in ground.github.bodies()[0]
    assert "why a.py" not in ground.github.git("show", "refs/blueline/suggestions/5:suggestions.json")


def test_numbers_are_never_used_twice_in_a_thread(ground: Ground) -> None:
    ground.suggest(CHANGES)
    ground.suggest({"a.py": "one\ntwo\nTHREE\n"})
    assert ground.statuses() == {1: "outdated", 2: "outdated", 3: "outdated", 4: "pending"}
    assert "it does not fit any more" in ground.say("/apply 1").answer
    assert ground.say("/apply all").answer.startswith("Applied 1.")


def test_500_files_are_offered_and_applied_with_few_requests_and_one_commit(ground: Ground) -> None:
    ground.suggest({f"many/{n:03}.txt": f"new {n}\n" * 80 for n in range(500)})
    bodies = ground.github.bodies()
    assert [method for method, _, _ in ground.github.requests].count("POST") == len(bodies)
    # Nothing is asked for once per file, and there is a pause between two comments.
    assert len(ground.github.requests) <= len(bodies) + 3
    assert ground.slept == [1.0] * (len(bodies) - 1)
    ground.github.requests.clear()
    done = ground.say("/apply all")
    assert done.answer.startswith("Applied 500.")
    assert len(ground.github.requests) <= 6
    assert ground.github.git("rev-list", "--count", "main").strip() == "2"
    assert ground.content("many/499.txt") == "new 499\n" * 80
    assert max(map(len, ground.github.bodies())) <= 65_000
