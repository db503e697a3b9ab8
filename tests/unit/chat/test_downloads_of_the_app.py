"""Downloads of the app: across restarts, changed settings and a moving library."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.fake_hub import FakeHub, Fault, fake_hub
from fakes.fake_hub_api import Repo
from fakes.hub_harness import BLOCK
from fakes.hub_with_model import BIG, REPO, SMALL, hub_settings, model_bytes, stock
from fireside.core.hub import DownloadId, DownloadsChanged, DownloadState
from fireside.core.ids import ModelId
from fireside.settings.values import AppLayer

Scenario = Callable[[AppHarness], Awaitable[None]]


class Runs:
    """The same program, several times after one another, with one hub."""

    def __init__(self, folder: Path, starter: Path, hub: FakeHub) -> None:
        self.hub = hub
        self._folder = folder
        self._starter = starter

    async def run(self, scenario: Scenario) -> None:
        async with app_harness(self._folder, starter=self._starter, environ=hub_settings(self.hub)) as place:
            await scenario(place)


@pytest.fixture
def runs(tmp_path: Path, starter_model_path: Path) -> Iterator[Runs]:
    with fake_hub() as hub:
        stock(hub)
        yield Runs(tmp_path, starter_model_path, hub)


async def stalled(harness: AppHarness, hub: FakeHub, *, repo: str = REPO, path: str = SMALL) -> DownloadId:
    """Begin a download, and return when it has come half way and stands still."""
    model = await harness.app.hub.model(repo)
    hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    download_id = await harness.app.hub.download(model, path=path)
    await harness.until_so(lambda: harness.download(download_id).n_bytes >= 3 * BLOCK)
    return download_id


def only(harness: AppHarness) -> DownloadId:
    (download,) = harness.app.downloads.downloads
    return download.id


async def test_a_download_resumes_after_the_program_was_closed(runs: Runs) -> None:
    async def first(harness: AppHarness) -> None:
        await stalled(harness, runs.hub)

    async def second(harness: AppHarness) -> None:
        assert harness.app.downloads.downloads
        await harness.until_state(only(harness), DownloadState.DONE)
        asked = [seen.range for seen in runs.hub.seen if seen.server == "content"]
        assert asked[0] is not None
        assert asked[0].startswith(f"bytes={3 * BLOCK}-")
        snapshot = await harness.app.snapshot()
        assert [download.state for download in snapshot.downloads] == [DownloadState.DONE]

    await runs.run(first)
    runs.hub.seen.clear()
    await runs.run(second)


async def test_a_download_resumes_after_the_program_was_killed(runs: Runs, tmp_path: Path) -> None:
    queue_file = tmp_path / "downloads.json"
    at_the_kill = b""

    async def first(harness: AppHarness) -> None:
        nonlocal at_the_kill
        await stalled(harness, runs.hub)
        at_the_kill = await asyncio.to_thread(queue_file.read_bytes)

    async def second(harness: AppHarness) -> None:
        await harness.until_state(only(harness), DownloadState.DONE)

    await runs.run(first)
    await asyncio.to_thread(queue_file.write_bytes, at_the_kill)
    await runs.run(second)


async def test_one_that_was_paused_stays_so_over_a_restart(runs: Runs) -> None:
    async def first(harness: AppHarness) -> None:
        await harness.app.downloads.pause(await stalled(harness, runs.hub))

    async def second(harness: AppHarness) -> None:
        assert harness.download(only(harness)).state is DownloadState.PAUSED
        assert runs.hub.seen == []
        await harness.app.downloads.resume(only(harness))
        await harness.until_state(only(harness), DownloadState.DONE)

    await runs.run(first)
    runs.hub.seen.clear()
    await runs.run(second)


async def test_finished_downloads_stay_listed_until_cleared(runs: Runs) -> None:
    async def first(harness: AppHarness) -> None:
        download_id = await harness.app.hub.download_named(REPO)
        await harness.until_state(download_id, DownloadState.DONE)

    async def second(harness: AppHarness) -> None:
        assert harness.download(only(harness)).state is DownloadState.DONE
        await harness.app.downloads.clear_done()
        assert harness.app.downloads.downloads == ()

    async def third(harness: AppHarness) -> None:
        assert harness.app.downloads.downloads == ()
        assert any(entry.file_name == SMALL for entry in harness.app.models.entries)

    await runs.run(first)
    await runs.run(second)
    await runs.run(third)


@pytest.mark.parametrize("n_after", [1, 2])
async def test_how_many_run_at_a_time_holds_at_once(runs: Runs, n_after: int) -> None:
    runs.hub.repos["acme/other"] = Repo(files={"other-Q4_K_M.gguf": model_bytes(name="Other")})

    async def scenario(harness: AppHarness) -> None:
        change = harness.app.preferences.change
        await change(AppLayer(), key="hub.downloads_at_once", value=3 - n_after)
        first = await stalled(harness, runs.hub)
        model = await harness.app.hub.model("acme/other")
        runs.hub.plan(Fault.STALL, after=5)
        second = await harness.app.hub.download(model, path="other-Q4_K_M.gguf")
        await change(AppLayer(), key="hub.downloads_at_once", value=n_after)
        wanted = DownloadState.RUNNING if n_after == 2 else DownloadState.QUEUED
        await harness.until_state(second, wanted)
        assert harness.download(first).state is DownloadState.RUNNING
        runs.hub.release()
        await harness.until_state(first, DownloadState.DONE)
        await harness.until_state(second, DownloadState.DONE)

    await runs.run(scenario)


async def test_one_that_is_cancelled_while_the_library_takes_it_up_does_not_come_back(runs: Runs) -> None:
    async def scenario(harness: AppHarness) -> None:
        rescan, may_go_on = harness.app.models.rescan, asyncio.Event()
        is_scanning = asyncio.Event()

        async def slow() -> None:
            is_scanning.set()
            await may_go_on.wait()
            await rescan()

        harness.app.models.rescan = slow  # type: ignore[method-assign]
        download_id = await harness.app.hub.download_named(REPO)
        await is_scanning.wait()
        await harness.app.downloads.cancel(download_id)
        n_told = len(harness.seen(DownloadsChanged))
        may_go_on.set()
        await harness.until(DownloadsChanged, n_times=n_told + 1)
        assert any(entry.file_name == SMALL for entry in harness.app.models.entries)
        assert harness.app.downloads.downloads == ()

    await runs.run(scenario)


async def test_a_waiting_download_is_retried_at_once_on_request(runs: Runs) -> None:
    async def scenario(harness: AppHarness) -> None:
        model = await harness.app.hub.model(REPO)
        runs.hub.plan(Fault.STATUS, status=429, headers={"Retry-After": "3600"})
        download_id = await harness.app.hub.download(model, path=BIG)
        await harness.until_state(download_id, DownloadState.WAITING_FOR_NETWORK)
        await harness.app.downloads.resume(download_id)
        await harness.until_state(download_id, DownloadState.DONE)

    await runs.run(scenario)


async def test_a_guest_begins_nothing_of_the_owner(
    runs: Runs, tmp_path: Path, starter_model_path: Path
) -> None:
    async def first(harness: AppHarness) -> None:
        await stalled(harness, runs.hub)

    async def guest() -> None:
        async with app_harness(
            tmp_path, starter=starter_model_path, environ=hub_settings(runs.hub), goes_on=False
        ) as place:
            assert place.app.downloads.downloads == ()

    await runs.run(first)
    runs.hub.seen.clear()
    await guest()
    assert runs.hub.seen == []


async def test_a_model_that_is_in_use_is_unloaded_before_its_file_is_replaced(
    runs: Runs, tmp_path: Path
) -> None:
    async def scenario(harness: AppHarness) -> None:
        await harness.until_state(await harness.app.hub.download_named(REPO), DownloadState.DONE)
        target = tmp_path / "models" / "acme" / "tiny-GGUF" / SMALL
        spec = harness.app.models.entry_at(str(target)).spec
        assert spec is not None
        await harness.app.models.load(spec.id, conversation_id=None)
        await harness.app.models.load(harness.model_id, conversation_id=None)
        old = target.read_bytes()
        found: list[bytes] = []
        unload = harness.engine.unload

        async def noted(model_id: ModelId) -> None:
            assert model_id == spec.id
            found.append(target.read_bytes())
            await unload(model_id)

        harness.engine.unload = noted  # type: ignore[method-assign]
        runs.hub.repos[REPO].files[SMALL] = model_bytes(name="Newer", n_blocks=7)
        runs.hub.repos[REPO].commit = "b" * 40
        plan = await harness.app.downloads.plan(REPO)
        await harness.until_state(await harness.app.downloads.add(plan), DownloadState.DONE)
        assert found == [old]
        assert target.read_bytes() == runs.hub.repos[REPO].files[SMALL]
        assert spec.id not in harness.engine.loaded
        assert harness.model_id in harness.engine.loaded

    await runs.run(scenario)
