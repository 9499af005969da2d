"""What a patch makes of a text. A patch numbers no lines: its place is found by what stands there."""

from collections.abc import Callable, Sequence

from blueline.model.patch import Chunk, Patch

Lines = tuple[str, ...]


class PatchFails(Exception):
    """Why a patch does not fit a text; the agent's own tool would have refused it too."""


def patched(text: str | None, patch: Patch) -> str | None:
    """The text that a patch leaves; None when it deletes the file. `text` is None when there is no file."""
    if patch.content is not None:
        return patch.content
    if text is None:
        raise PatchFails("there is no such file")
    if patch.deleted:
        return None
    if not patch.chunks:  # only moved
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return end.join([*_replaced(lines, patch.chunks), ""])


def _replaced(lines: list[str], chunks: Sequence[Chunk]) -> list[str]:
    left: list[str] = []
    at = 0
    for chunk in chunks:
        if chunk.after:
            above = _find(lines, (chunk.after,), at)
            if above is None:
                raise PatchFails(f"the line {chunk.after!r} is not in the file")
            left += lines[at : above + 1]
            at = above + 1
        start, old, new = _placed(lines, chunk, at)
        left += [*lines[at:start], *new]
        at = start + len(old)
    return left + lines[at:]


def _placed(lines: list[str], chunk: Chunk, at: int) -> tuple[int, Lines, Lines]:
    """Where a chunk's old lines begin, and both its sides as they are meant."""
    old, new = chunk.old, chunk.new
    if not old:  # nothing to hold on to: below the line it names, or at the end
        return (at if chunk.after else len(lines)), old, new
    start = _find(lines, old, at, at_end=chunk.at_end)
    if start is None and old[-1] == "" and len(old) > 1:
        # Some agents end a chunk with an empty line that the file does not have.
        old, new = old[:-1], new[:-1] if new[-1:] == ("",) else new
        start = _find(lines, old, at, at_end=chunk.at_end)
    if start is None:
        raise PatchFails("the lines to replace are not in the file")
    return start, old, new


def _exact(line: str) -> str:
    return line


def _typed(line: str) -> str:
    return line.translate(_TYPED).strip()


_TYPED = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys(
            "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
        ),
    }
)
# What agents get wrong when they repeat a line: blanks at its end, its indentation, typographic characters.
_LIKENESSES: tuple[Callable[[str], str], ...] = (_exact, str.rstrip, str.strip, _typed)


def _find(lines: list[str], wanted: Lines, at: int, *, at_end: bool = False) -> int | None:
    """Where some lines begin, first as they are, then as like as need be."""
    for likeness in _LIKENESSES:
        there = "\n".join(["", *(likeness(line) for line in lines[at:]), ""])
        looked_for = "\n".join(["", *(likeness(line) for line in wanted), ""])
        place = there.rfind(looked_for) if at_end else there.find(looked_for)
        if place >= 0:
            return at + there.count("\n", 0, place)
    return None
