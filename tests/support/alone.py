"""Run a command where there is no network but loopback: `python -m tests.support.alone COMMAND…`.

Linux can do that, for root and, on most machines, for everybody. Elsewhere the command is run all the same,
and that is said; but not where `CI` is true, for there nobody reads it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
from typing import NoReturn

INSIDE = "--inside"

# From <linux/sockios.h> and <linux/if.h>.
SIOCGIFFLAGS, SIOCSIFFLAGS = 0x8913, 0x8914
IFF_UP = 1
IFREQ = "16sH14x"


def main(command: list[str]) -> NoReturn:
    if command[:1] == [INSIDE]:
        raise_loopback()
        os.execvp(command[1], command[1:])
    if unshare := _unshare():
        words = [*unshare, sys.executable, "-m", "tests.support.alone", INSIDE, *command]
        os.execvp(words[0], words)
    complaint = "no network of its own could be made for the agents (unshare --net)"
    if os.environ.get("CI") == "true":
        sys.exit(f"{complaint}: nothing was run")
    print(f"{complaint}: they could reach others", file=sys.stderr)
    os.execvp(command[0], command)


def _unshare() -> list[str]:
    """The command that makes a network of its own; empty if this machine has none that works."""
    if shutil.which("unshare") is None:
        return []
    privileged = ["unshare", "--net"]
    command = privileged if os.geteuid() == 0 else [*privileged, "--user", "--map-root-user"]
    return command if subprocess.run([*command, "true"], capture_output=True).returncode == 0 else []


def raise_loopback() -> None:
    """A new network has a loopback, but it is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        found = fcntl.ioctl(wire, SIOCGIFFLAGS, struct.pack(IFREQ, b"lo", 0))
        name, flags = struct.unpack(IFREQ, found)
        fcntl.ioctl(wire, SIOCSIFFLAGS, struct.pack(IFREQ, name, flags | IFF_UP))


if __name__ == "__main__":
    main(sys.argv[1:])
