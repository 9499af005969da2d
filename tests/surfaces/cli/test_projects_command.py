"""The list of projects, and forgetting one."""

from __future__ import annotations

from tests.gate.yard import Yard, typed


def test_they_are_listed_and_one_is_forgotten(yard: Yard) -> None:
    yard.run("status")
    said = yard.run("projects")
    assert (said.code, f"  {yard.root}\n" in said.out) == (0, True)
    (one,) = yard.run("projects", "--json").document["projects"]
    assert (one["root"], one["there"], one["key"]) == (str(yard.root), True, yard.state.name)
    assert yard.run("projects", "--forget", one["key"]).code == 2
    assert yard.run("projects", "--forget", "nothing", "--yes").code == 1
    assert yard.run("projects", "--forget", one["key"], "--yes", CLAUDECODE="1").code == 1
    code, shown = typed(yard, "n\n", "projects", "--forget", str(yard.root))
    assert (code, "goes for good" in shown) == (0, True)
    assert yard.state.exists()
    said = yard.run("projects", "--forget", str(yard.root), "--yes")
    assert said.out.startswith(f"Forgot {one['key']}.\nNo project is known here.\n")
    assert not yard.state.exists()
    assert (yard.root / "a.md").exists()
