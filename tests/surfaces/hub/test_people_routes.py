"""What an owner may do about people and machines, and how somebody leaves."""

from __future__ import annotations

from pathlib import Path

from tests.support.hub_browser import Browser
from tests.support.hub_process import Hub, project_of
from tests.support.project import Project


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
    unknown = owner.post(f"/api/role?project={project}", {"person": 10**9, "role": "owner"})
    assert unknown.status == 404, "nobody is called that"
    assert ben.post("/api/sign-out", {}).status == 204
    assert ben.get("/api/inbox").status == 401


def test_people_see_their_browsers_and_end_them_and_nobody_elses(hub: Hub) -> None:
    anna = hub.person("Anna")
    first, second = (Browser(hub, hub.signed_in(anna)) for _ in range(2))
    other = Browser(hub, hub.browser("Ben", "owner"))

    listed = first.get("/api/browsers").json["browsers"]
    assert [one["here"] for one in listed] == [False, True], "the latest first"
    theirs = listed[0]["id"]
    assert other.post(f"/api/browsers/{theirs}/end", {}).status == 404
    assert second.get("/api/me").status == 200
    left = first.post(f"/api/browsers/{theirs}/end", {}).json["browsers"]
    assert [one["here"] for one in left] == [True]
    assert second.get("/api/me").status == 401
    assert first.post(f"/api/browsers/{theirs}/end", {}).status == 404, "it is no more"


def test_a_machine_that_an_owner_sends_away_is_a_stranger_and_another_goes_on(
    machine: Project, hub: Hub, tmp_path: Path
) -> None:
    project = project_of(machine)
    owner = Browser(hub, hub.browser("Olga", "owner", project))
    machines = f"/api/machines?project={project}"
    (known,) = owner.get(machines).json["machines"]
    assert known["heard"] is not None
    assert known["ended"] is None

    sent = owner.post(f"/api/machines/{known['id']}/end?project={project}", {})

    (entry,) = sent.json["machines"]
    assert (entry["heard"], bool(entry["ended"])) == (None, True)
    refused = machine.command("sync")
    assert (refused.returncode, "token is not good" in refused.stderr) == (1, True)
    assert owner.post(f"/api/machines/{known['id']}/end?project={project}", {}).status == 404
    code = owner.post(machines, {}).json["invitation"]
    other, place = Project(tmp_path / "other"), tmp_path / "here"
    done = other.command("hub", "restore", hub.url, project, str(place), "--invitation", code)
    assert done.returncode == 0, done.stderr
    assert [bool(one["ended"]) for one in owner.get(machines).json["machines"]] == [False, True]
    what = [one["what"] for one in owner.get(f"/api/audit?project={project}").json["entries"]]
    assert what[:3] == ["took over", "invited a machine", "sent a machine away"]


def test_whoever_runs_the_hub_lists_people_and_signs_somebody_out(machine: Project, hub: Hub) -> None:
    project = project_of(machine)
    cookie = hub.browser("Rita", "reader", project)
    assert Browser(hub, cookie).get(f"/api/me?project={project}").json["role"] == "reader"
    assert Browser(hub, cookie).get("/api/me").json["role"] is None
    (rita,) = [one for one in hub.command("people")["people"] if one["roles"] == {project: "reader"}]
    assert (rita["name"], rita["browsers"]) == ("Rita", 1)

    assert hub.command("sign-out", str(rita["person"])) == {"person": rita["person"], "browsers": 1}

    assert Browser(hub, cookie).get("/api/inbox").status == 401
