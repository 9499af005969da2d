"""GitHub's own description of its API, and a server that checks every request against it.

Both come from npm and are large: these tests are collected only with `--forge`, and then nothing is skipped.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import wait_until

INSTALLED = Path(__file__).parents[3] / ".agents" / "forge" / "node_modules"
DESCRIPTION = INSTALLED / "@octokit" / "openapi" / "generated" / "api.github.com.json"
PRISM = INSTALLED / "@stoplight" / "prism-cli" / "dist" / "index.js"

REPO = "/repos/{owner}/{repo}"
PATHS = {
    REPO: ("get",),
    f"{REPO}/collaborators/{{username}}/permission": ("get",),
    f"{REPO}/issues/{{issue_number}}": ("get",),
    f"{REPO}/issues/{{issue_number}}/comments": ("get", "post"),
    f"{REPO}/issues/comments/{{comment_id}}/reactions": ("post",),
    f"{REPO}/pulls/comments/{{comment_id}}/reactions": ("post",),
    f"{REPO}/pulls/{{pull_number}}": ("get",),
    f"{REPO}/pulls/{{pull_number}}/files": ("get",),
    f"{REPO}/pulls/{{pull_number}}/reviews": ("get", "post"),
}
"""Everything that is ever asked for. The whole description takes the server twenty seconds to read."""

MEDIA = ("application/vnd.github+json", "application/vnd.github.v3+json")
"""What clients ask for; the description speaks of plain JSON only."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return None if config.getoption("forge") else True


def cut_down(whole: Mapping[str, Any]) -> dict[str, Any]:
    """The description of these paths, with all that it refers to."""
    paths = {
        path: {
            key: value
            for key, value in whole["paths"][path].items()
            if key in methods or key in ("parameters", "servers")
        }
        for path, methods in PATHS.items()
    }
    for methods in paths.values():
        for operation in methods.values():
            for answer in operation.get("responses", {}).values() if isinstance(operation, dict) else ():
                content = answer.get("content", {})
                if "application/json" in content:
                    content |= dict.fromkeys(MEDIA, content["application/json"])
    components: dict[str, dict[str, Any]] = {}
    waiting = [*references(paths)]
    while waiting:
        kind, name = waiting.pop().split("/")[2:4]
        if name in components.get(kind, {}):
            continue
        found = whole["components"][kind][name]
        components.setdefault(kind, {})[name] = found
        waiting += references(found)
    return {"openapi": whole["openapi"], "info": whole["info"], "paths": paths, "components": components}


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref" and isinstance(inner, str):
                yield inner
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


@pytest.fixture(scope="session")
def validator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Host and port of the validating server."""
    for part in (DESCRIPTION, PRISM):
        assert part.exists(), f"{part} is missing: run make test-forge"
    node = shutil.which("node")
    assert node is not None, "Node is missing: run make test-forge"
    base = tmp_path_factory.mktemp("prism")
    place = base / "github.json"
    place.write_text(json.dumps(cut_down(json.loads(DESCRIPTION.read_text()))))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    said = (base / "said.txt").open("wb")
    environ = {"PATH": os.environ["PATH"], "HOME": str(base)}
    words = [node, str(PRISM), "mock", "-h", "127.0.0.1", "-p", str(port), str(place)]
    process = subprocess.Popen(words, cwd=base, env=environ, stdout=said, stderr=said)
    try:
        wait_until(lambda: answers(port) or process.poll() is not None)
        assert process.poll() is None, (base / "said.txt").read_text()
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
        said.close()


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except OSError:
        return False
    finally:
        connection.close()
    return True
