"""The commands as they are typed, in a project with an agent, against a small GitHub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blueline.desk import state_folder
from blueline.forge import workflow
from blueline.sdk import Session
from tests.forge.ground import BASE, TOKEN, run_git
from tests.forge.pending_place import Document, Place, environ_of, hosted
from tests.forge.standin import StandIn, serving
from tests.forge.webhooks import SECRET, event, post, signed
from tests.support.project import Project
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[3]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with hosted(tmp_path) as made:
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
    before = place.project.on_disk()
    out = place.run("suggest", "--dry-run", "--issue", "5")
    assert "Would offer 1 suggestion and commit 0" in out
    assert "### **1.** 📝 `a.py` (modify)" in out
    assert place.github.requests == []
    assert place.project.on_disk() == before
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


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_serve_takes_a_signed_comment_and_applies_it(place: Place, options: list[str]) -> None:
    place.run("suggest", "--issue", "5")
    environ = {**place.project.environ, "BLUELINE_WEBHOOK_SECRET": SECRET, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", "forge", "serve", *options],
        cwd=place.root,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = json.loads(line)["url"] if options else line
        port = int(url.rpartition(":")[2].strip("/\n"))
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
        place.project.state = state_folder.create(place.project.root, place.project.environ)
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


def test_no_other_command_waits_for_what_talks_to_hosts() -> None:
    code = (
        "import sys, blueline.surfaces.cli.forge_commands, blueline.surfaces.cli.init\n"
        "print('http.client' in sys.modules, 'pygit2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.split() == ["False", "False"]
