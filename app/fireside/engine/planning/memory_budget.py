"""How much memory of each device a load may use: pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.i18n import tr
from fireside.core.options import LoadOptions, SplitMode
from fireside.core.plan import DeviceBudget
from fireside.core.status import Device, DeviceKind
from fireside.engine.host_info import Host
from fireside.engine.planning.buffer_usage import HOST
from fireside.engine.planning.memory_estimate import gpus_among

DISPLAY_MARGIN_BYTES: Final = 768 * 1024 * 1024
DISPLAY_MARGIN_FRACTION: Final = 0.1
"""Left free on the GPU that draws the desktop, whichever is more, for windows that open later."""
GPU_MARGIN_BYTES: Final = 512 * 1024 * 1024
GPU_MARGIN_FRACTION: Final = 0.05
"""Left free on another GPU, for what the driver itself allocates for a process."""
HOST_MARGIN_BYTES: Final = 512 * 1024 * 1024
"""Left free in RAM, for everything else that runs."""


def gpus_for(options: LoadOptions, devices: Sequence[Device]) -> tuple[Device, ...]:
    """Return the GPUs that a load with ``options`` may use, in llama.cpp's order."""
    included = [device for device in devices if device.name not in options.excluded_devices]
    gpus = gpus_among(included)
    # llama.cpp takes remote devices before its own.
    gpus = tuple(sorted(gpus, key=lambda gpu: gpu.backend != "RPC"))
    if options.split_mode is SplitMode.NONE and gpus:
        return tuple(gpu for gpu in gpus if gpu.name == options.main_gpu)[:1] or gpus[:1]
    return gpus


def device_budgets(
    gpus: Sequence[Device], *, host: Host, total_bytes: int, display: str | None, limit_bytes: int = 0
) -> tuple[DeviceBudget, ...]:
    """Return the budget of RAM, and then of each of ``gpus``.

    Args:
        total_bytes: installed memory.
        display: name of the GPU that draws the desktop; ``None`` assumes the first.
        limit_bytes: limit of RAM for a load; 0 is no limit.
    """
    free = host.available_bytes
    if limit_bytes:
        free = min(free, limit_bytes + HOST_MARGIN_BYTES)
    ram = DeviceBudget(
        device=HOST,
        description=tr("RAM"),
        total_bytes=total_bytes,
        free_bytes=free,
        margin_bytes=HOST_MARGIN_BYTES,
    )
    if display is None:
        display = next((gpu.name for gpu in gpus), "")
    return (ram, *(_budget(gpu, is_display=gpu.name == display) for gpu in gpus))


def _budget(gpu: Device, *, is_display: bool) -> DeviceBudget:
    least = DISPLAY_MARGIN_BYTES if is_display else GPU_MARGIN_BYTES
    fraction = DISPLAY_MARGIN_FRACTION if is_display else GPU_MARGIN_FRACTION
    return DeviceBudget(
        device=gpu.name,
        description=gpu.description or gpu.name,
        total_bytes=gpu.total_bytes,
        free_bytes=gpu.free_bytes,
        margin_bytes=max(least, int(gpu.total_bytes * fraction)),
        shares_memory=gpu.kind is DeviceKind.IGPU,
    )
