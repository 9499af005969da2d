"""The name that pip knows us by: `blueline` there is another project, never to be installed for ours."""

from __future__ import annotations

import re
import tomllib
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from blueline.forge import workflow

yaml: Any = import_module("yaml")  # which has no types of its own

ROOT = Path(__file__).parents[2]
NAME = "blueline-review"
INSTALL = re.compile(r"(?:pip|pipx|uv tool|uvx?)(?: -\S+| --\S+)* (?:install|uninstall|run|--from)\s+(\S+)")


def test_the_distribution_is_named_so_that_no_stranger_is_installed() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["name"] == NAME


def test_nothing_tells_anybody_to_install_the_strangers_package() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "action" / "action.yml"]
    named = [word for page in pages for word in INSTALL.findall(page.read_text())]
    assert named
    assert not [word for word in named if word.strip("`'\"").partition("[")[0] == "blueline"]
    assert f"default: {NAME}\n" in (ROOT / "action" / "action.yml").read_text()


def test_the_actions_of_a_written_workflow_are_pinned_by_commit() -> None:
    used = re.findall(r"uses: (\S+)", workflow.TEXT)
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one) for one in used)


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("place", WORKFLOWS, ids=lambda place: str(place.name))
def test_our_own_workflows_are_pinned_and_have_the_least_rights(place: Path) -> None:
    text = place.read_text()
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one) for one in used)
    document = yaml.safe_load(text)
    assert document["permissions"] == {"contents": "read"}
    for job in document["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
            assert "${{ github.event" not in step.get("run", ""), (
                "what strangers write is no part of a script"
            )


def test_every_python_that_we_say_we_run_on_is_tried() -> None:
    document = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text())
    tried = document["jobs"]["linux"]["strategy"]["matrix"]["python"]
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    said = [one.rpartition(" ")[2] for one in project["classifiers"] if ":: Python :: 3." in one]
    assert tried == said
    assert project["requires-python"] == f">={tried[0]}"


def test_no_distribution_is_published_that_another_job_did_not_build_and_attest() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    (build, publish, announce) = (jobs[name] for name in ("build", "publish", "announce"))
    assert any("attest-build-provenance" in step.get("uses", "") for step in build["steps"])
    assert publish["needs"] == "build"
    assert publish["permissions"] == {"id-token": "write"}, "no token of ours: PyPI trusts the workflow"
    assert announce["needs"] == ["build", "publish"]
    (attest,) = (step for step in build["steps"] if "attest-build-provenance" in step.get("uses", ""))
    assert attest["with"]["subject-path"].split() == ["dist/*", "editor/*.vsix"]
    (release,) = (step["run"] for step in announce["steps"] if "run" in step)
    assert "dist/* editor/*.vsix" in release
    # What is for another place than the extension's must not lie beside it: it would be published there, too.
    assert [step["with"]["name"] for step in publish["steps"] if "download" in step["uses"]] == ["dist"]


def test_the_wheel_is_small() -> None:
    """As what is packed: the wheel itself is weighed at a release."""
    files = [
        path for path in (ROOT / "blueline").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    packed = sum(len(zlib.compress(path.read_bytes(), 6)) for path in files)
    assert packed <= 3 << 20
