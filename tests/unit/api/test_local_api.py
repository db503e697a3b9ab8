"""The local API beside the window: it runs while its setting says so, and not a module of it before."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from fakes.api_harness import parsed
from fakes.app_harness import AppHarness, app_harness
from fireside.api.options import api_options
from fireside.api.server import ApiServer
from fireside.services.collections.collection_service import CollectionService
from fireside.services.local_api import LocalApi, LocalApiParts, RunningApi
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import ApiTokens
from fireside.settings.layers import resolve
from fireside.settings.values import AppLayer, Origin

UNWANTED = """
import sys
import fireside.main.build
print([name for name in sys.modules if name.startswith("fireside.api") or name.startswith("uvicorn")])
"""


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path) -> AsyncIterator[AppHarness]:
    """A program whose local API serves at any free port, unless the settings name another than the usual."""
    async with app_harness(tmp_path, starter=starter_model_path) as place:
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

        tokens = ApiTokens(tmp_path / "tokens.json")
        parts = LocalApiParts(tokens=tokens, start=start)
        place.app.local_api = LocalApi(
            place.app.services, place.app.collections, settings=settings, parts=parts
        )
        yield place


async def change(harness: AppHarness, key: str, *, value: bool | int) -> None:
    await harness.app.preferences.change(AppLayer(), key=key, value=value)
    await asyncio.gather(*harness.app._tasks)


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


async def test_it_is_off_until_it_is_turned_on_and_gone_when_turned_off(harness: AppHarness) -> None:
    assert (await harness.app.local_api.status()).address == ""
    await change(harness, "api.enabled", value=True)
    address = (await harness.app.local_api.status()).address
    assert await status_at(address) == 401
    text = await harness.app.local_api.add_token("editor", scopes=("answer", "load"))
    assert await status_at(address, text) == 200
    standing = await harness.app.local_api.status()
    assert [(token.name, token.scopes) for token in standing.tokens] == [("editor", ("answer", "load"))]
    assert "token is needed" in standing.failed[0].sentence
    await harness.app.local_api.revoke_token(standing.tokens[0].id)
    assert await status_at(address, text) == 401
    await change(harness, "api.enabled", value=False)
    assert (await harness.app.local_api.status()).address == ""
    assert await status_at(address) == 0


async def test_a_port_that_is_taken_is_told_and_another_one_serves(harness: AppHarness) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        await change(harness, "api.port", value=port)
        await change(harness, "api.enabled", value=True)
        standing = await harness.app.local_api.status()
        assert standing.address == ""
        assert standing.problem is not None
        assert standing.problem.code == "api_not_started"
        assert f"Port {port} is in use" in standing.problem.sentence
    await change(harness, "api.port", value=3473)
    standing = await harness.app.local_api.status()
    assert standing.address
    assert standing.problem is None


def test_nothing_of_it_is_imported_before() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", UNWANTED], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr


def test_every_setting_of_clients_reaches_the_server() -> None:
    chosen = {
        "api.any_model_name": True,
        "api.remote": True,
        "api.requests_per_client": 3,
        "api.metrics": True,
        "api.pull": True,
    }
    options = api_options(resolve([(Origin.FILE, chosen)]))
    assert options.accepts_any_model_name
    assert options.includes_remote
    assert options.max_requests_per_client == 3
    assert options.metrics_enabled
    assert options.allows_pull
