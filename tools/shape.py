"""The shape of the code base in figures, each beside what it was when they were first taken: `make shape`.

None of them says that code is good. Each says that something is wrong which a reader would notice only after
a week: two classes of one name, a cycle, a test that nobody finds.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import grimp

from tools.citations import rules, without_entry

ROOT = Path(__file__).parents[1]
PACKAGE = "blueline"
LONG_LINES = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Measure(NamedTuple):
    """A figure, what it was at the start, and what it is made of."""

    name: str
    before: str
    now: str
    found: list[str]


# The package


def modules(root: Path = ROOT) -> dict[Path, ast.Module]:
    """Every module of the package by its place below it, parsed."""
    package = root / PACKAGE
    return {
        path.relative_to(package): ast.parse(path.read_text())
        for path in sorted(package.rglob("*.py"))
        if "files" not in path.relative_to(package).parts
    }


def class_names(parsed: Mapping[Path, ast.Module]) -> dict[str, list[str]]:
    """Where each public class stands."""
    found: dict[str, list[str]] = {}
    for path, tree in parsed.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(path))
    return found


def twice(places: Mapping[str, list[str]]) -> list[str]:
    return [f"{name}: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]


def module_names(parsed: Mapping[Path, ast.Module]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in parsed:
        if path.name != "__init__.py":
            found.setdefault(path.stem, []).append(str(path))
    return found


def largest_classes(parsed: Mapping[Path, ast.Module]) -> list[tuple[int, str]]:
    """The classes by their methods, most first."""
    found = [
        (sum(isinstance(one, Function) for one in node.body), node.name)
        for tree in parsed.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    ]
    return sorted(found, reverse=True)


def aliases(parsed: Mapping[Path, ast.Module]) -> list[str]:
    """Names that stand for any document at all."""
    return [
        f"{path}: {ast.unparse(node)}"
        for path, tree in parsed.items()
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "dict[str, Any]"
    ]


def long_functions(parsed: Mapping[Path, ast.Module]) -> list[str]:
    return [
        f"{path}: {node.name}, {node.end_lineno - node.lineno + 1} lines"
        for path, tree in parsed.items()
        for node in ast.walk(tree)
        if isinstance(node, Function)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= LONG_LINES
    ]


# Imports


def ignored_imports(root: Path = ROOT) -> list[str]:
    """The imports that contracts of import-linter let through, one by one."""
    graph = grimp.build_graph(PACKAGE)
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]
    lines = {line for contract in settings["contracts"] for line in contract.get("ignore_imports", ())}
    return sorted(
        {
            f"{found['importer']} -> {found['imported']}"
            for line in lines
            for found in graph.find_matching_direct_imports(line)
        }
    )


def python_imports() -> dict[str, set[str]]:
    graph = grimp.build_graph(PACKAGE)
    return {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}


def typescript_imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Which file of the page imports which, for types alone, too."""
    source = root / "frontend" / "src"
    found: dict[str, set[str]] = {}
    for path in sorted([*source.rglob("*.ts"), *source.rglob("*.tsx")]):
        named = re.findall(r"""(?:from|import)\s+["'](\.[^"']+)["']""", path.read_text())
        found[str(path.relative_to(source))] = {
            str(target.relative_to(source)) for name in named if (target := _file(path.parent / name))
        }
    return found


def _file(path: Path) -> Path | None:
    plain = path.with_suffix("") if path.suffix in (".js", ".ts", ".tsx") else path
    options = (plain.with_name(f"{plain.name}.ts"), plain.with_name(f"{plain.name}.tsx"), plain / "index.ts")
    return next((one.resolve() for one in options if one.is_file()), None)


def cycles(imports: Mapping[str, Iterable[str]]) -> list[str]:
    """Groups of modules each of which leads to every other."""
    return [" <-> ".join(sorted(group)) for group in _components(imports) if len(group) > 1]


def _components(imports: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Tarjan's strongly connected components."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> Iterator[list[str]]:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in imports.get(name, ()):
            if other not in number:
                yield from visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], number[other])
        if lowest[name] == number[name]:
            at = stack.index(name)
            yield stack[at:]
            del stack[at:]

    for name in imports:
        if name not in number:
            yield from visit(name)


# Tests


def is_tested(tree: ast.Module) -> bool:
    """Whether there is something to test: a function or a method. Declarations alone are checked by types."""
    return any(isinstance(node, Function) for node in ast.walk(tree))


def mirrored(parsed: Mapping[Path, ast.Module], root: Path = ROOT) -> dict[Path, bool]:
    """The modules that do something, and whether their test stands at the same place below `tests/`."""
    return {
        path: (root / "tests" / path.with_name(f"test_{path.name}")).is_file()
        for path, tree in parsed.items()
        if not path.name.startswith("__") and is_tested(tree)
    }


# All together


def measures() -> list[Measure]:
    parsed = modules()
    named = module_names(parsed)
    gerunds = sorted(place for name, places in named.items() if name.endswith("ing") for place in places)
    largest = largest_classes(parsed)
    tested = mirrored(parsed)
    missing = [str(path) for path, is_there in tested.items() if not is_there]
    share = round(100 * (len(tested) - len(missing)) / len(tested))
    documents = aliases(parsed)
    lines = [line for path in parsed for line in (ROOT / PACKAGE / path).read_text().splitlines()]
    uses = sum(bool(re.search(r"\bDocument\b", line)) for line in lines)

    def counted(name: str, before: int, found: list[str]) -> Measure:
        return Measure(name, str(before), str(len(found)), found)

    return [
        counted("class names used twice", 40, twice(class_names(parsed))),
        counted("module names in two folders", 26, twice(named)),
        counted("modules named for an activity", 95, gerunds),
        Measure(
            "methods of the largest class",
            "55",
            str(largest[0][0]),
            [f"{name}: {count}" for count, name in largest[:5]],
        ),
        Measure("names for any document (lines)", "23 (425)", f"{len(documents)} ({uses})", documents),
        counted("functions over 60 lines", 4, long_functions(parsed)),
        counted("ignored imports", 34, ignored_imports()),
        counted("import cycles, Python", 1, cycles(python_imports())),
        counted("import cycles, TypeScript", 4, cycles(typescript_imports())),
        counted("citations without an entry", 731, [str(one) for one in without_entry(rules())]),
        Measure("modules with a test of their own", "23 %", f"{share} %", missing),
    ]


def main() -> None:
    wants_all = "--all" in sys.argv[1:]
    print(f"{'':34}{'before':>10}{'now':>10}")
    for measure in measures():
        print(f"{measure.name:34}{measure.before:>10}{measure.now:>10}")
        if wants_all:
            print("".join(f"    {line}\n" for line in measure.found), end="")


if __name__ == "__main__":
    main()
