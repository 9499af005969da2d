"""Google's Gemini CLI: what its hooks are told, and where they are installed.

It names no calls, so the end of one is known by the tool and what it was given.
"""

from __future__ import annotations

from blueline.adapters.dialect import Dialect
from blueline.adapters.hook_settings import TIMEOUT_SECONDS, HookSettings

NAME = "gemini"
LABEL = "Gemini CLI"
PROGRAM = "gemini"
TRACES = (".gemini", "GEMINI.md")
FOLDER = ".gemini"
SHARED = True
ADVICE = "Gemini CLI runs a project's hooks only in a folder you trust: start gemini here once and trust it"
USER_ADVICE = ""


def _entry(event: str, matcher: str, run: str) -> dict[str, object]:
    hook = {"name": "blueline", "type": "command", "command": run, "timeout": TIMEOUT_SECONDS * 1000}
    return {"hooks": [hook]}


DIALECT = Dialect(
    replacing=frozenset({"replace"}),
    writing=frozenset({"write_file"}),
    shells=frozenset({"run_shell_command"}),
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".gemini/settings.json",
    events=dict.fromkeys(
        ("BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionStart", "SessionEnd"), ""
    ),
    entry=_entry,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
