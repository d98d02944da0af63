"""A visitor without a browser: speaks to the page's server as Streamlit's own front end does, and reads what is drawn.

Sixty of them fit on the two cores that one crowd of Chromium tabs would fill.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

STREAM = "/_stcore/stream"
STANDING = 240.0  # seconds until a page has to show what is waited for


@dataclass(slots=True)
class BareVisitor:
    """One visitor: his connection, the page as it stands, and what went wrong."""

    line: ClientConnection
    address: str
    html: list[str] = field(default_factory=list)  # drawn since his last request
    uploaders: dict[str, str] = field(default_factory=dict)  # ids by the label they have
    problems: list[str] = field(default_factory=list)
    finished: bool = False  # the page that was asked for last is drawn to its end
    _polls: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _asked: dict[str, str] = field(default_factory=dict)
    _page: str = ""
    _session: str = ""
    _shown: str = ""  # the page that stands, as the server names it
    _places: list[FileURLs] = field(default_factory=list)  # where the server takes his files
    _begun: bool = False  # whether the page that was asked for last is being drawn, not one of before
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _reading: asyncio.Task[None] | None = None

    async def open(self, page: str = "", **query: str) -> None:
        """Ask for a page by its link."""
        self._page, self._asked = page, query
        await self._ask()

    async def upload(self, label: str, name: str, content: bytes) -> None:
        """Hand in a file where the page that stands asks for one, and see the page that follows."""
        ask = BackMsg()
        ask.file_urls_request.request_id, ask.file_urls_request.session_id = name, self._session
        ask.file_urls_request.file_names.append(name)
        await self._send(ask)
        await self.until(lambda seen: bool(seen._places))
        place = self._places.pop()
        async with httpx.AsyncClient(base_url=self.address, timeout=STANDING) as client:
            await client.get("/_stcore/health")  # sets the cookie that a file has to come with
            headers = {"X-Xsrftoken": client.cookies["_streamlit_xsrf"]}
            answer = await client.put(place.upload_url, files={"file": (name, content)}, headers=headers)
        assert answer.status_code == 204, answer.text
        message = self._request()
        file = message.rerun_script.widget_states.widgets.add(id=self.uploaders[label]).file_uploader_state_value
        file.uploaded_file_info.add(name=name, size=len(content), file_id=place.file_id, file_urls=place)
        await self._ask(message)
        await self.until(lambda _seen: True)

    async def until(self, shown: Callable[[BareVisitor], bool]) -> None:
        """Read until the page is drawn to its end and shows what is waited for."""
        async with asyncio.timeout(STANDING):
            while not (self.finished and shown(self)):
                self._changed.clear()
                await self._changed.wait()
                if self._reading and self._reading.done():
                    self._reading.result()

    def listen(self) -> None:
        """Read whatever the server sends from now on, also while nobody waits for it, as a browser does."""
        self._reading = asyncio.create_task(self._listen())
        self._reading.add_done_callback(lambda _: self._changed.set())

    def stop(self) -> None:
        """End what asks and reads by itself."""
        self._stop_polls()
        if self._reading:
            self._reading.cancel()

    def _stop_polls(self) -> None:
        for poll in self._polls.values():
            poll.cancel()
        self._polls.clear()

    async def _listen(self) -> None:
        async for message in self.line:
            assert isinstance(message, bytes)
            self._read(ForwardMsg.FromString(message))
            self._changed.set()

    async def _ask(self, message: BackMsg | None = None) -> None:
        self.finished = self._begun = False
        self.html.clear()
        await self._send(message or self._request())

    def _request(self, fragment: str = "") -> BackMsg:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_name, state.fragment_id = urlencode(self._asked), self._page, fragment
        state.is_auto_rerun = bool(fragment)
        if fragment:
            state.page_script_hash = self._shown  # a part that draws the whole page anew would else draw the first one
        return message

    async def _send(self, message: BackMsg) -> None:
        await self.line.send(message.SerializeToString())

    def _read(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session" and not message.metadata.run.fragment_ids:
            self._stop_polls()
            self.html.clear()
            self._session = message.new_session.initialize.session_id
            self.finished, self._begun = False, True
        elif kind == "script_finished":
            self.finished = self._begun and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        elif kind == "auto_rerun" and message.auto_rerun.fragment_id not in self._polls:
            again = message.auto_rerun
            self._polls[again.fragment_id] = asyncio.create_task(self._poll(again.fragment_id, again.interval))
        elif kind == "file_urls_response":
            self._places.extend(message.file_urls_response.file_urls)
        elif kind == "navigation":
            self._shown = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._asked = dict(parse_qsl(message.page_info_changed.query_string))
        elif kind == "delta":
            self._see(message)

    def _see(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "html":
            self.html.append(element.html.body)
        elif kind == "bidi_component":
            self.html.append(json.loads(element.bidi_component.json).get("html", ""))
        elif kind == "exception":
            self.problems.append(element.exception.message)
        elif kind == "file_uploader":
            self.uploaders[element.file_uploader.label] = element.file_uploader.id
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            self.problems.append(element.alert.body)

    async def _poll(self, fragment: str, interval: float) -> None:
        with suppress(OSError):
            while True:
                await asyncio.sleep(interval)
                await self._send(self._request(fragment))


@asynccontextmanager
async def visiting(address: str) -> AsyncIterator[BareVisitor]:
    """Connect as a browser on the page's own address does."""
    place = address.replace("http", "ws", 1) + STREAM
    async with connect(place, origin=address, subprotocols=["streamlit"], max_size=None) as line:  # type: ignore[arg-type,list-item]
        visitor = BareVisitor(line, address)
        visitor.listen()
        try:
            yield visitor
        finally:
            visitor.stop()
