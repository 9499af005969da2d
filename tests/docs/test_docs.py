"""What the documentation promises is there, and what is there is in the documentation."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree

import pytest

from blueline import errors
from blueline.adapters import ADAPTERS
from blueline.adapters import claude_code as agent
from blueline.blobs.store import CHUNKS, PURGED, RAW
from blueline.contract import VERSION
from blueline.desk import config
from blueline.desk.state_folder import CONFIG, FORMAT
from blueline.hook import capture, recorder
from blueline.journal import frames, index
from blueline.journal.event_bytes import STORED, STORED_KEYS, load_event
from blueline.journal.observation import FIRST_LINE, tree_of
from blueline.kernel import counting_rules, disk, project_folder, sight
from blueline.model.fact import Write
from blueline.model.notice import Notice
from blueline.surfaces.cli.command_table import COMMANDS, EVERYWHERE, HELP
from blueline.workspace import hints, staging
from blueline.workspace.steps import temporary_in
from tests.support.project import Project

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md"), *ROOT.glob("changelog/**/*.md")])

# Each means three things, or nothing.
AVOIDED = ("session", "manager", "helper", "handler", "utils")

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FIELD = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


def page(name: str) -> str:
    return (DOCS / name).read_text()


def section(text: str, heading: str) -> str:
    """What stands below a heading, up to the next of the same level or higher."""
    level = heading.partition(" ")[0]
    found = re.search(
        rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(level)}}} |\Z)", text, re.MULTILINE | re.DOTALL
    )
    assert found, f"there is no heading {heading!r}"
    return found[1]


# The command line


@pytest.mark.parametrize("command", [*COMMANDS, "hook"])
def test_every_command_has_its_heading(command: str) -> None:
    headings = re.findall(r"^### (.*)$", page("command-line.md"), re.MULTILINE)
    assert any(f"`blueline {command}`" in heading for heading in headings)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_and_choice_of_a_command_is_described(command: str) -> None:
    text = page("command-line.md")
    everywhere = text.partition("## Selectors")[0]
    (heading,) = re.findall(rf"^(### .*`blueline {command}`.*)$", text, re.MULTILINE)
    own = section(text, heading)
    for argument in COMMANDS[command].arguments():
        place = everywhere if argument in (HELP, *EVERYWHERE) else own
        for name in argument.names if argument.is_option else ():
            assert name in place, f"{command} {name}"
        for choice in argument.choices:
            assert choice in place, f"{command} {argument.names[0]} {choice}"


def test_every_exit_code_is_described() -> None:
    table = section(page("command-line.md"), "## Exit codes")
    codes = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, int)}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)} == codes


def test_every_key_of_a_hunk_and_of_an_answer_is_described(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.md": "one\n"})
    project.prompt()
    project.edit("a.md", "one", "two")
    (hunk,) = project.hunks()
    looking = section(page("command-line.md"), "### `blueline list`")
    assert [key for key in hunk if f'"{key}":' not in looking] == []
    deciding = section(page("command-line.md"), "### Their answer")
    undescribed = "`{}`"
    for answer in (project.reject(dry_run=True), project.reject(), project.undo()):
        assert [
            key for key in answer if undescribed.format(key) not in deciding and f'"{key}"' not in deciding
        ] == []
    for document in (project.status(), project.check(), project.turns()[0], project.calls()[0]):
        assert [key for key in document if f"`{key}`" not in page("command-line.md")] == []


# What is on disk


@pytest.mark.parametrize("name", STORED)
def test_a_stored_fact_is_described_field_by_field(name: str) -> None:
    described = _FIELD.findall(section(page("format.md"), f"### `{name}`"))
    assert described == [STORED_KEYS.get(field.name, field.name) for field in fields(STORED[name])]


def test_no_fact_is_described_that_is_not_stored() -> None:
    events = section(page("format.md"), "## Events")
    assert set(re.findall(r"^### `([\w.]+)`$", events, re.MULTILINE)) == set(STORED)


def test_a_write_is_described() -> None:
    values = section(page("format.md"), "### Values")
    (row,) = (line for line in values.splitlines() if line.startswith("| write |"))
    assert [field.name for field in fields(Write) if f"`{field.name}`" not in row] == []


def test_the_frame_in_the_documentation_is_one() -> None:
    (dump,) = re.findall(r"^```hexdump\n(.*?)^```$", page("format.md"), re.MULTILINE | re.DOTALL)
    data = b"".join(bytes.fromhex(line[10:57]) for line in dump.splitlines())
    (found,) = frames.read(data)
    assert isinstance(found, frames.Frame)
    assert load_event(found.payload).number == 1


def test_the_header_of_a_frame_is_described() -> None:
    table = section(page("format.md"), "## The journal")
    rows = re.findall(r"^\| (\d+) \| (\d*) \|", table, re.MULTILINE)
    sizes = [int(size) for _, size in rows if size]
    assert sizes == [len(disk.MAGIC), 1, 1, 2, 4, 8]
    assert [int(offset) for offset, _ in rows] == [sum(sizes[:n]) for n in range(len(rows))]
    assert sum(sizes) == disk.HEADER_SIZE == frames.HEADER.size
    assert disk.MAGIC.hex(" ") in table
    assert f"{disk.LONGEST_PAYLOAD:,}" in table
    for kind in (frames.OBSERVATION, frames.EVENT, frames.PURGED, frames.TOLD):
        assert f"`{kind.decode()}`" in table


def test_every_file_of_a_state_folder_is_described(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.md": "one\n"})
    project.prompt()
    project.edit("a.md", "one", "two")
    agent.install(project.root, project.state)
    project.set_mode("hold")
    project.reject()
    described = section(page("format.md"), "## The state folder")
    names = {path.name for path in project.state.iterdir()} | {"staged", "tmp", "chunks"}
    assert [
        name
        for name in sorted(names)
        if not re.search(rf"^ +{re.escape(name)}/?( |$)", described, re.MULTILINE)
    ] == []
    assert FORMAT.decode().strip() in described
    assert project_folder.state_key(b"/home/ada/pantry") in described
    assert disk.blob_id(b"hello\n")[2:12] in described
    assert CONFIG in page("format.md")


def test_every_line_of_an_observation_is_described(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.md": "one\n", "pipe": "", "link": ""})
    (project.root / "link").unlink()
    (project.root / "link").symlink_to("nowhere")
    for path in ("a.md", "new/deep/b.md", "link", ".", "/outside", "x" * 300):
        project.record(project.before(project.call("Edit", path)))
    project.record(project.event("UserPromptSubmit", prompt="long " * recorder.INLINE_UP_TO))
    text = section(page("format.md"), "## Observations")
    assert FIRST_LINE.decode() in text
    states = set()
    for frame in project.frames():
        for line in frame.payload.partition(b"\n\n")[0].decode().splitlines()[1:]:
            name, _, value = line.partition(" ")
            assert re.search(rf"^\| `{name}` \|", text, re.MULTILINE), line
            if name == "state":
                kind, _, reason = value.partition(" ")
                states.add(kind)
                assert re.search(rf"^\| `{kind}\b", text, re.MULTILINE), line
                assert kind != "unknown" or f"`{reason.partition(' ')[0]}" in text, line
    assert states >= {"file", "absent", "link", "other", "unknown"}


def test_every_way_to_store_a_blob_is_described() -> None:
    text = section(page("format.md"), "## Blobs")
    for tag in (RAW, b"z", CHUNKS, PURGED):
        assert f"| `{tag.decode()}` |" in text


def test_the_index_and_the_staged_record_are_described() -> None:
    text = section(page("format.md"), "## `index.sqlite`")
    for table in re.findall(r"create table (\w+)", index._SCHEMA):
        assert f"`{table}`" in text
    assert f"`user_version` is {VERSION}" in text
    staged = section(page("format.md"), "## `staged`")
    for state, kind in staging.STORED.items():
        assert f"`{state}`" in staged
        assert [field.name for field in fields(kind) if f"`{field.name}`" not in staged] == []
    assert f"`version` ({staging.RECORD_VERSION})" in staged
    name = temporary_in("")
    assert f"`{name[: name.index('-') + 1]}`" in staged
    assert f"`{name[name.index('.', 1) :]}`" in staged


def test_every_line_of_a_look_at_the_tree_is_described(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.md": "one\n", "node_modules/x": ""})
    project.git("init", "-q")
    project.prompt()
    project.bash("echo two > a.md && mkdir empty && touch node_modules/y && git add -A && git commit -qm one")
    project.bash(
        f"for n in $(seq {capture.INLINE_UP_TO // 100}); do echo > a-file-with-a-rather-long-name.$n; done"
    )
    text = section(page("format.md"), "## Observations")
    found = set()
    for frame in project.frames():
        for line in frame.payload.partition(b"\n\n")[0].decode().splitlines()[1:]:
            name = line.partition(" ")[0]
            found.add(name)
            assert re.search(rf"^\| `{name}` \|", text, re.MULTILINE), line
    assert found >= {"tree", "seen", "changes", "counted", "refs", "reach", "first-look"}
    assert f"{capture.INLINE_UP_TO >> 10} KiB" in text
    for name in set(re.findall(r'"([a-z-]+)"', inspect.getsource(tree_of))) - {"utf-8", "replace"}:
        assert re.search(rf"^\| `{name}` \|", text, re.MULTILINE), name


def test_everything_that_can_be_configured_is_described() -> None:
    text = section(page("capture.md"), "## Configuration")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    written = tomllib.loads(example)["capture"]
    assert _FIELD.findall(text) == list(written)
    assert config.read(example.encode())[2] == counting_rules.LARGEST == written["largest"]
    assert f"{counting_rules.LARGEST:,}" in text
    assert f"{config.SMALLEST_LIMIT:,}" in text
    with pytest.raises(config.ConfigUnusable):
        config.read(b"[capture]\nanything_else = 1\n")


def test_the_usual_rule_is_described_name_by_name() -> None:
    rows = re.findall(r"^\| (`.*`) \| (?:unless|where) git", page("capture.md"), re.MULTILINE)
    assert [re.findall(r"`([^`]+)`", row) for row in rows] == [
        [name.decode() for name in names] for names in (counting_rules.DEPENDENCIES, counting_rules.BUILDS)
    ]


def test_the_times_and_sizes_of_capture_are_described() -> None:
    text = page("capture.md")
    assert f"{capture.PATIENCE_NS // 10**9} seconds" in text
    assert f"every {hints.VERIFY_SECONDS} seconds" in text
    assert f"every {hints.POLL_SECONDS} seconds" in text
    assert f"{sight.LARGEST_FILE >> 20} MiB" in text


def test_the_fallback_folders_are_described() -> None:
    for folder in project_folder.FALLBACKS:
        assert f"`{folder.decode()}/blueline-UID/KEY`" in page("format.md")


# The rest


def dependencies() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    optional = project["project"]["optional-dependencies"].values()
    for wish in [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(wish for group in optional for wish in group),
    ]:
        name = re.split(r"[<>=~!\[; ]", wish)[0]
        if name != project["project"]["name"]:  # an extra may name another one of ours
            yield name


@pytest.mark.parametrize("name", list(dependencies()))
def test_every_dependency_has_its_reason(name: str) -> None:
    used = page("dependencies.md").partition("## Not used")[0]
    assert re.search(rf"^(### {name}$|\| `{name}` \| \w)", used, re.MULTILINE)


def test_every_agent_and_every_notice_is_described() -> None:
    for name in ADAPTERS:
        assert f"`{name}`" in page("command-line.md")
    for notice in Notice.__args__:
        assert f"| `{notice.__name__}` |" in page("adding-an-agent.md")


@pytest.mark.parametrize("place", PAGES, ids=lambda place: str(place.relative_to(ROOT)))
def test_links_lead_somewhere_in_this_repository(place: Path) -> None:
    text = _FENCED.sub("", place.read_text())
    for link in _LINK.findall(_CODE.sub("", text)):
        path, _, anchor = link.partition("#")
        assert "://" not in link
        target = place if not path else (place.parent / path).resolve()
        assert target.is_relative_to(ROOT), link
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def anchors(place: Path) -> set[str]:
    """The names by which headings of a page can be linked to."""
    headings = re.findall(r"^#+ (.*)$", _FENCED.sub("", place.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("place", PAGES, ids=lambda place: str(place.relative_to(ROOT)))
def test_pages_do_without_words_that_mean_nothing(place: Path) -> None:
    text = _CODE.sub("", _FENCED.sub("", place.read_text())).lower()
    assert [word for word in AVOIDED if re.search(rf"\b{word}s?\b", text)] == []


def test_modules_that_pages_name_are_there() -> None:
    for place in PAGES:
        for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.(?:py|json))`", place.read_text()):
            assert (ROOT / name).exists() or (ROOT / "blueline" / name).exists() or "some_agent" in name, name


def test_pictures_are_well_formed() -> None:
    for picture in DOCS.glob("images/*.svg"):
        assert ElementTree.parse(picture).getroot().tag.endswith("svg")
