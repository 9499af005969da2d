"""What a shell command leaves behind that is large, odd, secret, or not worth a line each."""

from __future__ import annotations

import os
import stat

import pytest

from tests.support.project import POEM, Make, Project
from tests.support.shell import about, check_back_and_forth, found, small_tree


def test_z55_pipes_sockets_and_devices_are_never_opened(project: Make) -> None:
    p = small_tree(project)
    os.mkfifo(p.root / "old-pipe")
    p.prompt()
    # To open one of these would wait for ever.
    p.bash("mkfifo pipe; rm old-pipe; rm a.md; mkfifo a.md; mkfifo sub/inner")
    assert found(p) == [("delete", "a.md")]
    p.bash("rm pipe; echo file now > pipe; rm run.sh; echo more >> sub/b.md")
    assert found(p) == [
        ("create", "pipe"),
        ("delete", "a.md"),
        ("delete", "run.sh"),
        ("modify", "sub/b.md"),
    ]
    assert p.asked("reject", "a.md")  # the pipe in its place is nobody's to remove
    p.reject("sub/b.md", "run.sh", "pipe")
    assert (p.text("sub/b.md"), p.mode("run.sh"), p.exists("pipe")) == ("one\ntwo\n", 0o750, False)
    assert stat.S_ISFIFO(os.lstat(p.root / "a.md").st_mode)


def test_qc9_large_long_and_sparse_files(project: Make) -> None:
    p = project({"long": b"x" * 5_000_000, "wide.bin": bytes(range(256)) * 40_000})
    os.truncate(p.put("sparse", b"begin"), 30 << 20)
    before = p.on_disk()
    p.prompt()
    p.bash(
        "printf y >> long; printf '\\0' >> wide.bin; printf end >> sparse; head -c 9000000 /dev/zero > zeros"
    )
    assert found(p) == [("binary", "sparse"), ("binary", "wide.bin"), ("create", "zeros"), ("modify", "long")]
    p.reject()
    assert p.on_disk() == before


def test_qc9_a_file_too_large_to_keep_is_declined_with_a_reason(project: Make) -> None:
    p = project({"a.md": POEM})
    os.truncate(p.put("huge", b"begin"), 65 << 20)
    p.prompt()
    p.bash("printf end >> huge; echo more >> a.md")
    assert found(p) == [("modify", "a.md")]
    assert "huge (too-large)" in about(p)["gap"]
    assert p.gate()
    p.bash("echo more >> a.md")
    assert "gap" not in about(p)


def test_z22_what_a_command_writes_bit_by_bit_is_one_change(project: Make) -> None:
    p = project({"server.log": "started\n"})
    p.prompt()
    p.bash("for n in $(seq 200); do echo request $n >> server.log; done")
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["new_lines"]) == ("modify", 200)
    p.reject()
    assert p.text("server.log") == "started\n"


def test_z22_a_log_that_somebody_elses_server_writes_is_nobodys_question(project: Make) -> None:
    p = project({"server.log": "started\n", "a.md": POEM})
    p.prompt()
    for number in range(4):
        p.shell(f"echo request {number} >> server.log")
        p.bash("echo more >> a.md")
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md"}
    p.reject()
    assert p.text("server.log").count("request") == 4


def test_z23_a_database_comes_back_with_its_companions(project: Make) -> None:
    p = project(
        {
            "make.py": "import sqlite3, sys, os\ndb = sqlite3.connect('data.db', isolation_level=None)\n"
            "db.execute('pragma journal_mode=wal')\ndb.execute('create table if not exists t (x)')\n"
            "db.execute('insert into t values (?)', (sys.argv[1],))\nos._exit(0)\n"
        }
    )
    p.shell("python3 make.py one")
    before = p.on_disk()
    assert {"data.db", "data.db-wal", "data.db-shm"} <= before.keys()
    p.prompt()
    p.bash("python3 make.py two")
    p.bash("python3 -c \"import sqlite3; sqlite3.connect('data.db').execute('pragma wal_checkpoint')\"")
    assert p.on_disk() != before
    p.reject()
    assert p.on_disk() == before


