"""Editors of the distribution, started without anybody at them, and what they print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.support.project import Project
from tests.support.systems import program

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "editors.md"
PATIENCE_SECONDS = 240


def configuration(language: str) -> str:
    """What the page says has to be written into an editor's configuration."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return str(found)


def ran(p: Project, editor: str, *words: str) -> list[str]:
    """Run an editor in a project, with `blueline` where it looks for programs; what it said, line by line."""
    folder = p.home / "bin"
    folder.mkdir(exist_ok=True)
    command = folder / "blueline"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -m blueline "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        [program(editor), *words],
        cwd=p.root,
        env={**p.environ, "PATH": f"{folder}:{p.environ['PATH']}", "TERM": "dumb", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    print(done.stdout.decode(errors="replace"))
    return [line[2:] for line in done.stdout.decode(errors="replace").splitlines() if line.startswith("> ")]


def neovim(p: Project, script: str, *, config: str) -> list[str]:
    """A script of Lua in a Neovim with nothing but some configuration; `say` prints, `wait` waits."""
    folder = p.home / "nvim"
    folder.mkdir(exist_ok=True)
    (folder / "config.lua").write_text(config)
    (folder / "script.lua").write_text(PRELUDE + script)
    return ran(
        p,
        "nvim",
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
