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

return M
