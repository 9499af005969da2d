-- Decisions from a buffer, with what is typed there and not saved.
local drawing = require("blueline.drawing")
local server = require("blueline.server")
local words = require("blueline.words")

local M = {}

local DEEDS = { accept = "accepted", reject = "rejected", undo = "undone", redo = "redone" }

-- Windows with a file that has another name now show it under that.
local function follow_name(root, buffer, path)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function() server.edit(root, path) end)
  end
  if not vim.bo[buffer].modified then vim.api.nvim_buf_delete(buffer, {}) end
end

-- Loads a buffer from its file, which has what was typed: one step that `u` takes back. To write it instead
-- would be asked about, because the file is not the one that was read.
local function follow(root, answer, ticks)
  local buffer = vim.uri_to_bufnr(answer.uri)
  if not vim.api.nvim_buf_is_loaded(buffer) then return end
  if answer.moved then return follow_name(root, buffer, answer.moved) end
  if answer.revision == vim.NIL then
    return vim.notify("Blueline: " .. answer.path .. " is not there any more", vim.log.levels.WARN)
  end
  if vim.api.nvim_buf_get_changedtick(buffer) ~= ticks[buffer] then
    -- Typed since then: the file has the decision, and the text has not.
    return vim.notify("Blueline: " .. answer.path .. " has changed on disk while you typed", vim.log.levels.WARN)
  end
  vim.bo[buffer].modified = false
  server.reload(buffer)
end

local function finish(root, document, ticks, done)
  for _, answer in ipairs(document.files) do
    follow(root, answer, ticks)
  end
  for _, buffer in ipairs(server.buffers(root)) do
    server.reload(buffer)
    drawing.soon(buffer)
  end
  local said = document.decision == vim.NIL and "nothing was left to decide"
    or (DEEDS[document.verdict] or document.verdict) .. " " .. words.count(#document.results, "change")
  vim.notify("Blueline: " .. said)
  if done then done(document) end
end

-- The question, with what either answer leaves in the file where that is about lines.
local function asked(document, keep, back)
  local said = { document.error }
  for _, need in ipairs(document.needs) do
    for _, line in ipairs(need.lines or {}) do
      local before = line.before == vim.NIL and "(no such line)" or vim.trim(words.printable(line.before))
      table.insert(said, ("%s, line %d"):format(words.printable(need.path), line.line))
      table.insert(said, ("  %s: %s"):format(keep, vim.trim(words.printable(line.now))))
      table.insert(said, ("  %s: %s"):format(back, before))
    end
  end
  return table.concat(said, "\n")
end

-- Asks for what builds on a change; calls back with "keep" or "with", or not at all.
local function choose(document, chosen)
  local first = document.needs[1]
  local is_corrected = first.why == "corrected"
  local keep = is_corrected and "Keep what I wrote" or "Leave it as it is"
  local back = is_corrected and "Go back to the original" or "Take it back as well"
  vim.ui.select({ keep, back }, { prompt = asked(document, keep, back) }, function(choice)
    if choice then chosen(choice == keep and "keep" or "with") end
  end)
end

local function ask(buffer, method, params, done)
  local root = server.root(buffer)
  params.uri = vim.uri_from_bufnr(buffer)
  local ticks = server.ticks(root)
  server.ask(buffer, method, params, function(document)
    local needs = document.needs[1]
    if needs and not params.dependents and (needs.built_on_by or needs.shared_with or needs.why == "corrected") then
      return choose(document, function(choice)
        params.dependents = choice
        ask(buffer, method, params, done)
      end)
    elseif needs then
      return vim.notify("Blueline: " .. document.error .. " (" .. document.hint .. ")", vim.log.levels.WARN)
    end
    finish(root, document, ticks, done)
  end)
end

-- Accepts or rejects hunks as they were seen.
function M.hunks(buffer, verdict, hunks, reason, done)
  local selectors, expect = {}, vim.empty_dict()
  for _, hunk in ipairs(hunks) do
    table.insert(selectors, hunk.id)
    expect[hunk.id] = hunk.digest
  end
  if #selectors == 0 then return vim.notify("Blueline: nothing undecided here") end
  ask(buffer, "blueline/decide", {
    verdict = verdict, selectors = selectors, expect = expect, reason = reason or "",
  }, done)
end

-- Accepts or rejects lines, from one. They are those of the file: of a text that is not saved, nobody could say
-- which they are.
function M.lines(buffer, verdict, first, last, reason, done)
  if vim.bo[buffer].modified then
    return vim.notify("Blueline: lines are decided in a saved text; save it first", vim.log.levels.WARN)
  end
  local path = vim.api.nvim_buf_get_name(buffer):sub(#server.root(buffer) + 2)
  M.selector(buffer, verdict, ("%s:%d-%d"):format(path, first, last), reason, done)
end

-- Accepts or rejects what a selector means, or everything.
function M.selector(buffer, verdict, selector, reason, done)
  ask(buffer, "blueline/decide", {
    verdict = verdict, selectors = selector and { selector } or {}, everything = selector == nil,
    reason = reason or "",
  }, done)
end

function M.undo(buffer, done)
  ask(buffer, "blueline/undo", {}, done)
end

function M.redo(buffer, done)
  ask(buffer, "blueline/redo", {}, done)
end

return M
