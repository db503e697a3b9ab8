"""How much memory of each device a load may use: pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

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
_SYSTEM_SHARE: Final = 8
_SYSTEM_BYTES: Final = (1 << 30, 2 << 30)
"""What an idle system takes of its memory: an eighth, between these bounds."""


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
    gpus: Sequence[Device], *, host: Host, display: str | None, limit_bytes: int = 0
) -> tuple[DeviceBudget, ...]:
    """Return the budget of RAM, and then of each of ``gpus``.

    Args:
        display: name of the GPU that draws the desktop; ``None`` assumes the first.
        limit_bytes: limit of RAM for a load; 0 is no limit.
    """
    free = _limited(host.available_bytes, limit_bytes)
    ram = DeviceBudget(
        device=HOST,
        description=tr("RAM"),
        total_bytes=max(host.total_bytes, host.available_bytes),
        free_bytes=free,
        margin_bytes=HOST_MARGIN_BYTES,
    )
    if display is None:
        display = next((gpu.name for gpu in gpus), "")
    return (ram, *(_budget(gpu, is_display=gpu.name == display) for gpu in gpus))


def idle_budgets(budgets: Sequence[DeviceBudget], *, limit_bytes: int = 0) -> tuple[DeviceBudget, ...]:
    """Return ``budgets``, RAM first, as they would be if no other program ran."""
    ram, *gpus = budgets
    low, high = _SYSTEM_BYTES
    free = ram.total_bytes - min(high, max(low, ram.total_bytes // _SYSTEM_SHARE))
    return (
        _with_free(ram, _limited(free, limit_bytes)),
        *(_with_free(gpu, gpu.total_bytes) for gpu in gpus),
    )


def _limited(free_bytes: int, limit_bytes: int) -> int:
    return min(free_bytes, limit_bytes + HOST_MARGIN_BYTES) if limit_bytes else free_bytes


def _with_free(budget: DeviceBudget, n_bytes: int) -> DeviceBudget:
    return msgspec.structs.replace(budget, free_bytes=max(budget.free_bytes, n_bytes))


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
