"""Which folders are counted after a shell command and not itemised, and how large a file may be that is read.

A hook process imports this while an agent waits: only built-in modules.
"""

import marshal
import posix

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Iterable

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.kernel import disk
else:
    import disk

LARGEST = 64 << 20
"""Of larger files only the change is seen: to read them before each command would keep the agent waiting."""

DEPENDENCIES = (
    *(b"node_modules", b"bower_components", b"jspm_packages", b".pnpm-store", b".yarn", b".venv", b"venv"),
    *(b"__pycache__", b".tox", b".nox", b".mypy_cache", b".pytest_cache", b".ruff_cache", b".hypothesis"),
    *(b".eggs", b"site-packages", b".gradle", b".m2", b".cargo", b"Pods", b"DerivedData", b".terraform"),
    *(b".next", b".nuxt", b".svelte-kit", b".turbo", b".parcel-cache", b".cache", b".npm", b".bundle"),
)
"""Folders that are counted and not itemised, unless git has something below them in its index."""

BUILDS = (b"build", b"dist", b"out", b"target", b"coverage", b"htmlcov", b"_build", b"obj")
"""The same, but only where git ignores them: such a name can also stand for somebody's own work."""


class CountingRules:
    """Which folders are counted, and how large a file may be that is read."""

    def __init__(self, dependencies: "Iterable[bytes]", builds: "Iterable[bytes]", largest: int) -> None:
        self.dependencies = frozenset(dependencies)
        self.builds = frozenset(builds)
        self.largest = largest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CountingRules) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.dependencies, self.builds, self.largest))


def read_rules(state: bytes) -> CountingRules:
    """The rules that were last compiled from the project's config; the usual ones if there are none."""
    try:
        dependencies, builds, largest, *_ = marshal.loads(read(state + b"/capture"))
        return CountingRules(dependencies, builds, int(largest))
    except (OSError, ValueError, TypeError, EOFError):
        return CountingRules(DEPENDENCIES, BUILDS, LARGEST)


def digest_of_config(state: bytes) -> str:
    """The digest of the config that the rules were compiled from; empty if there are none."""
    try:
        return str(marshal.loads(read(state + b"/capture"))[-1])
    except (OSError, ValueError, TypeError, EOFError, IndexError):
        return ""


def read(path: bytes) -> bytes:
    fd = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    try:
        return disk.read_whole(fd, posix.fstat(fd).st_size)
    finally:
        posix.close(fd)
