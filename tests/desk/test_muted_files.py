"""What programs make is told from what people write."""

from __future__ import annotations

import pytest

from blueline.desk.muted_files import is_muted


@pytest.mark.parametrize(
    "path",
    [
        "uv.lock",
        "src/app.egg-info/PKG-INFO",
        "PKG-INFO",
        "a.dist-info/METADATA",
        "web/app.min.js",
        "api.generated.ts",
    ],
)
def test_what_programs_make_is_told_by_its_path(path: str) -> None:
    assert is_muted(path)


@pytest.mark.parametrize(
    "path", ["src/app.py", "generated.py", "info/METADATA", "locks.md", "builder/build.py"]
)
def test_what_people_write_is_not_muted(path: str) -> None:
    assert not is_muted(path)
