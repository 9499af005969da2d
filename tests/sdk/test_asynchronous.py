"""The same, for agents that wait for many things at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from blueline.sdk import AsyncSession, AsyncStream, EditRefused, Outcome
from tests.support.project import POEM, Make, Project


def agent(project: Project) -> AsyncSession:
    return AsyncSession(project.root, "async-agent", environ=project.environ)


def test_a_turn_with_every_kind_of_call(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "one\n"})

    async def reformat() -> int:
        await asyncio.sleep(0)
        p.put("b.md", "ONE\n")
        return 7

    async def chunks() -> AsyncIterator[str]:
        for number in range(100):
            yield f"{number} "
            await asyncio.sleep(0)

    async def work() -> list[Outcome]:
        async with agent(p) as session, session.turn("please") as turn:
            outcomes = [
                await turn.edit_file("a.md", "line 3\n", "line three\n"),
                await turn.write_file("c.md", "made\n"),
                await turn.propose_edit("a.md", "line 9\n", "line nine\n", "to match"),
            ]
            assert await turn.execute("reformat", reformat, paths=["b.md"]) == 7
            assert await turn.execute("plain", lambda: 8, paths=["b.md"]) == 8
            async with turn.call("block", paths=["b.md"]):
                p.put("b.md", "ONE AND A HALF\n")
            async with turn.stream("d.md") as stream:
                await stream.pour(chunks())
            assert stream.outcome is not None
            return [*outcomes, stream.outcome]

    edited, made, proposed, streamed = asyncio.run(work())
    assert (edited.landed, made.landed, proposed.held, streamed.landed) == (True, True, True, True)
    assert p.text("d.md") == "".join(f"{number} " for number in range(100))
    (turn,) = p.turns()
    assert (turn["agent"], turn["prompt"]) == ("async-agent", "please")
    assert turn["ended"]
    assert [call["tool"] for call in p.calls()] == [
        "edit_file",
        "write_file",
        "propose_edit",
        "reformat",
        "plain",
        "block",
        "stream_file",
    ]
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM, "one\n")
    assert not p.exists("c.md")
    assert not p.exists("d.md")


def test_many_calls_at_once_lose_nothing(project: Make) -> None:
    p = project({"a.md": POEM})

    async def work() -> None:
        async with agent(p).turn("please") as turn:
            numbers = range(1, 10)
            await asyncio.gather(*(turn.edit_file("a.md", f"line {n}\n", f"{n}. line\n") for n in numbers))

    asyncio.run(work())
    assert p.text("a.md") == "".join(f"{n}. line\n" for n in range(1, 10)) + POEM[POEM.index("line 10") :]
    assert len(p.calls()) == 9
    p.reject()
    assert p.text("a.md") == POEM


def test_two_streams_at_once_keep_their_places(project: Make) -> None:
    p = project({"a.md": "top\nmiddle\nend\n"})

    async def work() -> None:
        async with agent(p).turn("please") as turn:
            one = turn.stream("a.md", at=len("top\n"))
            other = turn.stream("a.md", at=len("top\nmiddle\n"))

            async def fill(stream: AsyncStream, name: str) -> None:
                for number in range(50):
                    await stream.write(f"{name} {number}\n")
                    await asyncio.sleep(0)

            async with one, other:
                await asyncio.gather(fill(one, "one"), fill(other, "other"))

    asyncio.run(work())
    ones, others = ("".join(f"{name} {n}\n" for n in range(50)) for name in ("one", "other"))
    assert p.text("a.md") == f"top\n{ones}middle\n{others}end\n"


def test_a_task_that_is_cancelled_leaves_what_arrived(project: Make) -> None:
    p = project({"a.md": POEM})

    async def work() -> None:
        arrived = asyncio.Event()

        async def stream_for_ever() -> None:
            async with agent(p).turn("please") as turn, turn.stream("a.md") as stream:
                await stream.write("The first li")
                arrived.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(stream_for_ever())
        await arrived.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(work())
    assert p.text("a.md") == POEM + "The first li"
    (call,) = p.calls()
    assert (call["outcome"], call["about"]["error"]) == ("failed", "CancelledError")
    p.reject()
    assert p.text("a.md") == POEM


def test_pieces_of_one_call_may_come_from_several_places(project: Make) -> None:
    p = project({"a.md": POEM})

    async def work() -> None:
        async with agent(p).turn("please") as turn:
            await turn.stream("a.md", call_id="seven").write("one ")
            await turn.stream(call_id="seven").write("two ")
            await turn.stream(call_id="seven").write("three", last=True)

    asyncio.run(work())
    assert p.text("a.md") == POEM + "one two three"
    assert len(p.calls()) == 1


def test_an_edit_that_cannot_be_made_is_refused_here_too(project: Make) -> None:
    p = project({"a.md": POEM})

    async def work() -> None:
        async with agent(p).turn("please") as turn:
            with pytest.raises(EditRefused):
                await turn.edit_file("a.md", "nowhere", "x")
            with pytest.raises(ZeroDivisionError):
                await turn.execute("fail", lambda: 1 / 0, paths=["a.md"])

    asyncio.run(work())
    (call,) = p.calls()
    assert (call["tool"], call["outcome"]) == ("fail", "failed")


def test_cells_of_a_notebook(project: Make) -> None:
    cells = (
        '{"cells": [{"cell_type": "code", "id": "one", "source": ["x = 1"]}], '
        '"nbformat": 4, "nbformat_minor": 5}'
    )
    p = project({"n.ipynb": cells})

    async def work() -> str:
        async with agent(p).turn("please") as turn:
            await turn.edit_cell("n.ipynb", "one", "x = 2")
            added = await turn.add_cell("n.ipynb", "y = 1", after="one")
            return added.cell

    cell = asyncio.run(work())
    p.accept()
    assert f'"id": "{cell}"' in p.text("n.ipynb")
    assert '"x = 2"' in p.text("n.ipynb")

    async def remove() -> None:
        async with agent(p).turn("again") as turn:
            await turn.delete_cell("n.ipynb", cell)

    asyncio.run(remove())
    p.accept()
    assert p.text("n.ipynb") == cells.replace("x = 1", "x = 2")
