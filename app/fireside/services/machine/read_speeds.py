"""Learn how fast this computer reads weights: from a memory probe, then from every answer."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.chat import StoredMessage
from fireside.core.model import ModelSpec
from fireside.core.options import Speculation
from fireside.core.status import ModelState, Ready
from fireside.engine.planning.speed_estimate import HOST, ReadSpeed, read_speed
from fireside.files.json_file import JsonFile

PROBED_SHARE: Final = 0.55
"""Share of plain memory bandwidth that answers reach with the usual quantizations."""
PROBED_SPREAD: Final = 1.0
MIN_SPREAD: Final = 0.75
"""Quantizations differ by as much in their compute cost, which their size does not tell."""
MAX_REMEMBERED: Final = 32
"""Latest answers of a device that count."""
MIN_TOKENS: Final = 32
"""Shorter answers are not measured."""
_PROBE_BYTES: Final = 128 << 20
_ROUNDS: Final = 3
_SIZE_LIMIT: Final = 1_000_000

log = logging.getLogger(__name__)


class _File(msgspec.Struct, frozen=True, kw_only=True):
    measured: dict[str, tuple[float, ...]]
    """Bytes a second of the latest answers, by device."""
    probed: float = 0.0


class ReadSpeeds:
    """Read speeds by device, cached in a small file. Lives on one event loop."""

    def __init__(self, path: Path | None, *, probe: Callable[[], float] | None = None) -> None:
        """``probe`` blocks for a moment and returns bytes a second; without ``path`` nothing is stored."""
        self._file = None if path is None else JsonFile(path, _File, limit=_SIZE_LIMIT)
        self._probe = memory_speed if probe is None else probe
        self._known = _usable(None if self._file is None else self._file.read())
        self._was_probed = False
        self._lock = asyncio.Lock()

    async def speeds(self) -> Mapping[str, ReadSpeed]:
        """Return the known speeds; probes the computer's memory first where no answer has measured it.

        Other programs make a probe slower, never faster: each run probes once, and the best counts.
        """
        async with self._lock:
            if not self._was_probed and HOST not in self._known.measured:
                best = max(self._known.probed, await asyncio.to_thread(self._probe))
                self._was_probed = True
                self._store(msgspec.structs.replace(self._known, probed=best))
        speeds = {
            name: _typical_speed(measured) for name, measured in self._known.measured.items() if measured
        }
        if HOST not in speeds:
            typical = self._known.probed * PROBED_SHARE
            speeds[HOST] = ReadSpeed(bytes_per_s=typical, spread=PROBED_SPREAD)
        return speeds

    def observe(self, answer: StoredMessage, *, spec: ModelSpec, state: ModelState) -> None:
        """Learn from an answer, if it was long enough, ran alone and without speculative decoding."""
        record = answer.generation
        if record is None or record.usage is None or record.timings is None or record.edited:
            return
        if not isinstance(state, Ready) or state.n_active or state.loaded.speculation is not Speculation.OFF:
            return
        if record.usage.n_completion >= MIN_TOKENS:
            loaded = state.loaded
            measured = record.timings.tokens_per_second(n_completion=record.usage.n_completion)
            speed = read_speed(spec, n_gpu_layers=loaded.n_gpu_layers, measured=measured)
            _cpu, *gpus = loaded.devices or (HOST,)
            if speed is not None and len(gpus) <= 1:
                self._learn(gpus[0] if gpus else HOST, speed)

    def _learn(self, device: str, bytes_per_s: float) -> None:
        measured = (*self._known.measured.get(device, ()), bytes_per_s)[-MAX_REMEMBERED:]
        self._store(msgspec.structs.replace(self._known, measured={**self._known.measured, device: measured}))

    def _store(self, known: _File) -> None:
        self._known = known
        if self._file is not None:
            try:
                self._file.write(known)
            except OSError as exc:
                log.info("speeds were not written: %s", exc)


def _usable(stored: _File | None) -> _File:
    """Return what was stored without what is no speed, by which predictions would divide."""
    if stored is None:
        return _File(measured={})
    measured = {
        name: speeds
        for name, values in stored.measured.items()
        if (speeds := tuple(value for value in values if value > 0))
    }
    return _File(measured=measured, probed=max(0.0, stored.probed))


def _typical_speed(measured: tuple[float, ...]) -> ReadSpeed:
    """Return the median, with the distance to the quartiles as spread: answers written beside busy
    programs are outliers."""
    ordered = sorted(measured)
    middle = ordered[len(ordered) // 2]
    low, high = ordered[len(ordered) // 4], ordered[-1 - len(ordered) // 4]
    spread = max(MIN_SPREAD, middle / low - 1, high / middle - 1)
    return ReadSpeed(bytes_per_s=middle, spread=spread)


def memory_speed() -> float:
    """Return the bandwidth in bytes a second that all cores read together. Takes a tenth of a second."""
    import numpy as np  # imported here, because few commands need it

    content = np.ones(_PROBE_BYTES // 4, dtype=np.float32)
    n_threads = os.cpu_count() or 1
    best = 0.0
    for _ in range(_ROUNDS):
        started_s = time.perf_counter()
        threads = [threading.Thread(target=part.max) for part in np.array_split(content, n_threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        best = max(best, content.nbytes / (time.perf_counter() - started_s))
    return best
