"""A real Jupyter server on loopback, as the program that a person has their notebooks open in."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.waiting import wait_until

TOKEN = "secret"
_SERVES = re.compile(r"http://127\.0\.0\.1:(\d+)/")


class Jupyter:
    """Serves a folder for as long as the `with` lasts."""

    def __init__(self, root: Path, home: Path) -> None:
        self._root = root
        self._environ = {**os.environ, "HOME": str(home), "JUPYTER_PREFER_ENV_PATH": "0"}

    def __enter__(self) -> Self:
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": "0",
            "ServerApp.open_browser": "False",
            "ServerApp.allow_root": "True",
            "ServerApp.root_dir": str(self._root),
            "IdentityProvider.token": TOKEN,
            "ServerApp.jpserver_extensions": "{}",
            "ServerApp.terminals_enabled": "False",
        }
        words = [f"--{name}={value}" for name, value in options.items()]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jupyter_server", *words],
            cwd=self._root,
            env=self._environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        said = []
        for line in self._process.stderr:
            said.append(line)
            if (found := _SERVES.search(line)) is not None and found[1] != "0":
                self._port = int(found[1])
                # It says so a moment before anybody listens there.
                wait_until(self._listens)
                return self
        raise AssertionError("Jupyter did not start\n" + "".join(said))

    def _listens(self) -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self._port)) == 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.communicate()

    def opened(self, path: str) -> dict[str, Any]:
        """The notebook as Jupyter shows it, with what it needs to know when it saves."""
        return self._ask(path, None)

    def save(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """What Jupyter does when a person presses Ctrl+S."""
        return self._ask(path, {"type": "notebook", "format": "json", "content": content})

    def _ask(self, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/api/contents/{path}",
            method="GET" if body is None else "PUT",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"token {TOKEN}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            found: dict[str, Any] = json.loads(answer.read())
        return found