def test_z24_an_ignored_file_with_secrets_is_captured_for_its_owner_only(project: Make) -> None:
    p = small_tree(project)
    p.git("init", "-q")
    p.git("add", "-A")
    before = p.on_disk()
    p.prompt()
    p.bash("sed -i s/1/2/ .env && mkdir ignored && echo x > ignored/x")
    assert found(p) == [("create", "ignored/x"), ("modify", ".env")]
    for path in [p.state, *p.state.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path
    p.reject()
    assert p.on_disk() == before


def test_z52_what_an_installer_brings_is_counted_and_not_itemised(project: Make) -> None:
    p = project({"package.json": "{}\n"})
    p.prompt()
    install = (
        "for n in $(seq 40); do mkdir -p node_modules/p$n/lib && touch node_modules/p$n/lib/{a..t}.js; done"
    )
    p.bash(f"{install}; echo '{{\"a\": 1}}' > package.json")
    assert found(p) == [("modify", "package.json")]
    assert about(p)["counted"] == [["node_modules", 0, 800]]
    p.bash("rm -r node_modules/p7 && touch node_modules/p8/lib/new.js")
    assert about(p)["counted"] == [["node_modules", 800, 781]]
    p.bash("ls")
    assert "counted" not in about(p)
    p.bash("rm -rf node_modules && echo not a folder > node_modules")
    assert about(p)["counted"] == [["node_modules", 781, 0]]
    assert found(p) == [("create", "node_modules"), ("modify", "package.json")]
    p.reject()
    assert p.text("package.json") == "{}\n"


def test_z52_a_dependency_folder_is_itemised_where_git_has_something_in_it(project: Make) -> None:
    p = project({"node_modules/own/index.js": "ours\n", ".venv/x": "x\n", "a/vendor/node_modules/y": "y\n"})
    p.git("init", "-q")
    p.git("add", "-f", "node_modules/own/index.js")
    p.git("commit", "-qm", "start")
    p.prompt()
    p.bash("echo more >> node_modules/own/index.js; echo new > node_modules/new; echo 1 > .venv/new")
    assert found(p) == [("create", "node_modules/new"), ("modify", "node_modules/own/index.js")]
    assert about(p)["counted"] == [[".venv", 1, 2]]


def test_z52_a_folder_of_the_same_name_elsewhere_in_git_changes_nothing(project: Make) -> None:
    p = project({"tests/node_modules/fixture.js": "ours\n"})
    p.git("init", "-q")
    p.git("add", "-A", "-f")
    p.git("commit", "-qm", "start")
    p.prompt()
    p.bash("mkdir node_modules && touch node_modules/{a..e}; echo more >> tests/node_modules/fixture.js")
    assert found(p) == [("modify", "tests/node_modules/fixture.js")]
    assert about(p)["counted"] == [["node_modules", 0, 5]]


@pytest.mark.parametrize("version", ["2", "4"])
def test_z52_a_build_folder_is_counted_only_where_git_ignores_it(project: Make, version: str) -> None:
    p = project({".gitignore": "/dist/\ntarget/\n", "src/dist/own.py": "own\n", "a.md": POEM})
    p.git("init", "-q")
    p.git("config", "index.version", version)
    p.git("add", "-A")
    p.git("commit", "-qm", "start")
    p.prompt()
    p.bash("mkdir -p dist target/x build && touch dist/{a..e} target/x/{a..c} build/b src/dist/new.py venv")
    assert found(p) == [("create", "build/b"), ("create", "src/dist/new.py"), ("create", "venv")]
    assert sorted(about(p)["counted"]) == [["dist", 0, 5], ["target", 0, 3]]


def test_z59_a_tool_that_is_not_known_may_change_anything(project: Make) -> None:
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    call = p.call("mcp__other__do_it", "a.md")._replace(given={"anything": True})
    p.record(p.before(call))
    p.shell("echo more >> a.md && rm .env")
    p.end(call)
    assert found(p, "kind", "path", "tool") == [
        ("delete", ".env", "mcp__other__do_it"),
        ("modify", "a.md", "mcp__other__do_it"),
    ]
    check_back_and_forth(p, before)


def test_z59_what_no_call_explains_is_not_the_agents(project: Make) -> None:
    p = small_tree(project)
    p.prompt()
    p.bash("echo agent >> a.md")
    p.shell("echo mine > new.md; sed -i '1s/^/mine /' a.md; rm run.sh")
    p.bash("echo agent > other.md")
    assert {(hunk["path"], hunk["call"]) for hunk in p.hunks()} == {("a.md", "c1"), ("other.md", "c2")}
    p.reject()
    assert p.text("a.md") == "mine " + POEM
    assert (p.text("new.md"), p.exists("run.sh"), p.exists("other.md")) == ("mine\n", False, False)


def test_z58_hooks_that_are_processes_of_their_own_see_the_same(project: Make) -> None:
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    call = p.call("Bash", "a.md")._replace(given={"command": "…"})
    assert p.hook(p.before(call)) == (0, b"", b"")
    p.shell("echo more >> a.md; rm -r sub; mkdir made")
    assert p.hook(p.after(call)) == (0, b"", b"")
    assert found(p) == [
        ("create", "made"),
        ("delete", "sub/b.md"),
        ("delete", "sub/deep/c.md"),
        ("modify", "a.md"),
    ]
    check_back_and_forth(p, before)


def test_nothing_of_ours_is_ever_seen(project: Make) -> None:
    p = small_tree(project)
    p.prompt()
    call = p.begin_bash()
    p.put(".blueline-0123456789abcdef.tmp", "of a decision that is being carried out\n")
    p.end(call)
    assert p.hunks(status="all") == []


def configure(p: Project, text: str) -> None:
    """A person changes the project's config, and Blueline hears of it."""
    p.put(".blueline/config.toml", f"format = 1\n[capture]\n{text}\n")
    p.hunks()
    assert p.warnings == []


def test_z52_which_folders_are_counted_can_be_said(project: Make) -> None:
    p = project({"a.md": POEM})
    configure(p, 'counted = ["vendor"]')
    p.prompt()
    p.bash("mkdir vendor node_modules; touch vendor/{a..d} node_modules/x")
    assert found(p) == [("create", "node_modules/x")]
    assert about(p)["counted"] == [["vendor", 0, 4]]


def test_z52_a_folder_that_is_not_counted_any_more_is_itemised(project: Make) -> None:
    p = project({"a.md": POEM, "node_modules/x": "x\n", "vendor/y": "y\n"})
    p.prompt()
    p.bash("ls")
    configure(p, 'counted = ["vendor"]')
    p.bash("echo more >> node_modules/x; echo more >> vendor/y; echo new > vendor/z")
    before = p.hunks()
    p.bash("echo more >> node_modules/x; echo more >> a.md")
    assert ("modify", "node_modules/x") in found(p)
    assert "vendor/z" not in {hunk["path"] for hunk in before}


@pytest.mark.parametrize("changed", [True, False], ids=["config changed", "first look at the config"])
def test_a_look_at_the_list_while_a_command_runs_loses_nothing(project: Make, changed: bool) -> None:
    p = project({"a.md": POEM, "node_modules/x": "x\n", "vendor/y": "y\n"})
    before = p.on_disk()
    p.prompt()
    if changed:
        p.bash("ls")
        p.hunks()
    call = p.begin_bash()
    p.shell("echo more >> a.md; echo more >> vendor/y; mkdir new && echo x > new/x.md")
    if changed:
        p.put(".blueline/config.toml", 'format = 1\n[capture]\ncounted = ["vendor"]\n')
    p.hunks()
    p.end(call)
    assert {("modify", "a.md"), ("create", "new/x.md")} <= set(found(p))
    assert "gap" not in about(p)
    p.reject()
    assert (p.text("a.md"), p.exists("new")) == (POEM, False)
    if not changed:
        assert p.on_disk() == before


def test_the_size_up_to_which_files_are_kept_can_be_said(project: Make) -> None:
    p = project({"a.md": POEM, "long": "x" * 3000})
    configure(p, "largest = 2000")
    p.prompt()
    p.bash("echo more >> long; echo more >> a.md")
    assert found(p) == [("modify", "a.md")]
    assert "long (too-large)" in about(p)["gap"]


def test_what_an_agent_writes_into_the_config_does_not_count_until_it_is_accepted(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.bash("printf '[capture]\\ncounted = [\"secret\"]\\n' >> .blueline/config.toml")
    assert found(p) == [("modify", ".blueline/config.toml")]
    p.bash("mkdir secret && echo x > secret/x")
    assert ("create", "secret/x") in found(p)
    p.reject()
    assert not p.exists("secret")


def test_what_an_agent_writes_into_the_config_does_not_count_while_it_writes(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    call = p.begin_bash()
    p.shell("printf '[capture]\\ncounted = [\"secret\"]\\n' >> .blueline/config.toml")
    p.hunks()  # somebody looks just then
    p.shell("mkdir secret && echo x > secret/x")
    p.end(call)
    assert ("create", "secret/x") in found(p)


def test_names_of_one_file_are_two_files(project: Make) -> None:
    p = project({"a.md": POEM})
    os.link(p.root / "a.md", p.root / "b.md")
    before = p.on_disk()
    p.prompt()
    p.bash("echo more >> b.md")
    assert found(p) == [("modify", "a.md"), ("modify", "b.md")]
    p.bash("rm a.md && ln b.md c.md")
    check_back_and_forth(p, before)


def test_z26_what_was_purged_is_not_made_up_later(project: Make) -> None:
    p = project({"a.md": POEM, ".env": "TOKEN=abc\n"})
    p.prompt()
    p.bash("echo more >> .env")
    p.accept()
    with p.desk() as desk:
        desk.purge([".env"], everything=False, dry_run=False)
    p.bash("rm .env")
    (hunk,) = p.hunks()
    if hunk["complete"]:
        p.reject()
        assert p.text(".env") == "TOKEN=abc\nmore\n"
    else:
        assert p.asked("reject", ".env")
