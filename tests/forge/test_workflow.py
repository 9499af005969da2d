"""The workflow that init writes."""

from __future__ import annotations

import re

from blueline.forge import workflow


def test_qb8_the_workflow_runs_nothing_of_a_pull_request_and_has_the_least_permissions() -> None:
    text = workflow.TEXT
    assert "pull_request_target" not in text
    assert "ref:" not in text
    assert "persist-credentials: false" in text
    assert re.search(r"^permissions: \{\}$", text, re.MULTILINE)
    granted = re.findall(
        r"^      ([a-z-]+): (\w+)$", text.partition("permissions:\n")[2].partition("steps")[0], re.MULTILINE
    )
    assert granted == [("contents", "write"), ("issues", "write"), ("pull-requests", "write")]
    assert [one.partition("@")[0] for one in re.findall(r"uses: (\S+)", text)] == [
        "actions/checkout",
        "actions/setup-python",
    ]


# QB10


def test_qb10_nothing_that_somebody_wrote_stands_in_a_command_of_the_workflow() -> None:
    expressions = re.findall(r"\$\{\{(.*?)\}\}", workflow.TEXT)
    assert [one.strip() for one in expressions] == ["vars.BLUELINE_SOURCE", "github.token"]
    for line in workflow.TEXT.splitlines():
        assert "${{" not in line or re.fullmatch(r"          [A-Z_]+: \$\{\{ [\w.]+ \}\}", line)
