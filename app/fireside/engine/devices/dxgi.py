"""Query Windows (DXGI) for how much of each graphics card's memory a program may use."""

from __future__ import annotations

import ctypes
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fireside.core.hardware import MemorySource
from fireside.engine.devices.card import Card

_FACTORY1: Final = uuid.UUID("770aae78-f26f-4dba-a829-253c83d1b387").bytes_le
_ADAPTER3: Final = uuid.UUID("645967a4-1392-4310-a798-8053ce3e93fd").bytes_le
_QUERY_INTERFACE: Final = 0
_RELEASE: Final = 2
_ENUM_ADAPTERS1: Final = 12
_GET_DESC1: Final = 10
_QUERY_VIDEO_MEMORY_INFO: Final = 14
"""Indices of the methods in the virtual tables of ``dxgi1_4.h``."""
_SOFTWARE: Final = 2
_LOCAL_MEMORY: Final = 0
_MAX_CARDS: Final = 16


class _Description(ctypes.Structure):
    """``DXGI_ADAPTER_DESC1``"""

    _fields_ = (
        ("name", ctypes.c_uint16 * 128),
        ("vendor", ctypes.c_uint),
        ("device", ctypes.c_uint),
        ("subsystem", ctypes.c_uint),
        ("revision", ctypes.c_uint),
        ("dedicated_video_bytes", ctypes.c_size_t),
        ("dedicated_system_bytes", ctypes.c_size_t),
        ("shared_system_bytes", ctypes.c_size_t),
        ("luid_low", ctypes.c_uint),
        ("luid_high", ctypes.c_int),
        ("flags", ctypes.c_uint),
    )


class _VideoMemory(ctypes.Structure):
    """``DXGI_QUERY_VIDEO_MEMORY_INFO``"""

    _fields_ = (
        ("budget", ctypes.c_uint64),
        ("used", ctypes.c_uint64),
        ("reservable", ctypes.c_uint64),
        ("reserved", ctypes.c_uint64),
    )


def dxgi_library(environ: Mapping[str, str]) -> str:
    """Return the path of the library, which is part of Windows: only ever from the system folder."""
    return str(Path(environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "dxgi.dll")


class Dxgi:
    """A ``CardSource`` for 64-bit Windows, which has a single calling convention.

    Free memory is what Windows grants a program without evicting other programs' memory from the card.
    """

    def __init__(self, library: str) -> None:
        self._path = library

    def cards(self) -> tuple[Card, ...]:
        """Measure every card; see ``CardSource``."""
        try:
            library = ctypes.CDLL(self._path)
            create = library.CreateDXGIFactory1
        except (OSError, AttributeError):
            return ()
        factory = ctypes.c_void_p()
        if create(ctypes.c_char_p(_FACTORY1), ctypes.byref(factory)) != 0 or not factory:
            return ()
        try:
            return tuple(self._cards(factory))
        finally:
            _call(factory, _RELEASE, [])

    def problem(self) -> str:
        """Return an empty text: DXGI is always part of Windows."""
        return ""

    def _cards(self, factory: ctypes.c_void_p) -> list[Card]:
        cards = []
        for index in range(_MAX_CARDS):
            adapter = ctypes.c_void_p()
            arguments = [ctypes.c_uint(index), ctypes.byref(adapter)]
            if _call(factory, _ENUM_ADAPTERS1, arguments) != 0 or not adapter:
                break
            try:
                card = _card(adapter)
            finally:
                _call(adapter, _RELEASE, [])
            if card is not None:
                cards.append(card)
        return cards


def _card(adapter: ctypes.c_void_p) -> Card | None:
    description = _Description()
    if _call(adapter, _GET_DESC1, [ctypes.byref(description)]) != 0 or description.flags & _SOFTWARE:
        return None
    total_bytes = int(description.dedicated_video_bytes)
    memory = _video_memory(adapter)
    free_bytes = None if memory is None else max(0, min(total_bytes, memory.budget - memory.used))
    name = bytes(description.name).decode("utf-16-le", "replace").partition("\0")[0]
    return Card(
        source=MemorySource.DXGI, name=name.strip(), free_bytes=free_bytes, total_bytes=total_bytes or None
    )


def _video_memory(adapter: ctypes.c_void_p) -> _VideoMemory | None:
    adapter3 = ctypes.c_void_p()
    arguments = [ctypes.c_char_p(_ADAPTER3), ctypes.byref(adapter3)]
    if _call(adapter, _QUERY_INTERFACE, arguments) != 0 or not adapter3:
        return None
    try:
        memory = _VideoMemory()
        arguments = [ctypes.c_uint(0), ctypes.c_uint(_LOCAL_MEMORY), ctypes.byref(memory)]
        return memory if _call(adapter3, _QUERY_VIDEO_MEMORY_INFO, arguments) == 0 else None
    finally:
        _call(adapter3, _RELEASE, [])


def _call(this: ctypes.c_void_p, index: int, arguments: Sequence[Any]) -> int:
    """Call the method at ``index`` in a COM object's virtual table; 0 means success."""
    table = ctypes.cast(this, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, *(_argument_type(argument) for argument in arguments)
    )
    return int(prototype(table[index])(this, *arguments))


def _argument_type(argument: Any) -> type[Any]:
    return ctypes.c_uint if isinstance(argument, ctypes.c_uint) else ctypes.c_void_p
