"""One large file in the workbench: a hundred thousand lines are scrolled, and one of many changes decided."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

import blueline
from benchmarks.browsing import key_seconds, opened, ours
from benchmarks.figures import HEADING, Figure, doing, ms, show
from benchmarks.projects import Sample
from benchmarks.workbench import LEFT, OUR_FIRST
from tests.support.chromium import chromium

LINES = 100_000
CHANGES = (50, 500, 2_000)
STEPS = 9
MOST_KB = 800

# A screen further with each frame. A gap is a frame that was drawn with a part of the screen without a line.
SCROLL = """async () => {
  const area = document.querySelector(".cm-scroller");
  const drawn = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
  const isFull = () => {
    const { left, top, bottom } = area.getBoundingClientRect();
    const content = area.querySelector(".cm-content");
    const end = content.getBoundingClientRect().bottom - parseFloat(getComputedStyle(content).paddingBottom);
    const low = Math.min(bottom, innerHeight, end) - 10;
    return [top + 30, (top + low) / 2, low].every(y =>
      document.elementsFromPoint(left + 300, y).some(one => one.matches(".cm-line, .cm-content > *")));
  };
  const frames = [];
  area.scrollTop = 0;
  await drawn();
  while (area.scrollTop + area.clientHeight + 1 < area.scrollHeight) {
    const began = performance.now();
    area.scrollTop += area.clientHeight * 0.9;
    await drawn();
    frames.push([performance.now() - began, isFull()]);
  }
  return frames;
}"""


def scrolling(browser: Browser, folder: Path) -> list[Figure]:
    """From the first line to the last, all of them shown."""
    sample = Sample(folder)
    sample.put("long.txt", "".join(f"line {number} of a long, long file\n" for number in range(LINES)))
    sample.observe("UserPromptSubmit", prompt="go on")
    for number, line in enumerate((10, LINES // 2, LINES - 10)):
        sample.edit(f"k{number}", "long.txt", f"line {line} of", f"LINE {line} of")
    with ours(sample.root, sample.environ) as server, opened(browser, server, OUR_FIRST) as one:
        one.page.keyboard.press("Z")
        one.page.wait_for_function("() => !document.querySelector('.fold')")
        frames = one.page.evaluate(SCROLL)
    times = sorted(took / 1000 for took, _ in frames)
    gaps = sum(not is_full for _, is_full in frames)
    late = times[int(len(times) * 0.95)]
    middle = times[len(times) // 2]
    return [
        Figure(f"gaps while {LINES:,} lines are scrolled", f"{gaps}", f"{len(frames):,} screens", "", "none"),
        Figure("  a screen further, p50", ms(middle), ""),
        Figure("  a screen further, p95", ms(late), ""),
    ]


def deciding(browser: Browser, folder: Path, changes: int) -> Figure:
    """One change of many in the same file, each with its own words, and with lines that come and go."""
    sample = Sample(folder)
    lines = [f"value_{number} = compute({number})\n" for number in range(5 * changes)]
    sample.put("many.py", "".join(lines))
    sample.observe("UserPromptSubmit", prompt="change many of them")
    for number in range(0, len(lines), 5):
        more = f"again_{number} = compute({number})\n" if number % 10 else ""
        lines[number] = f"value_{number} = compute_{number}({number})\n{more}"
    about = {"tool_name": "Write", "tool_use_id": "k"}
    given = {"file_path": str(sample.root / "many.py"), "content": "".join(lines)}
    sample.observe("PreToolUse", **about, tool_input=given)
    sample.put("many.py", "".join(lines))
    sample.observe("PostToolUse", **about, tool_input=given, tool_response={})
    with ours(sample.root, sample.environ) as server, opened(browser, server, OUR_FIRST) as one:
        # Alternately: only what is rejected moves the lines below it.
        found = [key_seconds(one.page, "xa"[step % 2], LEFT) for step in range(STEPS)]
    name = f"decision on the screen, {changes:,} changes in one file"
    return Figure(name, ms(statistics.median(found)), "difit decides nothing", "", "100 ms")


def size() -> Figure:
    """What there is of the page in the package."""
    folder = Path(blueline.__file__).parent / "surfaces/web/_static"
    stored = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1000
    return Figure("all files of the page", f"{stored:.0f} KB", "", "", f"{MOST_KB} KB")


def main() -> None:
    show([HEADING, size()])
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        base = Path(name).resolve()
        doing(f"{LINES:,} lines")
        show(scrolling(browser, base / "long"))
        for changes in CHANGES:
            doing(f"{changes:,} changes in one file")
            show([deciding(browser, base / str(changes), changes)])


if __name__ == "__main__":
    main()
