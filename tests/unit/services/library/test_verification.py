"""Models are verified against their downloads, one at a time, and repaired."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.fake_hub import FakeHub, Fault, Where
from fakes.hub_harness import BLOCK
from fakes.hub_with_model import BIG, REPO, SMALL, hub_settings, model_bytes
from fireside.core.errors import ModelFileMissing
from fireside.core.hub import (
    CheckEnded,
    CheckProgressed,
    DownloadState,
    VerifyOutcome,
    VerifyResult,
)
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import CheckedFile, reopen_download
from fireside.hub.queue_file import QueueFile


@pytest.fixture
async def harness(harness: AppHarness, hub: FakeHub) -> AppHarness:
    """An app with a downloaded model in its library."""
    download_id = await harness.app.hub.download_named(REPO)
    await harness.until_state(download_id, DownloadState.DONE)
    await harness.app.downloads.clear_done()
    harness.events.clear()
    hub.seen.clear()
    return harness


def target(tmp_path: Path) -> Path:
    return tmp_path / "models" / "acme" / "tiny-GGUF" / SMALL


def damage(path: Path, *, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)
        file.seek(at)
        file.write(bytes([byte[0] ^ 1]))


async def checked(harness: AppHarness, path: Path, *, repair: bool = False) -> CheckEnded:
    n_before = len(harness.seen(CheckEnded))
    await harness.app.verification.start(str(path), repair=repair)
    await harness.until(CheckEnded, n_times=n_before + 1)
    ended = harness.seen(CheckEnded)[-1]
    assert isinstance(ended, CheckEnded)
    return ended


async def the_one(harness: AppHarness, path: Path, *, repair: bool = False) -> VerifyResult:
    (result,) = (await checked(harness, path, repair=repair)).results
    return result


async def test_an_unchanged_download_is_sound_without_requests(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    result = await the_one(harness, target(tmp_path), repair=True)
    assert result.outcome is VerifyOutcome.SOUND
    assert hub.seen == []
    progress = harness.seen(CheckProgressed)
    assert all(isinstance(event, CheckProgressed) and not event.is_repairing for event in progress)
    assert progress


async def test_a_damaged_model_is_left_unless_a_repair_was_requested(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    damage(target(tmp_path), at=2 * BLOCK + 7)
    result = await the_one(harness, target(tmp_path))
    assert (result.outcome, result.bad_blocks) == (VerifyOutcome.DAMAGED, (2,))
    assert hub.seen == []


async def test_a_repair_downloads_only_the_damaged_blocks(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    damage(target(tmp_path), at=2 * BLOCK + 7)
    result = await the_one(harness, target(tmp_path), repair=True)
    assert (result.outcome, result.fetched_bytes) == (VerifyOutcome.REPAIRED, BLOCK)
    assert target(tmp_path).read_bytes() == hub.repos[REPO].files[SMALL]
    assert hub.n_content_bytes == BLOCK
    entry = harness.app.models.entry_at(str(target(tmp_path)))
    assert entry.origin is not None


async def test_a_cancelled_repair_is_a_paused_download(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    path = target(tmp_path)
    damage(path, at=2 * BLOCK + 7)
    hub.plan(Fault.STALL, after=5)
    await harness.app.verification.start(str(path), repair=True)
    await asyncio.to_thread(hub.stalled.wait, 10)
    await harness.app.verification.cancel(str(path))
    await harness.until(CheckEnded)
    (ended,) = harness.seen(CheckEnded)
    assert ended == CheckEnded(path=str(path))
    (download,) = harness.app.downloads.downloads
    assert download.state is DownloadState.PAUSED
    await harness.app.downloads.resume(download.id)
    await harness.until_state(download.id, DownloadState.DONE)
    assert path.read_bytes() == hub.repos[REPO].files[SMALL]


async def test_a_repair_resumes_at_the_next_start(
    harness: AppHarness, hub: FakeHub, tmp_path: Path, starter_model_path: Path
) -> None:
    path = target(tmp_path)
    damage(path, at=2 * BLOCK + 7)
    hub.plan(Fault.STALL, after=5)
    await harness.app.verification.start(str(path), repair=True)
    await asyncio.to_thread(hub.stalled.wait, 10)
    hub.release()
    await harness.app.close()
    assert not path.exists()
    async with app_harness(tmp_path, starter=starter_model_path, environ=hub_settings(hub)) as again:
        (download,) = again.app.downloads.downloads
        await again.until_state(download.id, DownloadState.DONE)
        assert path.read_bytes() == hub.repos[REPO].files[SMALL]


async def test_an_unreachable_hub_leaves_the_file_unchanged(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    damage(target(tmp_path), at=7 + BLOCK)
    hub.stop()
    ended = await checked(harness, target(tmp_path), repair=True)
    assert ended.error is not None
    assert ended.error.code == "hub_unreachable"
    assert target(tmp_path).exists()


async def test_a_failed_repair_has_a_reason(harness: AppHarness, hub: FakeHub, tmp_path: Path) -> None:
    damage(target(tmp_path), at=7 + BLOCK)
    hub.plan(Fault.WRONG_BYTES)
    ended = await checked(harness, target(tmp_path), repair=True)
    assert ended.error is not None
    assert ended.error.code == "download_damaged"


async def test_a_model_of_unknown_origin_is_hashed_and_compared_later(
    harness: AppHarness, tmp_path: Path
) -> None:
    path = tmp_path / "models" / "own.gguf"
    path.write_bytes(model_bytes(name="Own"))
    await harness.app.models.rescan()
    assert (await the_one(harness, path)).outcome is VerifyOutcome.KNOWN
    assert harness.app.models.entry_at(str(path)).sha256
    assert (await the_one(harness, path)).outcome is VerifyOutcome.SOUND


async def test_one_model_is_verified_at_a_time_and_each_end_is_reported_once(
    harness: AppHarness, tmp_path: Path, starter_model_path: Path
) -> None:
    paths = [str(target(tmp_path)), str(starter_model_path)]
    for path in (*paths, *paths):
        await harness.app.verification.start(path, repair=False)
    await harness.until(CheckEnded, n_times=2)
    order = [event.path for event in harness.events if isinstance(event, (CheckProgressed, CheckEnded))]
    assert order == sorted(order, key=paths.index)
    ended = [event for event in harness.seen(CheckEnded) if isinstance(event, CheckEnded)]
    assert [event.path for event in ended] == paths


async def test_running_and_queued_checks_can_be_cancelled(
    harness: AppHarness, tmp_path: Path, starter_model_path: Path
) -> None:
    paths = [str(starter_model_path), str(target(tmp_path))]
    for path in paths:
        await harness.app.verification.start(path, repair=False)
    for path in reversed(paths):
        await harness.app.verification.cancel(path)
    await harness.until(CheckEnded, n_times=2)
    assert {
        (event.path, event.results, event.error)
        for event in harness.seen(CheckEnded)
        if isinstance(event, CheckEnded)
    } == {(path, (), None) for path in paths}


async def test_a_missing_model_cannot_be_verified(harness: AppHarness, tmp_path: Path) -> None:
    with pytest.raises(ModelFileMissing):
        await harness.app.verification.start(str(tmp_path / BIG), repair=False)
    await harness.app.verification.cancel(str(tmp_path / BIG))


async def test_a_file_removed_before_its_check_is_reported(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    target(tmp_path).unlink()
    hub.plan(Fault.STATUS, where=Where.API)
    ended = await checked(harness, target(tmp_path))
    assert ended.error is not None
    assert ended.error.code == "model_file_missing"


async def test_only_files_in_the_library_folder_are_repaired(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for path in target(tmp_path).parent.iterdir():
        path.rename(elsewhere / path.name)
    await harness.app.models.add([str(elsewhere)])
    damage(elsewhere / SMALL, at=2 * BLOCK + 7)
    ended = await checked(harness, elsewhere / SMALL, repair=True)
    assert ended.error is not None
    assert "library folder" in ended.error.sentence
    assert (elsewhere / SMALL).exists()
    assert hub.seen == []


async def test_the_library_can_be_moved_during_a_repair(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    damage(target(tmp_path), at=2 * BLOCK + 7)
    hub.plan(Fault.STALL, after=5)
    await harness.app.verification.start(str(target(tmp_path)), repair=True)
    await asyncio.to_thread(hub.stalled.wait, 10)
    await harness.app.library_move.start(str(tmp_path / "new"))
    await harness.until(CheckEnded)
    (ended,) = harness.seen(CheckEnded)
    assert isinstance(ended, CheckEnded)
    assert [result.outcome for result in ended.results] == [VerifyOutcome.REPAIRED]
    mended = tmp_path / "new" / REPO / SMALL
    assert mended.read_bytes() == hub.repos[REPO].files[SMALL]


async def test_a_repair_is_stored_in_the_queue_before_the_file_is_reopened(
    harness: AppHarness, hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[str] = []

    def watched(path: Path, checked: CheckedFile, *, disk: Disk) -> None:
        queued.extend(download.title for download in QueueFile(tmp_path / "downloads.json", disk=disk).load())
        reopen_download(path, checked, disk=disk)

    monkeypatch.setattr("fireside.services.library.verification.reopen_download", watched)
    damage(target(tmp_path), at=2 * BLOCK + 7)
    result = await the_one(harness, target(tmp_path), repair=True)
    assert result.outcome is VerifyOutcome.REPAIRED
    assert queued == [f"{REPO}:F32"]
    assert hub.n_content_bytes == BLOCK
