"""What a config says about reviews."""

from __future__ import annotations

import tomllib

import pytest

from blueline.review.loop_config import PolicyUnusable, policy_of


def test_all_it_can_say() -> None:
    found = policy_of(
        tomllib.loads(
            """
            [review]
            shipped = ["dist"]
            [review.loops.1]
            commands = ["make", { run = "slow", timeout = 5, results = "out.xml" }]
            timeout = 60
            report = true
            [review.loops.3]
            skip = " not here "
            """
        )
    )
    first = found.loops[1]
    assert [(one.run, one.seconds, one.results) for one in first.commands] == [
        ("make", 60, ""),
        ("slow", 5, "out.xml"),
    ]
    assert (first.report, found.loops[3].skip, found.shipped) == (True, "not here", ("dist",))
    assert found.loops[2].needs_report


def test_any_change_of_it_has_another_digest_and_other_parts_of_the_config_do_not_count() -> None:
    one = policy_of(tomllib.loads('[review.loops.1]\ncommands = ["a"]'))
    assert one.digest == policy_of(tomllib.loads('x = 1\n[review.loops]\n1.commands = ["a"]')).digest
    assert one.digest != policy_of(tomllib.loads('[review.loops.1]\ncommands = ["a "]')).digest
    assert policy_of({}).digest == policy_of({"capture": {}}).digest


@pytest.mark.parametrize(
    "text",
    [
        "review = 1",
        "[review]\nloop = 1",
        "[review]\nshipped = 1",
        "[review.loops.5]",
        "[review.loops]\n1 = 1",
        "[review.loops.1]\ncommand = []",
        "[review.loops.1]\ncommands = 'make'",
        "[review.loops.1]\ncommands = [1]",
        "[review.loops.1]\ncommands = ['']",
        "[review.loops.1]\ncommands = [{ run = 'x', shell = true }]",
        "[review.loops.1]\ncommands = [{ run = 'x', results = '../x' }]",
        "[review.loops.1]\ncommands = [{ run = 'x', results = '/x' }]",
        "[review.loops.1]\ntimeout = 0",
        "[review.loops.1]\ntimeout = true",
        "[review.loops.1]\nreport = 'yes'",
        "[review.loops.1]\nskip = true",
    ],
)
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(PolicyUnusable):
        policy_of(tomllib.loads(text))
