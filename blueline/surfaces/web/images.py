"""Pictures of a project, for the page to show: what a file is, its bytes say, and not its name."""

from __future__ import annotations

from starlette.responses import Response

from blueline.surfaces.web.responses import NotHere

LARGEST = 16 << 20

BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def kind_of(data: bytes) -> str | None:
    """What a browser may take this for. No drawings in SVG: those are programs."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in BEGINNINGS.items() if data.startswith(beginning)), None)


def picture(data: bytes | None) -> Response:
    """A picture, or nothing at all. The headers of every answer say that it is nothing else."""
    kind = kind_of(data) if data is not None and len(data) <= LARGEST else None
    if kind is None:
        raise NotHere("there is no picture here", hint="shown are PNG, JPEG, GIF and WebP, up to 16 MB")
    return Response(
        data, media_type=kind, headers={"Content-Disposition": "inline", "Cache-Control": "no-store"}
    )
