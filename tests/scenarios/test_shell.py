"""What a shell command changed, whatever it was: each thing one change, and exact when taken back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.asking import answering
from tests.support.orders import reject_one_by_one
from tests.support.project import POEM, Make
from tests.support.shell import check_back_and_forth, found, small_tree


@pytest.fixture(autouse=True)
def asked_here() -> Iterator[None]:
    with answering():
        yield


def test_x06_a_command_that_changes_five_files_is_one_call(project: Make) -> None:
    p = project({f"f{number}.md": POEM for number in range(6)})
    before = p.on_disk()
    p.prompt()
    p.edit("f5.md", "line 3\n", "THREE\n")
    p.bash("for n in 0 1 2 3 4; do sed -i s/line.7$/seven/ f$n.md; done")
    hunks = [hunk for hunk in p.hunks() if hunk["tool"] == "Bash"]
    assert [(hunk["path"], hunk["old"], hunk["new"]) for hunk in hunks] == [
        (f"f{number}.md", "line 7\n", "seven\n") for number in range(5)
    ]
    assert {(hunk["call"], hunk["turn"], hunk["actor"]["kind"]) for hunk in hunks} == {("c2", "t1", "agent")}
    assert all(hunk["complete"] for hunk in hunks)
    p.reject("c2")
    assert p.on_disk() == {**before, "f5.md": (0o644, POEM.replace("line 3\n", "THREE\n").encode())}


def test_x06_a_project_of_hundreds_of_folders_is_seen_to_its_own_folder(project: Make) -> None:
    """So many that several processes share the look."""
    p = project({"a.txt": "one\ntwo\n", "b.txt": "b\n", **{f"d{n}/x": "x\n" for n in range(300)}})
    before = p.on_disk()
    p.prompt()
    p.bash("sed -i s/two/EVIL/ a.txt")
    p.bash("rm b.txt; echo new > c.txt; ln -s a.txt link")
    assert {hunk["path"] for hunk in p.hunks()} == {"a.txt", "b.txt", "c.txt", "link"}
    p.reject("t1")
    assert p.on_disk() == before


ONE_COMMAND = {
    "write": "echo new > a.md",
    "append": "echo more >> sub/b.md",
    "empty": ": > a.md",
    "fill": "echo something > empty",
    "create": "echo hello > new.md",
    "create deep": "mkdir -p x/y/z && echo hello > x/y/z/new.md",
    "create empty": ": > nothing.md",
    "delete": "rm a.md",
    "delete a link": "rm link",
    "delete the last of a folder": "rm sub/deep/c.md",
    "delete and create": "rm a.md && echo other > other.md",
    "recreate": "rm a.md && echo wholly different > a.md",
    "rename": "mv a.md renamed.md",
    "rename and edit": "mv a.md renamed.md && sed -i 's/line 3/THREE/' renamed.md",
    "rename into a new folder": "mkdir -p n/m && mv a.md n/m/a.md",
    "rename onto another": "mv a.md run.sh",
    "exchange": "mv a.md t && mv run.sh a.md && mv t run.sh",
    "copy": "cp a.md copy.md",
    "mode": "chmod +x a.md",
    "mode and text": "chmod 600 a.md && echo more >> a.md",
    "binary": "printf '\\0\\1\\2' > a.md",
    "binary edit": "printf '\\377' >> picture.bin",
    "text of bytes": "echo words > picture.bin",
    "line ends": "sed -i 's/$/\\r/' a.md",
    "byte order mark": "sed -i '1s/^/\\xef\\xbb\\xbf/' a.md",
    "no last line end": "truncate -s -1 a.md",
    "link": "ln -s a.md new-link",
    "link to nothing": "ln -s /nowhere/at/all new-link",
    "retarget": "ln -sfn run.sh link",
    "file becomes link": "rm a.md && ln -s run.sh a.md",
    "link becomes file": "rm link && echo text > link",
    "file becomes empty folder": "rm a.md && mkdir a.md",
    "file becomes folder": "rm a.md && mkdir a.md && echo in > a.md/inside.md",
    "link becomes folder": "rm link && mkdir link && echo in > link/inside.md",
    "folder becomes file": "rm -r sub && echo text > sub",
    "folder becomes link": "rm -r sub && ln -s /usr sub",
    "folder becomes empty": "rm -r sub/*",
    "empty folder becomes file": "rmdir hollow/inner && echo text > hollow/inner",
    "empty folder becomes link": "rmdir hollow/inner && ln -s .. hollow/inner",
    "empty folder is filled": "echo text > hollow/inner/x.md",
    "make a folder": "mkdir made",
    "make folders": "mkdir -p made/two/three made/four",
    "remove a folder": "rmdir hollow/inner",
    "remove folders": "rmdir -p hollow/inner",
    "remove everything": "rm -rf sub hollow",
    "move a folder": "mv sub moved",
    "move a folder into another": "mv sub hollow/inner/",
    "move an empty folder": "mv hollow moved",
    "hard link": "ln a.md second.md",
    "ignored": "echo SECRET=2 > .env",
    "ignored folder": "mkdir -p ignored && echo x > ignored/x",
    "spaces": "mkdir 'a b' && echo x > 'a b/c d.md'",
    "many": "for n in $(seq 60); do echo $n > many-$n.md; done; sed -i s/line/LINE/ a.md",
}


@pytest.mark.parametrize("with_git", [False, True], ids=["no git", "git"])
@pytest.mark.parametrize("command", ONE_COMMAND.values(), ids=ONE_COMMAND)
def test_qc8_any_change_is_seen_and_exact_both_ways(project: Make, command: str, with_git: bool) -> None:
    p = small_tree(project)
    if with_git:
        p.git("init", "-q")
        p.git("add", "-A")
        p.git("commit", "-qm", "start")
    before = p.on_disk()
    p.prompt()
    p.bash(command)
    assert p.on_disk() != before
    assert p.hunks()
    assert all(hunk["complete"] and hunk["actor"]["kind"] == "agent" for hunk in p.hunks())
    check_back_and_forth(p, before)


def test_x11_a_command_that_changes_no_byte_leaves_nothing(project: Make) -> None:
    p = small_tree(project)
    p.prompt()
    p.bash(
        "ls -R; touch a.md; cp a.md t; mv t a.md; sed -i s/nothing/like/ sub/b.md; mkdir x; rmdir x; cat .env"
    )
    assert p.hunks(status="all") == []
    assert p.gate() == []


def test_x11_bytes_count_and_not_times(project: Make) -> None:
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    p.bash("touch -r a.md t && sed -i 's/line 3$/LINE 3/' a.md && touch -r t a.md && rm t")
    p.bash("touch -d '2001-01-01' sub/b.md; touch -d '2077-01-01' run.sh")
    assert found(p, "kind", "path", "old", "new") == [("modify", "a.md", "line 3\n", "LINE 3\n")]
    p.bash("sed -i 's/^two$/TWO/' sub/b.md && touch -d '2001-01-01' sub/b.md")
    assert found(p) == [("modify", "a.md"), ("modify", "sub/b.md")]
    check_back_and_forth(p, before)


@pytest.mark.parametrize("code", [1, 2, 127])
def test_a_command_that_fails_may_have_changed_files(project: Make, code: int) -> None:
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    p.bash(f"echo more >> a.md; rm sub/b.md; exit {code}", code=code)
    assert found(p) == [("delete", "sub/b.md"), ("modify", "a.md")]
    assert p.calls()[-1]["outcome"] == "failed"
    p.stop()
    check_back_and_forth(p, before)


def test_calls_that_build_on_each_other_come_back_in_any_order(project: Make) -> None:
    p = small_tree(project)
    before = p.on_disk()
    p.prompt("first")
    p.bash("mkdir -p x/y && echo one > x/y/1.md")
    p.bash("echo two > x/y/2.md && mkdir x/z")
    p.bash("rm -r hollow && mv sub x/")
    p.prompt("second")
    p.bash("chmod 600 x/y/1.md && echo more >> x/y/1.md && rm a.md")
    p.edit("x/sub/b.md", "one", "ONE")
    p.bash("mv x/y w && rm w/2.md")
    check_back_and_forth(p, before)


@pytest.mark.parametrize("seed", range(6))
def test_f01_folders_made_by_one_call_go_with_the_last_file_in_them(project: Make, seed: int) -> None:
    p = project({"a.md": POEM})
    before = p.on_disk()
    p.prompt()
    p.bash("mkdir -p d/e")
    p.bash("echo 1 > d/e/1.md")
    p.bash("echo 2 > d/2.md && echo 3 > d/e/3.md")
    reject_one_by_one(p, seed)
    assert p.on_disk() == before


def test_f01_a_folder_whose_only_file_came_and_went_goes_too(project: Make) -> None:
    p = project({"a.md": POEM})
    before = p.on_disk()
    p.prompt()
    p.bash("mkdir -p d/e && echo 1 > d/e/1.md")
    p.bash("rm d/e/1.md")
    p.reject()
    assert p.on_disk() == before


FOLDERS = {
    "emptied, then removed": ("rm s/g.md", "rmdir s"),
    "moved out of, then removed": ("mv s/g.md g.md", "rmdir s"),
    "deep, emptied, then removed": ("mv d/e/f/x.md .", "rm -r d"),
    "emptied, removed, made again": ("rm s/g.md", "rm -r s", "mkdir s"),
    "removed, made again, filled": ("rm -r d", "mkdir d", "echo new > d/g.md", "rm d/g.md"),
    "made, filled, emptied": ("mkdir n", "echo 1 > n/1.md", "rm n/1.md"),
    "made, filled, moved": ("mkdir -p n/m", "echo 1 > n/m/1.md", "mv n o", "rm -r o/m"),
    "a file in its place, then a folder again": ("rm -r d", "echo x > d", "rm d", "mkdir -p d/e/f"),
    "a file in the place of one inside": ("mv d/e/f/x.md y.md", "rm -r d && mkdir d && echo x > d/e"),
    "made, then moved into": ("mkdir n && echo x > c.md", "mv c.md n/d.md"),
    "hollow": ("rmdir hollow/in", "rmdir hollow", "mkdir -p hollow/in/to", "echo x > hollow/in/to/x.md"),
}


@pytest.mark.parametrize("commands", FOLDERS.values(), ids=FOLDERS)
def test_z54_folders_that_come_and_go_in_several_calls(project: Make, commands: tuple[str, ...]) -> None:
    p = project({"a.md": POEM, "s/g.md": "g\n", "d/g.md": "h\n", "d/e/f/x.md": "x\n" * 9})
    (p.root / "hollow/in").mkdir(parents=True)
    before = p.on_disk()
    p.prompt()
    for command in commands:
        p.bash(command)
    check_back_and_forth(p, before, seeds=range(5))


def test_f01_a_folder_made_by_the_agent_stays_with_what_a_person_put_into_it(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.bash("mkdir -p d/e f && echo 1 > d/1.md")
    p.put("d/e/mine.md", "mine\n")
    p.reject()
    assert {path for path in p.on_disk() if not path.startswith(".")} == {"a.md", "d", "d/e", "d/e/mine.md"}


def test_z11_a_folder_replaced_by_a_link_out_of_the_project_is_not_entered(
    project: Make, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.md").write_text("theirs\n")
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    p.bash(f"rm -r sub && ln -s {outside} sub")
    p.bash("sed -i s/theirs/OURS/ sub/b.md; echo new > sub/new.md")
    assert found(p) == [("delete", "sub/b.md"), ("delete", "sub/deep/c.md"), ("symlink", "sub")]
    assert p.asked("reject", "sub/b.md")
    p.reject()
    assert p.on_disk() == before
    assert sorted(path.name for path in outside.iterdir()) == ["b.md", "new.md"]


def test_f13_links_are_kept_by_their_text_and_never_opened(project: Make, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("nobody's business\n")
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    p.bash(f"ln -sfn {secret} link && ln -s ../../.. up && ln -s self self && ln -s sub/deep into")
    assert found(p) == [("symlink", "into"), ("symlink", "link"), ("symlink", "self"), ("symlink", "up")]
    stored = b"".join(path.read_bytes() for path in p.state.rglob("*") if path.is_file())
    assert b"nobody's business" not in stored
    p.bash("ln -sfn run.sh link")
    check_back_and_forth(p, before)
    assert secret.read_text() == "nobody's business\n"


NAMES = {
    "not utf-8": b"\xff\xfe.md",
    "newline": b"new\nline.md",
    "carriage return": b"car\rriage.md",
    "backslash": b"back\\n\\slash.md",
    "dash": b"-rf",
    "colon": b":(top)x",
    "star": b"*.md",
    "quote": b"quote'\".md",
    "blanks": b" leading and trailing ",
    "composed": "\u00e4".encode(),
    "decomposed": "a\u0308".encode(),
    "control": b"\x01\x1b[31m",
    "long": b"x" * 255,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_z37_any_name_a_file_system_takes(project: Make, name: bytes) -> None:
    p = project({"a.md": POEM})
    place = os.path.join(os.fsencode(p.root), b"folder " + name[:240], name)
    os.makedirs(os.path.dirname(place))
    Path(os.fsdecode(place)).write_text("before\n")
    other = os.path.join(os.fsencode(p.root), name)
    before = p.on_disk()
    p.prompt()
    call = p.begin_bash()
    Path(os.fsdecode(place)).write_text("after\n")
    Path(os.fsdecode(other)).write_text("new\n")
    p.end(call)
    assert {(hunk["kind"], os.fsencode(hunk["path"])) for hunk in p.hunks()} == {
        ("modify", os.path.relpath(place, os.fsencode(p.root))),
        ("create", name),
    }
    check_back_and_forth(p, before)


def test_z36_names_that_look_the_same_are_two_files(project: Make) -> None:
    p = project({"\u00e9.md": "composed\n", "e\u0301.md": "decomposed\n", "Read.me": "1\n", "read.me": "2\n"})
    before = p.on_disk()
    p.prompt()
    p.bash("printf 'more\\n' >> $'\\u00e9.md'; printf 'more\\n' >> read.me; mv Read.me READ.ME")
    assert found(p) == [("modify", "read.me"), ("modify", "\u00e9.md"), ("rename", "READ.ME")]
    check_back_and_forth(p, before)


@pytest.mark.parametrize(
    ("old", "new"), [(0o600, 0o644), (0o644, 0o755), (0o755, 0o000), (0o664, 0o400), (0o644, 0o1644)]
)
def test_z19_a_mode_is_a_change_of_its_own(project: Make, old: int, new: int) -> None:
    p = project({"a.md": POEM})
    (p.root / "a.md").chmod(old)
    before = p.on_disk()
    p.prompt()
    p.bash(f"chmod {new:o} a.md")
    assert found(p) == [("mode", "a.md")]
    p.bash("sed -i 's/line 3$/THREE/' a.md")
    assert p.mode("a.md") == new
    (mode,) = (hunk["id"] for hunk in p.hunks() if hunk["kind"] == "mode")
    p.reject(mode)
    assert (p.mode("a.md"), "THREE" in p.text("a.md")) == (old, True)
    p.undo()
    check_back_and_forth(p, before)


def test_z33_a_file_that_moved_is_a_rename_and_one_that_changed_as_well_is_two_hunks(project: Make) -> None:
    p = project({"old.md": POEM, "same.md": POEM + "more\n"})
    p.prompt()
    p.bash("mv old.md new.md && sed -i 's/line 3$/THREE/' new.md && mv same.md other.md")
    hunks = {(hunk["kind"], hunk["path"]): hunk for hunk in p.hunks()}
    assert sorted(hunks) == [("modify", "new.md"), ("rename", "new.md"), ("rename", "other.md")]
    assert hunks["rename", "new.md"]["from"] == "old.md"
    p.reject(hunks["rename", "new.md"]["id"], dependents="keep")
    assert (p.exists("new.md"), p.text("old.md")) == (False, POEM.replace("line 3\n", "THREE\n"))
    p.undo()
    p.reject(hunks["modify", "new.md"]["id"])
    assert (p.exists("old.md"), p.text("new.md")) == (False, POEM)


def test_z33_a_file_moved_from_name_to_name_is_followed(project: Make) -> None:
    p = project({"a.md": POEM})
    before = p.on_disk()
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (edit,) = (hunk["id"] for hunk in p.hunks())
    p.bash("mv a.md b.md")
    p.bash("mkdir d && mv b.md d/c.md && sed -i 's/line 9$/NINE/' d/c.md")
    assert {hunk["path"] for hunk in p.hunks()} == {"d/c.md"}
    assert edit in {hunk["id"] for hunk in p.hunks()}
    p.reject(edit)
    assert p.text("d/c.md") == POEM.replace("line 9\n", "NINE\n")
    p.undo()
    check_back_and_forth(p, before)


@pytest.mark.parametrize(
    "commands",
    [
        ("mv a.md b.md", "echo x > a.md"),
        ("mv a.md b.md", ": > a.md", "mv b.md c.md", "echo y > b.md"),
        ("echo more >> a.md", "mv a.md b.md", "mv other.md a.md"),
        ("mv a.md b.md && mv other.md a.md", "mv a.md c.md && mv b.md a.md"),
        ("mv a.md b.md", "cp b.md a.md", "rm b.md"),
        ("rm a.md", "mv other.md a.md", "echo z > other.md"),
    ],
    ids=lambda commands: " | ".join(commands),
)
def test_z33_a_name_that_another_file_had_before(project: Make, commands: tuple[str, ...]) -> None:
    p = project({"a.md": POEM, "other.md": "other\n" * 5})
    before = p.on_disk()
    p.prompt()
    for command in commands:
        p.bash(command)
    check_back_and_forth(p, before, seeds=range(4))


def test_z53_a_removed_folder_comes_back_whole_in_one_answer(project: Make) -> None:
    p = project({f"src/part{number % 7}/f{number}.md": f"{number}\n" * number for number in range(300)})
    (p.root / "src/part3/f3.md").chmod(0o711)
    (p.root / "src/empty/inner").mkdir(parents=True)
    (p.root / "src/link").symlink_to("part3")
    before = p.on_disk()
    p.prompt()
    p.bash("rm -rf src")
    assert not p.exists("src")
    answer = p.reject("src")
    assert len(answer["results"]) == 302
    assert (p.on_disk(), p.hunks()) == (before, [])


def test_z53_a_removed_folder_that_became_a_file(project: Make) -> None:
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    p.bash("rm -rf sub && echo a file now > sub")
    p.bash("rm sub && mkdir sub && echo again > sub/b.md && mkdir sub/deep")
    check_back_and_forth(p, before)


def test_z54_empty_folders_are_changes(project: Make) -> None:
    p = small_tree(project)
    before = p.on_disk()
    p.prompt()
    p.bash("mkdir -p one/two; rmdir hollow/inner")
    assert found(p) == [("create", "one/two"), ("delete", "hollow/inner")]
    assert len({hunk["id"] for hunk in p.hunks()}) == 2
    check_back_and_forth(p, before)
