"""What is decided on a copy of a machine's journal is a wish, which the machine can be told exactly."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from blueline.contract.hub import OutcomeDocument, WishDocument
from blueline.desk.copied_desk import CopiedDesk, NotHereInParts
from blueline.sync.hub_requests import carry_out
from tests.support.notebooks import code, dumped, notebook
from tests.support.project import Project

TEXT = "one\ntwo\nthree\nfour\nfive\n"
LOUD = TEXT.replace("two\nthree\nfour", "TWO\nTHREE\nFOUR")


@pytest.fixture
def machine(tmp_path: Path) -> Project:
    machine = Project(tmp_path / "machine", {"a.txt": TEXT})
    machine.edit("a.txt", "two\nthree\nfour\n", "TWO\nTHREE\nFOUR\n")
    machine.hunks()
    return machine


def wished(machine: Project, *selectors: str, verdict: Any = "reject") -> WishDocument:
    """What somebody asks for who has a copy of all that the machine recorded."""
    place = machine.home / "copy"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(machine.state, place / "state")
    (place / "project").mkdir()
    copied = CopiedDesk(place / "project", place / "state", "laptop", tuple)
    with copied:
        copied.decide(verdict, selectors)
    assert copied.wish is not None
    return copied.wish


def carried_out(machine: Project, wish: WishDocument, number: int = 1, folder: str = ".") -> OutcomeDocument:
    with machine.desk(folder) as desk:
        return carry_out(desk, {"number": number, "id": f"r{number}", "by": "Anna", "at": "", **wish})


def test_some_lines_of_a_change_are_decided_and_no_others(machine: Project) -> None:
    done = carried_out(machine, wished(machine, "./a.txt:3-3"))

    assert (done["state"], done["error"]) == ("done", "")
    assert machine.text("a.txt") == LOUD.replace("THREE", "three")
    assert [hunk["new"] for hunk in machine.hunks("a.txt")] == ["TWO\n", "FOUR\n"]


def test_the_lines_are_those_of_the_change_wherever_that_stands_by_now(machine: Project) -> None:
    wish = wished(machine, "./a.txt:4-5")
    machine.put("a.txt", "zero\nand more\n" + machine.text("a.txt"))
    machine.put("sub/b.txt", "")

    done = carried_out(machine, wish, folder="sub")

    assert done["state"] == "done", done
    assert machine.text("a.txt") == "zero\nand more\n" + LOUD.replace("FOUR", "four")


def test_lines_of_one_change_and_the_whole_of_another(machine: Project) -> None:
    machine.edit("a.txt", "five\n", "FIVE\n")
    machine.hunks()

    done = carried_out(machine, wished(machine, "./a.txt:4-5", verdict="accept"))

    assert done["state"] == "done", done
    assert [hunk["new"] for hunk in machine.hunks("a.txt")] == ["TWO\nTHREE\n"]


def test_a_change_that_is_not_as_it_was_shown_is_refused_with_its_lines(machine: Project) -> None:
    wish = wished(machine, "./a.txt:3-3")
    machine.edit("a.txt", "TWO\n", "2\n")

    done = carried_out(machine, wish)

    assert (done["state"], done["error"]) == ("refused", "what was shown is not there any more")
    assert machine.text("a.txt") == LOUD.replace("TWO", "2")


def test_a_file_that_is_called_like_lines_of_another_is_not_decided_instead(machine: Project) -> None:
    wish = wished(machine, "./a.txt:3-3")
    machine.write("a.txt:3-3", "who was shown this?\n")

    done = carried_out(machine, wish)

    assert (done["state"], done["error"]) == ("refused", "there is more on these lines than was shown")
    assert machine.exists("a.txt:3-3")
    assert machine.log("decision") == []


@pytest.mark.parametrize(
    "part",
    [
        {"first": 3, "last": 4},
        {"first": 2, "last": 1},
        {"first": -1, "last": 1},
        {"first": True, "last": True},
        {"first": "1", "last": "1"},
        {"digest": None},
    ],
)
def test_a_hub_that_names_lines_that_there_are_not_is_refused(machine: Project, part: dict[str, Any]) -> None:
    wish = wished(machine, "./a.txt:3-3")
    ((name, known),) = wish["parts"].items()
    wish["parts"] = {name: {**known, **part}}  # type: ignore[typeddict-item]

    assert carried_out(machine, wish)["state"] == "refused"
    assert machine.text("a.txt") == LOUD


def test_a_machine_that_does_not_know_parts_would_decide_nothing(machine: Project) -> None:
    assert wished(machine, "./a.txt:3-3")["hunks"] == {}
    machine.edit("a.txt", "five\n", "FIVE\n")
    machine.hunks()
    assert wished(machine, "./a.txt:4-5")["hunks"] == {}, "not half of it"


def test_of_two_who_decide_the_same_change_the_second_is_told(machine: Project) -> None:
    (hunk,) = machine.hunks()
    first, second = wished(machine, hunk["id"], verdict="accept"), wished(machine, hunk["id"])

    assert carried_out(machine, first)["state"] == "done"
    told = carried_out(machine, second, 2)

    assert (told["state"], told["error"]) == ("refused", "what was shown is not there any more")
    assert machine.text("a.txt") == LOUD
    assert [one["verdict"] for one in machine.log("decision")] == ["accept"]


def test_an_answer_is_never_longer_than_a_hub_takes(machine: Project) -> None:
    wish = wished(machine, *[hunk["id"] for hunk in machine.hunks()])

    done = carried_out(machine, {**wish, "decision": "\0d" * 5000, "verb": "undo", "hunks": {}})

    assert done["state"] == "refused"
    assert len(done["error"]) <= 1000
    assert "\0" not in done["error"]


def test_what_a_machine_could_not_be_told_exactly_is_not_asked_for(tmp_path: Path) -> None:
    machine = Project(tmp_path, {"a.ipynb": dumped(notebook(code("a", "one\ntwo\nthree\n")))})
    machine.write("a.ipynb", dumped(notebook(code("a", "ONE\nTWO\nTHREE\n"))).decode())
    machine.hunks()

    with pytest.raises(NotHereInParts, match="as a whole"):
        wished(machine, "./a.ipynb#a:2-2")
