"""Neovim and Emacs with their own clients: marks, an action, a save, and the editor's undo."""

from __future__ import annotations

import pytest

from tests.editors.real_editors import configuration, neovim, ran
from tests.support.project import POEM, Project

MARKS = ["claude-code changed 1 line\\n- line 3", "claude-code removed 2 lines\\n- line 9\\n- line 10"]


def verdicts(p: Project) -> list[str]:
    return [one["verdict"] for one in reversed(p.log("decision"))]


@pytest.mark.usefixtures("each_neovim")
def test_neovim(p: Project) -> None:
    said = neovim(
        p,
        """
        vim.cmd("edit sub/a.md")
        wait("marks", function() return #vim.diagnostic.get(0) == 2 end)
        for _, one in ipairs(vim.diagnostic.get(0)) do say((one.message:gsub("\\n", "\\\\n"))) end
        choose("Reject: ")
        vim.api.nvim_win_set_cursor(0, { 3, 0 })
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed" })
        vim.cmd("let &undolevels = &undolevels")  -- a step of its own
        vim.lsp.buf.code_action()
        wait("rejected", function() return line(4) == "line 3" end)
        vim.cmd("write")
        wait("one mark", function() return #vim.diagnostic.get(0) == 1 end)
        vim.cmd("undo")
        vim.cmd("write")
        wait("two marks", function() return #vim.diagnostic.get(0) == 2 end)
        """,
        config=configuration("lua"),
    )
    assert said == ["marks", *MARKS, "rejected", "one mark", "two marks"]
    assert p.text("sub/a.md").startswith("typed\nline 1\nline 2\nline three\n")
    assert verdicts(p) == ["reject", "by-hand"]


def test_emacs(p: Project) -> None:
    script = p.home / "script.el"
    script.write_text(
        ";; -*- lexical-binding: t -*-\n"
        + configuration("elisp")
        + """
        (setq eglot-sync-connect 60 auto-save-default nil make-backup-files nil create-lockfiles nil)
        (defun say (what) (princ (format "\\n> %s\\n" (replace-regexp-in-string "\\n" "\\\\n" what t t))))
        (defun wait (what test)
          (let ((until (+ (float-time) 60)))
            (while (not (funcall test))
              (when (> (float-time) until) (say (concat "NOT " what)) (kill-emacs 1))
              (accept-process-output nil 0.05)
              (flymake-start))
            (say what)))
        (defun marks (count) (lambda () (= count (length (flymake-diagnostics)))))
        (defun third () (save-excursion (goto-char (point-min)) (forward-line 2)
                          (buffer-substring-no-properties (point) (line-end-position))))
        (find-file "sub/a.md")
        (text-mode)
        (apply #'eglot (eglot--guess-contact))
        (wait "marks" (marks 2))
        (dolist (one (flymake-diagnostics)) (say (flymake-diagnostic-text one)))
        (goto-char (point-min))
        (forward-line 2)
        (let* ((server (eglot-current-server))
               (here (eglot--pos-to-lsp-position))
               (actions (jsonrpc-request server :textDocument/codeAction
                          (list :textDocument (eglot--TextDocumentIdentifier)
                                :range (list :start here :end here) :context '(:diagnostics []))))
               (reject (seq-find (lambda (one) (string-prefix-p "Reject: " (plist-get one :title))) actions))
               (command (plist-get reject :command)))
          (undo-boundary)
          (eglot-execute-command server (intern (plist-get command :command))
                                 (plist-get command :arguments)))
        (wait "rejected" (lambda () (equal (third) "line 3")))
        (save-buffer)
        (wait "one mark" (marks 1))
        (undo-start)
        (undo-more 1)
        (say (third))
        (save-buffer)
        (wait "two marks" (marks 2))
        (kill-emacs 0)
        """
    )
    said = ran(p, "emacs", "--batch", "-l", str(script))
    assert [one.split("]: ")[-1] for one in said] == [
        *("marks", *MARKS, "rejected", "one mark", "line three", "two marks"),
    ]
    assert p.text("sub/a.md") != POEM
    assert verdicts(p) == ["reject", "by-hand"]
