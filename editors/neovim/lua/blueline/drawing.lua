-- What is undecided in a buffer: lines that were taken away above their place, as they were; what came, tinted.
local notes = require("blueline.notes")
local server = require("blueline.server")
local words = require("blueline.words")

local M = {}

local space = vim.api.nvim_create_namespace("blueline")
local drawn = {} -- the hunks of each buffer, in order, as they were drawn last
local waiting = {} -- buffers that are to be drawn soon
local top_rows = {} -- how many rows stand above the first line of each buffer

M.most_lines = 40 -- of what was taken away, that many are shown

vim.fn.sign_define("BluelineChange", { text = "▎", texthl = "BluelineSign" })

local function highlights()
  for name, like in pairs({
    BluelineRemoved = "DiffDelete",
    BluelineAdded = "DiffAdd",
    BluelineWords = "DiffText",
    BluelineButtons = "Comment",
    BluelineSign = "DiffChange",
  }) do
    vim.api.nvim_set_hl(0, name, { link = like, default = true })
  end
end
highlights()
vim.api.nvim_create_autocmd("ColorScheme", { callback = highlights })

-- What to type to decide about a change, as the row above it says.
function M.keys(_)
  return ":Blueline accept, reject, why"
end

function M.has_place(hunk)
  return hunk.range ~= vim.NIL and hunk.range ~= nil
end

-- Where units of UTF-16 are in a line, in bytes.
local function column(buffer, at)
  local line = vim.api.nvim_buf_get_lines(buffer, at.line, at.line + 1, false)[1] or ""
  local ok, byte = pcall(vim.str_byteindex, line, at.character, true)
  return ok and byte or #line
end

