"""A project under review, and the installed command in it: what a person has before an agent."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.command import done_here

BLUELINE = Path(sys.executable).with_name("blueline")

# What belongs to git, to Blueline and to the agents: no part of the work.
NOT_THE_WORK = (".git", ".blueline", ".claude", ".codex", ".gemini", ".github", ".opencode")

STALE = 4
"""Exit code: something has to be chosen, and nothing was written."""

OnDisk = dict[str, object]
"""What stands at each path: mode and bytes of a file, target of a link, None for a folder."""


class Place:
    """A git project whose first commit is the files it was made with."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes]) -> None:
        self.root = root
        root.mkdir()
        for path, content in files.items():
            self.put(path, content)
        self.git("init", "-q", "-b", "main")
        self.commit()

    def put(self, path: str, content: str | bytes, mode: int = 0o644) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        place.chmod(mode)

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a state")

    def init(self, *agents: str) -> str:
        """Put the project under review; what the person is told."""
        options = [word for agent in agents for word in ("--agent", agent)]
        done = subprocess.run(
            [BLUELINE, "init", *options], cwd=self.root, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"init gave {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def try_blueline(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        """Run a command; its exit code and its JSON."""
        done = done_here(self.root, *arguments, "--json")
        assert done.out, f"{arguments} gave {done.code} and no answer\n{done.err}"
        answer: dict[str, Any] = json.loads(done.out)
        return done.code, answer

    def blueline(self, *arguments: str) -> dict[str, Any]:
        code, answer = self.try_blueline(*arguments)
        assert code == 0, f"{arguments} gave {code}\n{json.dumps(answer, indent=2)}"
        return answer

    def turns(self) -> dict[str, dict[str, Any]]:
        """All turns by their prompts."""
        # One agent puts a prompt of several words into quotes before anybody sees it.
        turns = self.blueline("list", "--by", "turn", "--status", "all")["turns"]
        return {turn["prompt"].strip('"'): turn for turn in turns}

    def on_disk(self) -> OnDisk:
        """All of the work as it is on disk, empty folders included."""
        found: OnDisk = {}
        for here, folders, names in os.walk(self.root):
            if Path(here) == self.root:
                folders[:] = [folder for folder in folders if folder not in NOT_THE_WORK]
            for name in folders + names:
                place = Path(here) / name
                path = str(place.relative_to(self.root))
                if place.is_symlink():
                    found[path] = os.readlink(place)
                elif place.is_dir():
                    found[path] = None
                else:
                    found[path] = (stat.S_IMODE(place.stat().st_mode), place.read_bytes())
        return found
