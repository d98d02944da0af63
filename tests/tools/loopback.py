"""A real HTTP server on this machine whose every answer can be scripted, good or bad."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer, and how the server misbehaves while giving it."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    promised: int | None = None  # Content-Length when it is a lie
    hang: bool = False  # never answers
    drip: float = 0.0  # seconds between two bytes of the body
    drip_headers: float = 0.0  # seconds between two bytes of an endless header
    repeat: int = 1  # the body is sent so often


def zipped(content: bytes) -> Reply:
    return Reply(body=gzip.compress(content), headers={"Content-Encoding": "gzip"})


@dataclass(frozen=True, slots=True)
class Request:
    """A request as the server saw it."""

    path: str
    headers: Mapping[str, str]


class Loopback:
    """Routes (path → one reply for ever, or replies in turn, the last repeated) and what was asked."""

    def __init__(self, routes: Mapping[str, bytes | Reply | Sequence[Reply]]) -> None:
        self.routes = dict(routes)
        self.requests: list[Request] = []
        self.url = ""
        self.closing = threading.Event()

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def reply(self, path: str) -> Reply:
        route = self.routes.get(path, Reply(status=404, body=b"not here"))
        if isinstance(route, bytes):
            return Reply(body=route)
        if isinstance(route, Reply):
            return route
        if len(route) > 1:
            self.routes[path] = route[1:]
        return route[0]


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(routes: Mapping[str, bytes | Reply | Sequence[Reply]]) -> Iterator[Loopback]:
    """Serve the routes below `loopback.url` until the block ends."""
    script = Loopback(routes)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    server.daemon_threads = True
    server.block_on_close = False
    script.url = f"http://127.0.0.1:{server.server_address[1]}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(script: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            path = self.path.lstrip("/")
            script.requests.append(Request(path, {name.lower(): value for name, value in self.headers.items()}))
            reply = script.reply(path)
            with suppress(OSError):  # the client has every right to hang up on a server like this
                self._give(reply)

        def _give(self, reply: Reply) -> None:
            if reply.hang:
                script.closing.wait()
                return
            if reply.drip_headers:
                self._drip_headers(reply.drip_headers)
                return
            etag = reply.headers.get("ETag")
            status = 304 if etag and self.headers.get("If-None-Match") == etag else reply.status
            body = b"" if status == 304 else reply.body
            self.send_response(status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            length = reply.promised if reply.promised is not None else len(body) * reply.repeat
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self._send(body, reply)
            self.close_connection = self.close_connection or reply.promised is not None

        def _send(self, body: bytes, reply: Reply) -> None:
            if not reply.drip:
                for _ in range(reply.repeat):
                    self.wfile.write(body)
                return
            for byte in body:
                self.wfile.write(bytes([byte]))
                if script.closing.wait(reply.drip):
                    return

        def _drip_headers(self, pause: float) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Endless: ")
            while not script.closing.wait(pause):
                self.wfile.write(b"x")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the tests read `requests`."""

    return Handler
