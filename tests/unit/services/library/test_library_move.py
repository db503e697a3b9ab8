"""The library moves to another folder while the program runs."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.fake_hub import FakeHub, Fault
from fakes.hub_harness import BLOCK
from fakes.hub_with_model import REPO, SMALL, hub_settings, model_bytes
from fakes.raised import refuses
from fireside.core.events import SettingsChanged
from fireside.core.hub import DownloadState
from fireside.core.library import MoveEnded, MovePhase, MoveProgressed
from fireside.library import folder_move
from fireside.library.folder_move import copy_verified, pending_move
from fireside.settings.file import SettingsFile


@pytest.fixture(autouse=True)
def own_model(tmp_path: Path) -> None:
    """Put a model of the user's own into the library."""
    path = tmp_path / "models" / "mine" / "own.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(model_bytes(name="Own"))


@pytest.fixture
def two_disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folders between which a rename fails."""
    real_rename = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if path == tmp_path / "models":
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return real_rename(path, target)

    monkeypatch.setattr(Path, "rename", rename)


async def moved(harness: AppHarness, folder: Path) -> MoveEnded:
    await harness.app.library_move.start(str(folder))
    await harness.until(MoveEnded)
    (ended,) = harness.seen(MoveEnded)
    assert isinstance(ended, MoveEnded)
    return ended


def paths(harness: AppHarness) -> list[str]:
    return [entry.path for entry in harness.app.models.entries if entry.file_name == "own.gguf"]


async def folder_set(harness: AppHarness) -> object:
    resolved = await harness.app.preferences.resolved(model_id=None, conversation_id=None)
    return next(setting.value for setting in resolved if setting.definition.key == "folders.models")


@pytest.mark.parametrize("disks", [None, "two_disks"])
async def test_the_models_are_in_the_new_folder_and_used_from_there(
    harness: AppHarness, tmp_path: Path, disks: str | None, request: pytest.FixtureRequest
) -> None:
    if disks is not None:
        request.getfixturevalue(disks)
    new = tmp_path / "new"
    (before,) = [entry.spec for entry in harness.app.models.entries if entry.file_name == "own.gguf"]
    ended = await moved(harness, new)
    assert ended.error is None
    assert ended.result is not None
    assert ended.result.folder == str(new)
    assert paths(harness) == [str(new / "mine" / "own.gguf")]
    (after,) = [entry.spec for entry in harness.app.models.entries if entry.file_name == "own.gguf"]
    assert before is not None
    assert after is not None
    assert after.id == before.id
    assert await folder_set(harness) == str(new)
    assert any(
        "folders.models" in event.keys for event in harness.events if isinstance(event, SettingsChanged)
    )
    assert not (tmp_path / "models").exists()


async def test_models_of_the_folder_are_unloaded_first_and_others_stay(
    harness: AppHarness, tmp_path: Path
) -> None:
    (own,) = [e.spec for e in harness.app.models.entries if e.file_name == "own.gguf"]
    assert own is not None
    for model_id in (own.id, harness.model_id):
        await harness.app.models.load(model_id, conversation_id=None)
    await moved(harness, tmp_path / "new")
    assert list(harness.engine.loaded) == [harness.model_id]


async def test_downloads_are_suspended_and_resume_in_the_new_folder(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    model = await harness.app.hub.model(REPO)
    hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    download_id = await harness.app.hub.download(model, path=SMALL)
    await harness.until_so(lambda: harness.download(download_id).n_bytes >= 3 * BLOCK)
    hub.seen.clear()
    ended = await moved(harness, tmp_path / "new")
    assert ended.result is not None
    await harness.until_state(download_id, DownloadState.DONE)
    assert (tmp_path / "new" / REPO / SMALL).read_bytes() == hub.repos[REPO].files[SMALL]
    ranges = [seen.range for seen in hub.seen if seen.server == "content"]
    assert ranges[0] is not None
    assert ranges[0].startswith(f"bytes={3 * BLOCK}-")


async def test_the_progress_of_a_copy_is_emitted(
    harness: AppHarness, tmp_path: Path, two_disks: None
) -> None:
    await moved(harness, tmp_path / "new")
    progress = [event.progress for event in harness.seen(MoveProgressed) if isinstance(event, MoveProgressed)]
    assert progress
    assert progress[0].phase is MovePhase.COPYING


async def test_an_impossible_move_is_refused_at_once(harness: AppHarness, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    for folder in ("", "relative", str(tmp_path / "models" / "inside"), str(tmp_path / "full")):
        with refuses("library_not_moved"):
            await harness.app.library_move.start(folder)
    assert harness.seen(MoveEnded) == []
    assert paths(harness) == [str(tmp_path / "models" / "mine" / "own.gguf")]
    download_id = await harness.app.hub.download_named(REPO)
    await harness.until_state(download_id, DownloadState.DONE)


async def test_a_folder_that_the_environment_sets_is_not_moved(
    tmp_path: Path, starter_model_path: Path
) -> None:
    environ = {"FIRESIDE_FOLDERS_MODELS": str(tmp_path / "models")}
    async with app_harness(tmp_path, starter=starter_model_path, environ=environ) as place:
        with refuses("library_not_moved", match="environment"):
            await place.app.library_move.start(str(tmp_path / "new"))


async def test_a_cancelled_move_changes_nothing(harness: AppHarness, tmp_path: Path, two_disks: None) -> None:
    rescan = harness.app.models.unload_in_folder

    async def cancelling(folder: Path) -> None:
        await rescan(folder)
        await harness.app.library_move.cancel()

    harness.app.models.unload_in_folder = cancelling  # type: ignore[method-assign]
    ended = await moved(harness, tmp_path / "new")
    assert ended == MoveEnded()
    assert paths(harness) == [str(tmp_path / "models" / "mine" / "own.gguf")]
    assert await folder_set(harness) == ""
    assert pending_move(tmp_path / "move.json") is None


async def test_unwritable_settings_leave_everything_in_place(
    harness: AppHarness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(SettingsFile, "_save", refuse)
    with refuses("library_not_moved"):
        await harness.app.library_move.start(str(tmp_path / "new"))
    assert paths(harness) == [str(tmp_path / "models" / "mine" / "own.gguf")]
    assert await folder_set(harness) == ""


async def test_an_interrupted_move_resumes_at_the_next_start(
    harness: AppHarness,
    hub: FakeHub,
    tmp_path: Path,
    starter_model_path: Path,
    two_disks: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.get_running_loop()

    async def end() -> None:
        harness.app.library_move._is_closed = True

    def slow(source: Path, target: Path, **callbacks: Callable[[int], None]) -> None:
        # The program is closed while this file is copied.
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        copy_verified(source, target, **callbacks)

    with monkeypatch.context() as patch:
        patch.setattr(folder_move, "copy_verified", slow)
        await moved(harness, tmp_path / "new")
    await harness.app.close()
    assert pending_move(tmp_path / "move.json") is not None
    assert (tmp_path / "models" / "mine" / "own.gguf").exists()
    async with app_harness(tmp_path, starter=starter_model_path, environ=hub_settings(hub)) as again:
        await again.until(MoveEnded)
        (ended,) = again.seen(MoveEnded)
        assert isinstance(ended, MoveEnded)
        assert ended.result is not None
        assert paths(again) == [str(tmp_path / "new" / "mine" / "own.gguf")]
        assert await folder_set(again) == str(tmp_path / "new")


async def test_verification_and_moving_exclude_each_other(
    harness: AppHarness, tmp_path: Path, starter_model_path: Path
) -> None:
    await harness.app.verification.start(str(starter_model_path), repair=False)
    await asyncio.sleep(0)
    with refuses("library_not_moved", match="is being verified"):
        await harness.app.library_move.start(str(tmp_path / "new"))
