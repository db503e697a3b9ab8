"""This computer's hardware: devices are listed rarely, memory is measured each time."""

from __future__ import annotations

import asyncio
import threading

import msgspec

from fakes.devices import GIB, FakeCards, card, device, device_memory, listing
from fireside.core.errors import RunnerError
from fireside.core.hardware import MemoryBreakdown, MemorySource
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions, Purpose
from fireside.core.status import Device, LoadedModel, MemoryReport, Ready, RunningModel, Unloaded
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.services.machine.hardware_report import HardwareReporter
from fireside.wire.runner_modes import DeviceListing

QWEN = ModelId("qwen")
HERE = "0000:01:00.0"


def loaded(**on: int) -> Ready:
    """Return a loaded model with this many bytes in each buffer."""
    reports = tuple(
        MemoryReport(buffer=buffer, weights_bytes=n_bytes, kv_bytes=0, compute_bytes=0)
        for buffer, n_bytes in on.items()
    )
    model = LoadedModel(
        n_ctx=1024,
        n_seq_max=1,
        n_batch=512,
        n_layers=4,
        n_gpu_layers=4,
        n_threads=1,
        devices=(),
        memory=reports,
        rss_bytes=0,
        load_s=0.1,
    )
    return Ready(loaded=model, options=LoadOptions(), n_active=0)


class Harness:
    """A hardware reporter and its fake measurements."""

    def __init__(
        self, *devices: Device, memory: DeviceMemory | None = None, patience_s: float = 30.0
    ) -> None:
        self.devices = devices
        self.n_listed = 0
        self.fails = False
        self.may_list = threading.Event()
        self.may_list.set()
        self.running: list[RunningModel] = []
        self.survey = HardwareReporter(
            list_devices=self._list,
            memory=memory if memory is not None else device_memory(),
            running=lambda: tuple(self.running),
            name_of=lambda _: "Qwen",
            runtime=lambda: "vulkan",
            timeout_s=patience_s,
        )

    def take(self, **on: int) -> None:
        self.running = [RunningModel(model_id=QWEN, name="Qwen", state=loaded(**on))]

    def _list(self) -> DeviceListing:
        self.n_listed += 1
        self.may_list.wait()
        if self.fails:
            raise RunnerError.of("runner_start_failed", reason="no library.")
        return listing(*self.devices)


def on(bars: tuple[MemoryBreakdown, ...], name: str) -> MemoryBreakdown:
    return next(bar for bar in bars if bar.device == name)


async def test_bars_are_measured_again_and_devices_not_listed_again() -> None:
    source = FakeCards(card(HERE, free_bytes=9 * GIB))
    harness = Harness(device(device_id=HERE), memory=device_memory(source))
    assert on(await harness.survey.memory_bars(), "CUDA0").free_bytes == 9 * GIB
    source.reported = (card(HERE, free_bytes=2 * GIB),)
    assert on(await harness.survey.memory_bars(), "CUDA0").free_bytes == 2 * GIB
    assert harness.n_listed == 1


async def test_readings_are_adjusted_where_no_driver_measures() -> None:
    harness = Harness(device())
    harness.take(CUDA0=GIB)
    before = on(await harness.survey.memory_bars(), "CUDA0")
    assert before.free_bytes == 10 * GIB
    harness.take(CUDA0=4 * GIB)
    more = on(await harness.survey.memory_bars(), "CUDA0")
    assert more.free_bytes == 7 * GIB
    assert [(each.name, each.n_bytes) for each in more.holders] == [
        ("Qwen", 4 * GIB),
        ("Other programs", GIB),
    ]
    harness.running = [RunningModel(model_id=QWEN, name="Qwen", state=Unloaded())]
    assert on(await harness.survey.memory_bars(), "CUDA0").free_bytes == 11 * GIB


async def test_an_embedding_instance_is_named_apart() -> None:
    harness = Harness(device())
    harness.take(CUDA0=GIB)
    (answers,) = harness.running
    harness.running.append(msgspec.structs.replace(answers, purpose=Purpose.EMBED))
    holders = on(await harness.survey.memory_bars(), "CUDA0").holders
    assert {"Qwen": GIB, "Qwen (embeddings)": GIB}.items() <= {
        each.name: each.n_bytes for each in holders
    }.items()


async def test_a_measured_device_is_not_adjusted() -> None:
    source = FakeCards(card(HERE, free_bytes=9 * GIB))
    harness = Harness(device(device_id=HERE), memory=device_memory(source))
    await harness.survey.memory_bars()
    harness.take(CUDA0=4 * GIB)
    source.reported = (card(HERE, free_bytes=5 * GIB),)
    assert on(await harness.survey.memory_bars(), "CUDA0").free_bytes == 5 * GIB


async def test_the_computers_own_memory_is_first_and_holds_this_program() -> None:
    first = (await Harness().survey.memory_bars())[0]
    assert first.device == "CPU"
    assert "Fireside" in {holder.name for holder in first.holders}
    assert 0 < first.free_bytes < first.total_bytes


async def test_hardware_is_listed_anew_each_time() -> None:
    harness = Harness(device())
    first = await harness.survey.hardware()
    assert [each.device.name for each in first.devices] == ["CUDA0"]
    assert first.devices[0].source is MemorySource.BACKEND
    assert (first.runtime.name, first.runtime.backends) == ("vulkan", ("CPU", "CUDA"))
    assert first.processor.features == ("AVX2",)
    harness.devices = ()
    assert (await harness.survey.hardware()).devices == ()
    assert harness.n_listed == 2


async def test_a_runner_that_does_not_start_is_a_problem_of_the_report() -> None:
    harness = Harness(device())
    harness.fails = True
    found = await harness.survey.hardware()
    assert "no library." in found.problems[0]
    assert found.runtime.llama_cpp == ""
    assert found.processor.name
    assert found.memory_total_bytes > 0
    assert [bar.device for bar in await harness.survey.memory_bars()] == ["CPU"]


async def test_a_card_that_the_runtime_cannot_use_is_reported() -> None:
    found = await Harness(memory=device_memory(FakeCards(card(HERE)))).survey.hardware()
    (problem,) = found.problems
    assert "NVIDIA GeForce RTX 3060 is not used" in problem
    assert "the runtime “vulkan”" in problem
    assert "CUDA or Vulkan" in problem
    assert found.suitable == ("CUDA", "Vulkan")


async def test_slow_devices_do_not_delay_the_memory_bars() -> None:
    harness = Harness(device(), patience_s=0.01)
    harness.may_list.clear()
    try:
        assert [bar.device for bar in await harness.survey.memory_bars()] == ["CPU"]
        whole = asyncio.create_task(harness.survey.hardware())
    finally:
        harness.may_list.set()
    assert len((await whole).devices) == 1
    assert [bar.device for bar in await harness.survey.memory_bars()] == ["CPU", "CUDA0"]
    assert harness.n_listed == 1


async def test_a_card_missing_from_a_matching_backend_has_another_message() -> None:
    cards = FakeCards(card(HERE), card("0000:02:00.0", "NVIDIA GeForce GTX 1060"))
    harness = Harness(device(device_id=HERE), memory=device_memory(cards))
    found = await harness.survey.hardware()
    (problem,) = found.problems
    assert found.suitable == (), "another build would not find it either"
    assert problem.startswith("NVIDIA GeForce GTX 1060 is not used: CUDA did not find it.")
