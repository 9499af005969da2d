-- Begins by itself; `vim.g.blueline = false` before it is loaded leaves that to `require("blueline").setup {}`.
if vim.g.blueline ~= false then
  require("blueline").setup({})
end
