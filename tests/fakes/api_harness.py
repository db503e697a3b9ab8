"""The local API over a scripted engine, and a client that sends every byte itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fakes.app_harness import PATIENCE_S, AppHarness, app_harness
from fakes.engine import FakeEngine, Script
from fireside.api.connection import ConnectionLimits
from fireside.api.devices import DeviceOptions
from fireside.api.options import ApiOptions
from fireside.api.server import ApiServer
from fireside.settings.api_tokens import TOKENS_NAME, ApiTokens

OPEN = ApiOptions(needs_token=False)
"""For clients without a token."""


class Answer(NamedTuple):
    """What came back, until the connection was closed."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """The data of all server-sent events."""
        lines = [line for line in self.body.decode().splitlines() if line.startswith("data: ")]
        return [json.loads(line[6:]) for line in lines if line != "data: [DONE]"]

    @property
    def lines(self) -> list[Any]:
        """The objects of a stream of lines."""
        return [json.loads(line) for line in self.body.decode().splitlines() if line.strip()]


class ApiHarness:
    """The server, and what is behind it."""

    def __init__(self, server: ApiServer, harness: AppHarness, tokens: ApiTokens) -> None:
        self.server = server
        self.harness = harness
        self.tokens = tokens
        self.port = int(server.address.rpartition(":")[2])

    @property
    def engine(self) -> FakeEngine:
        return self.harness.engine

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def raw(self, sent: bytes) -> Answer:
        """Send bytes as they are and return what comes until the server closes."""
        reader, writer = await self.connect()
        writer.write(sent)
        try:
            return parsed(await reader.read())
        except ConnectionError:
            return Answer(0, {}, b"")
        finally:
            writer.close()

    async def ask(
        self,
        path: str,
        body: object = None,
        *,
        method: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request; a ``body`` is JSON, and makes it a POST."""
        content = b"" if body is None else json.dumps(body).encode()
        sent = {
            "Host": f"127.0.0.1:{self.port}",
            "Connection": "close",
            **({"Content-Type": "application/json", "Content-Length": str(len(content))} if content else {}),
            **(headers or {}),
        }
        head = f"{method or ('POST' if content else 'GET')} {path} HTTP/1.1\r\n"
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        return await self.raw((head + lines + "\r\n").encode() + content)


async def until(is_so: Callable[[], object]) -> None:
    """Return when ``is_so``; the loop goes on meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - what is waited for is in many places
            await asyncio.sleep(0)


def parsed(sent: bytes) -> Answer:
    """Return a reply from its bytes."""
    if not sent:
        return Answer(0, {}, b"")
    head, _, body = sent.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = _joined(body)
    return Answer(int(first.split(" ")[1]), headers, body)


def _joined(chunks: bytes) -> bytes:
    joined = b""
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        joined += rest[: int(size, 16)]
        chunks = rest[int(size, 16) + 2 :]
    return joined


@asynccontextmanager
async def api_harness(
    folder: Path,
    *,
    starter: Path,
    script: Script | None = None,
    options: ApiOptions = OPEN,
    limits: ConnectionLimits | None = None,
    engine: FakeEngine | None = None,
    environ: Mapping[str, str] | None = None,
    devices: DeviceOptions | None = None,
) -> AsyncIterator[ApiHarness]:
    """Serve the starter model, answered for by ``script``, on a free port, and other ``devices``."""
    async with app_harness(folder, starter=starter, script=script, engine=engine, environ=environ) as running:
        tokens = ApiTokens(folder / TOKENS_NAME)
        app = running.app
        server = ApiServer(
            app.services,
            options,
            collections=app.collections,
            tokens=tokens,
            forget=app.forget_states,
            limits=limits,
            devices=devices,
        )
        await server.start()
        try:
            yield ApiHarness(server, running, tokens)
        finally:
            await server.stop()
