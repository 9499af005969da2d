"""Editors of the distribution, started without anybody at them, and what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.project import Project
from tests.support.systems import program

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "editors.md"
NEWER = ROOT / ".agents" / "newer"
"""Editors of the next distribution."""
PATIENCE_SECONDS = 240


def configuration(language: str, heading: str = "") -> str:
    """What the page says has to be written into an editor's configuration; the only such, or that below a
    heading."""
    page = PAGE.read_text()
    if heading:
        page = page.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    (found,) = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return str(found)


def with_blueline(p: Project) -> dict[str, str]:
    """An environment with `blueline` where editors look for programs."""
    folder = p.home / "bin"
    folder.mkdir(exist_ok=True)
    command = folder / "blueline"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -m blueline "$@"\n')
    command.chmod(0o755)
    return {**p.environ, "PATH": f"{folder}:{p.environ['PATH']}", "LC_ALL": "C.UTF-8"}


def ran(p: Project, editor: str, *words: str) -> list[str]:
    """Run an editor in a project, without a terminal; what it said, line by line."""
    done = subprocess.run(
        [program(editor), *words],
        cwd=p.root,
        env={**with_blueline(p), "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    print(done.stdout.decode(errors="replace"))
    return [line[2:] for line in done.stdout.decode(errors="replace").splitlines() if line.startswith("> ")]


NVIM = "BLUELINE_TEST_NVIM"
"""Which Neovim: each test runs in all that there are."""


def neovim(p: Project, script: str, *, config: str) -> list[str]:
    """A script of Lua in a Neovim with nothing but some configuration; `say` prints, `wait` waits."""
    folder = p.home / "nvim"
    folder.mkdir(exist_ok=True)
    (folder / "config.lua").write_text(config)
    (folder / "script.lua").write_text(PRELUDE + script)
    return ran(
        p,
        os.environ[NVIM],
        *("--headless", "-n", "-u", "NONE", "-i", "NONE"),
        *("-c", f"luafile {folder}/config.lua", "-c", f"luafile {folder}/script.lua", "-c", "qa!"),
    )


PRELUDE = """
function say(...)
  io.stdout:write("\\n> " .. table.concat(vim.tbl_map(tostring, { ... }), " ") .. "\\n")
end
function wait(what, happened)
  if not vim.wait(30000, happened, 20) then
    say("NOT " .. what .. ": " .. vim.inspect({ notified, vim.api.nvim_buf_get_lines(0, 0, 6, false) }))
    vim.cmd("cquit")
  end
  say(what)
end
function line(number)
  return vim.api.nvim_buf_get_lines(0, number - 1, number, false)[1]
end
function choose(start)
  vim.ui.select = function(items, _, on_choice)
    for number, item in ipairs(items) do
      if vim.startswith((item[2] or item.action or item).title, start) then
        return on_choice(item, number)
      end
    end
  end
end
"""
