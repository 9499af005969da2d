"""What short histories begin with."""

from __future__ import annotations

from tests.support.history import History

POEM = "".join(f"line {number}\n" for number in range(1, 7))
THREE = POEM.replace("line 3\n", "THREE\n")
LONG_POEM = "".join(f"line {number}\n" for number in range(1, 10))


def rewritten() -> History:
    """Two calls, the second of which rewrites the line that the first wrote."""
    history = History(POEM)
    history.agent(POEM.replace("line 3\n", "first version\n"))
    history.agent(POEM.replace("line 3\n", "second try\n"), conversation="two")
    return history


def built_inside() -> History:
    """Two calls, the second of which writes into the block that the first wrote."""
    history = History("top\nend\n")
    history.agent("top\na 1\na 2\nend\n")
    history.agent("top\na 1\nb\na 2\nend\n", conversation="two")
    return history


def poem(**lines: str) -> str:
    """The long poem with some lines, named by their words, made into something else."""
    text = LONG_POEM
    for name, new in lines.items():
        text = text.replace(f"line {name[1:]}\n", new)
    return text
