"""What would ship: every file with its mode and its bytes, as git would name them.

The name of a tree is the one that git gives it, so that what was reviewed on disk can be found again in a
commit, however that came to be. Outside of git the same names are made of what stands there.
"""

import hashlib
import os
from collections.abc import Mapping
from functools import cached_property

from blueline.errors import BluelineError

SHA1_DIGITS = 40

Files = dict[str, tuple[int, str]]
"""Mode and object name by path, as seen from the top of the repository."""


class CannotTell(BluelineError):
    """What would ship cannot be read."""


class Shipment:
    """The files of a tree, and its name. Both are worked out when they are asked for."""

    def __init__(self, files: "Files | None", tree: str = "", *, digits: int = SHA1_DIGITS) -> None:
        self._files = files
        self._tree = tree
        self._digits = digits

    @cached_property
    def tree(self) -> str:
        return self._tree or tree_name(self.files, self._digits)

    @cached_property
    def files(self) -> Files:
        assert self._files is not None
        return self._files


def differences(
    old: Mapping[str, tuple[int, str]], new: Mapping[str, tuple[int, str]]
) -> dict[str, tuple[int, str] | None]:
    """Files that are not the same in both, as the second has them."""
    return {path: new.get(path) for path in sorted({*old, *new}) if old.get(path) != new.get(path)}


def tree_name(files: Mapping[str, tuple[int, str]], digits: int = SHA1_DIGITS) -> str:
    """The name that git gives to a tree of these files."""
    top: dict[bytes, object] = {}
    for path, state in files.items():
        *folders, name = os.fsencode(path).split(b"/")
        folder = top
        for one in folders:
            below = folder.setdefault(one, {})
            assert isinstance(below, dict)
            folder = below
        folder[name] = state
    return _named(top, digits)


def _named(folder: dict[bytes, object], digits: int) -> str:
    entries = []
    for name, what in folder.items():
        if isinstance(what, dict):
            entries.append((name + b"/", b"40000 " + name, _named(what, digits)))
        else:
            assert isinstance(what, tuple)
            entries.append((name, b"%o %s" % (what[0], name), what[1]))
    # Git sorts folders as if their names ended in a slash.
    data = b"".join(head + b"\0" + bytes.fromhex(object_) for _, head, object_ in sorted(entries))
    return object_name(data, digits, b"tree")


def object_name(content: bytes, digits: int, kind: bytes = b"blob") -> str:
    """What git calls these bytes: forty digits, or sixty-four in a newer kind of repository."""
    new = hashlib.sha1 if digits == SHA1_DIGITS else hashlib.sha256
    return new(b"%s %d\0%s" % (kind, len(content), content), usedforsecurity=False).hexdigest()
