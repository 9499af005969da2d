"""Runs the command of an agent's hook once, as the agent would, and looks for its record."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

PROBE_SECONDS = 30

# The smallest event there is: nobody has done anything.
PROBE = {"hook_event_name": "SessionStart", "session_id": "blueline-init", "source": "startup"}


def probe(command: str) -> tuple[str, int]:
    """Run a hook's command; what is wrong with it, and how long it took.

    In a project and a home made for this: the person's own gets no event that nobody sent.
    """
    with tempfile.TemporaryDirectory(prefix="blueline-") as folder:
        base = Path(folder).resolve()
        project = base / "project"
        (project / ".blueline").mkdir(parents=True)
        environ = {
            **os.environ,
            "CLAUDE_PROJECT_DIR": str(project),
            "XDG_CONFIG_HOME": str(base / "config"),  # folders that are left alone are no fault of the hook
            "XDG_STATE_HOME": str(base / "state"),
        }
        started = time.monotonic()
        try:
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=project,
                env=environ,
                input=json.dumps({**PROBE, "cwd": str(project)}).encode(),
                capture_output=True,
                timeout=PROBE_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"it could not be run: {error}", 0
        took_ms = round((time.monotonic() - started) * 1000)
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        if done.returncode or said:
            return f"it gave {done.returncode} and said: {said or 'nothing'}", took_ms
        if not list(base.glob("state/blueline/*/journal")):
            return "it ran, but recorded nothing", took_ms
        return "", took_ms
