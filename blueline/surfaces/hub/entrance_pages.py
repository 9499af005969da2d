"""The few pages that strangers are shown: how to come in, and why not."""

from __future__ import annotations

import secrets
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from blueline.surfaces.web.guard import policy

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Blueline</title>
<style nonce="{nonce}">
:root {{ color-scheme: light dark; --ink: #1d2530; --paper: #fdfcf9; --blue: #1d5bb8; --on-blue: #ffffff }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #dfe4ea; --paper: #14181d; --blue: #8ab4f0; --on-blue: #14181d }}
}}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--paper) }}
main {{ max-width: 26rem; margin: 18vh auto 0; padding: 0 1.5rem; overflow-wrap: anywhere }}
h1 {{ font-size: 1.4rem }}
a {{ display: inline-block; padding: .6rem 1rem; border-radius: 6px; text-decoration: none;
     color: var(--on-blue); background: var(--blue) }}
</style>
<main>
<h1>{title}</h1>
<p>{words}</p>
{way}
</main>
</html>
"""


def page(title: str, words: str, way: tuple[str, str] | None = None, status: int = 200) -> Response:
    """A page with one thing to do on it: where that leads, and what it is called."""
    nonce = secrets.token_urlsafe(16)
    link = "" if way is None else f'<p><a href="{escape(way[0])}">{escape(way[1])}</a></p>'
    text = PAGE.format(nonce=nonce, title=escape(title), words=escape(words), way=link)
    headers = {"Content-Security-Policy": policy(nonce)}
    return Response(text, status, headers, "text/html")


def is_for_people(request: Request) -> bool:
    """Whether somebody opened an address, and no program asked."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")
