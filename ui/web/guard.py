"""What every request to the page passes first: hosts and origins that are ours, and headers that browsers obey.

Streamlit compares a foreign Origin with this machine's public address, which it asks a server on the internet for; here
such a request ends before that. Hosts and further origins are settings of Streamlit's own: `server.allowedHosts` and
`server.corsAllowedOrigins`.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.web.first_paint import FirstPaint

POLICY = {
    "default-src": "'self'",
    # Streamlit's first script is inline, charts are compiled, and it hands a component its script as a blob of its own.
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src": "'self' 'unsafe-inline'",  # all of Streamlit's styles
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
"""Where the page may take things from and send them to: its own server, whatever gets into it."""

HEADERS = {
    "Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in POLICY.items()),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

FOREIGN = "This page answers its own address only. Open it by the address that its server printed."


class Guard:
    """Refuses what comes from other sites, and marks every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let Streamlit do so."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif is_foreign(Headers(scope=scope), st.get_option("server.corsAllowedOrigins")):
            await PlainTextResponse(FOREIGN, status_code=403, headers=HEADERS)(scope, receive, send)
        else:
            await self._app(scope, receive, _marked(send))


def is_foreign(headers: Headers, welcome: list[str]) -> bool:
    """Return whether a request comes from another site; only who is asked by a browser's script says where from."""
    origin = headers.get("origin")
    return origin is not None and origin not in welcome and urlsplit(origin).netloc != headers.get("host")


def _marked(send: Send) -> Send:
    async def marking(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return marking


def guards() -> list[Middleware]:
    """Return what stands before Streamlit, in order."""
    hosts = st.get_option("server.allowedHosts") or ["*"]
    ours = Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)
    return [ours, Middleware(Guard), Middleware(FirstPaint)]
