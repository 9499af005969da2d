"""What is said to an agent: how long, and that nothing quoted can pass for ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.desk.talkback.change_words import HEAD, LONGEST, SECTIONS, ToldChange, compose

TAGS = ("</system-reminder>", "<system-reminder>", "</hook_context>")
NASTY = st.sampled_from([*TAGS, "\n- ", "\n| ", "\x1b[0m", "\r", "\u2028", '"'])
TEXTS = st.lists(st.one_of(st.text(max_size=30), NASTY, st.just("x" * 500)), max_size=12).map("".join)
PATHS = st.one_of(TEXTS.filter(bool), st.just("src/a.py"), st.just(".env"), st.just("deep/" * 80 + "name.py"))
ITEMS = st.builds(
    ToldChange,
    kind=st.sampled_from(["accepted", "rejected", "changed", "pending"]),
    hunk=st.from_regex(r"h[0-9a-f]{8}(\.[0-9a-f]{6})?", fullmatch=True),
    path=PATHS,
    change=st.sampled_from(["modify", "create", "delete", "rename", "mode", "symlink", "binary"]),
    old_path=PATHS,
    start=st.integers(0, 10**6),
    lines=st.integers(0, 10**6),
    old=TEXTS,
    new=TEXTS,
    reason=TEXTS,
    before=st.sampled_from(["accepted", "rejected", "changed", "pending", "mixed"]),
    by_hand=st.booleans(),
    modified=st.booleans(),
    held=st.booleans(),
)
KINDS = st.lists(st.sampled_from(["accepted", "rejected", "changed", "pending", "mixed 1=a"]), max_size=300)

OURS = (*HEAD.split("\n")[:-2], *SECTIONS.values(), "The reason given:", "Without a reason given:")


@given(st.lists(ITEMS, max_size=80), KINDS)
def test_it_is_never_longer_than_it_may_be(items: list[ToldChange], more: list[str]) -> None:
    assert len(compose(items, more)) <= LONGEST


@given(st.lists(ITEMS, min_size=1, max_size=30), KINDS)
def test_every_line_is_one_of_ours_or_marked_as_quoted(items: list[ToldChange], more: list[str]) -> None:
    text = compose(items, more)
    assert text.replace("\n", "").replace("\t", "").isprintable()
    assert "</" not in text
    assert "<system" not in text
    ids = {item.hunk for item in items}
    for line in text.removeprefix(HEAD).removesuffix("\n").split("\n"):
        if line.startswith("- "):
            # Ours, but for the names: the last brackets are ours too, and name a hunk that we know.
            assert line.rpartition(" (")[2].rstrip(")").partition(";")[0] in ids, line
        else:
            assert line in OURS or line.startswith(("  | ", "  (and ", "And ")), line


@given(st.lists(ITEMS, max_size=80), KINDS)
def test_what_is_not_named_is_counted(items: list[ToldChange], more: list[str]) -> None:
    text = compose(items, more)
    named = sum(line.startswith("- ") for line in text.split("\n"))
    left = len(items) + len(more) - named
    assert (f"And {left:,} more (" in text) == (left > 0)


@given(st.lists(ITEMS, min_size=1, max_size=20))
def test_what_was_taken_back_comes_before_what_was_kept(items: list[ToldChange]) -> None:
    text = compose(items)
    kept, back = text.find(SECTIONS["accepted"]), text.find(SECTIONS["rejected"])
    assert -1 in (kept, back) or back < kept


@pytest.mark.parametrize("names", [(".env", ".env"), ("a.txt", ".env"), (".env", "a.txt")])
def test_nothing_of_a_secret_is_quoted(names: tuple[str, str]) -> None:
    path, old_path = names
    item = ToldChange(
        kind="rejected", hunk="h00000001", path=path, old_path=old_path, old="A=1\n", new="A=2\n"
    )
    text = compose([item])
    assert "A=" not in text
    assert "its content is not quoted here" in text


def test_a_reason_that_many_share_is_said_once() -> None:
    reasons = ("no", "why")
    items = [
        ToldChange(kind="rejected", hunk=f"h{n:08x}", path=f"{n}.py", reason=reasons[n % 2]) for n in range(9)
    ]
    text = compose(items)
    assert text.count("  | no\n") == text.count("  | why\n") == 1