-- Lines that are not in the text, below the row about them.
local function append_lines(rows, lines, group)
  for number, line in ipairs(lines) do
    if number > M.most_lines then
      return table.insert(rows, { { ("  … %d lines more"):format(#lines - M.most_lines), group } })
    end
    table.insert(rows, { { words.printable(line), group } })
  end
end

-- The virtual lines above a hunk: a row that says whose it is and what to type, and what is not in the text. Of
-- what has no place there, a cell of a notebook, that is what came as well.
local function above(buffer, hunk, ahead)
  local said = words.who(hunk) .. " " .. words.deed(hunk) .. (ahead and ", in the file" or "")
  local rows = { {
    { "▎ " .. said .. "  ", "BluelineSign" },
    { M.keys(buffer) .. "  " .. hunk.id, "BluelineButtons" },
  } }
  local comes = hunk.held or ahead
  if not comes then append_lines(rows, words.lines(hunk.old), "BluelineRemoved") end
  if comes or not M.has_place(hunk) then append_lines(rows, words.lines(hunk.new), "BluelineAdded") end
  return rows
end

-- What has no place in the text, a file that is gone or cells of a notebook, above the first line; how many rows.
local function draw_above_all(buffer, hunks)
  local rows = {}
  for _, hunk in ipairs(hunks) do
    if not M.has_place(hunk) then vim.list_extend(rows, above(buffer, hunk, false)) end
  end
  if #rows > 0 then
    vim.api.nvim_buf_set_extmark(buffer, space, 0, 0, { virt_lines = rows, virt_lines_above = true })
    vim.fn.sign_place(0, "blueline", "BluelineChange", buffer, { lnum = 1 })
  end
  return #rows
end

-- A hunk where it stands; how many rows are above the first line for it.
local function draw_hunk(buffer, hunk)
  if not M.has_place(hunk) then return 0 end
  local last_line = vim.api.nvim_buf_line_count(buffer) - 1
  local first, last = hunk.range.start, hunk.range["end"]
  local is_empty = first.line == last.line and first.character == last.character and hunk.new_lines == 0
  local is_behind = first.line > last_line
  local line = math.min(first.line, last_line)
  local ahead = hunk.ahead -- in the file, and merged when the text is saved by a decision
  local rows = above(buffer, hunk, ahead)
  hunk.mark = vim.api.nvim_buf_set_extmark(buffer, space, line, 0, {
    virt_lines = rows, virt_lines_above = not is_behind,
  })
  vim.fn.sign_place(0, "blueline", "BluelineChange", buffer, { lnum = line + 1 })
  local filled = line == 0 and not is_behind and #rows or 0
  if is_empty or hunk.held or ahead then return filled end
  for number = first.line, math.min(last.line, last_line) do
    local text = vim.api.nvim_buf_get_lines(buffer, number, number + 1, false)[1] or ""
    vim.api.nvim_buf_set_extmark(buffer, space, number, 0, {
      end_col = #text, hl_group = "BluelineAdded", priority = 90,
    })
  end
  for _, word in ipairs(hunk.new_words) do
    if word.start.line <= last_line and word["end"].line <= last_line then
      vim.api.nvim_buf_set_extmark(buffer, space, word.start.line, column(buffer, word.start), {
        end_row = word["end"].line, end_col = column(buffer, word["end"]),
        hl_group = "BluelineWords", priority = 91,
      })
    end
  end
  return filled
end

-- Neovim does not scroll by itself to what stands above the first line, and forgets it with the window.
function M.show_top(buffer)
  local rows = top_rows[buffer] or 0
  if rows == 0 then return end
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function()
      if vim.fn.winsaveview().topline == 1 then vim.fn.winrestview({ topfill = rows }) end
    end)
  end
end

function M.clear(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  vim.fn.sign_unplace("blueline", { buffer = buffer })
  drawn[buffer], top_rows[buffer] = nil, nil
end

-- A buffer that is gone.
function M.forget(buffer)
  M.clear(buffer)
  notes.clear(buffer)
end

-- Draws what is undecided, as it stands in the text; calls back when that is done.
function M.refresh(buffer, done)
  if not vim.api.nvim_buf_is_loaded(buffer) or not server.root(buffer) then return end
  local params = { uri = vim.uri_from_bufnr(buffer) }
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  server.ask(buffer, "blueline/hunks", params, function(found)
    if not vim.api.nvim_buf_is_loaded(buffer) then return end
    if tick ~= vim.api.nvim_buf_get_changedtick(buffer) then
      return M.soon(buffer) -- somebody has typed meanwhile: these places are not those any more
    end
    M.clear(buffer)
    drawn[buffer] = found.hunks
    local rows = draw_above_all(buffer, found.hunks)
    for _, hunk in ipairs(found.hunks) do
      rows = rows + draw_hunk(buffer, hunk)
    end
    top_rows[buffer] = rows
    M.show_top(buffer)
    notes.refresh(buffer)
    if done then done() end
  end, function() M.clear(buffer) return true end)
end

-- The same when nothing has happened for a moment.
function M.soon(buffer)
  waiting[buffer] = (waiting[buffer] or 0) + 1
  local mine = waiting[buffer]
  vim.defer_fn(function()
    if waiting[buffer] == mine then
      waiting[buffer] = nil
      M.refresh(buffer)
    end
  end, 120)
end

function M.hunks(buffer)
  return drawn[buffer] or {}
end

-- The first and the last line of a hunk, from one: marks move with what is typed above them.
function M.lines(buffer, hunk)
  if not M.has_place(hunk) then return 1, 1 end
  local first = (vim.api.nvim_buf_get_extmark_by_id(buffer, space, hunk.mark, {})[1] or 0) + 1
  return first, first + math.max(0, hunk.range["end"].line - hunk.range.start.line)
end

-- The undecided hunk at a line, from one; of several the last, but of those without a place the one on top.
function M.at(buffer, line)
  local found
  for _, hunk in ipairs(M.hunks(buffer)) do
    local first, last = M.lines(buffer, hunk)
    if first <= line and line <= last and (M.has_place(hunk) or not found) then found = hunk end
  end
  return found
end

return M
