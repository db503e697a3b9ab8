"""Clients of single services whose requests a fake of several answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fireside.bridge.model_client import ModelClient
from fireside.core.model import LibraryFailure

if TYPE_CHECKING:
    from fakes.client import AppClient
    from fakes.hub_client import FakeHubClient
    from fakes.library_client import FakeLibraryClient
    from fakes.machine_client import FakeHardwareClient


class Models:
    """Loads and the list are the app's; what is on the disk is the fake library's."""

    def __init__(self, real: ModelClient, library: FakeLibraryClient, client: AppClient) -> None:
        self._client = client
        self.load = real.load
        self.unload = real.unload
        self.removal = library.removal
        self.rename = library.rename_model
        self.tag = library.tag_model
        self.mark_favourite = library.mark_favourite
        self.detail = library.model_detail
        self.disk_use = library.disk_use

    async def add(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        await self._client.requests.enter("models.add", tuple(paths))
        return self._client.add_failures

    async def remove(self, path: str) -> None:
        await self._client.requests.enter("models.remove", path)
        self._client.set_models([entry for entry in self._client.entries if entry.path != path])

    async def rescan(self) -> None:
        await self._client.requests.enter("models.rescan")
        self._client.set_models(self._client.entries)


class Verification:
    def __init__(self, library: FakeLibraryClient) -> None:
        self.begin = library.check_model
        self.cancel = library.cancel_check


class LibraryMove:
    def __init__(self, library: FakeLibraryClient) -> None:
        self.begin = library.move_library
        self.cancel = library.cancel_move


class Downloads:
    def __init__(self, hub: FakeHubClient) -> None:
        self.pause = hub.pause_download
        self.resume = hub.resume_download
        self.cancel = hub.cancel_download
        self.move = hub.move_download
        self.clear_done = hub.clear_done_downloads


class Token:
    def __init__(self, hub: FakeHubClient) -> None:
        self.place = hub.token_place
        self.keep = hub.keep_token
        self.forget = hub.forget_token


class LoadPlans:
    def __init__(self, hardware: FakeHardwareClient) -> None:
        self.running = hardware.running
        self.plan = hardware.plan
        self.load_records = hardware.load_records
        self.smaller_plan = hardware.smaller_plan
        self.load_once = hardware.load_once
        self.load_smaller = hardware.load_smaller
