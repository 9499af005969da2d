"""VS Code in Chromium, beside the workbench: from a click to the changed text.

By itself (`make bench-editors`): the real VS Code is 600 MB.
"""

from __future__ import annotations

import re
import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser

from benchmarks.browsing import key_seconds, opened, ours
from benchmarks.figures import HEADING, Figure, doing, ms, show
from benchmarks.workbench import LEFT, OUR_FIRST, OUR_PLACE, changed
from tests.editors.vscode.real_vscode import VSCode, until
from tests.support.chromium import chromium

HUNKS = 2_000
STEPS = 9

# From the mouse button, as the page gets it, to the frame in which a word is gone.
WATCH = """word => {
  const has = () => [...document.querySelectorAll(".view-line")].some(one => one.textContent.includes(word));
  window.clicked = new Promise(resolve => {
    window.addEventListener("mouseup", () => {
      const began = performance.now();
      const look = () => has()
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => resolve(performance.now() - began));
      look();
    }, { capture: true, once: true });
  });
}"""


# As VS Code itself lists it.
BEGUN = """() => [...document.querySelectorAll(".runtime-extensions-editor .extension")].map(one => ({
  name: one.querySelector(".name")?.textContent ?? "",
  took: one.querySelector(".activation-time")?.textContent ?? "",
}))"""


class Place(NamedTuple):
    """A project as the editor opens it."""

    root: Path
    environ: dict[str, str]


def beginning(vscode: VSCode) -> Figure:
    """How long the extension took to begin, beside those that came with VS Code."""
    vscode.command("workbench.action.showRuntimeExtensions")
    # Only what is in sight is drawn of the list.
    vscode.page.set_viewport_size({"width": 1280, "height": 4000})

    def listed() -> dict[str, float]:
        found = vscode.page.evaluate(BEGUN)
        took = {one["name"]: re.search(r"(\d+)ms", one["took"]) for one in found}
        return {name: int(match[1]) / 1000 for name, match in took.items() if match}

    until("listed", lambda: "Blueline" in listed())
    times = listed()
    mine = times.pop("Blueline")
    times.pop("driver", None)
    rival = max(times.values(), default=0.0)
    vscode.page.set_viewport_size({"width": 1280, "height": 800})
    vscode.command("workbench.action.closeActiveEditor")
    return Figure("the extension begins", ms(mine), f"{ms(rival)} slowest built-in", "", "300 ms")


def clicking(vscode: VSCode, place: Place) -> list[float]:
    """Rejects by a button above the change, a file each."""
    found = []
    for number in range(STEPS):
        path = f"src/part{number % 20}/module{number}.py"
        vscode.show(place, path)
        until("buttons", lambda: "Reject" in vscode.lenses())
        written = f"compute_{number}("
        line = vscode.page.locator(".view-line", has_text=written)
        until("drawn", lambda: line.count() == 1)  # noqa: B023
        vscode.page.evaluate(WATCH, written)
        vscode.lens("Reject").click()
        found.append(float(vscode.page.evaluate("window.clicked")) / 1000)
        until("no buttons", lambda: not vscode.lenses())
    return found


def pressing(browser: Browser, place: Place) -> list[float]:
    """Rejects by a key in the workbench."""
    with ours(place.root, place.environ) as server, opened(browser, server, OUR_FIRST) as one:
        found = []
        for _ in range(STEPS):
            found.append(key_seconds(one.page, "x", LEFT))
            # A key between two changes would be about none.
            one.page.keyboard.press("n")
            one.page.wait_for_function(f"() => {OUR_PLACE}")
        return found


def main() -> None:
    show([HEADING])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, chromium() as browser:
        base = Path(name).resolve()
        (base / "vscode").mkdir()
        doing(f"{HUNKS:,} changes")
        sample = changed(base / "sample", HUNKS)
        place = Place(sample.root, {"XDG_STATE_HOME": sample.environ["XDG_STATE_HOME"]})
        vscode = VSCode(base / "vscode", browser)
        try:
            vscode.open(place)
            until("counted", lambda: vscode.undecided() == HUNKS)
            show([beginning(vscode)])
            doing("clicking")
            mine = clicking(vscode, place)
        finally:
            vscode.stop()
        doing(f"clicked: {', '.join(map(ms, mine))}")
        rival = pressing(browser, Place(sample.root, sample.environ))
    one, other = statistics.median(mine), statistics.median(rival)
    name = f"from a click to the changed text, {HUNKS:,} undecided"
    show([Figure(name, ms(one), f"{ms(other)} workbench", f"{one / other:.2f}", "150 ms")])


if __name__ == "__main__":
    main()
