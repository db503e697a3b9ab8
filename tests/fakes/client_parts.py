"""The clients of single services that a ``FakeClient`` consists of: each request is one of the fake's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fakes.client import FakeClient
    from fakes.hub_client import FakeHubClient
    from fakes.library_client import FakeLibraryClient
    from fakes.machine_client import FakeHardwareClient
    from fakes.transfer_client import FakeTransferClient


class Conversations:
    def __init__(self, fake: FakeClient) -> None:
        self.open = fake.open_conversation
        self.rename = fake.rename_conversation
        self.pin = fake.pin_conversation
        self.unpin = fake.unpin_conversation
        self.delete = fake.delete_conversation
        self.restore = fake.restore_conversation
        self.choose_model = fake.choose_model
        self.save_draft = fake.save_draft
        self.save_draft_files = fake.save_draft_files


class Generations:
    def __init__(self, fake: FakeClient) -> None:
        self.send = fake.send
        self.stop = fake.stop
        self.regenerate = fake.regenerate


class Models:
    def __init__(self, fake: FakeClient, library: FakeLibraryClient) -> None:
        self.load = fake.load_model
        self.unload = fake.unload_model
        self.add = fake.add_models
        self.remove = fake.remove_model
        self.rescan = fake.rescan_library
        self.removal = library.removal
        self.rename = library.rename_model
        self.tag = library.tag_model
        self.mark_favourite = library.mark_favourite
        self.detail = library.model_detail
        self.disk_use = library.disk_use


class Settings:
    def __init__(self, fake: FakeClient) -> None:
        self.resolved = fake.resolved_settings
        self.change = fake.change_setting
        self.clear = fake.clear_setting


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


class Backups:
    def __init__(self, transfer: FakeTransferClient) -> None:
        self.state = transfer.backups
        self.back_up = transfer.back_up
        self.restore = transfer.restore_backup
