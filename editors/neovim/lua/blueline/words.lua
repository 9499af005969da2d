-- Texts of files and agents, as they can be shown.
local M = {}

-- The characters of a text that would not print, as what they are: nothing from a file reaches the screen raw.
function M.printable(text)
  return vim.fn.strtrans((text:gsub("\t", "    ")))
end

-- The lines of a text, without the empty one after its last line end.
function M.lines(text)
  if text == nil or text == vim.NIL or text == "" then return {} end
  local lines = vim.split(text, "\n", { plain = true })
  if lines[#lines] == "" then table.remove(lines) end
  return lines
end

function M.count(number, what)
  return ("%d %s%s"):format(number, what, number == 1 and "" or "s")
end

local WHOLE = {
  create = "created this file", delete = "deleted this file", binary = "changed this file, which is no text",
  mode = "changed the permissions of this file", symlink = "changed what this link is",
}

function M.who(hunk)
  return M.printable(hunk.actor.name ~= vim.NIL and hunk.actor.name or hunk.actor.kind)
end

-- What somebody did, in a few words.
function M.deed(hunk)
  if hunk.held then return "proposes a change" end
  if hunk.cell and hunk.cell ~= vim.NIL then return ("%s cell %d"):format(M.printable(hunk.cell.change), hunk.cell.index) end
  if hunk.kind == "rename" then return "renamed this file, which was " .. M.printable(tostring(hunk.from)) end
  if WHOLE[hunk.kind] then return WHOLE[hunk.kind] end
  if hunk.old_lines == 0 then return "added " .. M.count(hunk.new_lines, "line") end
  if hunk.new_lines == 0 then return "removed " .. M.count(hunk.old_lines, "line") end
  local to = hunk.old_lines == hunk.new_lines and "" or " to " .. hunk.new_lines
  return "changed " .. M.count(hunk.old_lines, "line") .. to
end

return M
