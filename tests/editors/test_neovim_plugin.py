"""The plugin in a real Neovim: what was taken away stands above its place, and decisions keep the typing."""

from __future__ import annotations

import re

import pytest

from blueline import __version__
from tests.editors.real_editors import ROOT, neovim
from tests.support import hook_process
from tests.support.notebooks import LOUDER, agent, dumped, set_source, three
from tests.support.project import POEM, Project

pytestmark = pytest.mark.usefixtures("each_neovim")

KEYS = r"\ra accept \rx reject \rb why"

PLUGIN = ROOT / "editors" / "neovim"

CONFIG = f"""
vim.opt.runtimepath:append("{PLUGIN}")
vim.cmd("runtime plugin/blueline.lua")
blueline = require("blueline")
notified = {{}}
vim.notify = function(words) table.insert(notified, words) end
local space = vim.api.nvim_create_namespace("blueline")
function rows()
  local found = {{}}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {{ details = true }})) do
    for _, row in ipairs(mark[4].virt_lines or {{}}) do
      local text = ""
      for _, chunk in ipairs(row) do text = text .. chunk[1] end
      table.insert(found, (mark[2] + 1) .. ":" .. text)
    end
  end
  return found
end
function hunks() return require("blueline.drawing").hunks(vim.api.nvim_get_current_buf()) end
function open(path, count)
  vim.cmd("edit " .. path)
  wait("drawn", function() return #hunks() == count end)
end
"""


def test_what_is_drawn(p: Project) -> None:
    said = neovim(
        p,
        """
        open("sub/a.md", 2)
        for _, row in ipairs(rows()) do say((row:gsub("h%x%x%x%x%x%x%x%x$", "ID"))) end
        say(#vim.fn.sign_getplaced(0, { group = "blueline" })[1].signs)
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed" })
        vim.cmd("doautocmd TextChanged")
        wait("moved", function() return vim.startswith(rows()[1] or "", "4:") end)
        wait("status", function() return blueline.status() == "● 2" end)
        """,
        config=CONFIG,
    )
    assert said == [
        "drawn",
        f"3:▎ claude-code changed 1 line  {KEYS}  ID",
        "3:line 3",
        f"9:▎ claude-code removed 2 lines  {KEYS}  ID",
        "9:line 9",
        "9:line 10",
        "2",
        "moved",
        "status",
    ]


