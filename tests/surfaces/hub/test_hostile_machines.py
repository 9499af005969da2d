"""What a hub makes of machines and people who send it what nobody should."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Match, Route

from blueline.contract.hub import WishDocument
from blueline.hub.hub_database import HubDatabase
from blueline.journal.frames import EVENT, OBSERVATION, TOLD
from blueline.kernel import disk
from blueline.surfaces.hub.hub_server import application
from blueline.surfaces.web.names import Names
from tests.support.hub_browser import Browser, decision
from tests.support.hub_process import TEXT, Hub, join, project_of, sync
from tests.support.project import Project
from tests.surfaces.hub.test_machine_routes import ASKED, ENDLESS_OR_UNKNOWN, Machine, joined
from tests.surfaces.hub.test_page_routes import ELSEWHERE, ROUTES, UNNAMED

FOR_STRANGERS = ("/static/{name:path}", "/enter/{code}", "/sign-in", "/sign-in/back")


def test_no_route_is_left_out_of_those_that_are_tried_as_everybody(tmp_path: Path) -> None:
    database = HubDatabase("postgresql:///nothing")
    door = application(database, Names(1, ""), 1, tmp_path, str, None)
    inner = door._app  # type: ignore[attr-defined]
    assert isinstance(inner, Starlette)
    tried = [("PUT", "/v1/projects/" + "0" * 32)]
    tried += [(method, f"/v1/projects/{'0' * 32}{path}") for method, path, _ in ASKED + ENDLESS_OR_UNKNOWN]
    tried += [(method, path) for method, path, *_ in ROUTES]
    tried += [("POST", path) for path in ELSEWHERE] + UNNAMED
    found = [_matched(inner, method, path.partition("?")[0]) for method, path in tried]

    left = [one for one in inner.routes if isinstance(one, Route) and one not in found]
    names = {one.path for one in left} - {*FOR_STRANGERS, "/api/{rest:path}"}

    assert names == set()


def _matched(app: Starlette, method: str, path: str) -> object:
    scope = {"type": "http", "method": method, "path": path, "headers": []}
    return next((one for one in app.routes if one.matches(scope)[0] is Match.FULL), None)


def test_what_a_machine_comes_with_lets_nobody_in_as_a_person_nor_the_other_way(hub: Hub) -> None:
    machine, cookie = joined(hub), hub.browser("Anna", "owner")
    name, _, secret = cookie.partition("=")
    for method, path, said, _ in ROUTES:
        where = path.format(machine.project)
        for headers in ({"Authorization": f"Bearer {machine.token}"}, {"Cookie": f"{name}={machine.token}"}):
            stranger = Browser(hub)
            answer = (
                stranger.get(where, **headers) if method == "GET" else stranger.post(where, said, **headers)
            )
            assert answer.status == 401, path
    for method, path, body in ASKED + ENDLESS_OR_UNKNOWN:
        assert Machine(hub, machine.project, secret).ask(method, path, body).status == 401, path


DEEP = b"[" * 100_000
WRONG = [
    disk.frame(EVENT, b"\0 is no JSON"),
    disk.frame(EVENT, DEEP),
    disk.frame(EVENT, b'{"n":1}'),
    disk.frame(EVENT, b'{"n":-1,"at":"?","source":[],"facts":{}}'),
    disk.frame(EVENT, b'{"n":1,"at":"2030-01-31T00:00:00Z","source":null,"facts":[{"fact":"file.changed"}]}'),
    disk.frame(OBSERVATION, DEEP),
    disk.frame(OBSERVATION, b'{"agent":7}'),
    disk.frame(TOLD, DEEP),
    disk.frame(b"?", b"of no kind"),
]


@pytest.mark.parametrize("frame", WRONG, ids=range(len(WRONG)))
def test_records_that_nobody_can_read_keep_nobody_from_other_projects(
    machine: Project, hub: Hub, frame: bytes
) -> None:
    bad = joined(hub)
    assert bad.ask("PUT", "/journal?from=0", frame).status in (200, 400)

    anna = Browser(hub, hub.browser("Anna", "reader"))
    inbox = anna.get("/api/inbox")

    assert inbox.status == 200, inbox.body
    assert project_of(machine) in [one["id"] for one in inbox.json["projects"]]
    assert anna.get("/api/report").status == 200
    assert anna.get(f"/api/overview?project={project_of(machine)}").status == 200
    assert anna.get(f"/api/overview?project={bad.project}").status < 600


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800"])
def test_text_that_the_database_has_no_place_for_is_refused_in_words(
    machine: Project, hub: Hub, text: str
) -> None:
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "owner"))
    said = decision(anna, project)

    answer = anna.post(f"/api/decide?project={project}", {**said, "reason": text})

    assert answer.status == 400, answer.body
    assert hub.asked(project) == []
    assert anna.post(f"/api/decide?project={project}", {**said, "key": text}).status == 400
    assert anna.post(f"/api/people?project={project}", {"name": text, "role": "reader"}).status == 400
    assert anna.get("/api/overview?project=%00").status in (400, 404)
    assert anna.post(f"/api/role?project={project}", {"person": 10**30, "role": "none"}).status in (400, 404)
    hub.ask(project, hub.person("Ben"), "r1", said_as_wish(said))
    told = {"state": "refused", "error": text}
    laptop = Machine(hub, project, json.loads((machine.state / "hub.json").read_bytes())["token"])
    assert laptop.ask("PUT", "/requests/1", json.dumps(told).encode()).status == 400
    assert [one.state for one in hub.asked(project)] == ["waiting"]


def said_as_wish(said: dict[str, Any]) -> WishDocument:
    return {"verb": "reject", "hunks": said["expect"], "decision": "", "dependents": "ask", "reason": ""}


def test_a_folder_may_be_called_anything_and_is_shown_as_words(tmp_path: Path, hub: Hub) -> None:
    name = "<b>a\n\x1b[31m\u202e" + "x" * 190
    machine = Project(tmp_path, {"a.txt": TEXT}, name)
    join(machine, hub)
    machine.edit("a.txt", "two", "TWO")
    sync(machine)

    anna = Browser(hub, hub.browser("Anna", "reader"))
    (entry,) = [one for one in anna.get("/api/inbox").json["projects"] if one["id"] == project_of(machine)]

    assert entry["name"].isprintable()
    assert entry["name"].startswith("<b>a\\n")
    report = anna.get(f"/report?project={project_of(machine)}").body.decode()
    assert "<b>a" not in report
    assert anna.get(f"/api/overview?project={project_of(machine)}").json["counts"]["hunks"] == 1


def test_what_waited_too_long_is_said_and_not_carried_out(machine: Project, hub: Hub) -> None:
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "reviewer"))
    assert anna.post(f"/api/decide?project={project}", decision(anna, project)).status == 200
    hub.pairs(f"UPDATE request SET expires = now() WHERE project = '{project}' RETURNING number, id")

    assert sync(machine)["requests"] == []

    assert machine.text("a.txt") == TEXT.replace("two", "TWO")
    (warning, *_) = anna.get(f"/api/overview?project={project}").json["warnings"]
    assert "did not reject for Anna: it waited for 30 days" in warning
    with anna.listening(project) as events:
        heard = next(json.loads(one.partition("data: ")[2]) for one in events if "event: asked" in one)
    assert (heard["waiting"], heard["refused"]["state"]) == ([], "expired")


def test_some_lines_are_asked_for_and_decided_and_a_machine_that_is_off_is_said_to_be(
    tmp_path: Path, hub: Hub
) -> None:
    machine = Project(tmp_path, {"a.txt": TEXT})
    join(machine, hub)
    machine.edit("a.txt", "one\ntwo\nthree\n", "ONE\nTWO\nTHREE\n")
    sync(machine)
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "reviewer"))
    said = {**decision(anna, project), "selectors": ["./a.txt:2-2"]}

    assert anna.post(f"/api/decide?project={project}", said).status == 200
    gone = f"UPDATE project SET heard = now() - interval '1 hour' WHERE project = '{project}'"
    hub.pairs(f"{gone} RETURNING name, machine")

    with anna.listening(project) as events:
        heard = next(json.loads(one.partition("data: ")[2]) for one in events if "event: asked" in one)
    assert [one["hunks"] for one in heard["waiting"]] == [[*said["expect"]]]
    assert heard["away"]
    sync(machine)
    assert machine.text("a.txt") == "ONE\ntwo\nTHREE\n"
    anna.get(f"/api/overview?project={project}")
    with anna.listening(project) as events:
        heard = next(json.loads(one.partition("data: ")[2]) for one in events if "event: asked" in one)
    assert (heard["waiting"], heard["away"]) == ([], "")


def test_an_id_that_nobody_was_shown_is_not_decided(machine: Project, hub: Hub) -> None:
    """The hub refuses what it does not show; what a hub makes up all the same, the machine refuses."""
    project, anna = project_of(machine), Browser(hub, hub.browser("Anna", "reviewer"))
    said = decision(anna, project)
    made_up = {"h" + "0" * 8: secrets.token_hex(8)}
    others: list[dict[str, Any]] = [
        {"selectors": ["h" + "0" * 8], "expect": {}},
        {"expect": made_up},
        {"expect": {said["selectors"][0]: secrets.token_hex(8)}},
        {"selectors": ["../../etc/passwd"]},
    ]
    for more in others:
        answer = anna.post(f"/api/decide?project={project}", {**said, **more, "key": secrets.token_hex(4)})
        assert answer.status in (400, 404, 409), answer.body
    assert hub.asked(project) == []
    hub.ask(project, hub.person("Ben"), "r1", {**said_as_wish(said), "hunks": made_up})
    (carried,) = sync(machine)["requests"]
    assert carried["outcome"]["state"] == "refused"
    assert machine.text("a.txt") == TEXT.replace("two", "TWO")
