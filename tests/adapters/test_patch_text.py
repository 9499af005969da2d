"""The patch format that several agents share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.adapters.patch_text import patches
from blueline.diff.apply_patch import patched
from blueline.hook.hosts import patch_paths
from blueline.model.edit import Replacement
from blueline.model.patch import Chunk, Patch


def test_all_that_a_patch_can_say() -> None:
    text = """\
*** Begin Patch
*** Add File: new.py
+one

+*** Update File: not a heading
+
*** Update File: old.py
*** Move to: lib/moved.py
@@ class A:
@@     def f(self):
 same
-old
+new

@@
+last
*** End of File
*** Delete File: gone.py
*** End Patch
"""
    assert patches(text) == (
        Patch(path="new.py", content="one\n*** Update File: not a heading\n\n"),
        Patch(
            path="old.py",
            moved_to="lib/moved.py",
            chunks=(
                Chunk(old=("same", "old", ""), new=("same", "new", ""), after="def f(self):"),
                Chunk(old=(), new=("last",), at_end=True),
            ),
        ),
        Patch(path="gone.py", deleted=True),
    )


def test_the_first_chunk_needs_no_line_of_its_own_and_lines_may_end_in_two_characters() -> None:
    (patch,) = patches("*** Update File: a\r\n-one\r\n+two\r\n*** End Patch\r\n")
    assert patch.chunks == (Chunk(old=("one",), new=("two",)),)
    assert patch.edits == (Replacement(old="one\n", new="two\n"),)


def test_what_is_no_patch_says_nothing() -> None:
    assert patches("") == patches("hello\n+ there\n") == patches("*** Begin Patch\n*** End Patch") == ()


def test_a_patch_of_many_lines_is_read_in_one_go() -> None:
    lines = "".join(f"+{number}\n" for number in range(200_000))
    (patch,) = patches(f"*** Begin Patch\n*** Update File: a\n{lines}*** End Patch")
    assert len(patch.chunks[0].new) == 200_000


@given(st.text())
def test_noise_never_fails(text: str) -> None:
    for found in (patches(text), patches(f"*** Update File: {text}\n*** Delete File: b\n{text}")):
        assert all(isinstance(one, Patch) for one in found)


lines = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=3), max_size=12)


@given(lines, lines, st.integers(0, 12), st.integers(0, 12))
def test_a_patch_made_of_two_texts_leads_from_one_to_the_other(
    old: list[str], new: list[str], head: int, tail: int
) -> None:
    """With all that stands around as context, there is one place only."""
    head, tail = min(head, len(old)), min(tail, max(len(old) - head, 0))
    middle = old[head : len(old) - tail]
    body = [
        *(f" {line}" for line in old[:head]),
        *(f"-{line}" for line in middle),
        *(f"+{line}" for line in new),
        *(f" {line}" for line in old[len(old) - tail :]),
    ]
    text = "\n".join(["*** Begin Patch", "*** Update File: a", "@@", *body, "*** End Patch"])
    before = "".join(f"{line}\n" for line in old)
    after = "".join(f"{line}\n" for line in [*old[:head], *new, *old[len(old) - tail :]])
    (patch,) = patches(text)
    assert patched(before, patch) == after
    assert patch_paths(text) == [b"a"]
