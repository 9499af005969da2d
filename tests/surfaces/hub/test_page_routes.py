"""The workbench through a hub: what whom is shown, and what becomes of what they decide."""

from __future__ import annotations

import json
import secrets
import shutil
from pathlib import Path

import pytest

from tests.support.hub_browser import Answered, Browser, decision
from tests.support.hub_process import TEXT, Hub, join, project_of, sync
from tests.support.project import Document, Project


def test_the_page_shows_what_the_machine_shows_also_when_that_is_gone(
    machine: Project, hub: Hub, other_hub: Hub
) -> None:
    project, cookie = project_of(machine), hub.browser("Anna", "reader")
    with machine.desk() as desk:
        file = json.loads(json.dumps(desk.workbench.file("a.txt")))
    shutil.rmtree(machine.root)
    shutil.rmtree(machine.state)

    for process in (hub, other_hub):
        browser = Browser(process, cookie)
        overview = browser.get(f"/api/overview?project={project}").json
        assert overview["counts"]["hunks"] == 1
        assert overview["project"]["name"] == machine.root.name
        assert not overview["gate"]["open"], "whether all is recorded, the machine knows alone"
        assert browser.get(f"/api/file?project={project}&path=a.txt").json == file
        (entry,) = [one for one in browser.get("/api/inbox").json["projects"] if one["id"] == project]
        assert (entry["name"], entry["counts"]["hunks"], entry["error"]) == (machine.root.name, 1, "")
        assert browser.get("/").status == 200


def test_a_decision_waits_says_so_and_is_shown_when_the_machine_has_made_it(
    machine: Project, hub: Hub, other_hub: Hub
) -> None:
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "reviewer"))
    said = decision(anna, project, reason="no shouting", open="a.txt")

    first = anna.post(f"/api/decide?project={project}", said)
    again = anna.post(f"/api/decide?project={project}", said)

    assert first.status == 200, first.body
    (result,) = first.json["results"]
    assert (result["outcome"], first.json["decision"]) == ("queued", None)
    assert "as soon as it is there" in result["reason"]
    assert first.json["request"] == again.json["request"]
    assert len(hub.asked(project)) == 1, "sent twice, it is one request"
    (warning, *_) = anna.get(f"/api/overview?project={project}").json["warnings"]
    assert warning.startswith("1 decision waits for ")

    sync(machine)

    assert machine.text("a.txt") == TEXT
    for process in (hub, other_hub):
        browser = Browser(process, hub.browser("Ben", "reader"))
        assert browser.get(f"/api/overview?project={project}").json["counts"]["hunks"] == 0
        newest = browser.get(f"/api/timeline?project={project}").json["entries"][0]
        assert (newest["kind"], newest["by"], newest["reason"]) == ("decision", "Anna", "no shouting")
    undone = anna.post(f"/api/undo?project={project}", {"key": "k1"})
    (made, *_) = machine.log("decision")
    assert undone.json["of"] == made["id"]
    sync(machine)
    assert machine.text("a.txt") == TEXT.replace("two", "TWO")
    anna.post(f"/api/redo?project={project}", {"key": "k2"})
    sync(machine)
    assert machine.text("a.txt") == TEXT


def test_what_is_not_as_it_was_shown_is_refused_here_or_there(machine: Project, hub: Hub) -> None:
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "reviewer"))
    said = decision(anna, project)

    wrong = anna.post(f"/api/decide?project={project}", {**said, "expect": {said["selectors"][0]: "0"}})
    assert wrong.status == 409
    machine.edit("a.txt", "TWO", "2")
    assert anna.post(f"/api/decide?project={project}", said).status == 200, "the hub does not know better"
    sync(machine)

    assert machine.text("a.txt") == TEXT.replace("two", "2")
    warnings = anna.get(f"/api/overview?project={project}").json["warnings"]
    assert any("refused to reject for Anna: what was shown is not there any more" in one for one in warnings)
    assert anna.post(f"/api/decide?project={project}", said | {"key": "k"}).status == 409, "by now it does"


ROUTES = [
    ("GET", "/api/overview?project={}", None, "reader"),
    ("GET", "/api/file?project={}&path=a.txt", None, "reader"),
    ("GET", "/api/moments?project={}&path=a.txt", None, "reader"),
    ("GET", "/api/moment?project={}&path=a.txt&id=x", None, "reader"),
    ("GET", "/api/image?project={}&path=a.txt&side=live", None, "reader"),
    ("GET", "/api/hunk?project={}&id=x", None, "reader"),
    ("GET", "/api/decision?project={}&id=d1", None, "reader"),
    ("GET", "/api/timeline?project={}", None, "reader"),
    ("GET", "/api/events?project={}", None, "reader"),
    ("GET", "/api/outputs?project={}&path=a.txt", None, "reader"),
    ("GET", "/api/notes?project={}", None, "reader"),
    ("POST", "/api/decide?project={}", {"verdict": "accept", "selectors": ["x"], "key": "a"}, "reviewer"),
    ("POST", "/api/undo?project={}", {"key": "b"}, "reviewer"),
    ("POST", "/api/redo?project={}", {"key": "c"}, "reviewer"),
    ("GET", "/api/people?project={}", None, "owner"),
    ("POST", "/api/people?project={}", {"name": "Eve", "role": "reader"}, "owner"),
    ("POST", "/api/role?project={}", {"person": 1, "role": "none"}, "owner"),
    ("GET", "/api/machines?project={}", None, "owner"),
    ("POST", "/api/machines?project={}", {}, "owner"),
    ("POST", "/api/machines/0123456789abcdef/end?project={}", {}, "owner"),
    ("GET", "/api/audit?project={}", None, "owner"),
]
ELSEWHERE = [
    "/api/reason",
    "/api/mode",
    "/api/save",
    "/api/save-cell",
    "/api/notes",
    "/api/notes/n1",
    "/api/ship",
]
UNNAMED = [
    ("GET", "/"),
    ("GET", "/api/inbox"),
    ("GET", "/api/me"),
    ("GET", "/api/projects"),
    ("GET", "/api/chat"),
    ("GET", "/api/browsers"),
    ("GET", "/api/report"),
    ("GET", "/report"),
    ("POST", "/api/sign-out"),
    ("POST", "/api/browsers/0123456789abcdef/end"),
]
"""What is about no project: for everybody who is signed in."""
ORDER = ["reader", "reviewer", "owner"]


