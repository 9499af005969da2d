"""The workflow that answers comments in a GitHub Action, and how it comes into a project."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from blueline.errors import BluelineError

PATH = ".github/workflows/blueline-suggestions.yml"
FIRST_LINE = "# Written by `blueline init --forge github`."

# The event has a write token: nothing of a pull request is checked out or run, and nothing that somebody
# wrote stands in a command.
TEXT = f"""\
{FIRST_LINE} Change it as you like: what is changed is left alone.
#
# Somebody answers a list of suggestions: /apply all, /apply 1,3, /reject 2 because …, or feedback.
# This runs with the workflow file of the default branch, and checks out the default branch.
# The code of a pull request is never checked out here.
name: Blueline suggestions

on:
  issue_comment:
    types: [created]

permissions: {{}}

jobs:
  answer:
    if: github.event.comment.user.type == 'User'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: write
      issues: write
      pull-requests: write
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0
        with:
          python-version: "3.12"
      # Where your team gets Blueline from: a version you trust, or a repository at a commit of your choice.
      - run: |
          test -n "$BLUELINE_SOURCE" || {{ echo "::error::the variable BLUELINE_SOURCE is not set"; exit 1; }}
          python -m pip install -- "$BLUELINE_SOURCE"
        env:
          BLUELINE_SOURCE: ${{{{ vars.BLUELINE_SOURCE }}}}
      - run: blueline forge handle-event
        env:
          GITHUB_TOKEN: ${{{{ github.token }}}}
"""

Outcome = Literal["written", "found", "left"]


class CannotInstall(BluelineError):
    """The workflow cannot be written."""


def install(root: Path) -> Outcome:
    """Put the workflow into a project; one that somebody has changed is left alone."""
    place = root / PATH
    if place.is_symlink() or any((root / above).is_symlink() for above in (".github", ".github/workflows")):
        raise CannotInstall(f"{PATH} is behind a link", hint="write the workflow by hand, see docs/github.md")
    try:
        if place.exists():
            return "found" if place.read_bytes() == TEXT.encode() else "left"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(TEXT.encode())
    except OSError as error:
        raise CannotInstall(f"{PATH} cannot be written: {error.strerror}") from error
    return "written"


def uninstall(root: Path) -> bool:
    """Take the workflow out, if nobody has changed it."""
    place = root / PATH
    if place.is_symlink() or not place.is_file() or place.read_bytes() != TEXT.encode():
        return False
    place.unlink()
    for folder in (place.parent, place.parent.parent):
        if folder != root and not any(folder.iterdir()):
            folder.rmdir()
    return True
