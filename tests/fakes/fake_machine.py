"""What is foreign to the program on a computer, as a test plays it: processes, drivers, memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

import msgspec

from fakes.devices import card, listing
from fireside.core.options import LoadOptions
from fireside.core.runtime import RuntimeTest
from fireside.core.status import Device, DeviceKind, MemoryReport
from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest
from fireside.engine.devices.card import Card
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.host_info import Host
from fireside.engine.planning.dry_run import DryRunProcess
from fireside.engine.planning.planner import Planner
from fireside.engine.runtimes.smoke_test import SmokeTest
from fireside.services.machine.host_measurement import CACHE_S, HostMeasurement
from fireside.services.machine.read_speeds import ReadSpeeds
from fireside.settings.conversions import load_options
from fireside.settings.service import Settings
from fireside.wire.runner_modes import DeviceListing, MeasureReply, RuntimeFacts

GIB: Final = 1 << 30
MIB: Final = 1 << 20
N_LAYERS: Final = 30
LLAMA_CPP: Final = "0.5.0-dev"
BINDING: Final = "0.3.36"
CARD: Final = Device(
    name="Vulkan0",
    description="Radeon RX 7600",
    kind=DeviceKind.GPU,
    free_bytes=7 * GIB,
    total_bytes=8 * GIB,
    backend="Vulkan",
    device_id="0000:03:00.0",
)


TESTED: Final = RuntimeTest(works=True, tested_at_s=1_700_000_000.0, devices=("AMD Ryzen 7",))


class FakeMachine:
    """A computer with a graphics card. What is changed is seen when the program looks next.

    ``readings`` is what attached files of a name are read as; all others are really read.
    """

    def __init__(self) -> None:
        self.readings: dict[str, ReadReply] = {}
        self.has_card = True
        self.card_free_bytes = CARD.free_bytes
        self.memory_free_bytes = 12 * GIB
        self.trial = FakeTrial()
        self._later = count(1)

    def read_files(self, requests: Sequence[ReadRequest], /) -> tuple[ReadReply, ...]:
        """Stand for the process that reads files."""
        return tuple(self.readings.get(request.name) or read(request) for request in requests)

    def list_devices(self) -> DeviceListing:
        """Stand for the runner that lists devices."""
        return listing(*self.devices())

    def devices(self) -> tuple[Device, ...]:
        if not self.has_card:
            return ()
        return (msgspec.structs.replace(CARD, free_bytes=self.card_free_bytes),)

    def cards(self) -> tuple[Card, ...]:
        """Stand for a driver: a ``CardSource``."""
        return tuple(
            card(
                pci_address=each.device_id,
                name=each.description,
                free_bytes=each.free_bytes,
                total_bytes=each.total_bytes,
                temperature_c=46.0,
                load=0.07,
                driver="radv 24.2",
            )
            for each in self.devices()
        )

    def problem(self) -> str:
        return ""

    def host(self) -> Host:
        return Host(n_cores=6, available_bytes=self.memory_free_bytes)

    def device_memory(self) -> DeviceMemory:
        return DeviceMemory((self,), available_bytes=lambda: self.memory_free_bytes)

    def planner(self) -> Planner:
        return Planner(open_dry_run=lambda _runtime: FakeDryRun())

    def computer(self, settings: Settings) -> HostMeasurement:
        """Return this computer, which never believes that it is as it was when it looked last."""

        async def devices() -> tuple[Device, ...]:
            return self.devices()

        return HostMeasurement(
            devices=devices,
            host=self.host,
            options=lambda: load_options(settings.resolved()),
            speeds=ReadSpeeds(None, probe=lambda: 2e10).speeds,
            clock=lambda: next(self._later) * CACHE_S,
        )


class FakeDryRun(DryRunProcess):
    """Stands for the process that measures loads: every model has 3 GiB in ``N_LAYERS`` equal layers."""

    def __init__(self) -> None:
        pass

    def measure(self, path: str, options: LoadOptions) -> MeasureReply:
        is_small = options.cache_type_k.value.startswith("q")
        cache = options.n_ctx * options.n_seq_max * (64 if is_small else 128) * 1024
        n_gpu = N_LAYERS if options.n_gpu_layers < 0 else min(options.n_gpu_layers, N_LAYERS)
        share = n_gpu / N_LAYERS
        return MeasureReply(
            memory=(
                MemoryReport(
                    buffer="CPU",
                    weights_bytes=round(3 * GIB * (1 - share)) + 64 * MIB,
                    kv_bytes=round(cache * (1 - share)),
                    compute_bytes=40 * MIB,
                ),
                MemoryReport(
                    buffer=CARD.name,
                    weights_bytes=round(3 * GIB * share),
                    kv_bytes=round(cache * share),
                    compute_bytes=300 * MIB if n_gpu else 0,
                ),
            )
        )

    def close(self) -> None:
        pass


class FakeTrial(SmokeTest):
    """Stands for the processes that try a runtime out: whatever is tried works."""

    def __init__(self) -> None:
        pass

    def facts(self, folder: Path | None) -> RuntimeFacts:
        where = "" if folder is None else str(folder)
        return RuntimeFacts(folder=where, llama_cpp=LLAMA_CPP, binding=BINDING)

    async def answer(self, folder: Path | None) -> RuntimeTest:
        return TESTED
