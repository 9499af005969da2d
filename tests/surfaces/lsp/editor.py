"""An editor: a small client of the Language Server Protocol, with the real server as a process of its own.

Every message of the server is read by the protocol's own types, as `lsprotocol` has them, and fails the test
if it is none.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsprotocol import converters, types

from blueline.diff.editor_places import EditorPlaces, Spot
from tests.support.project import Project

SOURCES = str(Path(__file__).parents[3])
PATIENCE_SECONDS = 60
CONVERTER = converters.get_converter()


class Refused(Exception):
    """The server's answer was an error."""

    def __init__(self, error: Any) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data")


class Document:
    """A text in the editor."""

    def __init__(self, editor: Editor, file: Path, text: str) -> None:
        self.editor = editor
        self.file = file
        self.uri = file.as_uri()
        self.version = 1
        self.text = text
        self.marks: list[Any] | None = None
        """As they were drawn last, for the text of `marked`."""
        self.marked = 0

    def type(self, old: str, new: str) -> None:
        """Replace one text, as by typing: the server is told of the place alone."""
        start = self.text.index(old)
        self.change(start, start + len(old), new)

    def change(self, start: int, end: int, new: str) -> None:
        found = EditorPlaces(self.text).range(start, end)
        span = {
            side: {"line": spot.line, "character": spot.unit}
            for side, spot in (("start", found.start), ("end", found.end))
        }
        self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        self._changed([{"range": span, "text": new}])

    def replace(self, text: str) -> None:
        """Another text as a whole."""
        self.text = text
        self.version += 1
        self._changed([{"text": text}])

    def _changed(self, changes: list[Any]) -> None:
        about = {"uri": self.uri, "version": self.version}
        self.editor.notify("textDocument/didChange", {"textDocument": about, "contentChanges": changes})

    def save(self, data: bytes | None = None) -> None:
        self.file.write_bytes(self.text.encode() if data is None else data)
        self.editor.notify("textDocument/didSave", {"textDocument": {"uri": self.uri}})

    def close(self) -> None:
        self.editor.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def apply(self, edits: list[Any]) -> None:
        """Edits of the server, all by the places before any of them."""
        places, text = EditorPlaces(self.text), self.text
        for edit in reversed(edits):
            start, end = (
                places.at(Spot(edit["range"][side]["line"], edit["range"][side]["character"]))
                for side in ("start", "end")
            )
            text = text[:start] + edit["newText"] + text[end:]
        self.replace(text)

    def wait_marks(self, like: Callable[[list[Any]], object]) -> list[Any]:
        """Wait until the marks are so."""
        self.editor.wait(lambda: self.marks is not None and like(self.marks))
        assert self.marks is not None
        return self.marks

    def actions(self, line: int, *only: str) -> list[Any]:
        at = {"line": line, "character": 0}
        context = {"diagnostics": [], **({"only": [*only]} if only else {})}
        given = {"textDocument": {"uri": self.uri}, "range": {"start": at, "end": at}, "context": context}
        found: list[Any] = self.editor.ask("textDocument/codeAction", given)
        return found

    def act(self, title: str, line: int) -> Any:
        """Choose an action by how its title begins."""
        (action,) = [one for one in self.actions(line) if one["title"].startswith(title)]
        return self.editor.run(action["command"])


