"""Version information, and checks for updates: on request, or daily if enabled."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.raised import refuses
from fakes.release_harness import Installed, ReleaseHarness
from fireside.core.about import About, PackageKind, UpdateFound, UpdateProgressed, UpdateStep
from fireside.core.events import AppEvent
from fireside.services.about_service import AboutParts, AboutService
from fireside.services.licences import licences
from fireside.settings.definitions import DAILY_KEY
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.updates.build import BuildInfo

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the trees are shell scripts")


@pytest.fixture
def harness() -> Iterator[ReleaseHarness]:
    release_harness = ReleaseHarness()
    yield release_harness
    release_harness.close()


class Service:
    """An ``AboutService`` of version 0.1.0 and its events."""

    def __init__(self, folder: Path, harness: ReleaseHarness, *, daily: bool = False) -> None:
        self.installed = Installed(folder, harness)
        self.events: list[AppEvent] = []
        self.happened = asyncio.Event()
        self.thought_of_looking = asyncio.Event()
        environ = {f"FIRESIDE_{DAILY_KEY.upper().replace('.', '_')}": str(daily).lower()}
        settings = Settings(file=SettingsFile(folder / "settings.json"), environ=environ)
        settings.load()
        self.parts = AboutParts(
            build=BuildInfo(kind=PackageKind.FOLDERS),
            version="0.1.0",
            tree=self.installed.root / "versions" / "0.1.0",
            data_folder=folder,
            updater=self.installed.updater(),
            first_s=0.0,
            now=self._now,
        )
        self.about = AboutService(self.parts, settings=settings, emit=self._emit)

    def _now(self) -> float:
        self.thought_of_looking.set()
        return 1.8e9

    def _emit(self, event: AppEvent) -> None:
        self.events.append(event)
        self.happened.set()


async def test_an_update_is_found_installed_and_rolled_back(tmp_path: Path, harness: ReleaseHarness) -> None:
    service = Service(tmp_path, harness)
    harness.publish("0.2.0")
    before = await service.about.about()
    assert before == About(
        version="0.1.0", kind=PackageKind.FOLDERS, data_folder=str(tmp_path), is_published=True
    )
    assert harness.asked == []
    looked = await service.about.check_for_updates()
    assert looked.release is not None
    assert looked.release.version == "0.2.0"
    ready = await service.about.install()
    assert (ready.pending_version, ready.previous_version) == ("0.2.0", "")
    await asyncio.sleep(0)
    steps = [event.step for event in service.events if isinstance(event, UpdateProgressed)]
    assert set(steps) == set(UpdateStep)
    back = await service.about.roll_back()
    assert (back.pending_version, back.previous_version) == ("", "0.2.0")
    await service.about.close()


async def test_a_start_sends_no_request(
    tmp_path: Path, harness: ReleaseHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, looks = Service(tmp_path, harness), []

    async def look() -> About:
        looks.append(1)
        return await service.about.about()

    monkeypatch.setattr(service.about, "check_for_updates", look)
    (service.installed.root / "unproven").write_text("xx")
    service.about.start()
    await service.thought_of_looking.wait()
    assert not (service.installed.root / "unproven").exists(), "its window is open"
    assert looks == []
    assert harness.asked == []
    await service.about.close()


async def test_the_daily_check_reports_an_update(tmp_path: Path, harness: ReleaseHarness) -> None:
    service = Service(tmp_path, harness, daily=True)
    harness.publish("0.2.0")
    service.about.start()
    await service.happened.wait()
    (event,) = service.events
    assert isinstance(event, UpdateFound)
    assert event.release.version == "0.2.0"
    assert (await service.about.about()).release == event.release
    await service.about.close()


async def test_a_cancelled_update_ends_before_the_next_starts(
    tmp_path: Path, harness: ReleaseHarness
) -> None:
    service = Service(tmp_path, harness)
    harness.publish("0.2.0")
    installing = asyncio.create_task(service.about.install())
    await service.happened.wait()
    installing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await installing
    assert service.installed.said() == "0.1.0"
    await service.about.install()
    assert service.installed.said() == "0.2.0"
    await service.about.close()


async def test_a_refused_update_is_reported_and_changes_nothing(
    tmp_path: Path, harness: ReleaseHarness
) -> None:
    service = Service(tmp_path, harness)
    harness.publish("0.2.0", expires="2020-01-01T00:00:00Z")
    with refuses("update_untrusted", match="expired"):
        await service.about.check_for_updates()
    assert (await service.about.about()).release is None
    await service.about.close()


def test_the_notices_of_a_package_are_its_licences(tmp_path: Path) -> None:
    (tmp_path / "share" / "fireside").mkdir(parents=True)
    (tmp_path / "share" / "fireside" / "THIRD-PARTY.txt").write_text("Qt: LGPL", encoding="utf-8")
    assert licences(tmp_path) == "Qt: LGPL"


def test_without_notices_licences_come_from_the_installed_packages(tmp_path: Path) -> None:
    notices = licences(tmp_path)
    for name in ("msgspec", "numpy", "Jinja2"):
        assert f"\n{name} " in notices or f"\n{name.lower()} " in notices
    assert "Redistribution and use in source and binary forms" in notices