def asked(browser: Browser, method: str, path: str, said: object, project: str) -> Answered:
    where = path.format(project)
    return browser.get(where) if method == "GET" else browser.post(where, said)


def test_nobody_sees_or_decides_what_they_have_no_role_for(machine: Project, hub: Hub) -> None:
    project, other = project_of(machine), secrets.token_hex(16)
    roles = {role: Browser(hub, hub.browser(role, role, project)) for role in ORDER}  # type: ignore[arg-type]
    elsewhere = Browser(hub, hub.browser("Eve", "owner", other))

    for method, path, said, least in ROUTES:
        for stranger in (Browser(hub), Browser(hub, "blueline_hub=nonsense")):
            assert asked(stranger, method, path, said, project).status == 401, path
        known = asked(elsewhere, method, path, said, project)
        unknown = asked(elsewhere, method, path, said, secrets.token_hex(16))
        assert (known.status, known.body) == (unknown.status, unknown.body), "that it exists is not said"
        assert known.status == 404, path
        for role in ORDER:
            status = asked(roles[role], method, path, said, project).status
            is_enough = ORDER.index(role) >= ORDER.index(least)
            assert (status not in (401, 403)) is is_enough, (role, path, status)
    for path in ELSEWHERE:
        assert roles["owner"].post(f"{path}?project={project}", {}).status == 403, path
    assert [one for one in elsewhere.get("/api/inbox").json["projects"] if one["id"] == project] == []
    for method, path in UNNAMED:
        assert asked(Browser(hub), method, path, {}, "").status == 401, path
    assert hub.asked(project) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"X-Blueline": "0"},
        {"Content-Type": "text/plain"},
    ],
)
def test_other_pages_cannot_decide_for_somebody(machine: Project, hub: Hub, headers: dict[str, str]) -> None:
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "reviewer"))

    answer = anna.post(f"/api/decide?project={project}", decision(anna, project), **headers)

    assert answer.status in (400, 403)
    assert hub.asked(project) == []


def test_the_inbox_says_how_risky_whose_where_and_who_looks(tmp_path: Path, hub: Hub, other_hub: Hub) -> None:
    found = []
    for name, path in (("calm", "docs/a.txt"), ("risky", ".github/workflows/ci.yml")):
        machine = Project(tmp_path / name, {path: TEXT}, name)
        join(machine, hub)
        machine.edit(path, "two", "TWO")
        sync(machine)
        found.append(project_of(machine))
    anna, ben = Browser(hub, hub.browser("Anna", "reader")), Browser(other_hub, hub.browser("Ben", "reader"))

    def entries(browser: Browser) -> list[Document]:
        return [one for one in browser.get("/api/inbox").json["projects"] if one["id"] in found]

    risky, calm = entries(anna)
    assert [risky["name"], calm["name"]] == ["risky", "calm"], "the riskiest first"
    assert (risky["risk"], risky["folders"]) == ("critical", [".github"])
    assert (calm["risk"], calm["folders"], calm["agents"]) == ("low", ["docs"], ["claude-code"])
    overview = anna.get(f"/api/overview?project={found[0]}").json
    assert overview["project"]["root"] == "", "a folder of the hub is nobody's business"
    with ben.listening(found[0]) as events:
        next(events)
        assert [one["looking"] for one in entries(anna)] == [[], ["Ben"]]
        assert [one["looking"] for one in entries(ben)] == [[], []]


def test_whoever_looks_hears_what_waits_and_what_was_refused(machine: Project, hub: Hub) -> None:
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "reviewer"))
    said = decision(anna, project)
    machine.edit("a.txt", "TWO", "2")
    with anna.listening(project) as events:

        def heard() -> Document:
            return next(json.loads(one.partition("data: ")[2]) for one in events if "event: asked" in one)

        assert heard()["waiting"] == []
        anna.post(f"/api/decide?project={project}", said)
        now = heard()
        while not now["waiting"]:
            now = heard()
        (waiting,) = now["waiting"]
        assert (waiting["verb"], waiting["by"], waiting["hunks"]) == ("reject", "Anna", said["selectors"])
        sync(machine)
        while now["waiting"]:
            now = heard()
        assert now["refused"]["error"] == "what was shown is not there any more"
