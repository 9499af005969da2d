"""What is typed while going through changes."""

from __future__ import annotations

import pytest

from blueline.surfaces.cli.walk_words import ALONE, CHOICES, KEYS, SINGLE, Misread, Order, read


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("a", Order("accept")),
        (" x ", Order("reject")),
        ("a 3-5", Order("accept", "lines", (3, 5))),
        ("x7", Order("reject", "lines", (7, 7))),
        ("3-5 a", Order("accept", "lines", (3, 5))),
        ("12x", Order("reject", "lines", (12, 12))),
        ("x f", Order("reject", "file")),
        ("X", Order("reject", "file")),
        ("a t", Order("accept", "turn")),
        ("a =", Order("accept", "same")),
        ("x because too clever", Order("reject", text="too clever")),
        ("x 3-5 because of that", Order("reject", "lines", (3, 5), "of that")),
        ("x f because", Misread("'x f because' means nothing here; ? lists the keys")),
        ("c why?", Order("note", text="why?")),
        ("c", Order("note")),
        ("", Order("show")),
        ("U", Order("redo")),
    ],
)
def test_a_line_means(typed: str, order: Order | Misread) -> None:
    assert read(typed) == order


@pytest.mark.parametrize(
    "typed", ["x 3-", "a 5-3", "x 0", "ax", "a all", "accept", "x 3 5", "x -1", "x becauseof it"]
)
def test_what_is_mistyped_decides_nothing(typed: str) -> None:
    assert isinstance(read(typed), Misread)


def test_every_key_that_is_offered_is_known_and_explained() -> None:
    explained = {word for keys, _ in KEYS for word in keys.replace(",", " ").split()}
    for key in CHOICES.split(","):
        assert not isinstance(read(key), Misread)
        assert key in explained
    assert all(key in ALONE or key in "ax" for key in SINGLE)
