-- A file as it would be with all that is undecided, beside the file as it is.
local server = require("blueline.server")
local words = require("blueline.words")

local M = {}

local beside = {} -- the buffer that shows it, by the buffer of the file

local function fill(other, text)
  vim.bo[other].modifiable = true
  vim.api.nvim_buf_set_lines(other, 0, -1, false, words.lines(text))
  vim.bo[other].modifiable = false
end

local function opened(buffer)
  vim.cmd("diffthis")
  vim.cmd("rightbelow vnew")
  local other = vim.api.nvim_get_current_buf()
  vim.bo[other].buftype, vim.bo[other].bufhidden, vim.bo[other].swapfile = "nofile", "wipe", false
  vim.bo[other].filetype = vim.bo[buffer].filetype
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = other,
    callback = function()
      beside[buffer] = nil
      vim.schedule(function() vim.cmd("diffoff!") end)
    end,
  })
  beside[buffer] = other
  return other
end

function M.show(buffer)
  server.ask(buffer, "blueline/proposed", { uri = vim.uri_from_bufnr(buffer) }, function(found)
    if found.text == vim.NIL then return vim.notify("Blueline: there is no text to show of it") end
    if beside[buffer] then return fill(beside[buffer], found.text) end
    local other = opened(buffer)
    vim.api.nvim_buf_set_name(other, "blueline://proposed/" .. found.path)
    fill(other, found.text)
    vim.cmd("diffthis")
    vim.cmd("wincmd p")
  end)
end

-- After a decision it would be another one.
function M.refresh(buffer)
  if beside[buffer] then M.show(buffer) end
end

return M