def test_reject_keeps_the_typing_and_the_buffer_is_saved(p: Project) -> None:
    said = neovim(
        p,
        """
        open("sub/a.md", 2)
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed 😀" })
        vim.cmd("doautocmd TextChanged")
        wait("moved", function() return vim.startswith(rows()[1] or "", "4:") end)
        vim.api.nvim_win_set_cursor(0, { 4, 0 })
        vim.cmd("Blueline reject hunk as a number")
        wait("rejected", function() return line(4) == "line 3" end)
        wait("one left", function() return #hunks() == 1 end)
        say(vim.bo.modified)
        vim.cmd("Blueline undo")
        wait("undone", function() return line(4) == "line three" and #hunks() == 2 end)
        say(vim.bo.modified)
        vim.cmd("Blueline redo")
        wait("redone", function() return line(4) == "line 3" and #hunks() == 1 end)
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "moved", "rejected", "one left", "false", "undone", "false", "redone"]
    assert p.text("sub/a.md") == "typed 😀\n" + POEM.replace("line 9\nline 10\n", "")
    assert p.log("decision")[-1]["reason"] == "as a number"


def test_what_an_agent_writes_while_one_types_is_shown_as_coming(p: Project) -> None:
    agent = p.home / "agent.sh"
    call = p.call("Edit", "sub/a.md", old_string="line 15\n", new_string="line fifteen\n")
    (p.home / "before").write_bytes(p.before(call))
    (p.home / "after").write_bytes(p.after(call))
    hook = hook_process.command()
    agent.write_text(
        f"cd {p.root}\nexport CLAUDE_PROJECT_DIR={p.root}\n({hook}) < {p.home}/before\n"
        f"sed -i 's/line 15/line fifteen/' sub/a.md\n({hook}) < {p.home}/after\n"
    )
    said = neovim(
        p,
        f"""
        open("sub/a.md", 2)
        vim.api.nvim_buf_set_lines(0, 0, 0, false, {{ "typed" }})
        vim.cmd("doautocmd TextChanged")
        vim.fn.system("sh {agent}")
        wait("three", function() return #hunks() == 3 end)
        say((rows()[6]:gsub("%S+$", "ID")))
        say(rows()[7])
        vim.api.nvim_win_set_cursor(0, {{ 14, 0 }})
        vim.cmd("Blueline reject")
        wait("two", function() return #hunks() == 2 end)
        say(line(1), line(14))
        """,
        config=CONFIG,
    )
    assert said == [
        *("drawn", "three"),
        f"14:▎ claude-code changed 1 line, in the file  {KEYS}  ID",
        *("14:line fifteen", "two", "typed line 15"),
    ]
    assert p.text("sub/a.md").startswith("typed\n")


def test_a_deleted_file_is_shown_and_comes_back(p: Project) -> None:
    p.remove("b.md")
    said = neovim(
        p,
        """
        open("b.md", 1)
        say((rows()[1]:gsub("%S+$", "ID")), rows()[6])
        vim.cmd("Blueline reject")
        wait("back", function() return line(5) == "line 5" end)
        wait("none", function() return #hunks() == 0 end)
        """,
        config=CONFIG,
    )
    assert said == [
        "drawn",
        f"1:▎ claude-code deleted this file  {KEYS}  ID 1:line 5",
        *("back", "none"),
    ]
    assert p.text("b.md") == POEM


def test_accept_saves_nothing(p: Project) -> None:
    before = p.text("sub/a.md")
    said = neovim(
        p,
        """
        open("sub/a.md", 2)
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed" })
        vim.cmd("doautocmd TextChanged")
        wait("moved", function() return vim.startswith(rows()[1] or "", "4:") end)
        vim.cmd("Blueline accept file")
        wait("accepted", function() return #hunks() == 0 end)
        say(vim.bo.modified)
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "moved", "accepted", "true"]
    assert p.text("sub/a.md") == before
    assert not p.hunks()


def test_from_one_change_to_the_next_in_any_file(p: Project) -> None:
    p.edit("b.md", "line 5\n", "line five\n")
    said = neovim(
        p,
        """
        open("sub/a.md", 2)
        blueline.review()
        local function press(key) vim.api.nvim_feedkeys(key, "xt", false) end
        press("n")
        say(vim.fn.expand("%:t"), vim.fn.line("."))
        press("n")
        say(vim.fn.expand("%:t"), vim.fn.line("."))
        press("n")
        wait("next file", function() return vim.fn.expand("%:t") == "b.md" and #hunks() == 1 end)
        say(vim.fn.line("."))
        blueline.list(function()
          local first = vim.fn.getqflist()[1]
          say(#vim.fn.getqflist(), first.lnum, (first.text:gsub("%S+$", "ID")))
        end)
        wait("listed", function() return #vim.fn.getqflist() == 3 end)
        press("x")  -- the keys have come along, and on it goes
        wait("on", function() return vim.fn.expand("%:t") == "a.md" and vim.fn.line(".") == 3 end)
        press("u")  -- and back
        wait("back", function() return vim.fn.expand("%:t") == "b.md" and line(5) == "line five" end)
        say(vim.fn.line("."))
        wait("drawn anew", function() return #hunks() == 1 end)
        press("x")
        wait("on again", function() return vim.fn.expand("%:t") == "a.md" end)
        blueline.review()
        say(notified[#notified], vim.fn.maparg("x", "n"))
        local done
        blueline.reject("all", nil, function() done = true end)
        wait("all", function() return done and #hunks() == 0 end)
        blueline.next()
        wait("told", function() return notified[#notified] == "Blueline: everything is decided" end)
        """,
        config=CONFIG,
    )
    assert said == [
        *("drawn", "a.md 3", "a.md 9", "next file", "5"),
        *("3 5 claude-code changed 1 line  ID", "listed", "on", "back", "5", "drawn anew", "on again"),
        *("Blueline: the keys are yours again ", "all", "told"),
    ]
    assert p.text("sub/a.md") == POEM
    assert p.text("b.md") == POEM


def test_on_to_the_next_file_from_one_that_is_decided(p: Project) -> None:
    p.edit("b.md", "line 5\n", "line five\n")
    p.write("c.md", "new\n")
    said = neovim(
        p,
        """
        open("b.md", 1)
        blueline.accept("file")
        wait("accepted", function() return #hunks() == 0 end)
        blueline.next()
        wait("behind it", function() return vim.fn.expand("%:t") == "c.md" and #hunks() == 1 end)
        blueline.accept("file")
        wait("all", function() return #hunks() == 0 end)
        blueline.previous()
        wait("round", function() return vim.fn.expand("%:t") == "a.md" end)
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "accepted", "behind it", "all", "round"]


def test_what_builds_on_it_is_asked_about(p: Project) -> None:
    p.edit("sub/a.md", "line three\n", "line 3!\n")
    first = next(hunk["id"] for hunk in p.hunks("sub/a.md") if hunk["built_on_by"])
    said = neovim(
        p,
        f"""
        open("sub/a.md", 3)
        vim.ui.select = function(items, options, on_choice) say(options.prompt) on_choice(items[2], 2) end
        local buffer = vim.api.nvim_get_current_buf()
        require("blueline.deciding").selector(buffer, "reject", "{first}")
        wait("both", function() return line(3) == "line 3" end)
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "other changes build on this", "both"]


def test_selected_lines_are_decided_by_themselves(p: Project) -> None:
    p.write("b.md", "one\ntwo\nthree\n" + POEM)
    said = neovim(
        p,
        """
        open("b.md", 1)
        vim.api.nvim_win_set_cursor(0, { 2, 0 })
        blueline.review()
        vim.api.nvim_feedkeys("Vx", "xt", false)
        wait("one line", function() return line(2) == "three" end)
        vim.cmd("1,1Blueline accept short")
        wait("accepted", function() return #hunks() == 1 and hunks()[1].new_lines == 1 end)
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed" })
        vim.cmd("3,3Blueline reject")
        say(notified[#notified])
        """,
        config=CONFIG,
    )
    assert said == [
        *("drawn", "one line", "accepted"),
        "Blueline: lines are decided in a saved text; save it first",
    ]
    assert p.text("b.md") == "one\nthree\n" + POEM
    assert p.log("decision")[0]["reason"] == "short"


def test_notes_are_written_shown_and_resolved(p: Project) -> None:
    said = neovim(
        p,
        """
        open("sub/a.md", 2)
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed" })
        local space = vim.api.nvim_create_namespace("blueline-notes")
        local function notes()
          local found = {}
          for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
            table.insert(found, (mark[2] + 1) .. ":" .. mark[4].virt_lines[1][1][1])
          end
          return found
        end
        vim.cmd("6,7Blueline note must-fix as words")
        wait("shown", function() return notes()[1] == "7:✎ Must fix (sent): as words" end)
        vim.ui.input = function(_, on_said) on_said("why?") end
        vim.api.nvim_win_set_cursor(0, { 6, 0 })
        vim.cmd("Blueline note question")
        wait("beside it", function() return #notes() == 2 end)
        vim.cmd("Blueline resolve")
        wait("resolved", function() return #notes() == 0 end)
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "shown", "beside it", "resolved"]
    written = [(one["text"], one["line"], one["status"]) for one in p.log("note")]
    assert sorted(written) == [("as words", 5, "resolved"), ("why?", 5, "resolved")]


def test_proposals_are_shown_beside_the_file(p: Project) -> None:
    p.accept()
    p.set_mode("hold")
    p.edit("b.md", "line 5\n", "line five\n")
    said = neovim(
        p,
        """
        open("b.md", 1)
        local function beside()
          for _, window in ipairs(vim.api.nvim_list_wins()) do
            local buffer = vim.api.nvim_win_get_buf(window)
            if vim.api.nvim_buf_get_name(buffer):match("^blueline://proposed/") then
              return vim.api.nvim_buf_get_lines(buffer, 4, 5, false)[1], vim.wo[window].diff
            end
          end
        end
        vim.cmd("Blueline proposed")
        wait("beside", function() return beside() == "line five" end)
        say(select(2, beside()), vim.wo.diff, line(5))
        vim.api.nvim_win_set_cursor(0, { 5, 0 })
        vim.cmd("Blueline reject")
        wait("as it is", function() return beside() == "line 5" end)
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "beside", "true true line 5", "as it is"]
    assert p.text("b.md") == POEM


def test_what_is_above_the_first_line_is_seen_again(p: Project) -> None:
    p.write("c.md", "new\n")
    said = neovim(
        p,
        """
        open("c.md", 1)
        local function rows_on_top() return vim.fn.winsaveview().topfill end
        wait("seen", function() return rows_on_top() == 1 end)
        vim.o.hidden = true
        open("b.md", 0)
        say(rows_on_top())
        vim.cmd("buffer c.md")
        wait("seen again", function() return rows_on_top() == 1 end)
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "seen", "drawn", "0", "seen again"]


def test_a_rename_that_is_rejected_is_followed(p: Project) -> None:
    p.bash("mv b.md c.md")
    said = neovim(
        p,
        """
        open("c.md", 1)
        vim.cmd("Blueline reject")
        wait("followed", function() return vim.fn.expand("%") == "b.md" end)
        say(line(1), vim.fn.bufexists("c.md"))
        """,
        config=CONFIG,
    )
    assert said == ["drawn", "followed", "line 1 0"]


def test_a_correction_is_asked_about_with_both_results(p: Project) -> None:
    p.sub("sub/a.md", "line three\n", "line drei\n")
    said = neovim(
        p,
        """
        open("sub/a.md", 2)
        vim.api.nvim_win_set_cursor(0, { 3, 0 })
        vim.ui.select = function(items, options, on_choice)
          for _, row in ipairs(vim.split(options.prompt, "\\n")) do say(row) end
          on_choice(items[2], 2)
        end
        vim.cmd("Blueline reject")
        wait("original", function() return line(3) == "line 3" end)
        """,
        config=CONFIG,
    )
    assert said[2:] == [
        *("sub/a.md, line 3", "  Keep what I wrote: line drei", "  Go back to the original: line 3"),
        "original",
    ]


def test_what_is_typed_after_a_command(p: Project) -> None:
    said = neovim(
        p,
        """
        open("sub/a.md", 2)
        say(unpack(vim.fn.getcompletion("Blueline re", "cmdline")))
        say(unpack(vim.fn.getcompletion("Blueline accept t", "cmdline")))
        vim.api.nvim_win_set_cursor(0, { 3, 0 })
        vim.cmd("Blueline reject as a number")  -- all of it is the reason
        wait("rejected", function() return line(3) == "line 3" and #hunks() == 1 end)
        vim.cmd("Blueline accept " .. hunks()[1].id .. " fine")
        wait("accepted", function() return #hunks() == 0 end)
        say(notified[1], notified[2])
        """,
        config=CONFIG,
    )
    assert said == [
        *("drawn", "redo reject resolve review", "turn", "rejected", "accepted"),
        "Blueline: rejected 1 change Blueline: accepted 1 change",
    ]
    assert [one["reason"] for one in p.log("decision")] == ["fine", "as a number"]


def test_cells_of_a_notebook_stand_above_the_first_line(p: Project) -> None:
    p.put("n.ipynb", dumped(three()))
    agent(p, lambda notebook: set_source(notebook, "load", LOUDER), "n.ipynb")
    said = neovim(
        p,
        """
        open("n.ipynb", 2)
        for _, row in ipairs(rows()) do say((row:gsub("h%x%x%x%x%x%x%x%x$", "ID"))) end
        """,
        config=CONFIG,
    )
    assert said == [
        "drawn",
        f"1:▎ claude-code edited cell 1  {KEYS}  ID",
        *("1:import csv", "1:import csv, json"),
        f"1:▎ claude-code edited cell 1  {KEYS}  ID",
        *("1:len(rows)", "1:len(rows) + 1"),
    ]


def test_the_plugin_is_of_this_version() -> None:
    (said,) = re.findall(r'M\.version = "(.*?)"', (PLUGIN / "lua" / "blueline" / "server.lua").read_text())
    assert said == __version__
