"""Messages on pipes: whatever comes, the server answers or leaves, and says why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blueline.surfaces.lsp.protocol import Given, MessageReader, Unanswerable
from tests.support.project import POEM, Project
from tests.surfaces.lsp.editor import Editor, Refused, editing


def messages(data: bytes) -> list[bytes]:
    found, pipe = [], os.pipe()
    os.write(pipe[1], data)
    os.close(pipe[1])
    reader = MessageReader(pipe[0])
    while (body := reader.next()) is not None:
        found.append(body)
    os.close(pipe[0])
    return found


@pytest.mark.parametrize(
    ("data", "expect"),
    [
        (b"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [b"{}", b"[1]"]),
        (b"content-length:2\r\nContent-Type: x\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 0\r\n\r\n", [b""]),
        (b"Content-Length: 9\r\n\r\n{}", []),
        (b"Content-Length: -1\r\n\r\n{}", []),
        (b"Content-Length: 99999999999\r\n\r\n{}", []),
        (b"Length\r\n\r\n{}", []),
        (b"x" * 5000, []),
        (b"", []),
    ],
)
def test_where_messages_begin_and_end(data: bytes, expect: list[bytes]) -> None:
    assert messages(data) == expect


def test_what_came_is_not_trusted() -> None:
    given = Given({"text": 1, "number": True, "texts": ["a", 2], "mapping": {"a": 1}, "none": None})
    for read in (
        lambda: given.text("text"),
        lambda: given.number("number"),
        lambda: given.texts("texts"),
        lambda: given.mapping("mapping"),
        lambda: given.text("missing"),
        lambda: given.choice("none", ("a",)),
    ):
        with pytest.raises(Unanswerable):
            read()
    assert given.text("missing", "default") == "default"
    assert given.number("none", 3) == 3
    assert Given([]).all("x") == []
    assert "none" not in given


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {"a.md": POEM})
    found.edit("a.md", "line 3\n", "line three\n")
    return found


def test_requests_that_are_none(p: Project) -> None:
    with editing(p) as editor:
        for data in (b"{", b"[]", b"7", b'{"jsonrpc":"2.0","id":99,"result":null}'):
            editor.send_bytes(data)
        editor.notify("textDocument/didChange", {"textDocument": {"uri": 1}})
        editor.notify("$/cancelRequest", {"id": 1})
        with pytest.raises(Refused) as refused:
            editor.ask("textDocument/definition", {})
        assert refused.value.code == -32601
        with pytest.raises(Refused) as refused:
            editor.ask("blueline/decide", {"verdict": "maybe"})
        assert refused.value.code == -32602
        assert editor.ask("blueline/status", {})["counts"]["hunks"] == 1


def test_initialize_comes_first_and_shutdown_last(p: Project) -> None:
    editor = Editor(p.environ, p.root)
    with pytest.raises(Refused) as refused:
        editor.ask("blueline/status", {})
    assert refused.value.code == -32002
    found = editor.begin(p.root)
    assert found["capabilities"]["textDocumentSync"]["change"] == 2
    editor.ask("shutdown", None)
    with pytest.raises(Refused) as refused:
        editor.ask("blueline/status", {})
    assert refused.value.code == -32600
    editor.notify("exit", None)
    assert editor.process.wait(60) == 0
    for pipe in (editor.process.stdin, editor.process.stdout):
        assert pipe is not None
        pipe.close()
