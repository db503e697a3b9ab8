"""A cache of dry run results, in memory and in a small file."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.options import SPIN_COUNT_AUTO, LoadOptions, Numa
from fireside.core.status import Device, MemoryReport
from fireside.engine.planning.auxiliary_models import auxiliary_paths
from fireside.files.json_file import JsonFile

FORMAT: Final = 2
MAX_ENTRIES: Final = 500
MAX_FILE_BYTES: Final = 4 << 20

log = logging.getLogger(__name__)


class _Entry(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    memory: tuple[MemoryReport, ...]


class _File(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    entries: tuple[_Entry, ...]


class MeasurementCache:
    """Dry run results, valid while the files, the devices and the build of llama.cpp stay the same.

    Any thread. If its file is missing, damaged or not writable, dry runs are made again.

    Args:
        path: the cache file; ``None`` caches in memory only.
        build: returns the build of llama.cpp of a runtime.
    """

    def __init__(self, path: Path | None, *, build: Callable[[str], str]) -> None:
        self._file = None if path is None else JsonFile(path, _File, limit=MAX_FILE_BYTES)
        self._build = build
        self._lock = threading.Lock()
        self._is_read = False
        self._entries: dict[str, tuple[MemoryReport, ...]] = {}

    def key(self, path: str, options: LoadOptions, *, devices: Sequence[Device]) -> str:
        """Return the cache key of a load; empty if a file cannot be read."""
        files = []
        for name in (path, *auxiliary_paths(options)):
            try:
                status = Path(name).stat()
            except (OSError, ValueError):
                return ""
            files.append((name, status.st_size, status.st_mtime_ns))
        # The options that are reset here do not change the buffers.
        relevant = msgspec.structs.replace(
            options,
            n_threads=0,
            n_threads_batch=0,
            draft_n_threads=0,
            spin_count=SPIN_COUNT_AUTO,
            cpus=(),
            numa=Numa.OFF,
            use_mmap=False,
            use_mlock=False,
            memory_limit_mb=0,
            cache_reuse=0,
            report_late=False,
            auto_adjustable=(),
        )
        names = sorted((device.name, device.description, device.total_bytes) for device in devices)
        key = msgspec.json.encode((files, relevant, names, self._build(options.runtime)))
        return hashlib.sha256(key).hexdigest()[:32]

    def get(self, key: str) -> tuple[MemoryReport, ...] | None:
        """Return a cached result. The first call reads the file."""
        with self._lock:
            self._read()
            return self._entries.get(key)

    def store(self, measurements: Iterable[tuple[str, tuple[MemoryReport, ...]]]) -> None:
        """Add results, and write the file."""
        new = {key: memory for key, memory in measurements if key}
        if not new:
            return
        with self._lock:
            self._read()
            self._entries = dict([*self._entries.items(), *new.items()][-MAX_ENTRIES:])
            entries = tuple(_Entry(key=key, memory=memory) for key, memory in self._entries.items())
            if self._file is None:
                return
            try:
                self._file.write(_File(format=FORMAT, entries=entries))
            except OSError as exc:
                log.info("the results of dry runs are not stored: %s", exc)

    def _read(self) -> None:
        if self._is_read or self._file is None:
            return
        self._is_read = True
        stored = self._file.read()
        if stored is not None and stored.format == FORMAT:
            self._entries = {entry.key: entry.memory for entry in stored.entries}
