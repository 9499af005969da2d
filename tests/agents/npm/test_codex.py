"""The real Codex CLI, its hooks installed by `blueline init`, against a scripted model on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.support.agents.codex import Codex
from tests.support.agents.contract import POEM, AgentContract
from tests.support.agents.place import Place
from tests.support.record_other_payloads import assert_recorded, end_of_background
from tests.support.scripted_model import Answer, ScriptedModel, calls, says


class TestCodex(AgentContract):
    AGENT = Codex
    TRUST = "trust"

    def test_a_patch_of_several_files_is_one_call(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = Codex(place.root, home, model)
            patch = agent.patches(
                *("*** Update File: a.md", "*** Move to: moved/a.md", "@@", "-line 3", "+LINE THREE"),
                *("*** Add File: new.md", "+new", "*** Delete File: gone.md"),
            )
            model.then([[patch], [says("Done.")]])
            agent.turn("move it")
        end = place.on_disk()
        assert {"moved/a.md", "new.md"} <= set(end)
        assert {"a.md", "gone.md"}.isdisjoint(end)
        (call,) = place.blueline("list", "--by", "call")["calls"]
        kinds = {(hunk["kind"], hunk["path"]) for hunk in place.blueline("list")["hunks"]}
        assert kinds >= {("rename", "moved/a.md"), ("modify", "moved/a.md"), ("delete", "gone.md")}
        place.blueline("reject", call["id"])
        assert place.on_disk() == start
        place.blueline("undo")
        assert place.on_disk() == end

    def test_a_call_whose_end_is_never_told_counts(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        patch = "*** Begin Patch\n*** Add File: new.md\n+new\n*** Delete File: gone.md\n*** End Patch"
        with ScriptedModel() as model:
            agent = Codex(place.root, home, model)
            model.then(
                [
                    # Fails, and only its beginning is told.
                    [agent.edits("a.md", "no such line\n", "NO SUCH LINE\n")],
                    # Codex sees that this is a patch, makes it itself, and never tells its end.
                    [agent.runs(f"apply_patch <<'EOF'\n{patch}\nEOF")],
                    [says("Done.")],
                ]
            )
            agent.turn("by the shell")
        assert place.on_disk() != start
        (turn,) = place.turns().values()
        assert {hunk["turn"] for hunk in place.blueline("list")["hunks"]} == {turn["id"]}
        answer = place.blueline("reject", turn["id"])
        assert {result["outcome"] for result in answer["results"]} == {"applied"}
        assert place.on_disk() == start

    def test_a_command_that_ends_in_the_background_counts(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = Codex(place.root, home, model)
            waits = "read -r; printf late > late.md; rm gone.md"

            def answers() -> Iterator[Answer]:
                yield [calls("exec_command", cmd=waits, yield_time_ms=250, tty=True)]
                yield [agent.edits("a.md", "line 3\n", "LINE THREE\n")]
                yield [end_of_background(model)]
                yield [says("Done.")]

            model.then(answers())
            agent.turn("in the background")
        assert place.on_disk()["late.md"] == (0o644, b"late")
        hunks = place.blueline("list")["hunks"]
        edit = next(hunk for hunk in hunks if hunk["path"] == "a.md")
        place.blueline("reject", edit["call"])
        assert place.on_disk()["a.md"] == (0o644, POEM.encode())
        assert place.on_disk()["late.md"] == (0o644, b"late")
        place.blueline("reject", "--all")
        assert place.on_disk() == start


def test_the_recorded_payloads_are_what_it_sends() -> None:
    assert_recorded("codex")
