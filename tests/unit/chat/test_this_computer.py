"""The computer is measured at the first request, and the result is cached for a while."""

from __future__ import annotations

import asyncio

import msgspec

from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fireside.core.errors import RunnerError
from fireside.core.options import LoadOptions
from fireside.core.status import Device, DeviceKind, MemoryReport, Ready, RunningModel, Unloading
from fireside.engine.host_info import Host
from fireside.services.machine.host_measurement import CACHE_S, HostMeasurement, memory_of_loaded

GPU = Device(
    name="GPU0",
    description="A card",
    kind=DeviceKind.GPU,
    free_bytes=1_000,
    total_bytes=2_000,
    backend="test",
)
CPU = msgspec.structs.replace(GPU, name="CPU", kind=DeviceKind.CPU)


class LoadPlans:
    def __init__(self) -> None:
        self.n_asked = 0
        self.available_bytes = 100
        self.now = 0.0
        self.is_broken = False
        self.runtime = "built-in"
        self.held: tuple[MemoryReport, ...] = ()
        self.computer = HostMeasurement(
            devices=self.devices,
            host=lambda: Host(n_cores=2, available_bytes=self.available_bytes),
            options=lambda: LoadOptions(runtime=self.runtime),
            loaded_memory=lambda: self.held,
            clock=lambda: self.now,
        )

    async def devices(self) -> tuple[Device, ...]:
        self.n_asked += 1
        await asyncio.sleep(0)
        if self.is_broken:
            raise RunnerError.of("runner_start_failed", reason="of a test")
        return (CPU, GPU)


async def test_devices_are_listed_once_and_memory_is_read_each_time() -> None:
    machine = LoadPlans()
    first, _ = await asyncio.gather(machine.computer.measure(), machine.computer.measure())
    machine.available_bytes = 50
    second = await machine.computer.measure()
    assert machine.n_asked == 1
    assert (first.devices, first.host.available_bytes) == ((CPU, GPU), 100)
    assert second.host.available_bytes == 50


async def test_another_build_of_llama_cpp_lists_its_own_devices() -> None:
    machine = LoadPlans()
    await machine.computer.measure()
    machine.runtime = "vulkan"
    await machine.computer.measure()
    await machine.computer.measure()
    assert machine.n_asked == 2


async def test_devices_are_listed_again_after_a_while() -> None:
    machine = LoadPlans()
    await machine.computer.measure()
    machine.now = CACHE_S
    await machine.computer.measure()
    assert machine.n_asked == 2


async def test_without_a_runner_there_are_no_devices() -> None:
    machine = LoadPlans()
    machine.is_broken = True
    assert (await machine.computer.measure()).devices == ()


def report(buffer: str, n: int) -> MemoryReport:
    return MemoryReport(buffer=buffer, weights_bytes=n, kv_bytes=20, compute_bytes=1)


async def test_memory_of_loaded_models_counts_as_free_except_mapped_pages() -> None:
    machine = LoadPlans()
    machine.held = (report("GPU0", 300), report("CPU_Mapped", 7_000), report("CPU_REPACK", 400))
    found = await machine.computer.measure()
    assert found.devices[1].free_bytes == 1_000 + 321
    assert found.host.available_bytes == 100 + 21 + 421


def test_only_models_that_are_loaded_hold_anything() -> None:
    ready = RunningModel(model_id=STARTER_ID, name="SmolLM2", state=loaded_state(starter_spec()))
    memory = (report("CPU", 1),)
    assert isinstance(ready.state, Ready)
    loaded = msgspec.structs.replace(ready.state.loaded, memory=memory)
    held = msgspec.structs.replace(ready, state=msgspec.structs.replace(ready.state, loaded=loaded))
    unloading = msgspec.structs.replace(ready, state=Unloading())
    assert memory_of_loaded([held, unloading]) == memory
