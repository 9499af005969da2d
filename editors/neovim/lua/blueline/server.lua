-- The language server of Blueline: one for each project, started when a file of it is opened.
local M = {}

M.version = "0.1.0" -- that of Blueline itself, which the server compares

local clients = {} -- by the root of the project
local news = {} -- what was last heard of each
local listeners = {}

M.command = { "blueline", "lsp" }

-- Calls back with (root, news) whenever something became known of a project.
function M.listen(listener)
  table.insert(listeners, listener)
end

local function heard(_, document)
  news[document.root] = document
  for _, listener in ipairs(listeners) do
    listener(document.root, document)
  end
end

-- The root of the project that a buffer's file is in, if any.
function M.root(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == "" or vim.bo[buffer].buftype ~= "" then return nil end
  local mark = vim.fn.finddir(".blueline", vim.fn.fnamemodify(name, ":p:h") .. ";")
  return mark ~= "" and vim.fn.fnamemodify(mark, ":p:h:h") or nil
end

-- Starts what has to be started for a buffer; its root, or nil.
function M.attach(buffer)
  local root = M.root(buffer)
  if not root then return nil end
  local client = clients[root] and vim.lsp.get_client_by_id(clients[root])
  if not client or client.is_stopped() then
    clients[root] = vim.lsp.start_client({
      name = "blueline",
      cmd = M.command,
      root_dir = root,
      init_options = { draws = true, version = M.version },
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      handlers = { ["blueline/changed"] = heard },
      on_exit = function() clients[root] = nil end,
    })
  end
  if not clients[root] then return nil end
  vim.lsp.buf_attach_client(buffer, clients[root])
  return root
end

function M.news(root)
  return root and news[root] or nil
end

function M.roots()
  return vim.tbl_keys(clients)
end

-- How far each loaded buffer of a project has come. What was typed is sent before a request is: if a buffer is
-- still there when the answer comes, the answer is about just this text.
function M.ticks(root)
  local found = {}
  for _, buffer in ipairs(M.buffers(root)) do
    found[buffer] = vim.api.nvim_buf_get_changedtick(buffer)
  end
  return found
end

-- The loaded buffers with files of a project.
function M.buffers(root)
  return vim.tbl_filter(function(buffer)
    return vim.api.nvim_buf_is_loaded(buffer) and M.root(buffer) == root
  end, vim.api.nvim_list_bufs())
end

-- Opens a file of a project, by a short name where that is possible.
function M.edit(root, path)
  vim.cmd("edit " .. vim.fn.fnameescape(vim.fn.fnamemodify(root .. "/" .. path, ":.")))
end

-- Has a buffer follow its file, unless something was typed that is not saved.
function M.reload(buffer)
  if vim.bo[buffer].modified then return end
  -- A file that was not there when the buffer was made would be asked about.
  local is_empty = vim.deep_equal(vim.api.nvim_buf_get_lines(buffer, 0, 2, false), { "" })
  if is_empty and vim.fn.getfsize(vim.api.nvim_buf_get_name(buffer)) > 0 then
    return vim.api.nvim_buf_call(buffer, function() vim.cmd("silent! edit!") end)
  end
  local before = vim.o.autoread
  vim.o.autoread = true
  vim.cmd("silent! checktime " .. buffer)
  vim.o.autoread = before
end

-- Asks the server of a buffer's project; `answered(result)` is called, or the person told what is wrong.
function M.ask(buffer, method, params, answered, failed)
  local root = M.root(buffer)
  local client = root and clients[root] and vim.lsp.get_client_by_id(clients[root])
  if not client then
    return vim.notify("Blueline: this file is in no project", vim.log.levels.WARN)
  end
  client.request(method, params, function(error, result)
    if not error then return answered(result) end
    if failed and failed(error) then return end
    vim.notify("Blueline: " .. error.message, vim.log.levels.WARN)
  end, buffer)
end

return M
