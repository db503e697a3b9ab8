"""Ollama's “pull”, from a hub on loopback, where the user lets clients download."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from fakes.api_place import ApiPlace, api_place, until
from fakes.fake_hub import FakeHub, fake_hub
from fakes.fake_hub_faults import Fault
from fakes.hub_place import BLOCK
from fakes.hub_shelf import REPO, hub_settings, stock
from fireside.api.options import ApiOptions
from fireside.core.hub import DownloadState
from fireside.settings.api_tokens import Scope

PULL = "/api/pull"
Act = Callable[[ApiPlace, FakeHub, dict[str, str]], Awaitable[None]]


def play(folder: Path, starter: Path, act: Act, *, may_pull: bool = True) -> None:
    """Do ``act`` with the headers of a client that may manage models."""

    async def scenario() -> None:
        with fake_hub() as hub:
            stock(hub)
            options = ApiOptions(may_pull=may_pull)
            async with api_place(
                folder, starter=starter, options=options, environ=hub_settings(hub)
            ) as place:
                token = place.tokens.add("manager", frozenset({Scope.MANAGE})).reveal()
                try:
                    await act(place, hub, {"Authorization": f"Bearer {token}"})
                finally:
                    hub.release()

    asyncio.run(scenario())


def states(place: ApiPlace) -> list[DownloadState]:
    return [download.state for download in place.place.app.downloads.downloads]


def test_a_model_is_downloaded_with_its_progress(tmp_path: Path, starter_model_path: Path) -> None:
    async def act(place: ApiPlace, _: FakeHub, manager: dict[str, str]) -> None:
        first, *middle, last = (await place.ask(PULL, {"model": f"hf.co/{REPO}"}, headers=manager)).lines
        assert (first, last) == ({"status": "pulling manifest"}, {"status": "success"})
        assert middle[-1]["completed"] == middle[-1]["total"] > 0
        assert middle[-1]["digest"].startswith("sha256:")
        assert states(place) == [DownloadState.DONE]
        again = await place.ask(PULL, {"name": REPO, "stream": False}, headers=manager)
        assert again.json == {"status": "success"}

    play(tmp_path, starter_model_path, act)


def test_only_where_the_user_lets_clients_and_the_token_is_for_it(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def off(place: ApiPlace, hub: FakeHub, manager: dict[str, str]) -> None:
        refused = await place.ask(PULL, {"model": REPO}, headers=manager)
        assert refused.status == 403
        assert "api.pull" in refused.json["error"]
        assert states(place) == []

    async def on(place: ApiPlace, hub: FakeHub, manager: dict[str, str]) -> None:
        other = place.tokens.add("editor", frozenset({Scope.ANSWER, Scope.LOAD})).reveal()
        headers = {"Authorization": f"Bearer {other}"}
        assert (await place.ask(PULL, {"model": REPO}, headers=headers)).status == 403
        assert (await place.ask(PULL, {"model": REPO})).status == 401
        assert states(place) == []

    play(tmp_path / "off", starter_model_path, off, may_pull=False)
    play(tmp_path / "on", starter_model_path, on)


def test_what_cannot_be_pulled_is_told_before_anything_begins(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def act(place: ApiPlace, _: FakeHub, manager: dict[str, str]) -> None:
        for name, status in (
            ("llama3.2", 400),
            ("../../etc/passwd", 400),
            ("http://169.254.169.254/owner/model", 400),
            ("nobody/nothing", 404),
            (f"{REPO}:Q9_9", 400),
        ):
            refused = await place.ask(PULL, {"model": name}, headers=manager)
            assert refused.status == status, (name, refused)
            assert refused.json.keys() == {"error"}
        assert states(place) == []

    play(tmp_path, starter_model_path, act)


def test_a_download_that_fails_is_told_in_the_stream(tmp_path: Path, starter_model_path: Path) -> None:
    async def act(place: ApiPlace, hub: FakeHub, manager: dict[str, str]) -> None:
        hub.plan(Fault.WRONG_BYTES, times=20)
        lines = (await place.ask(PULL, {"model": REPO}, headers=manager)).lines
        assert lines[-1].keys() == {"error"}

    play(tmp_path, starter_model_path, act)


def test_a_client_that_goes_pauses_what_it_began(tmp_path: Path, starter_model_path: Path) -> None:
    async def act(place: ApiPlace, hub: FakeHub, manager: dict[str, str]) -> None:
        hub.plan(Fault.STALL, after=BLOCK, times=20)
        body = json.dumps({"model": REPO}).encode()
        lines = [f"POST {PULL} HTTP/1.1", f"Host: localhost:{place.port}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in manager.items()]
        reader, writer = await place.connect()
        writer.write("\r\n".join((*lines, "", "")).encode() + body)
        await reader.readuntil(b'"completed"')
        assert DownloadState.PAUSED not in states(place)
        writer.close()
        await until(lambda: states(place) == [DownloadState.PAUSED])

    play(tmp_path, starter_model_path, act)
