"""Clients of single services whose requests a fake of several answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fakes.machine_client import FakeHardwareClient


class LoadPlans:
    def __init__(self, hardware: FakeHardwareClient) -> None:
        self.running = hardware.running
        self.plan = hardware.plan
        self.load_records = hardware.load_records
        self.smaller_plan = hardware.smaller_plan
        self.load_once = hardware.load_once
        self.load_smaller = hardware.load_smaller
