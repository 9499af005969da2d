"""Windsurf: what the hooks of its agent Cascade are told, and where they are installed.

Events are named by the kind of tool, and no call has a name: its end is known by what it was given.
"""

from __future__ import annotations

from blueline.adapters.dialect import Dialect, Event, first
from blueline.adapters.hook_settings import HookSettings

NAME = "windsurf"
LABEL = "Windsurf"
PROGRAM = "windsurf"
TRACES = (".windsurf", ".windsurfrules")
FOLDER = ".codeium/windsurf"
SHARED = True
ADVICE = ""
USER_ADVICE = ""


def _entry(event: str, matcher: str, run: str) -> dict[str, object]:
    return {"command": run, "show_output": False}


def _more(event: Event) -> dict[str, object]:
    info = event.get("tool_info")
    name = first(info, ("mcp_tool_name",)) if isinstance(info, dict) else None
    return {"mcp": name} if name else {}


DIALECT = Dialect(
    replacing=frozenset({"write_code"}),
    shells=frozenset({"run_command"}),
    groups=(("execution", "execution_id"),),
    more=_more,
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".windsurf/hooks.json",
    events=dict.fromkeys(
        (
            "pre_user_prompt",
            "pre_write_code",
            "post_write_code",
            "pre_run_command",
            "post_run_command",
            "pre_mcp_tool_use",
            "post_mcp_tool_use",
            "post_cascade_response",
        ),
        "",
    ),
    entry=_entry,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
