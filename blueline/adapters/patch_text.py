"""The patch format of `apply_patch`, which several agents give to their models.

*** Begin Patch
*** Add File: path            then lines that begin with +
*** Delete File: path
*** Update File: path         then, if it is moved, *** Move to: path
@@ a line above the change    then lines that begin with a blank, - or +
*** End of File               if the change is at the end
*** End Patch
"""

from __future__ import annotations

from blueline.model.patch import Chunk, Patch

ADD, DELETE, UPDATE = "*** Add File: ", "*** Delete File: ", "*** Update File: "
MOVE, END_OF_FILE, CHUNK = "*** Move to: ", "*** End of File", "@@"


def patches(text: str) -> tuple[Patch, ...]:
    """What a patch does to each file, in order. What it says besides is passed over."""
    found: list[Patch] = []
    heading, body = "", list[str]()
    for line in (one.removesuffix("\r") for one in text.split("\n")):
        if line.startswith("***") and not line.startswith((MOVE, END_OF_FILE)):
            found += _part(heading, body)
            heading, body = line, []
        else:
            body.append(line)
    return (*found, *_part(heading, body))


def _part(heading: str, body: list[str]) -> list[Patch]:
    path = heading.partition(": ")[2].strip()
    if heading.startswith(ADD):
        content = "".join(f"{line[1:]}\n" for line in body if line.startswith("+"))
        return [Patch(path=path, content=content)]
    if heading.startswith(DELETE):
        return [Patch(path=path, deleted=True)]
    if heading.startswith(UPDATE):
        moves = [line.removeprefix(MOVE).strip() for line in body if line.startswith(MOVE)]
        return [Patch(path=path, moved_to="".join(moves[:1]), chunks=_chunks(body))]
    return []


def _chunks(body: list[str]) -> tuple[Chunk, ...]:
    found: list[Chunk] = []
    after, at_end = "", False
    old: list[str] = []
    new: list[str] = []
    for line in [*body, CHUNK]:
        if line.startswith(CHUNK):
            if old or new:
                found.append(Chunk(old=tuple(old), new=tuple(new), after=after, at_end=at_end))
            after, at_end, old, new = line[len(CHUNK) :].strip(), False, [], []
        elif line.startswith(END_OF_FILE):
            at_end = True
        elif line[:1] in ("", " ", "-", "+"):  # an empty line may do without its blank
            old += [line[1:]] if line[:1] != "+" else []
            new += [line[1:]] if line[:1] != "-" else []
    return tuple(found)
