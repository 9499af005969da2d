"""The environment of a person who owns nothing yet."""

from __future__ import annotations

import json
from pathlib import Path

from blueline.adapters import claude_code


def environment(home: Path) -> dict[str, str]:
    """What makes a program, git included, look for its things below `home` and nowhere else."""
    return {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Person",
        "GIT_AUTHOR_EMAIL": "person@example.org",
        "GIT_COMMITTER_NAME": "Person",
        "GIT_COMMITTER_EMAIL": "person@example.org",
    }


def watched(home: Path) -> None:
    """Let Claude Code have its hooks in the person's own settings, so that every project is recorded (D6)."""
    place = home / ".claude" / "settings.json"
    place.parent.mkdir(exist_ok=True)
    hook = {"type": "command", "command": claude_code.command()}
    place.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}))
