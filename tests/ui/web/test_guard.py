"""The page answers its own address only, may not be framed, and its server calls nobody, whatever it is asked."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from starlette.datastructures import Headers

from tests.cases.small_world import CUP_NAME, awkward_cup
from tests.tools.bare_visitor import STREAM, visiting
from tests.tools.browser import Server, running_server
from tests.tools.socket_watch import SocketWatch
from ui.web.guard import is_foreign

UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}
EVIL = "evil.example"


@pytest.fixture(scope="module")
def watch(tmp_path_factory: pytest.TempPathFactory) -> SocketWatch:
    return SocketWatch(tmp_path_factory.mktemp("watch") / "hook")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, watch: SocketWatch) -> Iterator[Server]:
    """The real server, its sockets watched."""
    home = tmp_path_factory.mktemp("served")
    awkward_cup().save(home / "worlds" / CUP_NAME)
    with running_server(home, **watch.environment) as running:
        yield running


def asked(server: Server, path: str, host: str = "", **headers: str) -> tuple[int, dict[str, str]]:
    """Return the status and the headers of an answer to a request for a host."""
    port = int(server.url.rpartition(":")[2])
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    line.putrequest("GET", path, skip_host=True)
    for name, value in {"Host": host or f"127.0.0.1:{port}", **headers}.items():
        line.putheader(name, value)
    line.endheaders()
    answer = line.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.headers.items()}
    line.close()
    return found


def test_a_websocket_of_another_host_is_refused_whatever_its_origin(server: Server) -> None:
    port = server.url.rpartition(":")[2]
    for host in (EVIL, f"{EVIL}:{port}", f"127.0.0.1.{EVIL}", " "):
        assert asked(server, STREAM, host, Origin=f"http://{host}", **UPGRADE)[0] in (400, 403)
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert asked(server, STREAM, host, Origin=f"http://{host}", **UPGRADE)[0] == 101


@pytest.mark.parametrize("origin", [f"http://{EVIL}", "null", "file://", "http://127.0.0.1:1", "rubbish"])
@pytest.mark.parametrize("path", [STREAM, "/", "/_stcore/health"])
def test_a_request_of_another_site_is_refused(server: Server, path: str, origin: str) -> None:
    upgrade = UPGRADE if path == STREAM else {}
    assert asked(server, path, Origin=origin, **upgrade)[0] == 403


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/upload_file/a/b"])
def test_another_host_gets_no_page_either(server: Server, path: str) -> None:
    assert asked(server, path, EVIL)[0] == 400


def test_every_answer_says_what_the_page_may_do_and_that_nobody_may_frame_it(server: Server) -> None:
    for path in ("/", "/_stcore/health", "/pick"):
        status, headers = asked(server, path)
        assert status == 200
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"


async def look_around(address: str) -> list[str]:
    async with visiting(address) as visitor:
        await visitor.open(world=CUP_NAME, round="1", theta="gain")
        await visitor.until(lambda seen: any('data-testid="pitch"' in html for html in seen.html))
        for page in ("my-squad", "data", "squadbench"):
            await visitor.open(page, world=CUP_NAME, round="1")
            await visitor.until(lambda _seen: True)
    return visitor.problems


def test_the_server_calls_nobody_while_it_is_used_and_attacked(server: Server, watch: SocketWatch) -> None:
    assert asyncio.run(look_around(server.url)) == []
    for origin in (f"http://{EVIL}", "null"):
        asked(server, STREAM, Origin=origin, **UPGRADE)
        asked(server, "/_stcore/health", Origin=origin)
        asked(server, STREAM, EVIL, Origin=origin, **UPGRADE)
    assert watch.abroad == []
    assert "Traceback" not in server.log.read_text()


def test_the_watch_sees_who_is_called(tmp_path: Path) -> None:
    watch = SocketWatch(tmp_path / "hook")
    code = (
        "import socket\n"
        "try: socket.create_connection(('checkip.invalid', 80), 1)\n"
        "except OSError: pass\n"
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 1))"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=watch.environment, check=False)
    assert watch.abroad == ["checkip.invalid", "192.0.2.1"]


def test_an_origin_that_the_settings_welcome_is_not_foreign() -> None:
    headers = Headers({"host": "127.0.0.1:8501", "origin": "https://squads.example"})
    assert is_foreign(headers, [])
    assert not is_foreign(headers, ["https://squads.example"])
    assert not is_foreign(Headers({"host": "127.0.0.1:8501"}), [])


@pytest.mark.parametrize("path", ["/", "/compare"])
def test_every_document_has_our_style_sheet_before_anything_is_painted(server: Server, path: str) -> None:
    request = Request(f"{server.url}{path}", headers={"Accept": "text/html", "Accept-Encoding": "gzip"})
    with urlopen(request, timeout=60) as answer:
        assert b"xi-turf" in answer.read().partition(b"</head>")[0]
        assert "etag" not in answer.headers
