"""Formatters run over what agents wrote, on code that is real (rule D2)."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable

import pytest

from tests.formatters.conftest import Format
from tests.formatters.samples import code, rewritten
from tests.review.intake.test_formatters import words_of
from tests.support.history import History

NAMES = ("ruff", "black", "prettier", "gofmt", "clang-format", "shfmt")
TIMES = 5


def histories(name: str, formatted: Format) -> list[tuple[History, str, str]]:
    """Files that were formatted, that an agent changed, and that were formatted again, with both texts."""
    source = random.Random(name)
    found: list[tuple[History, str, str]] = []
    while len(found) < TIMES:
        before = formatted(source.choice(code(name)).read_text())
        text = before
        history = History(before)
        for number in range(source.randint(1, 3)):
            text = rewritten(name, text, source)
            history.agent(text, conversation=("one", "two")[number % 2])
        try:
            after = formatted(text)
        except subprocess.CalledProcessError:  # the agent made something that is no code
            continue
        known = words_of(history)
        history.person(after)
        assert history.text == after
        # What came to be as it was before is nobody's any more.
        assert words_of(history) <= known
        found.append((history, before, after))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_was_formatted_goes_back_whole_and_nothing_is_accepted_unasked(
    name: str, formats: Callable[[str], Format]
) -> None:
    for history, before, after in histories(name, formats(name)):
        assert history.agreed == before
        assert history.decide("reject", history.everything()).needs == []
        assert history.text == before
        if history.text != after:
            history.turn(history.decision, stands=False)
        assert history.text == after
        history.decide("accept", history.everything())
        assert (history.text, history.agreed) == (after, after)


def test_imports_that_a_program_puts_in_order_stay_the_agents(fixes: Callable[[str, str], str]) -> None:
    before = "import os\nimport sys\n\nprint(os, sys, json, abc)\n"
    agent = before.replace("import sys\n", "import sys\nimport json\nimport abc\nfrom re import sub,match\n")
    history = History(before)
    history.agent(agent)
    known = words_of(history)
    after = fixes("I", agent)
    assert after.index("abc") < after.index("import os")
    history.person(after)
    assert words_of(history)[("match", 1)] == known[("match", 1)] == 1
    history.decide("reject", history.everything(), dependents="with")
    assert history.text == before


@pytest.mark.parametrize(
    "added",
    [
        "import json, abc\n",
        "from typing import Optional, Any\n",
        "from a import zeta\nfrom a import alpha\n",
        "import json, abc\nimport requests\nfrom re import sub,match\nx=f( 1,2)\n",
    ],
)
def test_imports_that_a_program_takes_apart_and_sorts_go_back_whole(
    added: str, fixes: Callable[[str, str], str], formats: Callable[[str], Format]
) -> None:
    before = "import os\nimport sys\n\nfrom a import beta\n\nprint(os, sys, beta)\n"
    agent = before.replace("from a import beta\n", f"from a import beta\n{added}")
    after = formats("ruff")(fixes("I", agent))
    history = History(before)
    history.agent(agent)
    history.person(after)
    assert (history.text, history.agreed) == (after, before)
    assert history.decide("reject", history.everything()).needs == []
    assert history.text == before
    history.turn(history.decision, stands=False)
    history.decide("accept", history.everything())
    assert (history.text, history.agreed, history.hunks()) == (after, after, [])


def test_what_a_linter_takes_out_is_gone_and_the_rest_goes_back(fixes: Callable[[str, str], str]) -> None:
    before = "import os\n\nprint(os)\n"
    agent = "import os\nimport json\nfrom re import sub, match\n\nprint(os, match)\n"
    history = History(before)
    history.agent(agent)
    after = fixes("F401", agent)
    assert "json" not in after
    history.person(after)
    assert [seen.new for seen in history.hunks()] == ["from re import match\n", "print(os, match)\n"]
    assert history.decide("reject", history.everything()).needs == []
    assert history.text == before
