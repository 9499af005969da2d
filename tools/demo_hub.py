"""A hub to try: PostgreSQL, two processes of the hub and three machines whose agents are at work.

`make demo-hub`. One of the machines is gone after a while, with its folder: its review goes on elsewhere.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.support.hub_process import Hub, join, project_of, serving, sync
from tests.support.postgresql import running
from tests.support.project import POEM, Project

NAMES = ("pantry", "harbour", "sandbox")
PAUSE_SECONDS = 3.0
TURNS = 5
"""After that many the last machine is gone."""


def main() -> None:
    """Runs until it is stopped."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="blueline-demo-hub-")))
        database = stack.enter_context(running()).database()
        hubs = [stack.enter_context(serving(database, folder)) for _ in range(2)]
        machines = [_machine(folder / name, hubs[number % 2]) for number, name in enumerate(NAMES)]
        followers = [_follower(machine, machine.root) for machine in machines]
        stack.callback(_end, followers)
        for role in ("reader", "reviewer", "owner"):
            print(f"{role:8}  {hubs[0].link(role.capitalize(), role)}")
        print(f"another process of the same hub: {hubs[1].url}")
        print("each link lets one browser in, once; Ctrl+C stops", flush=True)
        _work(machines, followers, hubs[1], folder)


def _machine(place: Path, hub: Hub) -> Project:
    machine = Project(place, {"poem.txt": POEM, "notes.md": "# Notes\n"}, place.name)
    join(machine, hub)
    return machine


def _follower(machine: Project, root: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "blueline", "sync", "--follow"]
    return subprocess.Popen(
        command, cwd=root, env=machine.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _end(followers: list[subprocess.Popen[bytes]]) -> None:
    for one in followers:
        one.kill()
        one.wait()


def _work(machines: list[Project], followers: list[subprocess.Popen[bytes]], hub: Hub, folder: Path) -> None:
    """Agents change something every few seconds; then one machine is no more."""
    turn = 0
    while True:
        turn += 1
        for number, machine in enumerate(machines):
            machine.prompt(f"turn {turn}: say it louder")
            line = f"line {turn % 20 + 1}\n"
            if line in machine.text("poem.txt"):
                machine.edit("poem.txt", line, f"LINE {turn} OF {NAMES[number].upper()}\n")
            machine.write(f"turn-{turn}.md", f"# Turn {turn}\n")
            machine.hook(machine.event("Stop", stop_hook_active=False))
        time.sleep(PAUSE_SECONDS)
        if turn == TURNS:
            lost = machines.pop()
            # It may not have come to it yet, on a machine that is busy. What was never sent is gone.
            sync(lost)
            _lose(followers.pop())
            place = folder / "restored"
            elsewhere = _restored(lost, hub, place)
            followers.append(_follower(elsewhere, place))
            print(f"{NAMES[-1]} is gone, with its folder; its review goes on in {place}", flush=True)


def _lose(follower: subprocess.Popen[bytes]) -> None:
    follower.send_signal(signal.SIGKILL)
    follower.wait()


def _restored(lost: Project, hub: Hub, place: Path) -> Project:
    """Another machine, which has taken up the review of one that is gone."""
    project = project_of(lost)
    shutil.rmtree(lost.root)
    shutil.rmtree(lost.state)
    elsewhere = Project(place.parent / "elsewhere")
    done = elsewhere.command(
        "hub", "restore", hub.url, project, str(place), "--invitation", hub.invitation(project)
    )
    assert done.returncode == 0, done.stderr
    return elsewhere


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
