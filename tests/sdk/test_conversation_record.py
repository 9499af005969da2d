"""Nothing is done that cannot be written down."""

from __future__ import annotations

import pytest

from blueline.errors import BluelineError
from tests.sdk.agents import agent
from tests.support.project import POEM, Make


def test_nothing_is_written_when_it_cannot_be_recorded(project: Make) -> None:
    p = project({"a.md": POEM})
    session = agent(p)
    p.journal.unlink(missing_ok=True)
    p.journal.mkdir()
    with pytest.raises(BluelineError, match="cannot write to the state folder"):
        session.join().edit_file("a.md", "line 3", "LINE 3")
    assert p.text("a.md") == POEM
    p.journal.rmdir()
