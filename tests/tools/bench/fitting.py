"""Measure plans: how far they are from what loads take, and how long they are made.

Usage: PYTHONPATH=tests python tests/tools/bench/fitting.py [--model FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from fakes.children import child_environment
from fireside.core.ids import ModelId
from fireside.core.options import AutoAdjustable, CacheType, FlashAttention, LoadOptions
from fireside.core.plan import LoadPlan, MemoryKind
from fireside.core.status import Device
from fireside.engine.host_info import probe_host
from fireside.engine.planning.buffer_usage import buffer_usage
from fireside.engine.planning.dry_run import DryRunProcess
from fireside.engine.planning.measurement_cache import MeasurementCache
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.runner_process import runner_command
from fireside.gguf import model_spec, read_header
from fireside.library.starter import starter_folder
from llama.rpc_devices import rpc_devices
from llama.runner_process import RunnerProcess

OPEN = LoadOptions(auto_adjustable=(AutoAdjustable.CACHE_TYPE, AutoAdjustable.CONTEXT), use_mmap=False)
QUANTISED = msgspec.structs.replace(
    OPEN, cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q8_0, flash_attn=FlashAttention.ON
)
MIB = 1 << 20


def main() -> None:
    """Print the error of each plan, and the times of the first and the second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"))
    path = parser.parse_args().model
    for n_devices in (0, 1, 2):
        with rpc_devices(n_devices) as environment, RunnerProcess(environment=environment) as runner:
            devices = runner.hello.devices
            # Room for part of the model, so that there is something to search.
            for name, room in (("all", None), ("part", 60 * MIB + 768 * MIB)):
                if n_devices or room is None:
                    measure(
                        path, devices, environment=environment, room=room, name=f"{n_devices} GPUs, {name}"
                    )


def measure(
    path: str, devices: tuple[Device, ...], *, environment: dict[str, str], room: int | None, name: str
) -> None:
    """Plan twice with an empty memory of plans, load once, and print what came out."""
    devices = tuple(_with_room(device, room) for device in devices)
    for options in (OPEN, msgspec.structs.replace(OPEN, n_ctx=2048, n_seq_max=4), QUANTISED):
        with tempfile.TemporaryDirectory() as folder:
            found, first_s = plan(path, options, devices, environment=environment, folder=folder)
            # A planner of its own reads the file, as the next start of the program does.
            _, second_s = plan(path, options, devices, environment=environment, folder=folder)
        with RunnerProcess(environment=environment) as runner:
            loaded = runner.load(Path(path), found.options)
        names = [device.name for device in devices]
        measured = {(use.device, use.kind): use.n_bytes for use in buffer_usage(loaded.memory, devices=names)}
        predicted: dict[tuple[str, MemoryKind], int] = {
            (use.device, use.kind): use.n_bytes
            for use in found.uses
            if use.kind not in (MemoryKind.PROGRAM, MemoryKind.STATES)
        }
        error = sum(abs(measured.get(key, 0) - predicted.get(key, 0)) for key in measured | predicted)
        sys.stdout.write(
            f"{name}: {found.options.n_gpu_layers} layers, context {found.options.n_ctx}; "
            f"wrong by {error:,} of {sum(measured.values()):,} bytes; "
            f"planned in {1000 * first_s:.0f} ms, again in {1000 * second_s:.1f} ms\n"
        )


def plan(
    path: str, options: LoadOptions, devices: tuple[Device, ...], *, environment: dict[str, str], folder: str
) -> tuple[LoadPlan, float]:
    """Return a plan and the seconds that it took."""
    planner = Planner(
        open_dry_run=lambda _: DryRunProcess(
            command=runner_command(), environment={**child_environment(), **environment}
        ),
        measured=MeasurementCache(Path(folder) / "measured.json", build=lambda _: ""),
    )
    spec = model_spec(read_header(path), path=path, id=ModelId("bench"))
    started = time.perf_counter()
    found = asyncio.run(planner.plan(spec, options, devices=devices, host=probe_host()))
    return found, time.perf_counter() - started


def _with_room(device: Device, room: int | None) -> Device:
    if room is None or device.backend != "RPC":
        return device
    return msgspec.structs.replace(device, free_bytes=room, total_bytes=room)


if __name__ == "__main__":
    main()
