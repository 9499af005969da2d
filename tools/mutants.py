"""Small faults in the parts that everything rests on, one at a time: which of them would no test notice?

`make mutants`, or `python -m tools.mutants weave --every 5` for some. What faults there are is mutmut's
list. Each is put into a process that has collected the tests already: the code of one function is exchanged,
and the tests that come to the changed lines are run, quick ones first, until one of them fails.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tools.mutant_tests import Fault, MutantTests

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".mutants"


class Part(NamedTuple):
    """What is changed, and the tests that should notice."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = {
    "frames": Part(("blueline/journal/frames.py",), ("tests/journal/test_frames.py",)),
    "gating": Part(("blueline/review/gate_answer.py",), ("tests/review/test_gate_answer.py",)),
    "weave": Part(
        tuple(
            f"blueline/review/weave/{name}.py"
            for name in ("weave", "stroke", "growth", "mark", "corrections")
        ),
        (
            "tests/review/weave",
            "tests/review/deciding",
            "tests/review/intake",
            "tests/review/test_file.py",
            "tests/review/test_folded_history.py",
            "tests/review/test_line_authors.py",
        ),
    ),
}


def main(arguments: list[str]) -> int:
    parser = _parser()
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.parts if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]}, only {', '.join(PARTS)}")
    for name in given.parts or PARTS:
        part = PARTS[name]
        every = [fault for source in part.sources for fault in faults(source)]
        found = PLACE / f"{name}.jsonl"
        chosen = [fault for fault in every if given.only in fault.name][given.start :: given.every]
        if given.again:
            left_before = {one for one, _, outcome in map(json.loads, found.open()) if not outcome}
            chosen = [fault for fault in chosen if fault.name in left_before]
        print(f"== {name}: {len(chosen):,} of {len(every):,} faults", flush=True)
        tests = MutantTests(ROOT, chosen, given.longest)
        code = pytest.main(
            ["-q", "-s", "-p", "no:cacheprovider", "--no-header", *part.tests], plugins=[tests]
        )
        if code:
            return int(code)
        left = [fault for fault, outcome in tests.outcomes if not outcome]
        print(f"{len(tests.outcomes):,} tried, {len(left)} of them noticed by no test:")
        print("\n".join(f"  {fault.name}  {fault.what}" for fault in left), flush=True)
        lines = [json.dumps([fault.name, fault.what, outcome]) for fault, outcome in tests.outcomes]
        PLACE.mkdir(exist_ok=True)
        found.write_text("".join(f"{line}\n" for line in lines))
    return 0


def faults(source: str) -> Iterator[Fault]:
    """Every fault that is known for a file: functions with decorators too, which mutmut itself leaves out."""
    # In an environment of its own, with `make mutants`.
    import libcst  # type: ignore[import-not-found]
    from libcst.metadata import MetadataWrapper, PositionProvider  # type: ignore[import-not-found]
    from mutmut.file_mutation import MutationVisitor  # type: ignore[import-not-found]
    from mutmut.node_mutation import mutation_operators  # type: ignore[import-not-found]

    class Visitor(MutationVisitor):  # type: ignore[misc]  # mutmut has no types
        def _skip_node_and_children(self, node: Any) -> bool:
            if isinstance(node, libcst.Decorator):
                return True
            if isinstance(node, libcst.FunctionDef):
                return False
            return bool(super()._skip_node_and_children(node))

    wrapper = MetadataWrapper(libcst.parse_module((ROOT / source).read_text()))
    visitor = Visitor(mutation_operators, set())
    module = wrapper.visit(visitor)
    positions = wrapper.resolve(PositionProvider)
    owners = {
        method: (*name, method.name.value)
        for name, body in (
            ((), module.body),
            *(((one.name.value,), one.body.body) for one in module.body if isinstance(one, libcst.ClassDef)),
        )
        for method in body
        if isinstance(method, libcst.FunctionDef)
    }
    for number, mutation in enumerate(visitor.mutations):
        function = owners.get(mutation.contained_by_top_level_function)
        if function is None:
            continue
        old, new = mutation.original_node, mutation.mutated_node
        at, around = positions[old], positions[mutation.contained_by_top_level_function]
        yield Fault(
            source=source,
            function=function,
            number=number,
            lines=range(at.start.line, at.end.line + 1),
            around=range(around.start.line, around.end.line + 1),
            what=f"{_shown(module, old)}  ->  {_shown(module, new)}",
            code=functools.partial(_changed, module, old, new),
        )


def _changed(module: Any, old: Any, new: Any) -> str:
    return str(module.deep_replace(old, new).code)


def _shown(module: Any, node: Any) -> str:
    return " ".join(module.code_for_node(node).split())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if none is named")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth of the faults")
    parser.add_argument("--start", type=int, default=0, metavar="N", help="from this one on")
    parser.add_argument(
        "--longest", type=float, default=1000, metavar="SECONDS", help="leave out tests that take longer"
    )
    parser.add_argument("--again", action="store_true", help="only what no test noticed the last time")
    parser.add_argument("--only", default="", metavar="TEXT", help="faults with this in their name")
    return parser


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
