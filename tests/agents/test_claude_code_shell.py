"""The real Claude Code with nothing but its shell: whatever that did to the tree can be taken back."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import STALE, Place
from tests.support.scripted_model import ScriptedModel, says

POEM = "".join(f"line {number}\n" for number in range(1, 10))
FILES: dict[str, str | bytes] = {
    "a.md": POEM,
    "dos.txt": b"one\r\ntwo\r\nthree\r\nno newline at the end",
    "moved.txt": "goes elsewhere\n" * 5,
    "tool.sh": "#!/bin/sh\necho tool\n",
    "picture.bin": bytes(range(256)),
    "latin.txt": "na\xefve\n".encode("latin-1"),
    "src/one.py": "one = 1\ntwo = 2\n",
    "src/two.py": "three = 3\n",
    "data/deep/er/three.txt": "three\n",
    "data/four.txt": "four\n",
    "data/run.sh": "#!/bin/sh\n",
    "branch.txt": "as on main\n",
    ".gitignore": ".env\n*.log\n",
    "work.py": """
from pathlib import Path

Path("picture.bin").write_bytes(Path("picture.bin").read_bytes()[::-1])
with open("dos.txt", "ab") as file:
    file.write(b", and more")
Path("latin.txt").unlink()
Path("latin.txt").symlink_to("a.md")
Path("made-by-script.txt").write_text("new\\n")
Path("src/one.py").write_text("zero = 0\\n" + Path("src/one.py").read_text())
""",
}

# All kinds of changes, then the same kinds again: what git cleaned away cannot be seen later.
COMMANDS = (
    "sed -i 's/^line 3$/LINE THREE/' a.md && sed -i 's/two/TWO/' dos.txt src/one.py",
    "mkdir lib && mv moved.txt lib/ && mv src/two.py src/renamed.py",
    "rm -rf data",
    "chmod 755 a.md && chmod 644 tool.sh && chmod 600 untracked.txt",
    "python3 work.py",
    "git checkout --quiet other",
    "git checkout --quiet main",
    "git clean -fdxq",
    "sed -i 's/^line 8$/line eight/' a.md",
    "mv tool.sh tool && mkdir -p hollow/inner && printf 'SECRET=2' > .env && chmod 640 .env",
    "rm -rf src && ln -s nowhere src",
)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path / "project", FILES)
    for path, mode in (("tool.sh", 0o755), ("data/run.sh", 0o700), ("src/one.py", 0o664)):
        (place.root / path).chmod(mode)
    (place.root / "data" / "link").symlink_to("deep/er")
    place.init(ClaudeCode.NAME)
    # What init wrote is committed, as a team would: `git clean` must not take the hooks away.
    place.commit()
    place.git("checkout", "--quiet", "-b", "other")
    place.put("branch.txt", "as on the other branch\n")
    place.put("only-there.txt", "on the other branch only\n")
    place.commit()
    place.git("checkout", "--quiet", "main")
    # What git does not know, or is told to ignore.
    place.put(".env", "SECRET=1\n", 0o600)
    place.put("debug.log", "ignored\n")
    place.put("untracked.txt", "not added yet\n")
    (place.root / "empty" / "inside").mkdir(parents=True)
    return place


# A hundred commands, one after the other, take their time where others work as well.
@pytest.mark.timeout(1800)
def test_a_turn_of_shell_commands_goes_back_piece_by_piece_in_any_order(place: Place, home: Path) -> None:
    start = place.on_disk()
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        model.then([*([agent.runs(command)] for command in COMMANDS), [says("Done.")]])
        assert agent.turn("tidy up") == "Done.\n"
    assert not any(result.get("is_error") for result in model.tool_results()), model.tool_results()
    end = place.on_disk()
    assert {"empty", "debug.log", "untracked.txt", "data", "lib", "made-by-script.txt"}.isdisjoint(end)
    assert {"tool", "hollow/inner", ".env", "src"} <= set(end)

    (turn,) = place.turns().values()
    assert (turn["agent"], turn["status"]) == ("claude-code", "pending")
    pending = place.blueline("list")["hunks"]
    assert {hunk["turn"] for hunk in pending} == {turn["id"]}
    assert {(hunk["actor"]["kind"], hunk["complete"]) for hunk in pending} == {("agent", True)}
    # Away to another branch and back is nothing that has to be decided.
    assert {"branch.txt", "only-there.txt"}.isdisjoint(hunk["path"] for hunk in pending)

    place.blueline("reject", turn["id"])
    assert place.on_disk() == start
    place.blueline("undo")
    assert place.on_disk() == end
    for seed in range(3):
        decisions = take_back_in_random_order(place, seed)
        assert place.on_disk() == start, f"seed {seed}"
        for _ in range(decisions):
            place.blueline("undo")
        assert place.on_disk() == end, f"seed {seed}, taken back"


def take_back_in_random_order(place: Place, seed: int) -> int:
    """Reject one hunk after the other until none is left; how many decisions that took."""
    chance = random.Random(seed)
    decisions = 0
    while hunks := place.blueline("list")["hunks"]:
        hunk = chance.choice(hunks)
        before = place.on_disk()
        code, answer = place.try_blueline("reject", hunk["id"])
        if code == STALE and any("built_on_by" in need for need in answer["needs"]):
            code, answer = place.try_blueline("reject", hunk["id"], "--with-dependents")
        if code == STALE and hunk["path"].startswith("src/") and "src" in {one["path"] for one in hunks}:
            # A file cannot come back into a folder where a link stands; nobody's link is taken away unasked.
            assert place.on_disk() == before
            continue
        assert code == 0, explain(hunk, answer)
        decisions += 1
    return decisions


def explain(hunk: dict[str, Any], answer: dict[str, Any]) -> str:
    return json.dumps({"hunk": hunk, "answer": answer}, indent=2)
