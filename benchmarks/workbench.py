"""The workbench in Chromium, beside difit: opening, moving, deciding, and news from a hook."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.browsing import Opened, difit, drawn_at, key_seconds, opened, ours, watch
from benchmarks.figures import HEADING, Figure, doing, ms, show
from benchmarks.hook import OURS as HOOK
from benchmarks.projects import Sample
from tests.support.chromium import chromium

DIFIT = Path(__file__).parents[1] / ".difit/node_modules/.bin/difit"
SIZES = {50: 5, 500: 3, 2_000: 3}
"""By number of changed files, how often each is opened."""
STEPS = 20
EVENTS = 40

OUR_FIRST = ".hunk-bar.current"
THEIR_FIRST = "tr[id^=file-]"
OUR_PLACE = "document.querySelector('.hunk-bar.current')?.dataset.hunk"
THEIR_PLACE = "document.querySelector('.keyboard-cursor')?.id"
LEFT = "document.querySelector('.left-over').textContent"


def changed(folder: Path, files: int) -> Sample:
    """A project under git, with one undecided change in each of its files."""
    sample = Sample(folder)
    for number in range(files):
        text = "".join(f"value_{line} = compute({line}, {number})\n" for line in range(40))
        sample.put(f"src/part{number % 20}/module{number}.py", text)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "before"]):
        settings = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0"]
        subprocess.run(["git", *settings, *words], cwd=sample.root, env=sample.environ, check=True)
    sample.observe("UserPromptSubmit", prompt="change all of it")
    for number in range(files):
        path = f"src/part{number % 20}/module{number}.py"
        # Not the same everywhere: in so many places that would be decided once for all of them.
        sample.edit(f"k{number}", path, "value_20 = compute(20,", f"value_20 = compute_{number}(20,")
    sample.observe("Stop")
    with sample.desk():
        pass
    return sample


def opening(browser: Browser, sample: Sample, files: int, times: int) -> list[Figure]:
    """Both, in turns, each in a browser and a server that know nothing yet."""
    mine: list[Opened] = []
    theirs: list[Opened] = []
    for _ in range(times):
        with ours(sample.root, sample.environ) as server, opened(browser, server, OUR_FIRST) as one:
            mine.append(one)
        with difit(DIFIT, sample.root, sample.environ) as server, opened(browser, server, THEIR_FIRST) as one:
            theirs.append(one)
    paint = _beside(
        f"first change drawn, {files:,} changed files",
        [one.paint for one in mine],
        [one.paint for one in theirs],
        {50: "500 ms", 2_000: "1 s"}.get(files, ""),
    )
    whole = _beside(
        f"from the command to that, {files:,} changed files",
        [one.whole for one in mine],
        [one.whole for one in theirs],
    )
    sent, other = (statistics.median(one.sent for one in side) / 1e6 for side in (mine, theirs))
    size = Figure(
        f"sent until then, {files:,} changed files",
        f"{sent:.2f} MB",
        f"{other:.2f} MB difit",
        f"{sent / other:.2f}",
    )
    return [paint, whole, size]


def _beside(name: str, mine: list[float], theirs: list[float], target: str = "") -> Figure:
    ours_, rival = statistics.median(mine), statistics.median(theirs)
    return Figure(name, ms(ours_), f"{ms(rival)} difit", f"{ours_ / rival:.2f}", target)


def moving(browser: Browser, sample: Sample, files: int) -> list[Figure]:
    """From one change to the next, and from a decision to the screen."""
    with ours(sample.root, sample.environ) as server, opened(browser, server, OUR_FIRST) as one:
        mine = [key_seconds(one.page, "n", OUR_PLACE) for _ in range(STEPS)]
        decided = [key_seconds(one.page, "a", LEFT) for _ in range(STEPS)]
        one.page.keyboard.press("u")
    with difit(DIFIT, sample.root, sample.environ) as server, opened(browser, server, THEIR_FIRST) as one:
        theirs = [key_seconds(one.page, "n", THEIR_PLACE) for _ in range(STEPS)]
    return [
        _beside(f"next change, {files:,} changed files", mine, theirs, "50 ms"),
        Figure(
            f"decision on the screen, {files:,} changed files",
            ms(statistics.median(decided)),
            "difit decides nothing",
            "",
            "100 ms",
        ),
    ]


def hearing(browser: Browser, folder: Path) -> list[Figure]:
    """From the end of a hook to the frame that shows what it recorded."""
    sample = Sample(folder)
    sample.put("book.txt", "".join(f"line {line} of the book\n" for line in range(EVENTS * 8)))
    _hook(sample, "UserPromptSubmit", prompt="go on")
    with sample.desk():
        pass
    with ours(sample.root, sample.environ) as server, opened(browser, server, ".empty h1") as one:
        one.page.locator(".connection.live").wait_for()
        watch(one.page, ".left-over")
        times = sorted(_heard(sample, one.page, number) for number in range(EVENTS))
    middle, late = statistics.median(times), times[int(len(times) * 0.95)]
    return [
        Figure("hook to page, p50", ms(middle), "difit has to be reloaded", "", "200 ms"),
        Figure("hook to page, p95", ms(late), "", "", "200 ms"),
    ]


def _heard(sample: Sample, page: Page, number: int) -> float:
    path = sample.root / "book.txt"
    old, new = f"line {number * 8} of", f"LINE {number * 8} of"
    given = {"file_path": str(path), "old_string": old, "new_string": new}
    about = {"tool_name": "Edit", "tool_use_id": f"k{number}", "tool_input": given}
    _hook(sample, "PreToolUse", **about)
    path.write_text(path.read_text().replace(old, new, 1))
    _hook(sample, "PostToolUse", **about, tool_response={})
    ended = time.time()
    text = f"{number + 1} change{'s' if number else ''} in 1 file"
    return drawn_at(page, text) - ended


def _hook(sample: Sample, event: str, **fields: Any) -> None:
    about = {"session_id": "bench", "cwd": str(sample.root), "hook_event_name": event}
    subprocess.run(
        HOOK,
        input=json.dumps({**about, **fields}).encode(),
        env={**sample.environ, "CLAUDE_PROJECT_DIR": str(sample.root)},
        check=True,
        capture_output=True,
    )


def main() -> None:
    if not DIFIT.exists():
        sys.exit("difit is missing: `make bench` installs it")
    show([HEADING])
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        base = Path(name).resolve()
        show(hearing(browser, base / "hearing"))
        for files, times in SIZES.items():
            doing(f"{files:,} changed files")
            sample = changed(base / str(files), files)
            show(opening(browser, sample, files, times))
            show(moving(browser, sample, files))


if __name__ == "__main__":
    main()
