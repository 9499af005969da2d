"""The whole way in an issue: offered, listed, applied, rejected, answered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from tests.forge.ground import BASE, EARLIER, TOKEN, Ground, run_git
from tests.forge.offering import CHANGES


def test_apply_all_commits_exactly_the_suggested_bytes(ground: Ground) -> None:
    ground.suggest(CHANGES)
    done = ground.say("/apply all")
    assert done.outcome == "done"
    assert ground.head() == done.commit
    assert ground.content("a.py") == CHANGES["a.py"]
    assert ground.content("b.py") is None
    assert ground.content("new/d.txt") == CHANGES["new/d.txt"]
    assert ground.content("docs/c.md") == BASE["docs/c.md"]
    (answer,) = ground.answers()
    assert answer.startswith("Applied 3.")
    assert done.commit in answer


def test_apply_some_applies_only_those(ground: Ground) -> None:
    ground.suggest(CHANGES)
    ground.say("/apply 1,3")
    assert ground.content("a.py") == CHANGES["a.py"]
    assert ground.content("b.py") == BASE["b.py"]
    assert ground.content("new/d.txt") == CHANGES["new/d.txt"]
    assert ground.statuses() == {1: "applied", 2: "pending", 3: "applied"}
    assert ground.say("/apply 2-3").answer.startswith(
        "Applied 1, skipped 1: **3** `new/d.txt` it was applied by ada."
    )
    assert ground.content("b.py") is None


def test_the_people_are_named_in_the_commit(ground: Ground) -> None:
    ground.suggest(CHANGES)
    ground.say("/apply 1", login="bob")
    assert ground.message().splitlines() == [
        "blueline: apply 1 suggestion from #5",
        "",
        "- 1. a.py",
        "",
        "Co-authored-by: bob <2+bob@users.noreply.github.com>",
        "Co-authored-by: Grace <grace@example.org>",
        "",
    ]


def test_a_rejection_is_kept_with_its_reason_and_told(ground: Ground) -> None:
    ground.suggest(CHANGES)
    done = ground.say("/reject 2 because we still need it")
    assert done.answer == "Rejected 1: **2**. Because we still need it"
    assert ground.statuses() == {1: "pending", 2: "rejected", 3: "pending"}
    (said,) = ground.offer().feedback
    assert (said.verdict, said.numbers, said.text) == ("rejected", (2,), "we still need it")
    assert "Applied 2." in ground.say("/apply all").answer
    assert ground.content("b.py") == BASE["b.py"]


def test_reject_alone_discards_all(ground: Ground) -> None:
    ground.suggest(CHANGES)
    assert ground.say("/reject").answer.startswith("Rejected 3")
    assert ground.say("/apply all").answer == "No pending suggestions to apply."
    assert ground.head() == run_git(ground.clone, "rev-parse", "origin/main").strip()


def test_anything_else_is_feedback(ground: Ground) -> None:
    ground.suggest(CHANGES)
    done = ground.say("Please call it `deux`.")
    assert done.outcome == "done"
    (said,) = ground.offer().feedback
    assert (said.by, said.text, said.verdict) == ("ada", "Please call it `deux`.", "feedback")
    assert ground.answers() == []
    assert [sign for _, sign in ground.github.reactions] == ["eyes"]


def test_a_thread_without_suggestions(ground: Ground) -> None:
    assert ground.say("What a nice day.").outcome == "ignored"
    assert ground.say("/apply all").answer == "No pending suggestions to apply."


def test_a_command_that_is_not_understood_is_answered_and_does_nothing(ground: Ground) -> None:
    ground.suggest(CHANGES)
    before = ground.head()
    done = ground.say("/apply everything")
    assert "it was not understood" in done.answer
    assert ground.head() == before
    assert set(ground.statuses().values()) == {"pending"}
    assert "there is no such suggestion" in ground.say("/apply 9").answer


def test_a_file_that_changed_since_is_skipped_with_the_reason(ground: Ground) -> None:
    ground.suggest(CHANGES)

    comment = ground.comment("/apply all")
    bench = ground.responder()
    ground.before_push(bench, lambda: ground.push({"a.py": "one\nzwei\nthree\n"}))
    done = bench.handle(comment)
    assert done.answer.startswith(
        "Applied 2, skipped 1: **1** `a.py` the file has changed since it was offered."
    )
    assert ground.content("a.py") == "one\nzwei\nthree\n"
    assert ground.content("b.py") is None
    assert ground.statuses() == {1: "pending", 2: "applied", 3: "applied"}
    assert any("trying again" in line for line in ground.said)


def test_a_moved_head_is_refused_with_a_fresh_list(ground: Ground) -> None:
    ground.suggest(CHANGES)
    shown = ground.head()
    now = ground.push({"b.py": "uno\ndue\ntre\n", "a.py": "ONE\ntwo\nthree\n"})
    done = ground.say("/apply all")
    assert done.outcome == "moved"
    assert ground.head() == now
    fresh = ground.github.bodies()[-1]
    assert f"was at `{shown[:12]}`" in fresh
    assert f"is at `{now[:12]}` now" in fresh
    assert "Not in the list any more: **1** `a.py` others have changed the same lines; " in fresh
    assert "**2** `b.py` the file has changed since it was offered." in fresh
    assert "### **3.** ✨ `new/d.txt`" in fresh
    assert ground.say("/apply 3").answer.startswith("Applied 1.")


def test_a_change_beside_ours_is_carried_over_into_the_fresh_list(ground: Ground) -> None:
    ground.suggest({"docs/c.md": "# Title\n\nbetter\n"})
    ground.push({"docs/c.md": "# A title\n\ntext\n"})
    assert ground.say("/apply 1").outcome == "moved"
    assert "- text\n+ better" in ground.github.bodies()[-1]
    assert ground.say("/apply 1").answer.startswith("Applied 1.")
    assert ground.content("docs/c.md") == "# A title\n\nbetter\n"


def test_a_command_can_name_the_head_and_is_refused_if_that_is_another(ground: Ground) -> None:
    ground.suggest(CHANGES)
    assert ground.say(f"/apply 1 at {ground.head()[:12]}").answer.startswith("Applied 1.")
    assert ground.say("/apply 2 at 0123456789ab").outcome == "moved"
    assert ground.content("b.py") == BASE["b.py"]


def test_a_command_that_was_written_before_the_fresh_list_is_refused(ground: Ground) -> None:
    ground.suggest(CHANGES)
    early = ground.comment("/apply 3", at=EARLIER)
    ground.push({"x.txt": "x\n"})
    assert ground.say("/apply 1").outcome == "moved"
    assert ground.responder().handle(early).outcome == "moved"
    assert ground.content("new/d.txt") is None


def test_a_command_that_was_written_before_the_first_list_is_refused(ground: Ground) -> None:
    early = ground.comment("/apply all", at=EARLIER)
    ground.suggest(CHANGES)
    assert ground.responder().handle(early).outcome == "moved"
    assert "this was written before the list was made" in ground.github.bodies()[-1]
    assert ground.content("a.py") == BASE["a.py"]
    assert ground.say("/apply all").answer.startswith("Applied 3.")


def test_each_command_is_done_once(ground: Ground) -> None:
    ground.suggest(CHANGES)
    comment = ground.comment("/apply 1")
    assert ground.responder().handle(comment).outcome == "done"
    head = ground.head()
    assert ground.responder().handle(comment).outcome == "again"
    assert ground.head() == head
    assert len(ground.answers()) == 1


def test_an_answer_that_got_lost_is_given_when_the_event_comes_again(ground: Ground) -> None:
    ground.suggest(CHANGES)
    comment = ground.comment("/apply 1")
    assert ground.responder().handle(comment).outcome == "done"
    ground.github.comments = [one for one in ground.github.comments if "answer=" not in one["body"]]
    assert ground.responder().handle(comment).outcome == "again"
    assert len(ground.answers()) == 1


def test_several_commands_in_one_comment_are_one_commit(ground: Ground) -> None:
    ground.suggest(CHANGES)
    before = ground.head()
    done = ground.say("/apply 1\n/reject 2 because no\n/apply 3\nand thanks")
    assert ground.github.git("rev-list", "--count", f"{before}..main").strip() == "1"
    assert ground.statuses() == {1: "applied", 2: "rejected", 3: "applied"}
    assert [(one.verdict, one.numbers, one.text) for one in ground.offer().feedback] == [
        ("applied", (1,), ""),
        ("rejected", (2,), "no"),
        ("applied", (3,), ""),
        ("feedback", (), "and thanks"),
    ]
    assert done.answer.count("Applied 1.") == 2


def test_per_hunk_suggestions_are_applied_one_by_one_exactly(ground: Ground) -> None:
    lines = [f"line {n}\n" for n in range(30)]
    ground.push({"long.txt": "".join(lines)})
    new = [line.upper() if n in (2, 12, 22) else line for n, line in enumerate(lines)]
    done = ground.suggest({"long.txt": "".join(new)}, per_hunk=True)
    assert [one.hunk for one in done.shown] == [0, 1, 2]
    assert "`long.txt` line 13 (modify)" in ground.github.bodies()[0]
    ground.say("/apply 2")
    assert ground.content("long.txt") == "".join(
        n if i == 12 else o for i, (o, n) in enumerate(zip(lines, new, strict=True))
    )
    ground.say("/apply 3")
    ground.say("/apply 1")
    assert ground.content("long.txt") == "".join(new)


def test_qb15_two_commands_race_and_one_is_told(ground: Ground, tmp_path: Path) -> None:
    ground.suggest(CHANGES)
    second = tmp_path / "second"
    run_git(tmp_path, "clone", "-q", str(ground.remote), str(second))
    late = ground.comment("/apply 1", login="bob")
    early = ground.comment("/apply 1", login="ada")
    bench = ground.responder(second)
    ground.before_push(bench, lambda: ground.responder().handle(early))
    done = bench.handle(late)
    assert done.answer == "Applied 0, skipped 1: **1** `a.py` it was applied by ada."
    assert ground.content("a.py") == CHANGES["a.py"]
    assert ground.github.git("rev-list", "--count", "main").strip() == "2"


def test_qb15_commands_that_are_really_done_at_once_are_all_done_once(ground: Ground, tmp_path: Path) -> None:
    count = 3
    ground.suggest({f"file {n}.txt": f"content {n}\n" for n in range(count)})
    clones = [tmp_path / f"clone {n}" for n in range(count)]
    for clone in clones:
        run_git(tmp_path, "clone", "-q", str(ground.remote), str(clone))
    # Each command twice, as if GitHub had delivered it to two places; two at a time work in one clone.
    comments = [ground.comment(f"/apply {n % count + 1}") for n in range(count)]
    benches = [ground.responder(clone) for clone in clones]
    start = Barrier(count)

    def handle(number: int) -> list[str]:
        start.wait()
        comment = comments[number]
        return [benches[number].handle(comment).outcome, benches[number - 1].handle(comment).outcome]

    with ThreadPoolExecutor(count) as pool:
        outcomes = [*pool.map(handle, range(count))]
    assert outcomes == [["done", "again"]] * count
    assert [ground.content(f"file {n}.txt") for n in range(count)] == [f"content {n}\n" for n in range(count)]
    assert ground.github.git("rev-list", "--count", "main").strip() == str(count + 1)
    assert len(ground.answers()) == count


def test_qb12_the_token_is_nowhere_in_what_is_said_stored_or_posted(ground: Ground) -> None:
    ground.suggest(CHANGES)
    ground.refuse(1)
    ground.say("/apply all")
    assert ground.github.tokens == {f"token {TOKEN}"} or ground.github.tokens == {f"Bearer {TOKEN}"}
    everything = " ".join([*ground.said, *ground.github.bodies(), ground.message(), repr(ground.api())])
    assert TOKEN not in everything
    assert TOKEN not in ground.github.git("show", "refs/blueline/suggestions/5:suggestions.json")
