"""What became of agents' work, as a page."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from blueline.surfaces.report_page import page
from tests.support.project import Project
from tests.surfaces.cli.test_report_text import document

HOSTILE = "<script>alert(1)</script>\"'&\x1b"


def test_everything_from_elsewhere_is_escaped() -> None:
    text = "\n".join(page(document(HOSTILE), HOSTILE))
    assert "<script" not in text
    assert "\x1b" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_it_needs_nothing_else_and_its_plots_are_whole() -> None:
    text = "\n".join(page(document(), "pantry"))
    assert not re.search(r"https?:|src=|href=|url\(|@import|<script", text)
    plots = re.findall(r"<svg viewBox.*?</svg>", text, re.DOTALL)
    assert len(plots) == 5
    for plot in plots:
        shown = [node for node in ElementTree.fromstring(plot).iter() if node.tag == "rect"]
        assert [node.get("class") for node in shown] == ["kept", "corrected", "rejected", "pending"]


def test_of_a_real_project(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a&b/<x>.py": "x\n"})
    assert "<svg" not in p.command("report", "--html").stdout
    p.prompt()
    p.edit("a&b/<x>.py", "x", "y")
    shown = p.command("report", "--html").stdout
    assert shown.startswith("<!doctype html>")
    assert "a&amp;b" in shown
    assert p.command("report").stdout.startswith("1 change by agents: 1 undecided")
