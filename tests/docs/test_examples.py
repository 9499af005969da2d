"""What the documentation shows is what happens."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from blueline.surfaces.cli.main import main
from tests.docs.example import Player, Printed, Run, examples
from tests.support.project import Project

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    f"{page} {number}": example
    for page in ("decisions", "capture")
    for number, example in enumerate(examples((ROOT / "docs" / f"{page}.md").read_text()), start=1)
}
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"\bh[0-9a-f]{8}\b")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process, as if it had been typed in the project's folder."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(project: Project, words: list[str]) -> Printed:
        monkeypatch.chdir(project.root)
        for name in ("HOME", "XDG_STATE_HOME"):
            monkeypatch.setenv(name, project.environ[name])
        code = main(words)
        said = capsys.readouterr()
        return Printed(code, said.out + said.err)

    return run


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_goes_as_it_says(example: str, tmp_path: Path, run: Run) -> None:
    project = Project(tmp_path)
    Player(project, run).play(example)
    project.assert_sound()


def typed(page: str) -> Iterator[tuple[str, list[str]]]:
    """Each command that a page shows, with the lines it prints."""
    for block in _CONSOLE.findall(page):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            yield command, lines


def test_the_first_five_minutes_go_as_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "92")
    monkeypatch.chdir(tmp_path)
    known: dict[str, str] = {}
    for command, lines in typed((ROOT / "README.md").read_text()):
        program, *words = shlex.split(command)
        if program == "cd":
            monkeypatch.chdir(words[0])
            continue
        main([known.get(word, word) for word in words])
        said = capsys.readouterr()
        printed = iter((said.out + said.err).splitlines())
        for line in (line for line in lines if line != "…"):
            # Ids are others each time; which is which is seen where they first appear.
            pattern = _ID.sub("(h[0-9a-f]{8})", ".*".join(map(re.escape, line.split("…"))))
            found = next((match for there in printed if (match := re.fullmatch(pattern, there))), None)
            assert found, f"{command!r} does not print {line!r} there, but:\n{said.out}{said.err}"
            for name, real in zip(_ID.findall(line), found.groups(), strict=True):
                assert known.setdefault(name, real) == real
