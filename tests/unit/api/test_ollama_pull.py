"""Ollama's “pull”, from a hub on loopback, where the user lets clients download."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fakes.api_harness import ApiHarness, api_harness, until
from fakes.fake_hub import FakeHub, fake_hub
from fakes.fake_hub_faults import Fault
from fakes.hub_harness import BLOCK
from fakes.hub_with_model import REPO, hub_settings, stock
from fireside.api.options import ApiOptions
from fireside.core.hub import DownloadState
from fireside.settings.api_tokens import TokenScope

PULL = "/api/pull"


@pytest.fixture
def options() -> ApiOptions:
    return ApiOptions(allows_pull=True)


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        stock(hub)
        yield hub


@pytest.fixture
async def harness(
    tmp_path: Path, starter_model_path: Path, hub: FakeHub, options: ApiOptions
) -> AsyncIterator[ApiHarness]:
    environ = hub_settings(hub)
    async with api_harness(tmp_path, starter=starter_model_path, options=options, environ=environ) as place:
        try:
            yield place
        finally:
            hub.release()


@pytest.fixture
def manager(harness: ApiHarness) -> dict[str, str]:
    """The headers of a client that may manage models."""
    return bearer(harness, TokenScope.MANAGE)


def bearer(harness: ApiHarness, *scopes: TokenScope) -> dict[str, str]:
    return {"Authorization": f"Bearer {harness.tokens.add('client', frozenset(scopes)).reveal()}"}


def states(harness: ApiHarness) -> list[DownloadState]:
    return [download.state for download in harness.harness.app.downloads.downloads]


async def test_a_model_is_downloaded_with_its_progress(harness: ApiHarness, manager: dict[str, str]) -> None:
    first, *middle, last = (await harness.ask(PULL, {"model": f"hf.co/{REPO}"}, headers=manager)).lines
    assert (first, last) == ({"status": "pulling manifest"}, {"status": "success"})
    assert middle[-1]["completed"] == middle[-1]["total"] > 0
    assert middle[-1]["digest"].startswith("sha256:")
    assert states(harness) == [DownloadState.DONE]
    again = await harness.ask(PULL, {"name": REPO, "stream": False}, headers=manager)
    assert again.json == {"status": "success"}


@pytest.mark.parametrize("options", [ApiOptions(allows_pull=False)])
async def test_only_where_the_user_lets_clients(harness: ApiHarness, manager: dict[str, str]) -> None:
    refused = await harness.ask(PULL, {"model": REPO}, headers=manager)
    assert refused.status == 403
    assert "api.pull" in refused.json["error"]
    assert states(harness) == []


async def test_only_with_a_token_that_is_for_it(harness: ApiHarness) -> None:
    editor = bearer(harness, TokenScope.ANSWER, TokenScope.LOAD)
    assert (await harness.ask(PULL, {"model": REPO}, headers=editor)).status == 403
    assert (await harness.ask(PULL, {"model": REPO})).status == 401
    assert states(harness) == []


async def test_what_cannot_be_pulled_is_told_before_anything_begins(
    harness: ApiHarness, manager: dict[str, str]
) -> None:
    for name, status in (
        ("llama3.2", 400),
        ("../../etc/passwd", 400),
        ("http://169.254.169.254/owner/model", 400),
        ("nobody/nothing", 404),
        (f"{REPO}:Q9_9", 400),
    ):
        refused = await harness.ask(PULL, {"model": name}, headers=manager)
        assert refused.status == status, (name, refused)
        assert refused.json.keys() == {"error"}
    assert states(harness) == []


async def test_a_download_that_fails_is_told_in_the_stream(
    harness: ApiHarness, hub: FakeHub, manager: dict[str, str]
) -> None:
    hub.plan(Fault.WRONG_BYTES, times=20)
    lines = (await harness.ask(PULL, {"model": REPO}, headers=manager)).lines
    assert lines[-1].keys() == {"error"}


async def test_a_client_that_goes_pauses_what_it_began(
    harness: ApiHarness, hub: FakeHub, manager: dict[str, str]
) -> None:
    hub.plan(Fault.STALL, after=BLOCK, times=20)
    body = json.dumps({"model": REPO}).encode()
    lines = [f"POST {PULL} HTTP/1.1", f"Host: localhost:{harness.port}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in manager.items()]
    reader, writer = await harness.connect()
    writer.write("\r\n".join((*lines, "", "")).encode() + body)
    await reader.readuntil(b'"completed"')
    assert DownloadState.PAUSED not in states(harness)
    writer.close()
    await until(lambda: states(harness) == [DownloadState.PAUSED])
