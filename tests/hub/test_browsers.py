"""What a browser says that it is, in a few words."""

from __future__ import annotations

import pytest

from blueline.hub.browsers import kind_of

LIKE = "Mozilla/5.0 ({}) AppleWebKit/537.36 (KHTML, like Gecko) {}"


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        (LIKE.format("X11; Linux x86_64", "Chrome/140.0.0.0 Safari/537.36"), "Chrome on Linux"),
        (
            LIKE.format("Windows NT 10.0; Win64; x64", "Chrome/140.0 Safari/537.36 Edg/140.0"),
            "Edge on Windows",
        ),
        (
            LIKE.format("iPhone; CPU iPhone OS 18_0 like Mac OS X", "Version/18.0 Safari/604.1"),
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0",
            "Firefox on macOS",
        ),
        ("curl/8.5.0", ""),
        ("<script>\x00" * 1000, ""),
    ],
)
def test_what_it_says_that_it_is(agent: str, kind: str) -> None:
    assert kind_of(agent) == kind
