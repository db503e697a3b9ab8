"""Query NVIDIA's management library (NVML), which comes with the driver, for its cards."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from fireside.core.hardware import MemorySource
from fireside.core.i18n import tr, tr_noop
from fireside.engine.devices.card import Card, normalized_pci_address

_SUCCESS: Final = 0
_DRIVER_NOT_LOADED: Final = 9
_LIBRARY_RM_MISMATCH: Final = 18
_TEMPERATURE_GPU: Final = 0
_MEMORY_V2: Final = 2 << 24
_NAME_BYTES: Final = 96
_MAX_CARDS: Final = 64

_PROBLEMS: Final = {
    _DRIVER_NOT_LOADED: tr_noop(
        "The NVIDIA driver is installed but not running. Restarting the computer may help."
    ),
    _LIBRARY_RM_MISMATCH: tr_noop(
        "The NVIDIA driver was updated while it was running. Restart the computer."
    ),
}


class _MemoryInfo(ctypes.Structure):
    """``nvmlMemory_t``"""

    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


class _MemoryInfo2(ctypes.Structure):
    """``nvmlMemory_v2_t``: reports memory reserved by the driver separately from used memory."""

    _fields_ = (
        ("version", ctypes.c_uint),
        ("total", ctypes.c_ulonglong),
        ("reserved", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    )


class _PciInfo(ctypes.Structure):
    """``nvmlPciInfo_t``"""

    _fields_ = (
        ("bus_id_legacy", ctypes.c_char * 16),
        ("domain", ctypes.c_uint),
        ("bus", ctypes.c_uint),
        ("device", ctypes.c_uint),
        ("pci_device_id", ctypes.c_uint),
        ("pci_subsystem_id", ctypes.c_uint),
        ("bus_id", ctypes.c_char * 32),
    )


class _Utilization(ctypes.Structure):
    """``nvmlUtilization_t``, percent."""

    _fields_ = (("gpu", ctypes.c_uint), ("memory", ctypes.c_uint))


def nvml_libraries(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return where the library may be, the likeliest first; absolute paths where the location is known."""
    if sys.platform == "win32":
        system = Path(environ.get("SYSTEMROOT", r"C:\Windows"))
        older = Path(environ.get("PROGRAMFILES", r"C:\Program Files"))
        return (
            str(system / "System32" / "nvml.dll"),
            str(older / "NVIDIA Corporation" / "NVSMI" / "nvml.dll"),
        )
    return ("libnvidia-ml.so.1",)


class Nvml:
    """A ``CardSource``. Loads the library at the first query, and again after a failure."""

    def __init__(self, libraries: Sequence[str]) -> None:
        self._libraries = tuple(libraries)
        self._library: ctypes.CDLL | None = None
        self._status = _SUCCESS
        self._driver = ""

    def cards(self) -> tuple[Card, ...]:
        """Measure every card; see ``CardSource``."""
        library = self._opened()
        if library is None:
            return ()
        count = ctypes.c_uint()
        if library.nvmlDeviceGetCount_v2(ctypes.byref(count)) != _SUCCESS:
            # The driver was unloaded, as it is during an update: load the library again next time.
            self._library = None
            return ()
        handles = [ctypes.c_void_p() for _ in range(min(count.value, _MAX_CARDS))]
        return tuple(
            self._card(library, handle)
            for index, handle in enumerate(handles)
            if library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(handle)) == _SUCCESS
        )

    def problem(self) -> str:
        """Return the problem with the driver, if any; see ``CardSource``."""
        self._opened()
        problem = _PROBLEMS.get(self._status)
        return tr(problem) if problem else ""

    def _opened(self) -> ctypes.CDLL | None:
        if self._library is None:
            self._library = self._open()
        return self._library

    def _open(self) -> ctypes.CDLL | None:
        for path in self._libraries:
            try:
                library = ctypes.CDLL(path)
                self._status = library.nvmlInit_v2()
            except (OSError, AttributeError):
                continue
            if self._status != _SUCCESS:
                return None
            text = ctypes.create_string_buffer(_NAME_BYTES)
            if _ask(library, "nvmlSystemGetDriverVersion", text, ctypes.c_uint(_NAME_BYTES)):
                self._driver = _text(text.value)
            return library
        return None

    def _card(self, library: ctypes.CDLL, handle: ctypes.c_void_p) -> Card:
        name = ctypes.create_string_buffer(_NAME_BYTES)
        has_name = _ask(library, "nvmlDeviceGetName", handle, name, ctypes.c_uint(_NAME_BYTES))
        pci = _PciInfo()
        has_pci = _ask(library, "nvmlDeviceGetPciInfo_v3", handle, ctypes.byref(pci))
        degrees = ctypes.c_uint()
        has_degrees = _ask(
            library,
            "nvmlDeviceGetTemperature",
            handle,
            ctypes.c_uint(_TEMPERATURE_GPU),
            ctypes.byref(degrees),
        )
        load = _Utilization()
        has_load = _ask(library, "nvmlDeviceGetUtilizationRates", handle, ctypes.byref(load))
        display = ctypes.c_uint()
        has_display = _ask(library, "nvmlDeviceGetDisplayActive", handle, ctypes.byref(display))
        memory = _memory(library, handle)
        return Card(
            source=MemorySource.NVML,
            pci_address=normalized_pci_address(_text(pci.bus_id)) if has_pci else "",
            name=_text(name.value) if has_name else "",
            free_bytes=memory[0] if memory is not None else None,
            total_bytes=memory[1] if memory is not None else None,
            temperature_c=float(degrees.value) if has_degrees else None,
            load=min(100, load.gpu) / 100 if has_load else None,
            drives_display=bool(display.value) if has_display else None,
            driver=self._driver,
        )


def _memory(library: ctypes.CDLL, handle: ctypes.c_void_p) -> tuple[int, int] | None:
    """Return free and total memory, in bytes."""
    newer = _MemoryInfo2(version=ctypes.sizeof(_MemoryInfo2) | _MEMORY_V2)
    if _ask(library, "nvmlDeviceGetMemoryInfo_v2", handle, ctypes.byref(newer)):
        return int(newer.free), int(newer.total)
    older = _MemoryInfo()
    if _ask(library, "nvmlDeviceGetMemoryInfo", handle, ctypes.byref(older)):
        return int(older.free), int(older.total)
    return None


def _ask(library: ctypes.CDLL, function: str, *arguments: object) -> bool:
    """Call a function that older drivers may lack; return whether it succeeded."""
    try:
        return bool(getattr(library, function)(*arguments) == _SUCCESS)
    except AttributeError:
        return False


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace").strip()
