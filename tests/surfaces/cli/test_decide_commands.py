"""What the commands that decide ask of the desk."""

from __future__ import annotations

from tests.support.command import Run
from tests.support.fake_desk import FakeDesk, decided, listing, refused


def test_the_desk_is_told_everything_that_was_typed(run: Run) -> None:
    desk = FakeDesk(decide=decided(), undo=decided())
    run(desk, "reject", "h1", "a.md", "--keep-dependents", "--reason", "why not", "--dry-run")
    run(desk, "accept", "--all")
    run(desk, "reject", "t1", "--with-dependents")
    run(desk, "undo", "d3")
    common = {"everything": False, "dependents": "ask", "reason": "", "dry_run": False}
    assert desk.asked == [
        (
            "decide",
            ("reject", ["h1", "a.md"]),
            {**common, "dependents": "keep", "reason": "why not", "dry_run": True},
        ),
        ("decide", ("accept", []), {**common, "everything": True}),
        ("decide", ("reject", ["t1"]), {**common, "dependents": "with"}),
        ("undo", ("d3",), {}),
    ]


def test_the_commands_to_type_are_for_the_same_project_and_files(run: Run) -> None:
    answer = refused({"hunk": "h1", "built_on_by": ["h2"]})
    done = run(FakeDesk(decide=answer, list=listing()), "-C", "/", "reject", "--", "-a", "two words", "\x1b[")
    assert "  blueline -C / reject --with-dependents -- -a 'two words' $'\\033['\n" in done.err
