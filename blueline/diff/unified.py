"""Two contents of a file as a patch that git can apply."""

from collections.abc import Sequence
from typing import NamedTuple

from blueline.diff.named_hunks import CONTEXT_LINES, Owner, named_hunks


class PatchSide(NamedTuple):
    """One side of a patch. `text` is None when the content is not text; `mode` is 0 when there is none."""

    path: str
    text: str | None
    mode: int
    """As git writes it: 100644, 100755 or 120000 (octal), or 0."""


def unified(old: PatchSide, new: PatchSide, owners: Sequence[Owner] = ()) -> str:
    """The patch from one side to the other, empty when they are equal; places are named for their owners."""
    if old == new:
        return ""
    lines = [f"diff --git {_quoted('a/', old.path)} {_quoted('b/', new.path)}"]
    if not old.mode:
        lines.append(f"new file mode {new.mode:o}")
    elif not new.mode:
        lines.append(f"deleted file mode {old.mode:o}")
    elif old.mode != new.mode:
        lines += [f"old mode {old.mode:o}", f"new mode {new.mode:o}"]
    if old.path != new.path:
        lines += [f"rename from {_quoted('', old.path)}", f"rename to {_quoted('', new.path)}"]
    names = (
        (_quoted("a/", old.path) if old.mode else "/dev/null"),
        (_quoted("b/", new.path) if new.mode else "/dev/null"),
    )
    head = "\n".join(lines) + "\n"
    if old.text is None or new.text is None:
        return head + f"Binary files {names[0]} and {names[1]} differ\n"
    body = named_hunks(old.text, new.text, owners) if owners else hunks(old.text, new.text)
    return head + (f"--- {names[0]}\n+++ {names[1]}\n{body}" if body else "")


def hunks(old: str, new: str) -> str:
    """The changed places of two texts, each with the lines around it."""
    if old == new:
        return ""
    import pygit2
    from pygit2.enums import DiffOption

    # The patch points into these two without holding them: they must live until its data is read.
    sides = [side.encode("utf-8", "surrogateescape") for side in (old, new)]
    patch = pygit2.Patch.create_from(
        sides[0], sides[1], flag=DiffOption.FORCE_TEXT, context_lines=CONTEXT_LINES
    )
    data = patch.data
    del sides
    text = data.decode("utf-8", "surrogateescape")
    return text[text.index("@@") :]


def _quoted(prefix: str, path: str) -> str:
    """A path as git writes it: in quotes, with escapes, when it holds anything unusual."""
    data = (prefix + path).encode("utf-8", "surrogateescape")
    if all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in data):
        return prefix + path
    escapes = {0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r", 0x22: '\\"', 0x5C: "\\\\"}
    spelled = (escapes.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}") for byte in data)
    return '"' + "".join(spelled) + '"'
