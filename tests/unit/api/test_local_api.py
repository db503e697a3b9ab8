"""The local API beside the window: it runs while its setting says so, and not a module of it before."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from fakes.api_place import parsed
from fakes.app_place import Place, app_place
from fireside.api.options import api_options
from fireside.api.server import ApiServer
from fireside.services.collections.collection_service import CollectionService
from fireside.services.local_api import LocalApi, LocalApiParts, RunningApi
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import Tokens
from fireside.settings.values import AppLayer

UNWANTED = """
import sys
import fireside.main.app_setup, fireside.main.local_api_setup
print([name for name in sys.modules if name.startswith("fireside.api") or name.startswith("uvicorn")])
"""


def play(folder: Path, starter: Path, act: Callable[[Place], Awaitable[None]]) -> None:
    async def scenario() -> None:
        async with app_place(folder, starter=starter) as place:
            settings = place.app._settings

            async def start(services: ServiceContext, collections: CollectionService) -> RunningApi:
                options = api_options(settings.resolved())
                if options.port == 3473:  # the usual one may be taken where tests run
                    options = msgspec.structs.replace(options, port=0)
                server = ApiServer(
                    services, options, collections=collections, tokens=tokens, forget=lambda _: None
                )
                await server.start()
                return server

            tokens = Tokens(folder / "tokens.json")
            parts = LocalApiParts(tokens=tokens, start=start)
            place.app.local_api = LocalApi(
                place.app.services, place.app.collections, settings=settings, parts=parts
            )
            await act(place)

    asyncio.run(scenario())


async def change(place: Place, key: str, *, value: bool | int) -> None:
    await place.app.preferences.change(AppLayer(), key=key, value=value)
    await asyncio.gather(*place.app._tasks)


async def status_at(address: str, token: str = "") -> int:
    """Return what the list of models is answered with; 0 where nothing listens."""
    port = int(address.rpartition(":")[2])
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return 0
    head = f"GET /v1/models HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n"
    writer.write(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
    status = parsed(await reader.read()).status
    writer.close()
    return status


def test_it_is_off_until_it_is_turned_on_and_gone_when_turned_off(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def act(place: Place) -> None:
        assert (await place.app.local_api.standing()).address == ""
        await change(place, "api.enabled", value=True)
        address = (await place.app.local_api.standing()).address
        assert await status_at(address) == 401
        text = await place.app.local_api.add_token("editor", scopes=("answer", "load"))
        assert await status_at(address, text) == 200
        standing = await place.app.local_api.standing()
        assert [(token.name, token.scopes) for token in standing.tokens] == [("editor", ("answer", "load"))]
        assert "token is needed" in standing.failed[0].sentence
        await place.app.local_api.revoke_token(standing.tokens[0].id)
        assert await status_at(address, text) == 401
        await change(place, "api.enabled", value=False)
        assert (await place.app.local_api.standing()).address == ""
        assert await status_at(address) == 0

    play(tmp_path, starter_model_path, act)


def test_a_port_that_is_taken_is_told_and_another_one_serves(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def act(place: Place) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            await change(place, "api.port", value=taken.getsockname()[1])
            await change(place, "api.enabled", value=True)
            standing = await place.app.local_api.standing()
            assert standing.address == ""
            assert standing.problem is not None
            assert standing.problem.code == "api_not_started"
        await change(place, "api.port", value=3473)
        standing = await place.app.local_api.standing()
        assert standing.address
        assert standing.problem is None

    play(tmp_path, starter_model_path, act)


def test_nothing_of_it_is_imported_before() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", UNWANTED], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
