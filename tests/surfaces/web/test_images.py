"""Pictures of both sides."""

from __future__ import annotations

import pytest

from tests.support.project import Project
from tests.support.workbench import Browser

PNG = b"\x89PNG\r\n\x1a\n"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>\0"


class TestAPicture:
    def test_is_sent_from_both_sides(self, project: Project, browser: Browser) -> None:
        project.put("a.png", PNG + b"old\0")
        project.prompt()
        project.write("a.png", PNG + b"new\0")
        for side, data in (("baseline", b"old\0"), ("live", b"new\0")):
            found = browser.get("/api/image", path="a.png", side=side)
            assert (found.status, found.body) == (200, PNG + data)
            assert found.headers["content-type"] == "image/png"
            assert found.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in found.headers["content-security-policy"]

    @pytest.mark.parametrize("data", [SVG, b"MZ\0", b"GIF8\0", b"RIFF\0\0\0\0WAVE"])
    def test_is_nothing_else(self, project: Project, browser: Browser, data: bytes) -> None:
        project.prompt()
        project.write("a.png", data)
        assert browser.get("/api/image", path="a.png", side="live").status == 404
        assert browser.get("/api/image", path="a.png", side="baseline").status == 404
        assert browser.get("/api/image", path="poem.txt", side="live").status == 404
        assert browser.get("/api/image", path="../outside.png", side="live").status == 404
        assert browser.get("/api/image", path="a.png", side="other").status == 400
