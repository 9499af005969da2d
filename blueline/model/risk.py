"""How much can go wrong with a change, by named rules. The forge and the gate ask the same ones.

A rule looks at a path, at counts, or at whether a test comes with the change. It never looks at what the text
means, and never says that something is safe: `low` is what no rule spoke about.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from blueline.model.secret import is_secret

Level = Literal["low", "medium", "high", "critical"]
LEVELS: tuple[Level, ...] = ("low", "medium", "high", "critical")

MANY_LINES = 300
MANY_FILES = 20

PATHS: Mapping[str, tuple[str, ...]] = {
    "ci": (
        *(".github/workflows/*", ".github/actions/*", ".gitlab-ci.yml", ".circleci/*", "Jenkinsfile"),
        *("azure-pipelines.yml", ".buildkite/*", ".drone.yml", ".woodpecker/*", ".pre-commit-config.yaml"),
    ),
    "agents": (
        ".claude/*",
        ".codex/*",
        ".gemini/*",
        ".cursor/*",
        ".opencode/*",
        ".windsurf/*",
        ".blueline/*",
        ".github/hooks/*",
        ".mcp.json",
    ),
    "auth": (
        *(
            "*auth*",
            "*login*",
            "*permission*",
            "*password*",
            "*session*",
            "*token*",
            "*crypto*",
            "*security*",
        ),
        "CODEOWNERS",
    ),
    "migrations": (
        "*/migrations/*",
        "migrations/*",
        "*/migrate/*",
        "*/alembic/versions/*",
        "schema.sql",
        "*.sql",
    ),
    "infrastructure": ("Dockerfile*", "docker-compose*", "*.tf", "k8s/*", "*/k8s/*", "helm/*", "*/helm/*"),
    "dependencies": (
        *(
            "package.json",
            "pyproject.toml",
            "requirements*.txt",
            "go.mod",
            "Cargo.toml",
            "Gemfile",
            "pom.xml",
        ),
        *("setup.py", "setup.cfg", "build.gradle*", "composer.json"),
    ),
    "lock-files": (
        *("package-lock.json", "pnpm-lock.yaml", "yarn.lock", "uv.lock", "poetry.lock", "Cargo.lock"),
        *("go.sum", "Gemfile.lock", "composer.lock", "Pipfile.lock", "bun.lockb", "npm-shrinkwrap.json"),
    ),
}
"""Patterns of each rule that goes by the path: of the whole path, of its end, or of its last name."""

TESTS = ("test_*", "*_test.*", "*.test.*", "*.spec.*", "*Test.java", "*Tests.cs", "conftest.py")
TEST_FOLDERS = frozenset({"tests", "test", "__tests__", "spec", "specs", "e2e"})
CODE = (
    *(
        "*.py",
        "*.js",
        "*.ts",
        "*.tsx",
        "*.jsx",
        "*.go",
        "*.rs",
        "*.java",
        "*.kt",
        "*.rb",
        "*.c",
        "*.cc",
        "*.cpp",
    ),
    *("*.h", "*.cs", "*.swift", "*.scala", "*.php", "*.sh", "*.mjs", "*.cjs"),
)

USUAL: Mapping[str, Level] = {
    "secrets": "critical",
    "ci": "critical",
    "agents": "critical",
    "auth": "high",
    "migrations": "high",
    "infrastructure": "high",
    "dependencies": "medium",
    "lock-files": "medium",
    "deletion": "high",
    "executable": "high",
    "binary": "medium",
    "size": "medium",
    "many-files": "medium",
    "untested": "medium",
}
"""Every rule, and the level that it gives if nobody says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is known of one changed file."""

    path: str
    lines: int = 0
    """Lines that went and that came."""
    deleted: bool = False
    binary: bool = False
    executable: bool = False
    """It became a program, or a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskRules:
    """The rules of a project."""

    levels: Mapping[str, Level] = field(default_factory=lambda: USUAL)
    """`low` switches a rule off."""
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: PATHS)
    many_lines: int = MANY_LINES
    many_files: int = MANY_FILES


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskReason:
    """One rule that spoke."""

    rule: str
    level: Level
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """The highest level of all rules that spoke, and why."""

    level: Level
    reasons: tuple[RiskReason, ...] = ()


def at_least(level: Level, threshold: Level) -> bool:
    """Whether a level reaches another."""
    return LEVELS.index(level) >= LEVELS.index(threshold)


def is_test(path: str) -> bool:
    """Whether a path looks like that of a test."""
    *folders, name = path.split("/")
    is_named = any(fnmatchcase(name, pattern) for pattern in TESTS)
    return is_named or not TEST_FOLDERS.isdisjoint(one.lower() for one in folders)


class ChangedTogether:
    """The files that change together, by their paths: looked through once, and not for each of them."""

    def __init__(self, paths: Collection[str]) -> None:
        self.count = len(paths)
        self._tests = [path.rpartition("/")[2].lower() for path in paths if is_test(path)]
        self._names = "/".join(self._tests)

    def has_test_of(self, path: str) -> bool:
        """Whether a test by a name like that of the file is among them."""
        stem = path.rpartition("/")[2].partition(".")[0].lower()
        return bool(self._tests) and stem in self._names


def assess(subject: Subject, beside: ChangedTogether, rules: RiskRules | None = None) -> Risk:
    """The risk of one changed file; `beside` are all that change together, with it."""
    rules = rules or RiskRules()
    reasons = [
        RiskReason(rule=rule, level=level, message=message)
        for rule, message in _spoken(subject, beside, rules)
        if (level := rules.levels.get(rule, USUAL.get(rule, "low"))) != "low"
    ]
    reasons.sort(key=lambda reason: -LEVELS.index(reason.level))
    return Risk(level=reasons[0].level if reasons else "low", reasons=tuple(reasons))


def highest(risks: Sequence[Risk]) -> Level:
    """The level of several together."""
    return max((risk.level for risk in risks), key=LEVELS.index, default="low")


def _spoken(subject: Subject, beside: ChangedTogether, rules: RiskRules) -> list[tuple[str, str]]:
    found = []
    if is_secret(subject.path):
        found.append(("secrets", "its name says that it holds passwords or keys"))
    is_for_tests = is_test(subject.path)
    for rule, patterns in rules.paths.items():
        # A test of the login is not the login.
        if rule == "auth" and is_for_tests:
            continue
        match = next((pattern for pattern in patterns if _matches(subject.path, pattern)), None)
        if match is not None:
            found.append((rule, f"its path is like {match}"))
    if subject.deleted:
        found.append(("deletion", "it is deleted"))
    if subject.executable:
        found.append(("executable", "it becomes a program or a link"))
    if subject.binary:
        found.append(("binary", "it is not text"))
    if subject.lines > rules.many_lines:
        found.append(("size", f"{subject.lines} lines change, more than {rules.many_lines}"))
    if beside.count > rules.many_files:
        found.append(("many-files", f"{beside.count} files change together, more than {rules.many_files}"))
    if _is_code(subject.path) and not is_for_tests and not beside.has_test_of(subject.path):
        found.append(("untested", "no test of it changes with it"))
    return found


def _matches(path: str, pattern: str) -> bool:
    """A pattern with a slash is for the whole path, or for its end; one without is for the last name."""
    path, pattern = path.lower(), pattern.lower()
    if "/" not in pattern:
        return fnmatchcase(path.rpartition("/")[2], pattern)
    return fnmatchcase(path, pattern)


def _is_code(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return any(fnmatchcase(name, pattern) for pattern in CODE)
