"""Every route that the server has, as its source says."""

from __future__ import annotations

import re
from pathlib import Path

from blueline.surfaces import web

ROUTE = re.compile(r'Route\("([^"]+)", [\w.]+(?:, methods=\["(\w+)"\])?\)')


def routes() -> list[tuple[str, str]]:
    """Every route there is, as method and target: one that is added is tested from then on."""
    source = "".join(path.read_text() for path in sorted(Path(web.__file__).parent.glob("*.py")))
    found = ROUTE.findall(source)
    assert len(found) == source.count("Route(")
    names = {"{name:path}": "index.html", "{id}": "n1"}
    return [
        (method or "GET", re.sub(r"\{.*?\}", lambda place: names[place[0]], path)) for path, method in found
    ]


ROUTES = routes()
WRITES = [target for method, target in ROUTES if method == "POST"]
