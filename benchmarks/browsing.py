"""A page in a browser, timed from inside: what is counted is what was drawn."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

PATIENCE_MILLISECONDS = 120_000

# Frame by frame until something is there; then it is on the screen with the next one.
FIRST = """
window.firstSeen = new Promise(resolve => {
  const look = () => document.querySelector(%s)
    ? requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
    : requestAnimationFrame(look);
  requestAnimationFrame(look);
});
"""

# A key, and how long it takes until something else is drawn.
KEY = """() => new Promise((resolve, reject) => {
  const read = () => %(probe)s;
  const [before, began] = [read(), performance.now()];
  const event = { key: %(key)s, code: %(code)s, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new KeyboardEvent("keydown", event));
  const look = () => {
    if (read() !== before) requestAnimationFrame(() => resolve(performance.now() - began));
    else if (performance.now() - began < %(patience)s) requestAnimationFrame(look);
    else reject(new Error("nothing was drawn after the key " + event.key));
  };
  look();
})"""

# What something says, with the times at which that was drawn.
WATCH = """() => {
  window.watched = [];
  const look = () => {
    const text = document.querySelector(%s)?.textContent ?? "";
    if (window.watched.at(-1)?.text !== text)
      window.watched.push({ text, at: performance.timeOrigin + performance.now() });
    requestAnimationFrame(look);
  };
  look();
}"""


class Opened(NamedTuple):
    """A page that has drawn its first change."""

    page: Page
    paint: float
    """Seconds from the request for the page to that."""
    whole: float
    """Seconds from the command to that."""
    sent: int
    """Bytes that had come by then."""


class Server(NamedTuple):
    """A program that serves a page, and when it was started."""

    address: str
    began: float


@contextmanager
def ours(root: Path, environ: dict[str, str]) -> Iterator[Server]:
    command = [str(Path(sys.executable).with_name("blueline")), "-C", str(root), "ui", "--no-open", "--json"]
    began = time.time()
    process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        yield Server(json.loads(process.stdout.readline())["address"], began)
    finally:
        _end(process)


@contextmanager
def difit(program: Path, root: Path, environ: dict[str, str]) -> Iterator[Server]:
    """All uncommitted changes. It reads a patch from its input unless that is a terminal."""
    outer, inner = pty.openpty()
    began = time.time()
    process = subprocess.Popen(
        [str(program), ".", "--no-open", "--mode", "inline"],
        cwd=root,
        env=environ,
        stdin=inner,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "http://" in line)
        yield Server("http://" + said.partition("http://")[2].strip(), began)
    finally:
        _end(process)
        os.close(outer)
        os.close(inner)


def _end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


@contextmanager
def opened(browser: Browser, server: Server, first: str) -> Iterator[Opened]:
    """The page in a browser that has never seen it, once the selector `first` is on the screen."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    try:
        context.add_init_script(FIRST % json.dumps(first))
        page = context.new_page()
        sizes: list[float] = []
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.dataReceived", lambda event: sizes.append(event["encodedDataLength"]))
        asked = time.time()
        page.goto(server.address, wait_until="commit")
        drawn = page.evaluate("window.firstSeen") / 1000
        yield Opened(page, drawn - asked, drawn - server.began, int(sum(sizes)))
    finally:
        context.close()


def key_seconds(page: Page, key: str, probe: str) -> float:
    """From a key to the frame in which an expression has another value."""
    given = {
        "probe": probe,
        "key": json.dumps(key),
        "code": json.dumps(f"Key{key.upper()}"),
        "patience": PATIENCE_MILLISECONDS,
    }
    return float(page.evaluate(KEY % given)) / 1000


def watch(page: Page, selector: str) -> None:
    page.evaluate(WATCH % json.dumps(selector))


def drawn_at(page: Page, text: str) -> float:
    """When the watched element was first drawn with a text."""
    page.wait_for_function("text => window.watched.some(one => one.text === text)", arg=text)
    return float(page.evaluate("text => window.watched.find(one => one.text === text).at", text)) / 1000
