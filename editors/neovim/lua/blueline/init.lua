-- Reviews in Neovim: `:Blueline …`, the keys of a review, a word for the status line.
local deciding = require("blueline.deciding")
local drawing = require("blueline.drawing")
local notes = require("blueline.notes")
local proposed = require("blueline.proposed")
local server = require("blueline.server")
local words = require("blueline.words")

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

local function go_to(root, hunk)
  server.edit(root, hunk.path)
  if hunk.kind == "symlink" then
    -- Neovim shows what a link leads to, and never the link.
    vim.notify(("Blueline: %s is a link: :Blueline accept %s"):format(words.printable(hunk.path), hunk.id))
  end
  go((hunk.cell and hunk.cell ~= vim.NIL) and 1 or math.max(1, hunk.new_start))
end

-- In this file, or else in the next one that has something undecided; with `from_here`, a change at the cursor
-- is one to go to.
local function step(forward, from_here)
  local buffer, at = here(), line()
  local hunks = drawing.hunks(buffer)
  for number = forward and 1 or #hunks, forward and #hunks or 1, forward and 1 or -1 do
    local hunk = hunks[number]
    local first = drawing.lines(buffer, hunk)
    if (forward and first > at) or (not forward and first < at) or (from_here and first == at) then
      return go(first)
    end
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
    go_to(root, forward and group[1] or group[#group])
  end)
end

function M.next() step(true) end
function M.previous() step(false) end

-- Deciding

local SCOPES = { "all", "file", "hunk", "turn" }

local function is_id(word)
  return word:match("^h%x%x%x%x+$") or word:match("^[tc]%d+$")
end

-- What is meant by "hunk", "file", "turn" or "all" where the cursor is, or by an id.
local function decide(verdict, scope, reason, done)
  local buffer = here()
  local hunk = drawing.at(buffer, line())
  if scope == "all" then return deciding.selector(buffer, verdict, nil, reason, done) end
  if is_id(scope) then return deciding.selector(buffer, verdict, scope, reason, done) end
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
        text = ("%s %s  %s"):format(words.who(hunk), words.deed(hunk), hunk.id),
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

-- For a status line: how much is undecided, or whether it may ship, and the mode if it is not the usual one.
function M.status()
  local news = server.news(server.root(here()))
  if not news then return "" end
  local undecided = news.counts.hunks > 0 and ("● " .. news.counts.hunks)
  local said = { undecided or (news.gate.open and "✓" or "gate closed") }
  if news.mode ~= "review" then table.insert(said, news.mode:upper()) end
  return table.concat(said, " ")
end

-- The keys of the workbench, for as long as one reviews: they are plain letters, so not while one types.

-- On to the next change when this one is decided.
local function decide_and_go_on(verdict, scope)
  decide(verdict, scope, nil, function()
    drawing.refresh(here(), function() step(true, true) end)
  end)
end

-- Back to what was decided.
local function undo_and_go_back()
  M.undo(function(document)
    local result = document.results[1]
    if not result then return end
    server.ask(here(), "blueline/overview", { uri = vim.uri_from_bufnr(here()) }, function(overview)
      for _, hunk in ipairs(overview.hunks) do
        if hunk.id == result.hunk then return go_to(overview.project.root, hunk) end
      end
    end)
  end)
end

local KEYS = {
  c = function() M.note(line(), line(), "change") end,
  n = M.next, p = M.previous, u = undo_and_go_back, U = M.redo, b = M.why,
  a = function() decide_and_go_on("accept", "hunk") end, x = function() decide_and_go_on("reject", "hunk") end,
  A = function() decide_and_go_on("accept", "file") end, X = function() decide_and_go_on("reject", "file") end,
}

-- Those that mean the lines that are selected, where some are.
local SELECTED = {
  a = function() decide_selected("accept") end,
  x = function() decide_selected("reject") end,
}

local is_reviewing = false
local given = {} -- buffers that have the keys
local leader -- what the usual keys begin with; nil if there are none

-- What to type, as the row above a change says: a plain letter only where it is none of the text.
function drawing.keys(buffer)
  if given[buffer] then return "[a]ccept [x] reject [b] why" end
  if not leader then return ":Blueline accept, reject, why" end
  return ("%sra accept %srx reject %srb why"):format(leader, leader, leader)
end

-- In every buffer of a project: a plain letter must not become text in the next file.
local function give_keys(buffer)
  if given[buffer] or not is_reviewing or not server.root(buffer) then return end
  given[buffer] = true
  for key, act in pairs(KEYS) do
    vim.keymap.set("n", key, function() act() end, { buffer = buffer, nowait = true, desc = "Blueline" })
  end
  for key, act in pairs(SELECTED) do
    vim.keymap.set("x", key, act, { buffer = buffer, nowait = true, desc = "Blueline" })
  end
  drawing.soon(buffer)
end

-- Begins it, or ends it.
function M.review()
  is_reviewing = not is_reviewing
  if is_reviewing then
    give_keys(here())
    return vim.notify("Blueline: n p a x A X u U b c; :Blueline review ends it")
  end
  for buffer in pairs(given) do
    for key in pairs(KEYS) do pcall(vim.keymap.del, "n", key, { buffer = buffer }) end
    for key in pairs(SELECTED) do pcall(vim.keymap.del, "x", key, { buffer = buffer }) end
    given[buffer] = nil
    drawing.soon(buffer)
  end
  vim.notify("Blueline: the keys are yours again")
end

-- Commands

-- With lines before it, as `:'<,'>Blueline reject`, those are meant.
local function decide_command(verdict)
  return function(spoken, first, last)
    if first then return deciding.lines(here(), verdict, first, last, table.concat(spoken, " ")) end
    local is_scope = spoken[1] and (vim.tbl_contains(SCOPES, spoken[1]) or is_id(spoken[1]))
    decide(verdict, is_scope and table.remove(spoken, 1) or "hunk", table.concat(spoken, " "))
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

local function complete(begun, typed)
  local spoken = vim.split(typed, "%s+")
  local found = SCOPES
  if #spoken <= 2 then
    found = vim.tbl_keys(COMMANDS)
  elseif spoken[2] == "note" then
    found = vim.tbl_keys(notes.kinds)
  elseif spoken[2] == "mode" then
    found = { "direct", "hold", "review" }
  end
  table.sort(found)
  return vim.tbl_filter(function(one) return vim.startswith(one, begun) end, found)
end

local function command(given)
  local spoken = vim.split(given.args, "%s+", { trimempty = true })
  local act = COMMANDS[table.remove(spoken, 1)]
  if not act then return vim.notify("Blueline: " .. table.concat(vim.tbl_keys(COMMANDS), ", ")) end
  local has_lines = given.range > 0
  act(spoken, has_lines and given.line1 or nil, has_lines and given.line2 or nil)
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
  on("BufEnter", function(buffer)
    give_keys(buffer)
    vim.schedule(function() drawing.show_top(buffer) end) -- the window does not show it yet
  end)
  on("BufUnload", function(buffer)
    given[buffer] = nil
    drawing.forget(buffer)
  end)
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
    leader = (vim.g.mapleader or "\\"):gsub(" ", "<Space>")
    for key, act in pairs({
      ["]r"] = M.next, ["[r"] = M.previous,
      ["<leader>ra"] = function() M.accept("hunk") end, ["<leader>rx"] = function() M.reject("hunk") end,
      ["<leader>ru"] = M.undo, ["<leader>rb"] = M.why,
    }) do
      vim.keymap.set("n", key, function() act() end, { desc = "Blueline" })
    end
    for key, act in pairs(SELECTED) do
      vim.keymap.set("x", "<leader>r" .. key, act, { desc = "Blueline" })
    end
  end
end

return M
