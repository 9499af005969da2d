"""Nobody gets in but the browser that was given the secret, and nothing gets in but from our own page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.project import Project
from tests.support.workbench import SUITABLE, Browser, Workbench, running
from tests.surfaces.web.all_routes import ROUTES, WRITES


def refused(browser: Browser, method: str, target: str, **headers: str) -> int:
    body = "{}" if method == "POST" else None
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    found = browser.ask(method, target, body=body, headers={**(SUITABLE if body else {}), **given})
    assert found.status >= 400
    assert set(found.json) == {"error", "hint"}
    return found.status


@pytest.mark.parametrize(("method", "target"), ROUTES)
class TestEveryRoute:
    """QW4, QW6: no route answers without the cookie, to another address, or to another page."""

    def test_wants_the_cookie(self, served: Workbench, method: str, target: str) -> None:
        assert refused(Browser(served.port), method, target) == 401

    def test_does_not_take_another_cookie(self, served: Workbench, method: str, target: str) -> None:
        assert refused(Browser(served.port, f"blueline_{served.port}=guessed"), method, target) == 401
        assert refused(Browser(served.port, f"blueline_{served.port}="), method, target) == 401
        assert refused(Browser(served.port, "blueline_1=x; \x7f;=;"), method, target) == 401

    @pytest.mark.parametrize(
        "host", ["example.org", "127.0.0.1", "localhost:1", "127.0.0.1:{port}.example.org", ""]
    )
    def test_serves_no_other_address(
        self, served: Workbench, known: Browser, method: str, target: str, host: str
    ) -> None:
        assert refused(known, method, target, Host=host.format(port=served.port)) == 403

    @pytest.mark.parametrize(
        "origin", ["http://example.org", "null", "http://127.0.0.1", "https://127.0.0.1:{port}"]
    )
    def test_does_not_answer_another_page(
        self, served: Workbench, known: Browser, method: str, target: str, origin: str
    ) -> None:
        assert refused(known, method, target, Origin=origin.format(port=served.port)) == 403

    @pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
    def test_does_not_answer_another_site(self, known: Browser, method: str, target: str, site: str) -> None:
        assert refused(known, method, target, Sec_Fetch_Site=site) == 403


@pytest.mark.parametrize("target", WRITES)
class TestEveryWrite:
    """What a page of another site can send without asking is not taken."""

    @pytest.mark.parametrize(
        "kind",
        [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/jsonx",
            "",
        ],
    )
    def test_takes_nothing_but_json(self, known: Browser, target: str, kind: str) -> None:
        found = known.ask("POST", target, body="{}", headers={"Content-Type": kind, "X-Blueline": "1"})
        assert found.status == 400

    def test_wants_our_own_header(self, known: Browser, target: str) -> None:
        found = known.ask("POST", target, body="{}", headers={"Content-Type": "application/json"})
        assert found.status == 403

    def test_is_not_done_by_looking(self, known: Browser, target: str) -> None:
        if target != "/api/notes":
            assert known.get(target).status == 405


def test_other_methods_are_not_answered(known: Browser) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"):
        found = known.ask(method, "/api/overview")
        assert found.status == 405
        assert "access-control-allow-origin" not in found.headers


def test_nothing_else_is_there(known: Browser) -> None:
    for target in ("/api", "/api/", "/api/overview/", "/docs", "/openapi.json", "/static", "/static/", "//"):
        assert known.get(target).status == 404


def test_cookies_of_other_servers_are_no_hindrance(served: Workbench, known: Browser) -> None:
    for other in ("a[b]=c; ", "=; ; ;;", "\u00e4=1; ", 'x="; ', f"blueline_{served.port}=tossed; "):
        assert Browser(served.port, other + known.cookie).get("/api/projects").status == 200


class TestTheToken:
    """QW4, QW10."""

    def test_opens_the_door_once(self, project: Project) -> None:
        with running(project) as workbench:
            stranger = Browser(workbench.port)
            found = stranger.ask("GET", f"/?token={workbench.token}")
            assert (found.status, found.headers["location"]) == (303, "/")
            cookie = found.headers["set-cookie"]
            assert cookie.startswith(f"blueline_{workbench.port}=")
            assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
            assert refused(stranger, "GET", f"/?token={workbench.token}") == 401
            entered = Browser(workbench.port, cookie.partition(";")[0])
            assert entered.get("/").status == 200
            again = entered.ask("GET", f"/?token={workbench.token}")
            assert (again.status, again.headers["location"]) == (303, "/"), "history and bookmarks lead on"

    def test_is_not_guessed(self, served: Workbench) -> None:
        stranger = Browser(served.port)
        for token in ("", "x", "%00", "%ff", "a" * 5000, "%s&token=%s" % (("x",) * 2)):
            assert refused(stranger, "GET", f"/?token={token}") == 401

    def test_opens_no_other_route(self, project: Project) -> None:
        with running(project) as workbench:
            stranger = Browser(workbench.port)
            assert refused(stranger, "GET", f"/api/overview?token={workbench.token}") == 401
            assert refused(stranger, "POST", f"/?token={workbench.token}") == 401
            assert workbench.enter().get("/api/overview").status == 200

    def test_and_cookie_end_with_the_run(self, project: Project) -> None:
        with running(project) as first:
            browser = first.enter()
            port, token = first.port, first.token
            first.stop()
        with running(project, port=port) as second:
            assert second.port == port
            assert refused(browser, "GET", "/api/overview") == 401
            assert refused(Browser(port), "GET", f"/?token={token}") == 401


class TestHeaders:
    """QW8, QX2: a page of ours loads nothing, is framed by nobody, and tells nobody where it came from."""

    @pytest.mark.parametrize("target", ["/", "/static/index.html", "/api/overview", "/nowhere"])
    def test_are_on_every_answer(self, known: Browser, target: str) -> None:
        headers = known.get(target).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; ")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers

    def test_are_on_refusals_too(self, served: Workbench) -> None:
        headers = Browser(served.port).get("/").headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"

    def test_the_nonce_is_another_one_each_time(self, known: Browser) -> None:
        first, second = known.get("/"), known.get("/")
        nonces = [
            one.headers["content-security-policy"].partition("'nonce-")[2].partition("'")[0]
            for one in (first, second)
        ]
        assert len({*nonces}) == 2
        assert b"{{nonce}}" not in first.body


class TestMalformed:
    """QW6, QW14: whatever is sent, the answer is a refusal and the server goes on."""

    @pytest.fixture(autouse=True)
    def goes_on(self, known: Browser) -> Iterator[None]:
        yield
        assert known.get("/api/projects").status == 200
