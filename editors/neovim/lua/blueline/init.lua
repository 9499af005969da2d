-- Reviews in Neovim: `:Blueline …`, the keys of a review, a word for the status line.
local deciding = require("blueline.deciding")
local drawing = require("blueline.drawing")
local notes = require("blueline.notes")
local proposed = require("blueline.proposed")
local server = require("blueline.server")

local M = {}

local function here()
  return vim.api.nvim_get_current_buf()
end

local function line()
  return vim.api.nvim_win_get_cursor(0)[1]
end

-- Going from one undecided change to the next

local function go(place)
  vim.api.nvim_win_set_cursor(0, { math.min(place, vim.api.nvim_buf_line_count(0)), 0 })
end

-- In this file, or else in the next one that has something undecided.
local function step(forward)
  local buffer, at = here(), line()
  local hunks = drawing.hunks(buffer)
  for number = forward and 1 or #hunks, forward and #hunks or 1, forward and 1 or -1 do
    local hunk = hunks[number]
    local first = drawing.lines(buffer, hunk)
    if (forward and first > at) or (not forward and first < at) then return go(first) end
  end
  server.ask(buffer, "blueline/overview", { uri = vim.uri_from_bufnr(buffer) }, function(overview)
    local root, files, mine, behind = overview.project.root, {}, 0, nil
    local path = vim.api.nvim_buf_get_name(buffer):sub(#root + 2)
    for _, hunk in ipairs(overview.hunks) do
      if #files == 0 or files[#files][1].path ~= hunk.path then table.insert(files, {}) end
      table.insert(files[#files], hunk)
      if hunk.path == path then mine = #files end
      if not behind and hunk.path > path then behind = #files end
    end
    if #files == 0 then return vim.notify("Blueline: everything is decided") end
    -- From a file in which all is decided by now, on to the one behind it.
    if mine == 0 then mine = (behind or #files + 1) - (forward and 1 or 0) end
    local group = files[(mine - 1 + (forward and 1 or -1)) % #files + 1]
    vim.cmd("edit " .. vim.fn.fnameescape(root .. "/" .. group[1].path))
    local hunk = forward and group[1] or group[#group]
    go((hunk.cell and hunk.cell ~= vim.NIL) and 1 or math.max(1, hunk.new_start))
    -- Who reviews there does so here, too: a plain letter must not become text in the next file.
    if M.is_reviewing(buffer) then M.give_keys(here()) end
  end)
end

function M.next() step(true) end
function M.previous() step(false) end

-- Deciding

-- What is meant by "hunk", "file", "turn" or "all" where the cursor is.
local function decide(verdict, scope, reason, done)
  local buffer = here()
  local hunk = drawing.at(buffer, line())
  if scope == "all" then return deciding.selector(buffer, verdict, nil, reason, done) end
  if scope == "file" then return deciding.hunks(buffer, verdict, drawing.hunks(buffer), reason, done) end
  if not hunk then return vim.notify("Blueline: nothing undecided here") end
  if scope == "turn" and hunk.turn ~= vim.NIL then
    return deciding.selector(buffer, verdict, hunk.turn, reason, done)
  end
  deciding.hunks(buffer, verdict, { hunk }, reason, done)
end

function M.accept(scope, reason, done) decide("accept", scope, reason, done) end
function M.reject(scope, reason, done) decide("reject", scope, reason, done) end
function M.undo(done) deciding.undo(here(), done) end
function M.redo(done) deciding.redo(here(), done) end

-- The lines that are selected.
local function decide_selected(verdict)
  local first, last = vim.fn.line("v"), vim.fn.line(".")
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<Esc>", true, false, true), "nx", false)
  deciding.lines(here(), verdict, math.min(first, last), math.max(first, last))
end

-- Looking

-- A note to the agent about some lines; it is asked for what to say if nothing is said.
function M.note(first, last, kind, text)
  local buffer = here()
  if text and text ~= "" then return notes.write(buffer, first, last, kind, text) end
  vim.ui.input({ prompt = notes.kinds[kind] .. ": " }, function(said)
    if said and said ~= "" then notes.write(buffer, first, last, kind, said) end
  end)
end

function M.resolve() notes.resolve(here(), line()) end
function M.proposed() proposed.show(here()) end

-- Why the change at the cursor is there, in a window above the text.
function M.why()
  local hunk = drawing.at(here(), line())
  if not hunk then return vim.notify("Blueline: nothing undecided here") end
  server.ask(here(), "blueline/hunk", { uri = vim.uri_from_bufnr(here()), id = hunk.id }, function(known)
    local function say(name, value)
      return value and value ~= vim.NIL and value ~= "" and (name .. vim.fn.strtrans(value)) or nil
    end
    local words = {}
    for _, one in ipairs({
      say("", hunk.id .. "  " .. hunk.actor.kind .. " " .. tostring(hunk.actor.name)) or false,
      say("asked for: ", known.prompt) or false,
      say("by the command: ", known.command) or false,
      say("because: ", known.about.reason) or false,
      say("at ", known.at) or false,
    }) do
      if one then table.insert(words, one) end
    end
    vim.lsp.util.open_floating_preview(words, "", { border = "single", focus_id = "blueline" })
  end)
end

-- All that is undecided, as a list to go through.
function M.list(done)
  server.ask(here(), "blueline/overview", { uri = vim.uri_from_bufnr(here()) }, function(overview)
    local items = {}
    for _, hunk in ipairs(overview.hunks) do
      table.insert(items, {
        filename = overview.project.root .. "/" .. hunk.path,
        lnum = math.max(1, hunk.new_start),
        text = ("%s %s %s"):format(hunk.id, hunk.kind, tostring(hunk.actor.name)),
      })
    end
    vim.fn.setqflist({}, " ", { title = "Blueline: undecided", items = items })
    if done then done() else vim.cmd("copen") end
  end)
end

function M.mode(mode)
  server.ask(here(), "blueline/mode", { uri = vim.uri_from_bufnr(here()), mode = mode }, function(found)
    vim.notify("Blueline: " .. found.mode)
  end)
end

-- For a status line: how much is undecided, whether that may ship, and the mode if it is not the usual one.
function M.status()
  local news = server.news(server.root(here()))
  if not news then return "" end
  local words = { news.counts.hunks > 0 and ("● " .. news.counts.hunks) or "✓" }
  if news.mode ~= "review" then table.insert(words, news.mode:upper()) end
  return table.concat(words, " ")
end

-- The keys of the workbench, for as long as one reviews: they are plain letters, so not while one types.

local KEYS = {
  c = function() M.note(line(), line(), "change") end,
  n = M.next, p = M.previous, u = M.undo, U = M.redo, b = M.why,
  a = function() M.accept("hunk") end, x = function() M.reject("hunk") end,
  A = function() M.accept("file") end, X = function() M.reject("file") end,
}

-- Those that mean the lines that are selected, where some are.
local SELECTED = {
  a = function() decide_selected("accept") end,
  x = function() decide_selected("reject") end,
}

local reviewing = {} -- buffers

function M.is_reviewing(buffer)
  return reviewing[buffer] ~= nil
end

function M.give_keys(buffer)
  if reviewing[buffer] then return end
  reviewing[buffer] = true
  for key, act in pairs(KEYS) do
    vim.keymap.set("n", key, function() act() end, { buffer = buffer, nowait = true, desc = "Blueline" })
  end
  for key, act in pairs(SELECTED) do
    vim.keymap.set("x", key, act, { buffer = buffer, nowait = true, desc = "Blueline" })
  end
end

-- Begins it here, or ends it everywhere.
function M.review()
  if M.is_reviewing(here()) then
    for buffer in pairs(reviewing) do
      for key in pairs(KEYS) do pcall(vim.keymap.del, "n", key, { buffer = buffer }) end
      for key in pairs(SELECTED) do pcall(vim.keymap.del, "x", key, { buffer = buffer }) end
    end
    reviewing = {}
    return vim.notify("Blueline: the keys are yours again")
  end
  M.give_keys(here())
  vim.notify("Blueline: n p a x A X u U b c; :Blueline review ends it")
end

-- Commands

-- With lines before it, as `:'<,'>Blueline reject`, those are meant.
local function decide_command(verdict)
  return function(words, first, last)
    if first then return deciding.lines(here(), verdict, first, last, table.concat(words, " ")) end
    decide(verdict, words[1] or "hunk", table.concat(words, " ", 2))
  end
end

local COMMANDS = {
  accept = decide_command("accept"),
  reject = decide_command("reject"),
  note = function(words, first, last)
    local kind = notes.kinds[words[1]] and table.remove(words, 1) or "change"
    M.note(first or line(), last or line(), kind, table.concat(words, " "))
  end,
  resolve = M.resolve,
  proposed = M.proposed,
  undo = function() M.undo() end,
  redo = function() M.redo() end,
  next = M.next,
  previous = M.previous,
  why = M.why,
  list = function() M.list() end,
  mode = function(words) M.mode(words[1]) end,
  review = M.review,
}

local function complete(_, typed)
  local words = vim.split(typed, "%s+")
  if #words <= 2 then return vim.tbl_keys(COMMANDS) end
  if words[2] == "note" then return vim.tbl_keys(notes.kinds) end
  if words[2] == "mode" then return { "review", "hold", "direct" } end
  return { "hunk", "file", "turn", "all" }
end

local function command(given)
  local words = vim.split(given.args, "%s+", { trimempty = true })
  local act = COMMANDS[table.remove(words, 1)]
  if not act then return vim.notify("Blueline: " .. table.concat(vim.tbl_keys(COMMANDS), ", ")) end
  local has_lines = given.range > 0
  act(words, has_lines and given.line1 or nil, has_lines and given.line2 or nil)
end

-- `command`: what starts the server. `keys`: false for none.
function M.setup(wish)
  server.command = wish.command or server.command
  local group = vim.api.nvim_create_augroup("blueline", { clear = true })
  local function on(events, act)
    vim.api.nvim_create_autocmd(events, { group = group, callback = function(event) act(event.buf) end })
  end
  on({ "BufReadPost", "BufNewFile" }, function(buffer)
    if server.attach(buffer) then drawing.soon(buffer) end
  end)
  on({ "TextChanged", "TextChangedI", "BufWritePost" }, function(buffer)
    if server.root(buffer) then drawing.soon(buffer) end
  end)
  on("BufUnload", drawing.forget)
  server.listen(function(root)
    for _, buffer in ipairs(server.buffers(root)) do
      server.reload(buffer)
      drawing.soon(buffer)
      proposed.refresh(buffer)
    end
    vim.cmd("redrawstatus!")
  end)
  vim.api.nvim_create_user_command("Blueline", command, { nargs = "*", range = true, complete = complete })
  if wish.keys ~= false then
    for key, act in pairs({
      ["]r"] = M.next, ["[r"] = M.previous,
      ["<leader>ra"] = KEYS.a, ["<leader>rx"] = KEYS.x, ["<leader>ru"] = M.undo, ["<leader>rb"] = M.why,
    }) do
      vim.keymap.set("n", key, function() act() end, { desc = "Blueline" })
    end
    for key, act in pairs(SELECTED) do
      vim.keymap.set("x", "<leader>r" .. key, act, { desc = "Blueline" })
    end
  end
end

return M
