"""What the server listens to."""

from __future__ import annotations

from pathlib import Path

from tests.support.workbench import Browser, Workbench


def test_only_this_machine_can_connect(served: Workbench) -> None:
    """QW5."""
    listening = Path("/proc/net/tcp").read_text().splitlines()[1:]
    port = f":{served.port:04X}"
    addresses = {
        line.split()[1] for line in listening if line.split()[1].endswith(port) and line.split()[3] == "0A"
    }
    assert addresses == {f"0100007F{port}"}


def test_a_web_socket_is_not_opened(served: Workbench, known: Browser) -> None:
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    found = known.ask("GET", "/api/events", headers={**headers, "Host": "example.org"})
    assert found.status == 403
