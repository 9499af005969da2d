"""The page itself: files that come with the package, and no others."""

from __future__ import annotations

import functools
import re
import secrets
from hashlib import blake2b
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from blueline.surfaces.web.guard import policy
from blueline.surfaces.web.responses import NotHere

FOLDER = Path(__file__).parent / "_static"

NONCE_BYTES = 16
NONCE_PLACE = b"{{nonce}}"
"""Stands in the page where the nonce of its styles comes to stand: another one each time."""
AT_PLACE = b"{{at}}"
"""Stands in the page where it says at what it is: a machine, or a hub, where nobody begins with a project."""

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")


@functools.lru_cache(maxsize=32)
def _read(name: str, changed: int) -> tuple[bytes, str]:
    """A file as it is since a time, and a name for what it holds."""
    content = (FOLDER / name).read_bytes()
    return content, f'"{blake2b(content, digest_size=12).hexdigest()}"'


def _file(name: str) -> tuple[bytes, str]:
    """A file as it is now. The page may be built anew while a server runs."""
    return _read(name, (FOLDER / name).stat().st_mtime_ns)


async def page(request: Request, *, at: str = "machine") -> Response:
    """The one page there is."""
    nonce = secrets.token_urlsafe(NONCE_BYTES)
    text = _file("index.html")[0].replace(NONCE_PLACE, nonce.encode()).replace(AT_PLACE, at.encode())
    headers = {"Content-Security-Policy": policy(nonce)}
    return Response(text, media_type=KINDS[".html"], headers=headers)


async def asset(request: Request) -> Response:
    """A script, a style, a picture."""
    name = request.path_params["name"]
    kind = KINDS.get(Path(name).suffix)
    if kind is None or not _NAME.fullmatch(name):
        raise NotHere("there is no such file")
    try:
        content, tag = _file(name)
    except OSError:
        raise NotHere("there is no such file") from None
    # Asked again each time, and hardly ever sent again: an update must not leave half of an old page behind.
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)
