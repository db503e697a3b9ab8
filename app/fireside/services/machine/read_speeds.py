"""Learn how fast this computer reads weights: from a memory probe, then from every answer."""

from __future__ import annotations

import asyncio
import logging
import math
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
from fireside.engine.planning.speed_estimate import (
    HOST,
    UNMEASURED_GPU,
    MeasuredAnswer,
    ReadSpeed,
    freshness,
    quietness,
    read_speed,
)
from fireside.files.json_file import JsonFile

PROBED_SHARE: Final = 0.55
"""Share of plain memory bandwidth that answers reach with the usual quantizations."""
PROBED_SPREAD: Final = 1.0
MAX_REMEMBERED: Final = 8
"""Latest answers of a device that count, of models of about one size."""
MIN_TOKENS: Final = 32
"""Shorter answers are not measured."""
_PROBE_BYTES: Final = 128 << 20
_ROUNDS: Final = 3
_PROBE_S: Final = 0.05
"""Processor time for the probe of one core, above the grain of the clocks of all systems."""
_SIZE_LIMIT: Final = 1_000_000

log = logging.getLogger(__name__)


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    bytes_per_s: float
    token_bytes: float
    at: float
    """Seconds since 1970."""
    quietness: float


class _File(msgspec.Struct, frozen=True, kw_only=True):
    probed: float = 0.0
    answers: dict[str, tuple[_Answer, ...]] = {}
    """By device, the latest last. ``measured``, which was stored before, says nothing of the model's size."""


class ReadSpeeds:
    """Read speeds by device, cached in a small file. Lives on one event loop."""

    def __init__(
        self,
        path: Path | None,
        *,
        probe: Callable[[], float] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``probe`` blocks for a moment and returns bytes a second; without ``path`` nothing is stored."""
        self._file = None if path is None else JsonFile(path, _File, limit=_SIZE_LIMIT)
        self._probe = memory_speed if probe is None else probe
        self._clock = clock
        self._known = _usable(None if self._file is None else self._file.read())
        self._was_probed = False
        self._lock = asyncio.Lock()

    async def speeds(self) -> Mapping[str, ReadSpeed]:
        """Return what is known of each device; probes the computer's memory first.

        Other programs make a probe slower, never faster: each run probes once, and the best counts.
        """
        async with self._lock:
            if not self._was_probed:
                best = max(self._known.probed, await asyncio.to_thread(self._probe))
                self._was_probed = True
                self._store(msgspec.structs.replace(self._known, probed=best))
        host = ReadSpeed(bytes_per_s=self._known.probed * PROBED_SHARE, spread=PROBED_SPREAD)
        return {
            name: msgspec.structs.replace(
                host if name == HOST else UNMEASURED_GPU,
                answers=tuple(map(self._counted, self._known.answers.get(name, ()))),
            )
            for name in (HOST, *self._known.answers)
        }

    def observe(self, answer: StoredMessage, *, spec: ModelSpec, state: ModelState) -> None:
        """Learn from an answer, if it was long enough, ran alone and without speculative decoding.

        What ran beside busy programs, which took the processor from it, counts little or nothing.
        """
        record = answer.generation
        if record is None or record.usage is None or record.timings is None or record.edited:
            return
        if not isinstance(state, Ready) or state.n_active or state.loaded.speculation is not Speculation.OFF:
            return
        if record.usage.n_completion < MIN_TOKENS:
            return
        loaded, timings = state.loaded, record.timings
        measured = timings.tokens_per_second(n_completion=record.usage.n_completion)
        speed = read_speed(spec, n_gpu_layers=loaded.n_gpu_layers, measured=measured)
        _cpu, *gpus = loaded.devices or (HOST,)
        if speed is None or len(gpus) > 1:
            return
        quiet = 1.0 if gpus else quietness(timings.cpu_s / (timings.decode_s * max(1, loaded.n_threads)))
        if quiet > 0:
            self._learn(
                gpus[0] if gpus else HOST,
                _Answer(
                    bytes_per_s=speed.bytes_per_s,
                    token_bytes=speed.token_bytes,
                    at=self._clock(),
                    quietness=quiet,
                ),
            )

    def _counted(self, answer: _Answer) -> MeasuredAnswer:
        return MeasuredAnswer(
            bytes_per_s=answer.bytes_per_s,
            token_bytes=answer.token_bytes,
            weight=answer.quietness * freshness(self._clock() - answer.at),
        )

    def _learn(self, device: str, answer: _Answer) -> None:
        kept = self._known.answers.get(device, ())
        alike = [other for other in kept if _size_class(other) == _size_class(answer)]
        dropped = alike[: max(0, len(alike) - MAX_REMEMBERED + 1)]
        answers = (*(other for other in kept if other not in dropped), answer)
        known = {**self._known.answers, device: answers}
        self._store(msgspec.structs.replace(self._known, answers=known))

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
        return _File()
    answers = {
        name: tuple(answer for answer in found if answer.bytes_per_s > 0 and answer.token_bytes > 0)
        for name, found in stored.answers.items()
    }
    return _File(probed=max(0.0, stored.probed), answers=answers)


def _size_class(answer: _Answer) -> int:
    return round(math.log2(answer.token_bytes))


def memory_speed() -> float:
    """Return the bandwidth in bytes a second that all cores read together. Takes a tenth of a second.

    It is at least what one core reads in its own processor time, which busy programs hardly reduce.
    """
    import numpy as np  # imported here, because few commands need it

    content = np.ones(_PROBE_BYTES // 4, dtype=np.float32)
    n_threads = os.cpu_count() or 1
    n_read, started_s = 0, time.thread_time()
    while time.thread_time() - started_s < _PROBE_S:
        content.max()
        n_read += content.nbytes
    best = n_read / (time.thread_time() - started_s)
    for _ in range(_ROUNDS):
        started_s = time.perf_counter()
        threads = [threading.Thread(target=part.max) for part in np.array_split(content, n_threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        best = max(best, content.nbytes / (time.perf_counter() - started_s))
    return best
