"""Running the loops: trust, order, scope, time, output; and what agents report."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.gate.yard import LOOPS, Make, Yard

SKIPPED = "".join(f'[review.loops.{n}]\nskip = "not here"\n' for n in (2, 3, 4))


def loop_1(commands: str, more: str = "") -> str:
    return f"[review.loops.1]\ncommands = [{commands}]\n{more}\n{SKIPPED}"


def test_nothing_runs_that_nobody_trusted(make: Make) -> None:
    yard = make(loop_1('"touch OWNED"'))
    said = yard.review()
    assert said.code == 1
    assert "blueline trust" in said.document["hint"]
    assert not (yard.root / "OWNED").exists()


def test_a_project_that_changes_its_own_loops_asks_again(make: Make) -> None:
    yard = make(loop_1('"true"'))
    yard.open()
    yard.configure(loop_1('"touch OWNED"'))
    said = yard.review()
    assert said.code == 1
    assert "not trusted" in said.document["error"]
    yard.configure(loop_1('"true"'))
    assert yard.review().code == 0


def test_an_agents_edit_of_the_loops_counts_when_it_is_accepted(make: Make) -> None:
    yard = make(loop_1('"true"'))
    yard.open()
    before = yard.gate()["config"]
    yard.project.prompt()
    yard.project.edit(".blueline/config.toml", '"true"', '"touch OWNED"')
    assert yard.gate()["config"] == before
    yard.review()
    assert not (yard.root / "OWNED").exists()
    yard.project.accept()
    assert yard.gate()["config"] != before
    assert "not trusted" in yard.review().document["error"]


def test_trust_names_exactly_what_was_looked_at(yard: Yard) -> None:
    assert yard.run("trust", "0" * 64).code == 1
    assert yard.run("trust").code == 2
    yard.trust()
    assert yard.run("trust", "--forget").code == 0
    assert "not trusted" in yard.review().document["error"]


def test_damaged_trust_is_no_trust(yard: Yard) -> None:
    yard.trust()
    (yard.state / "trusted").write_text("{")
    assert "not trusted" in yard.review().document["error"]


def test_the_preview_runs_nothing_and_knows_how_long_it_took(make: Make) -> None:
    yard = make(loop_1('"true"'))
    plan = yard.run("review", "--preview", "--json").document
    assert plan["loops"][0]["commands"] == [{"run": "true", "timeout": 900, "last": None, "results": ""}]
    assert (plan["trusted"], plan["loops"][1]["skip"]) == (False, "not here")
    yard.open()
    plan = yard.run("review", "--preview", "--json").document
    assert plan["loops"][0]["commands"][0]["last"] >= 0
    assert "last time" in yard.run("review", "--preview").out


def test_without_a_terminal_it_asks_for_yes(yard: Yard) -> None:
    yard.trust()
    said = yard.run("review")
    assert said.code == 2
    assert "--yes" in said.err


def test_scope_is_what_changed_everything_or_what_is_named(make: Make) -> None:
    yard = make(
        "".join(f"[review.loops.{n}]\ncommands = ['echo {{files}} > out/{n}']\n" for n in (1, 2, 3, 4))
    )
    (yard.root / "out").mkdir()
    yard.put("src/a b.py", "")
    yard.put("src/c.py", "")
    yard.trust()
    assert yard.review("--scope", "src/c.py").code == 1
    assert yard.project.text("out/1") == "src/c.py\n"
    # What was not looked at keeps the gate closed.
    (reason,) = yard.gate()["reasons"][:1]
    assert (reason["code"], "some of the files" in reason["message"]) == ("no-review", True)
    assert yard.review().code == 0
    assert yard.project.text("out/4") == "src/a b.py src/c.py\n"
    assert yard.review("--scope", "all").code == 0
    assert "a.md" in yard.project.text("out/1")
    assert yard.review("--scope", "/etc").code == 1


def test_some_loops_only(yard: Yard) -> None:
    yard.trust()
    assert yard.review("--loops", "1,2").document["ran"] == [1, 2]
    assert [loop["state"] for loop in yard.gate()["loops"]] == ["passed", "passed", "missing", "missing"]
    assert yard.review("--loops", "3,4").code == 0
    assert yard.gate()["open"]
    assert yard.review("--loops", "5").code == 1


def test_a_command_that_takes_too_long_is_ended_with_all_it_started(make: Make) -> None:
    yard = make(loop_1('{ run = "sleep 600 & echo $! > out/pid; wait", timeout = 1 }'))
    (yard.root / "out").mkdir()
    yard.trust()
    said = yard.review()
    assert said.code == 1
    (issue,) = said.document["gate"]["loops"][0]["issues"]
    assert "longer than 1 seconds" in issue["message"]
    pid = yard.project.text("out/pid").strip()
    assert yard.project.shell(f"ps -o stat= -p {pid} | grep -v Z || true").stdout == ""


def test_output_is_bounded_and_shown_escaped(make: Make) -> None:
    yard = make(
        loop_1(r'''"head -c 5000000 /dev/zero | tr '\\0' x; printf '\\n\\033[31mred\\007\\n'; exit 3"''')
    )
    yard.trust()
    assert yard.review().code == 1
    said = yard.run("gate", "--explain")
    assert "\x1b" not in said.out
    assert "\x07" not in said.out
    assert "red\\x07" in said.out
    assert len(json.dumps(yard.gate())) < 100_000


def test_a_loop_that_changes_files_says_nothing_about_them(make: Make) -> None:
    yard = make(loop_1('"echo formatted >> a.md"'))
    yard.trust()
    said = yard.review()
    assert said.code == 1
    (issue,) = said.document["gate"]["loops"][0]["issues"]
    assert "files changed while this loop ran (a.md)" in issue["message"]


def test_qg8_a_command_that_is_killed_or_missing_has_not_passed(make: Make) -> None:
    yard = make(loop_1('"kill -9 $$"'))
    yard.trust()
    assert yard.review().code == 1
    yard.configure(loop_1('"no-such-program-here"'))
    yard.trust()
    assert yard.review().code == 1
    assert yard.codes() == ["loop-failed"]


def test_progress_is_told_as_it_happens(yard: Yard) -> None:
    yard.trust()
    said = yard.run("review", "--events")
    events = [json.loads(line) for line in said.out.splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds[:4] == ["loop-started", "command-started", "command-ended", "loop-ended"]
    assert (kinds[-1], events[-1]["gate"]["open"]) == ("reviewed", True)


def test_results_in_a_file_count(make: Make) -> None:
    sarif = {"runs": [{"results": [{"level": "error", "message": {"text": "bad"}}]}]}
    yard = make(loop_1('{ run = "cp found out/r", results = "out/r" }'))
    (yard.root / "out").mkdir()
    yard.put("found", json.dumps(sarif))
    yard.trust()
    assert yard.review().code == 1
    assert yard.gate()["loops"][0]["issues"][0]["message"] == "bad"
    yard.put("found", "nothing that is known")
    assert yard.review().code == 1
    yard.put("found", json.dumps({"runs": []}))
    assert yard.review().code == 0
    # One that was not written this time is of an earlier run.
    yard.configure(loop_1('{ run = "true", results = "out/r" }'))
    yard.trust()
    assert yard.review().code == 1


def test_reports_of_agents_open_it_where_no_command_is_configured(make: Make) -> None:
    yard = make("")
    for n in "123":
        assert yard.run("loop", "record", n, "--passed", CLAUDECODE="1").code == 0
    assert yard.codes() == ["no-review"]
    yard.run("loop", "record", "4", "--failed", "--issue", "error:a.md:1: it hangs", CLAUDECODE="1")
    found = yard.gate()
    (reason,) = found["reasons"]
    assert (reason["code"], reason["about"]) == ("loop-failed", ["a.md:1: it hangs"])
    assert found["loops"][3]["by"] == "claude-code"
    assert yard.run("loop", "record", "4", "--passed").code == 0
    assert yard.gate()["open"]


def test_an_agent_cannot_say_that_a_skipped_loop_was_done(make: Make) -> None:
    yard = make('[review.loops.1]\nskip = "prose only"\n' + SKIPPED)
    before = yard.gate()
    said = yard.run("loop", "record", "1", "--passed", CLAUDECODE="1")
    assert (said.code, "claude-code may not" in said.err) == (1, True)
    assert yard.gate() == before
    # That it failed it can say, and a person can say either.
    assert yard.run("loop", "record", "1", "--failed", "--issue", "error: bad", CLAUDECODE="1").code == 0
    assert yard.codes() == ["loop-failed"]
    assert yard.run("loop", "record", "1", "--passed").code == 0
    assert yard.gate()["open"]


def test_no_report_stands_for_commands(yard: Yard) -> None:
    for n in "1234":
        assert yard.run("loop", "record", n, "--passed", "--json").document["recorded"]["passed"] is False
    assert yard.codes() == ["no-review"] * 4
    yard.put("BROKEN-1", "")
    yard.trust()
    yard.review()
    yard.run("loop", "record", "1", "--passed")
    assert "loop-failed" in yard.codes()


def test_a_bad_report_closes_what_commands_opened(yard: Yard) -> None:
    yard.open()
    yard.run("loop", "record", "3", "--failed", "--issue", "a.md:1: a password")
    assert yard.codes() == ["loop-failed"]


def test_both_are_asked_for_where_the_config_says_so(make: Make) -> None:
    yard = make(LOOPS + "report = true\n")
    yard.trust()
    assert yard.review().code == 1
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["loop"]) == ("no-review", 4)
    yard.run("loop", "record", "4", "--passed")
    assert yard.gate()["open"]


@pytest.mark.parametrize("words", [["record", "5", "--passed"], ["record", "1"], ["forget", "1", "--passed"]])
def test_a_report_that_makes_no_sense_is_refused(yard: Yard, words: list[str]) -> None:
    assert yard.run("loop", *words).code == 2


def test_a_report_cannot_pass_with_errors(yard: Yard) -> None:
    assert yard.run("loop", "record", "1", "--passed", "--issue", "broken").code == 1
    assert yard.run("loop", "record", "1", "--passed", "--issue", "warning: untidy").code == 0


def test_loops_that_are_left_out_are_no_review(make: Make) -> None:
    yard = make('[review.loops.1]\nskip = "prose only"\n' + SKIPPED)
    assert yard.codes() == ["no-review"]
    done = yard.review()
    assert (done.code, done.document["passed"], done.document["gate"]["open"]) == (1, False, False)
    # Somebody has to have looked at these bytes, and says so.
    assert yard.run("loop", "record", "1", "--passed").code == 0
    found = yard.gate()
    assert [loop["state"] for loop in found["loops"]] == ["passed", *["skipped"] * 3]
    assert "loop 2 (standards) was skipped: not here" in yard.run("gate").out
    yard.put("a.md", "two\n")
    assert yard.codes() == ["stale-review"]


def test_what_a_tool_says_is_not_cut_at_the_edge_of_a_terminal(make: Make) -> None:
    yard = make('[review.loops.1]\ncommands = ["python -m pytest -q -p no:cacheprovider t.py"]\n' + SKIPPED)
    words = " ".join(["word"] * 40)
    yard.put("t.py", f"def test_it():\n    raise AssertionError({words!r})\n")
    yard.trust()
    with_tools = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    said = yard.run("review", "--yes", "--json", COLUMNS="80", PATH=with_tools)
    issues = said.document["gate"]["loops"][0]["issues"]
    assert [issue["message"] for issue in issues if issue["message"].endswith(words)]
