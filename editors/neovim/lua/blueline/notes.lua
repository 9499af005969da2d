-- Notes to the agent, below the lines that they are about.
local server = require("blueline.server")
local words = require("blueline.words")

local M = {}

local space = vim.api.nvim_create_namespace("blueline-notes")
local shown = {} -- the open notes of each buffer

M.kinds = { change = "Please change", question = "Question", ["must-fix"] = "Must fix", keep = "Keep this" }

vim.api.nvim_set_hl(0, "BluelineNote", { link = "Todo", default = true })

-- The path of a buffer's file in its project.
local function path(buffer)
  return vim.api.nvim_buf_get_name(buffer):sub(#server.root(buffer) + 2)
end

local function rows(note)
  local found = {}
  for number, line in ipairs(words.lines(note.text)) do
    local title = number == 1 and ("✎ %s (%s): "):format(M.kinds[note.kind], note.state) or "  "
    table.insert(found, { { title .. words.printable(line), "BluelineNote" } })
  end
  return found
end

function M.clear(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  shown[buffer] = nil
end

-- Draws them where their lines are in the text, saved or not. What is settled is not shown.
function M.refresh(buffer)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  server.ask(buffer, "blueline/notes", { uri = vim.uri_from_bufnr(buffer) }, function(found)
    if not vim.api.nvim_buf_is_loaded(buffer) or tick ~= vim.api.nvim_buf_get_changedtick(buffer) then return end
    M.clear(buffer)
    shown[buffer] = vim.tbl_filter(function(note)
      return note.path == path(buffer) and note.state ~= "resolved"
    end, found.notes)
    for _, note in ipairs(shown[buffer]) do
      local first = note.line ~= vim.NIL and note.line or 1
      local last = note.end_line ~= vim.NIL and note.end_line or first
      note.first, note.last = first, math.min(last, vim.api.nvim_buf_line_count(buffer))
      vim.api.nvim_buf_set_extmark(buffer, space, note.last - 1, 0, { virt_lines = rows(note) })
    end
  end, function() return true end)
end

-- Sends a note about some lines, from one: the agent has it at its next turn.
function M.write(buffer, first, last, kind, text)
  local uri = vim.uri_from_bufnr(buffer)
  local target = { kind = "line", path = path(buffer), line = first, end_line = last }
  server.ask(buffer, "blueline/writeNote", { uri = uri, target = target, kind = kind, text = text }, function(note)
    server.ask(buffer, "blueline/changeNote", { uri = uri, id = note.id, state = "sent" }, function()
      M.refresh(buffer)
    end)
  end)
end

-- Settles the notes on a line.
function M.resolve(buffer, line)
  local found = vim.tbl_filter(function(note)
    return note.first <= line and line <= note.last
  end, shown[buffer] or {})
  if #found == 0 then return vim.notify("Blueline: no note here") end
  for _, note in ipairs(found) do
    local change = { uri = vim.uri_from_bufnr(buffer), id = note.id, state = "resolved" }
    server.ask(buffer, "blueline/changeNote", change, function() M.refresh(buffer) end)
  end
end

return M
