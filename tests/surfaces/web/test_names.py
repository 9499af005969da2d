"""Behind a forwarded port: the name that a person said is ours, and checked like our own; no other is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from blueline.surfaces.web.names import Names, NoPublicUrl, public_origin
from tests.support.forwarding import forwarding
from tests.support.project import Project
from tests.support.workbench import SUITABLE, Browser, Workbench, running
from tests.surfaces.web.all_routes import ROUTES

URL = "https://name-8000.example.dev"
NAME = "name-8000.example.dev"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Name-8000.App.github.dev/", "https://name-8000.app.github.dev"),
        ("https://example.org:443", "https://example.org"),
        ("https://example.org:8443/", "https://example.org:8443"),
        ("http://localhost:9000", "http://localhost:9000"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
    ],
)
def test_an_address_is_taken_as_browsers_say_it(url: str, origin: str) -> None:
    assert public_origin(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "ftp://example.org",
        "https://",
        "https://a b",
        "https://me:word@example.org",
        "https://*.example.org",
        "https://example.org/blueline",
        "https://example.org/?x=1",
        "https://example.org/#x",
        "https://example.org:x",
        "https://example.org:99999",
        "http://example.org",
        "http://10.0.0.1:8000",
        "https://ex\u00e4mple.org",
    ],
)
def test_what_is_no_address_or_tells_everybody_is_refused(url: str) -> None:
    with pytest.raises(NoPublicUrl) as refusal:
        public_origin(url)
    assert refusal.value.hint


def test_without_one_nothing_is_ours_but_this_machine() -> None:
    names = Names(8000)
    assert names.knows("localhost:8000")
    assert names.knows("127.0.0.1:8000")
    assert not any(names.knows(host) for host in ("", "localhost", "localhost:1", NAME))
    assert not any(names.is_own_page(origin, "localhost:8000") for origin in ("", "null", URL))
    assert not names.is_own_page("http://127.0.0.1:8000", "localhost:8000")


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    project = Project(tmp_path_factory.mktemp("public"), {"poem.txt": "one\n"})
    project.prompt()
    project.edit("poem.txt", "one\n", "two\n")
    with running(project, "--public-url", URL + "/") as workbench:
        yield workbench


@pytest.fixture(scope="module")
def let_in(public: Workbench) -> Browser:
    assert public.address.startswith(URL + "/?token=")
    found = Browser(public.port).ask("GET", f"/?token={public.token}", headers={"Host": NAME})
    assert (found.status, found.headers["location"]) == (303, "/")
    assert {"Secure", "HttpOnly", "SameSite=Strict"} <= set(found.headers["set-cookie"].split("; "))
    again = Browser(public.port).ask("GET", f"/?token={public.token}", headers={"Host": NAME})
    assert again.status == 401, "the token works once, by whatever name"
    return Browser(public.port, found.headers["set-cookie"].partition(";")[0])


def status(browser: Browser, method: str, target: str, **headers: str) -> int:
    body = "{}" if method == "POST" else None
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return browser.ask(method, target, body=body, headers={**(SUITABLE if body else {}), **given}).status


@pytest.mark.parametrize(("method", "target"), ROUTES)
class TestEveryRoute:
    """QW4, QW6, also by another name."""

    def test_wants_the_cookie(self, public: Workbench, method: str, target: str) -> None:
        assert status(Browser(public.port), method, target, Host=NAME) == 401

    @pytest.mark.parametrize(
        "host", ["example.dev", NAME + ":8000", "x" + NAME, NAME + ".", "localhost:8000"]
    )
    def test_has_no_third_name(self, let_in: Browser, method: str, target: str, host: str) -> None:
        assert status(let_in, method, target, Host=host) == 403

    @pytest.mark.parametrize("origin", ["http://" + NAME, URL + ":8000", "null", "https://example.dev"])
    def test_is_asked_by_no_other_page(self, let_in: Browser, method: str, target: str, origin: str) -> None:
        assert status(let_in, method, target, Host=NAME, Origin=origin) == 403
        assert status(let_in, method, target, Host=f"localhost:{let_in.port}", Origin=origin) == 403

    def test_is_asked_by_no_other_site(self, let_in: Browser, method: str, target: str) -> None:
        assert status(let_in, method, target, Host=NAME, Sec_Fetch_Site="same-site") == 403


def test_our_page_is_let_in_by_the_name_or_by_what_a_forwarder_makes_of_it(let_in: Browser) -> None:
    here = f"localhost:{let_in.port}"
    for host, origin in ((NAME, URL), (here, URL), (here, f"http://{here}")):
        assert status(let_in, "GET", "/api/overview", Host=host, Origin=origin) == 200
    assert status(let_in, "GET", "/api/overview", Host=NAME, Origin=f"http://{here}") == 403


def test_through_another_port_it_works_with_the_name_alone(project: Project) -> None:
    with forwarding() as near:
        with running(project) as workbench:
            near.to = workbench.port
            assert Browser(near.port).ask("GET", f"/?token={workbench.token}").status == 403
        with running(project, "--public-url", f"http://localhost:{near.port}") as workbench:
            near.to = workbench.port
            host = {"Host": f"localhost:{near.port}"}
            found = Browser(near.port).ask("GET", f"/?token={workbench.token}", headers=host)
            assert "Secure" not in found.headers["set-cookie"]
            cookie = found.headers["set-cookie"].partition(";")[0]
            assert Browser(near.port, cookie).ask("GET", "/api/overview", headers=host).status == 200
