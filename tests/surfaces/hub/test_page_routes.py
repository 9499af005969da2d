"""The workbench through a hub: what whom is shown, and what becomes of what they decide."""

from __future__ import annotations

import http.client
import json
import secrets
import shutil
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.support.hub_process import TEXT, Hub, project_of, serving, sync
from tests.support.postgresql import Server
from tests.support.project import Document, Project


class Answered(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Document:
        return json.loads(self.body)


class Browser:
    """Somebody's browser, or a stranger's."""

    def __init__(self, hub: Hub, cookie: str = "") -> None:
        self._hub = hub
        self._cookie = cookie

    def get(self, path: str, **headers: str) -> Answered:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, said: object, **headers: str) -> Answered:
        sent = {"Content-Type": "application/json", "X-Blueline": "1", **headers}
        return self._ask("POST", path, json.dumps(said).encode(), sent)

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answered:
        connection = http.client.HTTPConnection("127.0.0.1", self._hub.port, timeout=60)
        try:
            more = {"Cookie": self._cookie} if self._cookie else {}
            connection.request(method, path, body, {**more, **headers})
            response = connection.getresponse()
            read = (
                b""
                if response.getheader("content-type") == "text/event-stream; charset=utf-8"
                else response.read()
            )
            return Answered(response.status, {k.lower(): v for k, v in response.getheaders()}, read)
        finally:
            connection.close()


@pytest.fixture(scope="module")
def database(postgresql: Server) -> str:
    return postgresql.database()


@pytest.fixture(scope="module")
def hub(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    with serving(database, tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(scope="module")
def other_hub(hub: Hub, database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """Another process on the same database."""
    with serving(database, tmp_path_factory.mktemp("other-hub")) as other:
        yield other


def decision(browser: Browser, project: str, **more: Any) -> dict[str, Any]:
    """What the page sends when somebody rejects the first hunk that it shows."""
    shown = browser.get(f"/api/file?project={project}&path=a.txt").json["hunks"][0]
    return {
        "verdict": "reject",
        "selectors": [shown["id"]],
        "expect": {shown["id"]: shown["digest"]},
        "key": secrets.token_hex(8),
        **more,
    }


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
    assert Browser(hub).get("/api/inbox").status == 401
    assert Browser(hub).get("/").status == 401
    assert hub.asked(project) == []


def test_an_owner_invites_gives_and_takes_roles_and_all_of_it_is_written_down(
    machine: Project, hub: Hub
) -> None:
    project, owner = project_of(machine), Browser(hub, hub.browser("Olga", "owner", project_of(machine)))
    code = owner.post(f"/api/people?project={project}", {"name": "Bert", "role": "reader"}).json["invitation"]

    look = Browser(hub).get(f"/enter/{code}")
    assert (look.status, "set-cookie" in look.headers) == (200, False), "who only looks has not used it up"
    came = Browser(hub).get(
        f"/enter/{code}?yes=1", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    )
    assert came.status == 303
    assert "HttpOnly; SameSite=Lax" in came.headers["set-cookie"]
    assert Browser(hub).get(f"/enter/{code}?yes=1").status == 403, "a link is good once"
    ben = Browser(hub, came.headers["set-cookie"].partition(";")[0])
    overview = f"/api/overview?project={project}"
    assert ben.get(overview).status == 200
    refused = ben.post(f"/api/undo?project={project}", {"key": "k"})
    assert (refused.status, refused.json["error"]) == (403, "a reader may look, and not do this")

    (number,) = [
        one["person"]
        for one in owner.get(f"/api/people?project={project}").json["people"]
        if one["name"] == "Bert"
    ]
    owner.post(f"/api/role?project={project}", {"person": number, "role": "reviewer"})
    assert ben.post(f"/api/undo?project={project}", {"key": "k"}).status == 200
    owner.post(f"/api/role?project={project}", {"person": number, "role": "none"})
    assert ben.get(overview).status == 404

    audit = [one["what"] for one in owner.get(f"/api/audit?project={project}").json["entries"]]
    assert audit[:3] == ["gave a role"] * 3
    assert ben.post("/api/sign-out", {}).status == 204
    assert ben.get("/api/inbox").status == 401


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
