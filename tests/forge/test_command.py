"""The commands as they are typed, in a project with an agent, against a small GitHub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blueline.desk import Desk
from blueline.forge import workflow
from blueline.sdk import Session
from tests.forge.conftest import BASE, TOKEN, run_git
from tests.forge.standin import REPO, StandIn, serving
from tests.forge.webhooks import SECRET, event, post, signed
from tests.support.project import Project
from tests.support.waiting import wait_until

Document = dict[str, Any]
ROOT = Path(__file__).parents[2]


def environ_of(github: StandIn) -> dict[str, str]:
    return {
        "GITHUB_TOKEN": TOKEN,
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": REPO,
        "NO_PROXY": "127.0.0.1",
    }


class Place:
    """A project that is a clone, and what is typed in it."""

    def __init__(self, base: Path, github: StandIn) -> None:
        self.github = github
        self.project = Project(base / "here", BASE)
        self.root = self.project.root
        for words in (
            ("init", "-q"),
            ("config", "user.name", "Grace"),
            ("config", "user.email", "grace@example.org"),
            ("add", "a.py", "b.py", "docs"),
            ("commit", "-q", "-m", "start"),
            ("remote", "add", "origin", str(github.remote)),
            ("push", "-q", "origin", "HEAD:main"),
            ("branch", "-q", "-M", "main"),
        ):
            run_git(self.root, *words)
        self.project.environ |= environ_of(github)

    def run(self, *words: str, code: int = 0) -> str:
        done = self.project.command(*words)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def json(self, *words: str, code: int = 0) -> Document:
        done = self.project.command(*words, "--json")
        assert done.returncode == code, done.stdout + done.stderr
        found: Document = json.loads(done.stdout)
        return found

    def event(self, body: str, login: str = "ada", **more: object) -> Document:
        """Somebody comments, and an Action handles it."""
        identifier = self.github.number()
        self.github.comments.append({"id": identifier, "issue": 5, "body": body, "html_url": ""})
        user = {"login": login, "id": self.github.ids.get(login, 77), "type": "User"}
        comment = {"id": identifier, "body": body, "user": user, "created_at": "2101-01-01T00:00:00Z"}
        event = {"action": "created", "issue": {"number": 5}, "comment": comment, "sender": user}
        path = self.root.parent / "event.json"
        path.write_text(json.dumps({**event, "repository": {"full_name": REPO}, **more}))
        self.project.environ |= {"GITHUB_EVENT_NAME": "issue_comment", "GITHUB_EVENT_PATH": str(path)}
        return self.json("forge", "handle-event")

    def content(self, path: str) -> str:
        return self.github.git("show", f"main:{path}")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    remote = tmp_path / "remote.git"
    run_git(tmp_path, "init", "-q", "--bare", str(remote))
    with serving(StandIn(remote)) as github:
        github.issue(5)
        made = Place(tmp_path, github)
        made.project.prompt("shout the second word, please")
        made.project.edit("a.py", "two", "TWO")
        yield made


def test_what_is_pending_is_offered_and_goes_back_and_is_applied(place: Place) -> None:
    before = place.project.text("a.py")
    done = place.json("suggest", "--issue", "5")
    (one,) = done["suggestions"]
    assert (one["path"], one["action"], one["old"], one["new"]) == ("a.py", "modify", BASE["a.py"], before)
    assert one["rationale"] == "Asked for: shout the second word, please"
    assert [(hunk["old"], hunk["new"]) for hunk in one["hunks"]] == [("two\n", "TWO\n")]
    assert done["here"]["taken_back"] == ["a.py"]
    assert place.project.text("a.py") == BASE["a.py"]
    assert place.project.hunks() == []
    (text,) = place.github.bodies()
    assert "> 💡 Asked for: shout the second word, please" in text
    assert place.content("a.py") == BASE["a.py"]
    answer = place.event("/apply all")
    assert answer["outcome"] == "done"
    with place.project.desk() as desk:
        (note,) = desk.workbench.notes()
    assert note["kind"] == "keep"
    assert note["text"].startswith("ada on GitHub applied suggestion 1 (a.py)")
    assert answer["answer"].startswith("Applied 1.")
    assert place.content("a.py") == before
    # The way back is kept as well.
    place.project.undo()
    assert place.project.text("a.py") == before


def test_feedback_reaches_the_agent_with_the_next_prompt(place: Place) -> None:
    place.run("suggest", "--issue", "5")
    assert place.event("Please shout the third as well.")["handed_on"] == 1
    assert place.event("/reject 1 because it is too loud")["handed_on"] == 1
    with place.project.desk() as desk:
        texts = [(note["target"], note["state"], note["text"]) for note in desk.workbench.notes()]
    where = f"({REPO}#5, comment"
    assert [text for _, _, text in texts] == [
        f"ada on GitHub: Please shout the third as well. {where} 1002)",
        f"ada on GitHub rejected suggestion 1 (a.py) because it is too loud {where} 1004, rejected)",
    ]
    assert all(target == {"kind": "turn", "id": "t1"} and state == "sent" for target, state, _ in texts)
    _, said, _ = place.project.hook(place.project.event("UserPromptSubmit", prompt="go on"))
    assert "Please shout the third as well." in said.decode()
    # What was said once is not said again.
    assert place.json("forge", "fetch")["handed_on"] == 0


def test_words_for_all_reach_every_conversation_once_at_its_latest_turn(place: Place) -> None:
    place.project.prompt("and more")
    place.project.edit("a.py", "three", "THREE")
    place.project.conversation = "conversation-2"
    place.project.prompt("something else")
    place.project.edit("b.py", "uno", "UNO")
    place.run("suggest", "--issue", "5")
    assert place.event("Please whisper.")["handed_on"] == 2
    assert place.event("/reject 2")["handed_on"] == 1
    with place.project.desk() as desk:
        found = [
            (note["target"]["id"], note["text"].partition(":")[2][:9]) for note in desk.workbench.notes()
        ]
    assert found == [("t2", " Please w"), ("t3", " Please w"), ("t3", "")]
    assert place.json("forge", "fetch")["handed_on"] == 0


def test_fetch_hands_on_what_an_action_could_not(place: Place, tmp_path: Path) -> None:
    place.run("suggest", "--issue", "5")
    other = tmp_path / "action"
    run_git(tmp_path, "clone", "-q", str(place.github.remote), str(other))
    here, place.project.root = place.project.root, other
    assert place.event("Please whisper.")["handed_on"] == 0
    place.project.root = here
    done = place.json("forge", "fetch")
    assert done["handed_on"] == 1
    assert done["threads"][0]["feedback"] == [
        {"by": "ada", "verdict": "feedback", "numbers": [], "text": "Please whisper."}
    ]
    assert "Please whisper." in place.run("forge", "fetch")


def test_the_agents_own_words_come_first(place: Place) -> None:
    session = Session(place.root, agent="mine", environ=place.project.environ)
    with session.turn("say why") as turn:
        turn.propose_edit("b.py", "due", "DUE", "it was not loud enough")
    (one,) = place.json("suggest", "--issue", "5", "b.py", "--dry-run")["suggestions"]
    assert one["rationale"] == "it was not loud enough Asked for: say why"
    assert one["new"] == "uno\nDUE\n"


def test_what_is_held_can_be_offered_too(place: Place) -> None:
    place.project.set_mode("hold")
    place.project.edit("b.py", "uno", "UNO")
    assert place.project.text("b.py") == BASE["b.py"]
    (one,) = place.json("suggest", "--issue", "5", "b.py")["suggestions"]
    assert one["new"] == "UNO\ndue\n"
    assert place.project.hunks("b.py") == []
    place.event("/apply all")
    assert place.content("b.py") == "UNO\ndue\n"


def test_a_notebook_is_offered_with_the_bytes_of_its_file(place: Place) -> None:
    cell: Document = {
        "cell_type": "code",
        "id": "one",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
    }
    book = {"cells": [{**cell, "source": ["x = 1\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    before = json.dumps(book, indent=1) + "\n"
    place.project.put("book.ipynb", before)
    run_git(place.root, "add", "book.ipynb")
    run_git(place.root, "commit", "-q", "-m", "a book")
    run_git(place.root, "push", "-q", "origin", "main")
    place.project.edit("book.ipynb", "x = 1", "x = 2")
    after = place.project.text("book.ipynb")
    (one,) = place.json("suggest", "--issue", "5", "book.ipynb")["suggestions"]
    assert (one["old"], one["new"]) == (before, after)
    place.event("/apply 1")
    assert place.content("book.ipynb") == after


def test_a_persons_words_go_before_the_agents(place: Place) -> None:
    place.project.bash("sed -i s/uno/UNO/ b.py")
    out = place.run("suggest", "--issue", "5", "b.py", "--rationale", "1=It is the *first* word @ada")
    assert "It is the *first* word @ada" in out
    assert "> 💡 It is the \\*first\\* word @\u200bada" in place.github.bodies()[0]
    assert len(place.project.hunks("a.py")) == 1


def test_rationales_are_typed_in_an_editor(place: Place, tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\nplace = pathlib.Path(sys.argv[1])\ntext = place.read_text()\n"
        "assert '## 1 a.py' in text\nplace.write_text('ignored\\n## 1 a.py\\nbecause of\\n the noise\\n')\n"
    )
    place.project.environ["EDITOR"] = f"{sys.executable} {script}"
    assert (
        place.json("suggest", "--issue", "5", "--edit")["suggestions"][0]["rationale"]
        == "because of the noise"
    )


def test_a_dry_run_asks_nobody_and_changes_nothing(place: Place) -> None:
    del place.project.environ["GITHUB_TOKEN"]
    before = place.project.standing()
    out = place.run("suggest", "--dry-run", "--issue", "5")
    assert "Would offer 1 suggestion and commit 0" in out
    assert "### **1.** 📝 `a.py` (modify)" in out
    assert place.github.requests == []
    assert place.project.standing() == before
    assert len(place.project.hunks()) == 1
    done = place.json("suggest", "--dry-run", "--issue", "5")
    assert done["dry_run"]
    assert len(done["texts"]) == 1


def test_commit_only_commits_pushes_and_accepts(place: Place) -> None:
    done = place.json("suggest", "--mode", "commit-only", "--branch", "main")
    assert place.content("a.py") == "one\nTWO\nthree\n"
    assert place.github.git("rev-parse", "main").strip() == done["commit"]
    assert place.project.git("rev-parse", "HEAD").strip() == done["commit"]
    assert place.project.git("status", "--porcelain", "--untracked-files=no") == ""
    assert done["here"]["branch"] == "moved"
    assert place.project.hunks() == []
    assert place.github.bodies() == []


def test_suggest_and_commit_does_both(place: Place) -> None:
    done = place.json("suggest", "--issue", "5", "--mode", "suggest-and-commit")
    assert place.content("a.py") == "one\nTWO\nthree\n"
    assert done["commit"] in place.github.bodies()[0]
    assert place.project.text("a.py") == "one\nTWO\nthree\n"
    assert place.project.hunks() == []


def test_the_config_says_the_mode_but_not_what_an_agent_wrote_there(place: Place) -> None:
    config = place.root / ".blueline" / "config.toml"
    config.write_text("format = 1\n[forge]\ndefaultMode = 'hybrid'\nriskThreshold = 'medium'\n")
    assert place.json("suggest", "--issue", "5", "--dry-run")["mode"] == "hybrid"
    place.project.edit(".blueline/config.toml", "hybrid", "commit-only")
    assert place.json("suggest", "--issue", "5", "--dry-run", "a.py")["mode"] == "hybrid"


def test_a_config_with_an_unknown_key_is_refused(place: Place) -> None:
    (place.root / ".blueline" / "config.toml").write_text("[forge]\ndefaultmode = 'hybrid'\n")
    assert "[forge] has no 'defaultmode'" in place.run("suggest", "--issue", "5", code=1)


def test_a_range_and_the_work_tree_can_be_offered(place: Place) -> None:
    place.project.put("docs/new.md", "hello\n")
    paths = [
        one["path"] for one in place.json("suggest", "--issue", "5", "--worktree", "--dry-run")["suggestions"]
    ]
    assert paths == [".blueline/config.toml", "a.py", "docs/new.md"]
    run_git(place.root, "add", "docs/new.md")
    run_git(place.root, "commit", "-q", "-m", "greet somebody")
    done = place.json("suggest", "--issue", "5", "--range", "HEAD~1..HEAD")
    assert [(one["path"], one["rationale"]) for one in done["suggestions"]] == [
        ("docs/new.md", "greet somebody")
    ]
    assert place.project.text("docs/new.md") == "hello\n"


def test_an_unpushed_edit_of_a_person_does_not_hinder(place: Place) -> None:
    lines = "".join(f"{n}\n" for n in range(20))
    run_git(place.root, "checkout", "-q", "main")
    place.project.put("long.txt", lines)
    run_git(place.root, "add", "long.txt")
    run_git(place.root, "commit", "-q", "-m", "long")
    run_git(place.root, "push", "-q", "origin", "main")
    place.project.put("long.txt", lines.replace("2\n", "two\n", 1))
    place.project.edit("long.txt", "17\n", "seventeen\n")
    done = place.json("suggest", "--issue", "5", "long.txt")
    (one,) = done["suggestions"]
    assert one["old"] == lines
    assert one["new"] == lines.replace("17\n", "seventeen\n")
    place.event("/apply 1")
    assert place.content("long.txt") == lines.replace("17\n", "seventeen\n")


def test_a_file_that_an_agent_made_is_offered_whole_with_what_others_wrote_in_it(place: Place) -> None:
    place.project.write("fresh.py", "one = 1\nthree = 3\n")
    place.project.hunks()
    place.project.put("fresh.py", "one = 1\ntwo = 2  # mine\nthree = 3\n")
    done = place.json("suggest", "--issue", "5", "fresh.py", "--dry-run")
    (one,) = done["suggestions"]
    assert (one["action"], one["new"]) == ("create", "one = 1\ntwo = 2  # mine\nthree = 3\n")


def test_a_file_of_a_person_that_was_never_pushed_is_not_given_away(place: Place) -> None:
    place.project.put("diary.txt", "dear diary\nmy secret\n")
    place.project.edit("diary.txt", "dear", "Dear")
    done = place.json("suggest", "--issue", "5")
    assert [one["path"] for one in done["left"]] == ["diary.txt"]
    assert "my secret" not in "".join(place.github.bodies())


def test_secrets_are_offered_to_nobody(place: Place) -> None:
    place.project.write(".env", "PASSWORD=hunter2\n")
    done = place.json("suggest", "--issue", "5")
    assert [one["path"] for one in done["left"]] == [".env"]
    assert [one["path"] for one in done["suggestions"]] == ["a.py"]
    assert "hunter2" not in "".join(place.github.bodies())
    assert len(place.project.hunks(".env")) == 1


def test_apply_from_the_command_line(place: Place) -> None:
    place.run("suggest", "--issue", "5")
    assert "Applied 1." in place.run("apply", "1", "--issue", "5")
    assert place.content("a.py") == "one\nTWO\nthree\n"
    assert "Co-authored-by: Grace <grace@example.org>" in place.github.git("log", "-1", "--format=%B", "main")
    assert "No pending suggestions" in place.run("apply", "all", "--issue", "5")
    assert "was not understood" in place.run("apply", "everything", "--issue", "5", code=2)
    assert "--issue N or --pr N" in place.run("apply", "all", code=2)


def test_without_a_token_or_a_thread_it_says_what_is_missing(place: Place) -> None:
    assert "--issue N or --pr N" in place.run("suggest", code=1)
    del place.project.environ["GITHUB_TOKEN"]
    assert "set GITHUB_TOKEN" in place.run("suggest", "--issue", "5", code=1)
    assert len(place.project.hunks()) == 1


def test_a_bot_or_another_event_is_ignored(place: Place) -> None:
    assert place.event("/apply all", action="edited")["outcome"] == "ignored"
    place.project.environ["GITHUB_EVENT_NAME"] = "push"
    assert place.json("forge", "handle-event")["outcome"] == "ignored"
    del place.project.environ["GITHUB_EVENT_NAME"]
    assert "for a GitHub Action" in place.run("forge", "handle-event", code=1)


def test_serve_takes_a_signed_comment_and_applies_it(place: Place) -> None:
    place.run("suggest", "--issue", "5")
    environ = {**place.project.environ, "BLUELINE_WEBHOOK_SECRET": SECRET, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", "forge", "serve"],
        cwd=place.root,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline().rpartition(":")[2].strip("/\n"))
        place.github.comments.append({"id": 1002, "issue": 5, "body": "/apply all", "html_url": ""})
        payload = event()
        headers = {
            "X-GitHub-Event": "issue_comment",
            "X-GitHub-Delivery": "first-delivery",
            "X-Hub-Signature-256": signed(payload),
        }
        assert post(port, payload, {**headers, "X-Hub-Signature-256": "sha256=0"}) == 401
        assert post(port, payload, headers) == 202
        wait_until(lambda: [body for body in place.github.bodies() if "answer=1002" in body])
    finally:
        process.terminate()
        _, said = process.communicate()
    assert place.content("a.py") == "one\nTWO\nthree\n"
    assert "#5, comment 1002 by ada: done" in said
    assert TOKEN not in said
    assert process.returncode == 130


def test_serve_wants_a_secret(place: Place, tmp_path: Path) -> None:
    assert "BLUELINE_WEBHOOK_SECRET" in place.run("forge", "serve", code=1)
    (tmp_path / "secret").write_text("short\n")
    said = place.run("forge", "serve", "--secret-file", str(tmp_path / "secret"), code=1)
    assert "shorter than 16 characters" in said


def test_a_project_below_the_top_of_its_repository(tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    run_git(tmp_path, "init", "-q", "--bare", str(remote))
    with serving(StandIn(remote)) as github:
        github.issue(5)
        project = Project(tmp_path / "here", {"sub/a.txt": "one\n"})
        top = project.root
        run_git(top, "init", "-q")
        run_git(top, "add", "sub/a.txt")
        run_git(top, "commit", "-q", "-m", "start")
        run_git(top, "remote", "add", "origin", str(remote))
        run_git(top, "push", "-q", "origin", "HEAD:main")
        place = Place.__new__(Place)
        place.github, place.root = github, top / "sub"
        place.project = Project.__new__(Project)
        vars(place.project).update(vars(project))
        place.project.root = top / "sub"
        place.project.environ |= environ_of(github)
        place.project.state = Desk.create(place.project.root, environ=place.project.environ)
        place.project.prompt("more")
        place.project.edit("a.txt", "one", "two")
        done = place.json("suggest", "--issue", "5")
        assert [one["path"] for one in done["suggestions"]] == ["sub/a.txt"]
        assert place.project.text("a.txt") == "one\n"
        assert place.event("/apply 1")["outcome"] == "done"
        assert place.content("sub/a.txt") == "two\n"


def test_init_writes_the_workflow_once_and_takes_it_out_again(place: Place) -> None:
    path = place.root / workflow.PATH
    assert "blueline-suggestions.yml" in place.run("init", "--agent", "claude-code", "--forge", "github")
    assert path.read_text() == workflow.TEXT
    place.run("init", "--agent", "claude-code", "--forge", "github")
    path.write_text(workflow.TEXT + "# ours\n")
    assert "somebody has changed" in place.run("init", "--agent", "claude-code", "--forge", "github")
    path.write_text(workflow.TEXT)
    place.run("init", "--uninstall")
    assert not path.exists()
    assert not (place.root / ".github").exists()


def test_no_other_command_waits_for_githubs_library() -> None:
    code = (
        "import sys, blueline.surfaces.cli.forge_commands, blueline.surfaces.cli.init\n"
        "print('githubkit' in sys.modules, 'pygit2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.split() == ["False", "False"]