class Editor:
    """One editor process, as far as the server knows."""

    def __init__(self, environ: dict[str, str], cwd: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "blueline", "lsp", "--stdio"],
            cwd=cwd,
            env={**environ, "PYTHONPATH": SOURCES, "PYTHONSAFEPATH": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.documents: dict[str, Document] = {}
        self.shown: list[str] = []
        """What the person was told."""
        self.news: list[Any] = []
        self.choice: str | None = None
        """What the person answers when they are asked."""
        self.asked: list[Any] = []
        self.is_lying = False
        """Whether edits are said to be made, and are not."""
        self._heard: queue.Queue[Any] = queue.Queue()
        self._answers: dict[int, Any] = {}
        self._count = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while header := self.process.stdout.readline():
            assert header.lower().startswith(b"content-length: "), header
            assert self.process.stdout.readline() == b"\r\n"
            self._heard.put(json.loads(self.process.stdout.read(int(header.split(b":")[1]))))
        self._heard.put(None)

    def send(self, message: Any) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """Ask the server, and answer what it asks meanwhile."""
        self._count += 1
        number = self._count
        self.send({"id": number, "method": method, "params": params})
        self.wait(lambda: number in self._answers)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise Refused(answer["error"])
        if method in types.METHOD_TO_TYPES:
            _must_be(answer, types.METHOD_TO_TYPES[method][1])
        return answer["result"]

    def wait(self, happened: Callable[[], object]) -> None:
        """Take what the server says until something has happened."""
        until = time.monotonic() + PATIENCE_SECONDS
        while not happened():
            try:
                said = self._heard.get(timeout=max(0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError("it did not happen") from None
            assert said is not None, "the server has gone"
            self._take(said)

    def _take(self, said: Any) -> None:
        if "method" not in said:
            self._answers[said["id"]] = said
            return
        method, params = said["method"], said.get("params")
        if method in types.METHOD_TO_TYPES:
            _must_be(said, types.METHOD_TO_TYPES[method][0])
        if "id" in said:
            self.send({"id": said["id"], "result": self._answered(method, params)})
        elif method == "window/showMessage":
            self.shown.append(params["message"])
        elif method == "blueline/changed":
            self.news.append(params)
        elif method == "textDocument/publishDiagnostics":
            document = self.documents.get(params["uri"])
            if document is not None and params["version"] >= document.marked:
                document.marks, document.marked = params["diagnostics"], params["version"]

    def _answered(self, method: str, params: Any) -> Any:
        self.asked.append((method, params))
        if method == "window/showMessageRequest":
            found = [one for one in params["actions"] if one["title"] == self.choice]
            return found[0] if found else None
        if method == "workspace/applyEdit":
            return {"applied": self._apply(params["edit"])}
        return None

    def _apply(self, edit: Any) -> bool:
        if self.is_lying:
            return True
        for change in edit["documentChanges"]:
            document = self.documents[change["textDocument"]["uri"]]
            if change["textDocument"]["version"] != document.version:
                return True  # as Neovim answers
            document.apply(change["edits"])
        return True

    def begin(self, *folders: Path, capabilities: Any = None, **options: Any) -> Any:
        given = {
            "processId": os.getpid(),
            "rootUri": folders[0].as_uri() if folders else None,
            "capabilities": capabilities or {},
            "workspaceFolders": [{"uri": one.as_uri(), "name": one.name} for one in folders],
            "initializationOptions": options,
        }
        found = self.ask("initialize", given)
        self.notify("initialized", {})
        return found

    def open(self, file: Path, text: str | None = None) -> Document:
        """Open a file; an editor shows no mark at its beginning."""
        shown = file.read_bytes().decode().removeprefix("\ufeff") if text is None else text
        document = self.documents[file.as_uri()] = Document(self, file, shown)
        about = {"uri": document.uri, "languageId": "plaintext", "version": 1, "text": shown}
        self.notify("textDocument/didOpen", {"textDocument": about})
        return document

    def run(self, command: Any) -> Any:
        given = {"command": command["command"], "arguments": command.get("arguments", [])}
        return self.ask("workspace/executeCommand", given)

    def leave(self) -> int:
        """As the protocol wants it; the exit code."""
        if self.process.poll() is None:
            self.ask("shutdown", None)
            self.notify("exit", None)
        return self.process.wait(PATIENCE_SECONDS)


def _must_be(said: Any, kind: Any) -> None:
    """Fails if a message is not what the protocol says."""
    if kind is not None:
        CONVERTER.structure(said, kind)


@contextmanager
def editing(p: Project, *folders: Path, **options: Any) -> Iterator[Editor]:
    """An editor in a project, or in several folders."""
    editor = Editor(p.environ, p.root)
    try:
        editor.begin(*(folders or (p.root,)), **options)
        yield editor
        assert editor.leave() == 0
    finally:
        editor.process.kill()
        editor.process.wait()
        for pipe in (editor.process.stdin, editor.process.stdout):
            if pipe is not None:
                pipe.close()
