"""Files that programs make and nobody reads: they come last, and folded."""

from __future__ import annotations

MUTED_NAMES = {
    *("bun.lockb", "go.sum", "go.work.sum", "npm-shrinkwrap.json", "package-lock.json", "package.resolved"),
    *("packages.lock.json", "pkg-info", "pnpm-lock.yaml"),
}
MUTED_ENDS = (
    *(".min.js", ".min.css", ".map", ".snap", "_pb2.py", "_pb2.pyi", ".pb.go", ".g.dart", ".freezed.dart"),
    *(".gen.go", ".designer.cs", ".tsbuildinfo", ".pyc", ".lock", ".lockfile"),
)
MUTED_FOLDERS = {
    "node_modules",
    "vendor",
    "dist",
    "build",
    "__snapshots__",
    "__pycache__",
    "generated",
    "htmlcov",
}
MUTED_FOLDER_ENDS = (".egg-info", ".dist-info")


def is_muted(path: str) -> bool:
    """Whether a path looks like that of a file which programs make and nobody reads."""
    *folders, name = path.lower().split("/")
    return (
        name in MUTED_NAMES
        or name.endswith(MUTED_ENDS)
        or ".generated." in name
        or any(folder in MUTED_FOLDERS or folder.endswith(MUTED_FOLDER_ENDS) for folder in folders)
    )
