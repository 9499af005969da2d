"""`blueline demo`: a sample project in which an agent has worked, recorded through the real hook."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blueline.errors import DONE, BluelineError
from blueline.surfaces.cli import demo_story as story
from blueline.surfaces.cli import listing_text
from blueline.surfaces.cli.init import set_up
from blueline.surfaces.cli.phrases import hint
from blueline.surfaces.cli.request import Request
from blueline.surfaces.cli.terminal import Screen, quoted, visible

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.setup import DemoDocument, DemoStep

DEFAULT_NAME = "blueline-demo"
CONVERSATION = "blueline-demo"
HOOK_SECONDS = 30


def demo(request: Request) -> int:
    root = _new_folder(request.start, request.arguments.folder)
    for name, text in story.FILES.items():
        _put(root / name, text)
    _commit(root)
    settings = set_up(root, ["claude-code"], open_desk=request.open)["agents"][0]["settings"]
    play(root, DemoAgent(root, root / settings))
    with request.desk(root) as desk:
        listing = desk.list()
    where = quoted(os.path.relpath(root, os.getcwd()))
    document: DemoDocument = {
        "root": str(root),
        "try": _suggestions(listing["hunks"]),
        "mode": listing["mode"],
        "recording": listing["recording"],
        "counts": listing["counts"],
        "hunks": listing["hunks"],
    }
    return request.answer(document, partial(presented, where=where), code=DONE)


def _new_folder(start: Path, wish: str | None) -> Path:
    """A folder that nobody has put anything into."""
    if wish is None:
        names = (DEFAULT_NAME if number == 1 else f"{DEFAULT_NAME}-{number}" for number in count(1))
        folder = next(start / name for name in names if not (start / name).exists())
    else:
        folder = start / wish
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = any(folder.iterdir())
    except OSError as error:
        raise BluelineError(
            f"{folder} cannot be made: {error.strerror}", hint="name another folder: blueline demo DIR"
        ) from error
    if taken:
        raise BluelineError(f"{folder} is not empty", hint="name a new folder: blueline demo DIR")
    return folder.resolve()


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _commit(root: Path) -> None:
    """Put the project under git, where there is one, with nobody's settings and no hooks."""
    person = {"NAME": "You", "EMAIL": "you@example.org"}
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()},
    }
    off = [
        "-c",
        f"core.hooksPath={os.devnull}",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "init.defaultBranch=main",
    ]
    for words in (["init", "-q", "--template="], ["add", "--all"], ["commit", "-qm", "A pantry"]):
        try:
            subprocess.run(["git", *off, *words], cwd=root, env=environ, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return  # a project without git is one too


class DemoAgent:
    """Does what Claude Code does around an edit: runs the hooks in its settings, and waits for them."""

    def __init__(self, root: Path, settings: Path) -> None:
        self._root = root
        self._hooks: dict[str, list[dict[str, Any]]] = json.loads(settings.read_text())["hooks"]
        self._calls = count(1)
        self._turns = count(1)
        self._prompt = ""

    def begin(self, prompt: str) -> None:
        self._prompt = f"prompt-{next(self._turns)}"
        self._fire("UserPromptSubmit", prompt=prompt)

    def stop(self) -> None:
        self._fire("Stop", stop_hook_active=False)

    def edit(self, path: str, old: str, new: str) -> None:
        given: dict[str, object] = {"file_path": str(self._root / path), "old_string": old, "new_string": new}
        self._use("Edit", {**given, "replace_all": False}, lambda: swap(self._root / path, old, new))

    def write(self, path: str, content: str) -> None:
        given: dict[str, object] = {"file_path": str(self._root / path), "content": content}
        self._use("Write", given, lambda: _put(self._root / path, content))

    def _use(self, tool: str, given: dict[str, object], act: Callable[[], None]) -> None:
        about = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{next(self._calls):04d}"}
        self._fire("PreToolUse", **about)
        act()
        self._fire("PostToolUse", **about, tool_response={"filePath": given["file_path"]})

    def _fire(self, event: str, **fields: object) -> None:
        about = {"session_id": CONVERSATION, "cwd": str(self._root), "prompt_id": self._prompt}
        payload = json.dumps({**about, "hook_event_name": event, **fields}).encode()
        environ = {**os.environ, "CLAUDE_PROJECT_DIR": str(self._root)}
        for command in self._commands(event, str(fields.get("tool_name", ""))):
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=self._root,
                env=environ,
                input=payload,
                capture_output=True,
                timeout=HOOK_SECONDS,
            )
            if done.returncode or done.stderr:
                said = done.stderr.decode("utf-8", "replace").strip()
                raise BluelineError(f"the hook failed: {said}", hint="run blueline init here for a check")

    def _commands(self, event: str, tool: str) -> Iterator[str]:
        for entry in self._hooks.get(event, []):
            if not entry.get("matcher") or re.fullmatch(entry["matcher"], tool):
                yield from (hook["command"] for hook in entry["hooks"])


def swap(path: Path, old: str, new: str) -> None:
    """Replace a text in a file, as an editor would."""
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new))


def play(root: Path, agent: DemoAgent) -> None:
    """Two turns of an agent, with a person typing between and after them."""
    agent.begin(story.FIRST_PROMPT)
    agent.edit("pantry/items.py", story.ITEM, story.ITEM_WITH_DAYS)
    agent.write("pantry/alarm.py", story.ALARM)
    agent.write("pantry/report.py", story.REPORT)
    agent.stop()
    swap(root / "pantry/alarm.py", *story.TYPED_IN_ALARM)
    swap(root / "README.md", *story.TYPED_IN_README)
    agent.begin(story.SECOND_PROMPT)
    agent.edit("pantry/alarm.py", story.EXPIRING, story.EXPIRING_WITHIN)
    agent.edit("pantry/__main__.py", story.PRINTING, story.PRINTING_SOON)
    agent.edit("README.md", story.USAGE, story.USAGE_WITH_DAYS)
    agent.stop()
    swap(root / "README.md", *story.TYPED_AT_THE_END)


def _suggestions(hunks: list[HunkDocument]) -> list[DemoStep]:
    """Commands to type, in an order that tells a story."""
    unasked = next(hunk["id"] for hunk in hunks if story.UNASKED in (hunk["new"] or ""))
    steps = [
        ("diff pantry/report.py", "written anew; only what differs counts"),
        (f"reject {unasked}", "nobody asked for that; its neighbours stay"),
        ("accept pantry/items.py", "this is fine: keep it"),
        ("reject t1", "refused with a question: t2 builds on it"),
        ("reject t2", "turn 2 goes; turn 1 and your typing stay"),
        ("undo", "any decision can be undone"),
        ("log", "all that happened, newest first"),
    ]
    return [{"command": f"blueline {command}", "why": why} for command, why in steps]


def presented(document: DemoDocument, screen: Screen, *, where: str) -> Iterator[str]:
    """The answer to `demo`."""
    yield f"A sample project is in {screen.paint(visible(document['root']), 'heading')}"
    yield "In two turns an agent worked on it, and you typed in between. To decide:"
    yield ""
    # Without its last lines: what to try comes below.
    yield from list(listing_text.listed(document, screen, by="hunk", wanted="pending"))[:-2]
    yield ""
    yield screen.paint("Try, in this order:", "heading")
    yield f"  cd {where}"
    for step in document["try"]:
        yield f"  {step['command'].ljust(32)} {screen.paint('# ' + step['why'], 'dim')}"
    yield hint(f"cd {where} && {document['try'][0]['command']}", screen)
