"""The style sheet inside the page's own HTML, so that it is there before the first thing is painted.

Streamlit draws a style sheet like any other element, after the frame it changes: a first page moved by .2 to .6 of a
screen. Put into the document's head it moves by nothing that we draw.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.web.drawing.look import style_sheet

HEAD_ENDS = b"</head>"
OF_THE_FILE = ("etag", "last-modified")
"""What tells a browser that it has the document already: it would keep an old style sheet."""


class FirstPaint:
    """Adds our style sheet to every document that Streamlit serves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let Streamlit answer, and complete what it answers where that is a document."""
        if scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", ""):
            unpacked = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            await self._app({**scope, "headers": unpacked}, receive, Styled(send))
        else:
            await self._app(scope, receive, send)


class Styled:
    """One answer on its way: held back until it is whole, then sent with the style sheet in its head."""

    def __init__(self, send: Send) -> None:
        self._send, self._body = send, b""
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        """Take a part of the answer."""
        if message["type"] == "http.response.start" and _is_document(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish(self._start)

    async def _finish(self, start: Message) -> None:
        body = self._body.replace(HEAD_ENDS, style_sheet().encode() + HEAD_ENDS, 1)
        headers = MutableHeaders(scope=start)
        headers["content-length"] = str(len(body))
        for name in OF_THE_FILE:
            del headers[name]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_document(start: Message) -> bool:
    """Return whether an answer is a whole document."""
    return start["status"] == 200 and Headers(scope=start).get("content-type", "").startswith("text/html")
