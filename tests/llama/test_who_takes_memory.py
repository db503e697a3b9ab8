"""Which process takes how much of each memory, with a real model on a real device of llama.cpp."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fakes.children import child_environment
from fireside.core.hardware import MemoryBreakdown, MemorySource
from fireside.core.ids import ModelId
from fireside.core.options import GPU_LAYERS_ALL
from fireside.core.status import Ready, RunningModel
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.devices.device_listing import DeviceLister
from fireside.engine.processes.runner_process import runner_command
from fireside.services.machine.hardware_report import HardwareReporter
from llama.rpc_devices import rpc_devices
from llama.runner_process import RunnerProcess, small_options

MODEL = ModelId("starter")


class Survey:
    """A hardware report of this computer with one more device, and the loaded models."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.running: tuple[RunningModel, ...] = ()
        self.survey = HardwareReporter(
            list_devices=DeviceLister(
                command=runner_command(), environment=lambda: {**child_environment(), **environment}
            ),
            memory=DeviceMemory(()),
            running=lambda: self.running,
            name_of=lambda _: "SmolLM2",
            runtime=lambda: "built-in",
            timeout_s=60.0,
        )

    async def bars(self) -> dict[str, MemoryBreakdown]:
        return {bar.device: bar for bar in await self.survey.memory_bars()}


def test_model_is_attributed_to_its_device_and_runner_to_main_memory(
    starter_model_path: Path,
) -> None:
    async def look(environment: dict[str, str]) -> None:
        survey = Survey(environment)
        (reading,) = (await survey.survey.hardware()).devices
        assert (reading.device.name, reading.source) == ("RPC0", MemorySource.BACKEND)
        before = (await survey.bars())["RPC0"]
        with RunnerProcess(environment=environment) as runner:
            options = small_options(n_gpu_layers=GPU_LAYERS_ALL)
            loaded = runner.load(starter_model_path, options)
            ready = Ready(loaded=loaded, options=options, n_active=0)
            survey.running = (
                RunningModel(model_id=MODEL, name="SmolLM2", state=ready, pid=runner.hello.pid),
            )
            bars = await survey.bars()
        on_device = sum(
            report.weights_bytes + report.kv_bytes + report.compute_bytes
            for report in loaded.memory
            if report.buffer.startswith("RPC0")
        )
        assert on_device > 50_000_000
        assert bars["RPC0"].holders[0].name == "SmolLM2"
        assert bars["RPC0"].holders[0].n_bytes == on_device
        assert bars["RPC0"].free_bytes == before.free_bytes - on_device
        in_memory = {holder.name: holder.n_bytes for holder in bars["CPU"].holders}
        assert in_memory["SmolLM2"] > 1 << 20

    with rpc_devices(1) as environment:
        asyncio.run(look(environment))
