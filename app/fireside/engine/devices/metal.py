"""Query macOS (Metal) for how much system memory the GPU should use."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

from fireside.core.hardware import MemorySource
from fireside.engine.devices.card import Card

METAL: Final = "/System/Library/Frameworks/Metal.framework/Metal"
OBJECTIVE_C: Final = "/usr/lib/libobjc.A.dylib"


class Metal:
    """A ``CardSource``: the GPU of a Mac, which uses system memory.

    Args:
        metal: path of the Metal framework's library.
        objective_c: path of the Objective-C runtime library.
        available_bytes: returns the available system memory.
    """

    def __init__(self, *, metal: str, objective_c: str, available_bytes: Callable[[], int]) -> None:
        self._metal = metal
        self._objective_c = objective_c
        self._available_bytes = available_bytes

    def cards(self) -> tuple[Card, ...]:
        """Measure the GPU that llama.cpp uses; see ``CardSource``."""
        try:
            create = ctypes.CDLL(self._metal).MTLCreateSystemDefaultDevice
            objc = ctypes.CDLL(self._objective_c)
            selector, send, release = objc.sel_registerName, objc.objc_msgSend, objc.objc_release
        except (OSError, AttributeError):
            return ()
        create.restype = selector.restype = ctypes.c_void_p
        selector.argtypes = [ctypes.c_char_p]
        device = create()
        if not device:
            return ()
        # ``objc_msgSend`` must be cast to the type of the called method; a number is returned in a register.
        send_for_number = ctypes.cast(
            send, ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)
        )
        total_bytes = int(send_for_number(device, selector(b"recommendedMaxWorkingSetSize")))
        send_for_object = ctypes.cast(
            send, ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        )
        send_for_text = ctypes.cast(send, ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p))
        name = send_for_object(device, selector(b"name"))
        text = send_for_text(name, selector(b"UTF8String")) if name else None
        # The caller owns what a function with “Create” in its name returns, and must release it.
        release.argtypes, release.restype = [ctypes.c_void_p], None
        release(device)
        return (
            Card(
                source=MemorySource.METAL,
                name=(text or b"").decode("utf-8", "replace"),
                free_bytes=min(total_bytes, self._available_bytes()),
                total_bytes=total_bytes,
            ),
        )

    def problem(self) -> str:
        """Return an empty text: Metal is part of every Mac."""
        return ""
