"""What a command came to, and how a test says what it expects to see."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from blueline.surfaces.cli import main as command_line


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]
"""A desk and the words of a command in."""


def text(block: str) -> str:
    """An indented block of a test as the text it stands for."""
    return dedent(block).removeprefix("\n")


def done_here(folder: Path, *words: str) -> Done:
    """What a command in a folder comes to, in this process: to start one takes longer than most commands."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    with chdir(folder), redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        code = command_line.main([*words])
    for stream in streams:
        stream.seek(0)
    return Done(code, *(stream.read() for stream in streams))
