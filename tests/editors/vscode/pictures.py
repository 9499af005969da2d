"""Pictures of VS Code with the sample project, for README and docs: `make screenshots-editors`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.real_vscode import VSCode, set_to, until
from tests.support.chromium import chromium
from tests.support.sample import sample


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as base, chromium() as browser:
        place = Path(base).resolve()
        (place / "vscode").mkdir()
        p = sample(place / "demo")
        vscode = VSCode(place / "vscode", browser)
        try:
            vscode.open(p)
            vscode.show(p, "pantry/report.py")
            until("buttons", lambda: len(vscode.lenses()) == 9)
            vscode.command("blueline.showReview")
            expect(vscode.page.locator(".pane-body .monaco-list-row")).to_have_count(17, timeout=60_000)
            vscode.page.mouse.move(700, 600)
            vscode.page.screenshot(path=folder / "vscode.png")
            vscode.command("blueline.diffFile")
            until("in the diff", lambda: len(vscode.lenses()) == 9)
            set_to(vscode, "workbench.colorTheme", "Default Dark Modern")
            vscode.page.locator(".monaco-workbench.vs-dark").wait_for()
            vscode.page.mouse.move(700, 700)
            vscode.page.screenshot(path=folder / "vscode-dark.png")
        finally:
            vscode.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
