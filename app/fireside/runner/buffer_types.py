"""Query llama.cpp's memory usage by buffer type, which it exports to C++ only."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

from fireside.core.status import MemoryReport
from fireside.runner.native import symbol

_FUNCTION: Final = "_Z26llama_get_memory_breakdownPK13llama_context"
_NEXT_NODE: Final = "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base"
_GPUS: Final = (1, 2)
"""Device types with memory of their own, or that count as if they had."""


class _Map(ctypes.Structure):
    """``std::map`` of libstdc++: a comparison object, then the header node, then the number of items."""

    _fields_ = (
        ("compare", ctypes.c_void_p),
        ("colour", ctypes.c_int),
        ("parent", ctypes.c_void_p),
        ("left", ctypes.c_void_p),
        ("right", ctypes.c_void_p),
        ("count", ctypes.c_size_t),
    )


class _Node(ctypes.Structure):
    """One item: the tree's links, the buffer type, and ``llama_memory_breakdown_data``."""

    _fields_ = (
        ("colour", ctypes.c_int),
        ("parent", ctypes.c_void_p),
        ("left", ctypes.c_void_p),
        ("right", ctypes.c_void_p),
        ("buffer_type", ctypes.c_void_p),
        ("model", ctypes.c_size_t),
        ("context", ctypes.c_size_t),
        ("compute", ctypes.c_size_t),
    )


def memory_breakdown(context: Any) -> tuple[MemoryReport, ...] | None:
    """Return the memory of a context and its model, exact also with ``no_alloc``.

    ``None`` where the C++ library is not GNU's: the log is the only source there. The items of the map leak,
    less than a kilobyte each time.
    """
    if sys.platform != "linux":
        return None
    try:
        breakdown = symbol(_FUNCTION, ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p])
        next_node = symbol(_NEXT_NODE, ctypes.c_void_p, [ctypes.c_void_p])
    except AttributeError:
        return None
    items = _Map()
    # A class returned by value: the caller passes the address of the result first.
    breakdown(ctypes.addressof(items), ctypes.cast(context, ctypes.c_void_p))
    end = ctypes.addressof(items) + _Map.colour.offset
    reports: dict[str, MemoryReport] = {}
    position = items.left
    for _ in range(items.count):
        if not position or position == end:
            break
        node = _Node.from_address(position)
        name = buffer_name(node.buffer_type)
        before = reports.get(name, MemoryReport(buffer=name, weights_bytes=0, kv_bytes=0, compute_bytes=0))
        reports[name] = MemoryReport(
            buffer=name,
            weights_bytes=before.weights_bytes + node.model,
            kv_bytes=before.kv_bytes + node.context,
            compute_bytes=before.compute_bytes + node.compute,
        )
        position = next_node(position)
    return tuple(reports.values())


def buffer_name(buffer_type: int) -> str:
    """Return llama.cpp's name of a buffer type; for GPU memory the name of the device.

    The devices of several remote servers have buffers of the same name.
    """
    name_of = symbol("ggml_backend_buft_name", ctypes.c_char_p, [ctypes.c_void_p])
    is_host = symbol("ggml_backend_buft_is_host", ctypes.c_bool, [ctypes.c_void_p])
    device_of = symbol("ggml_backend_buft_get_device", ctypes.c_void_p, [ctypes.c_void_p])
    name = name_of(buffer_type)
    device = None if is_host(buffer_type) else device_of(buffer_type)
    if device and symbol("ggml_backend_dev_type", ctypes.c_int, [ctypes.c_void_p])(device) in _GPUS:
        name = symbol("ggml_backend_dev_name", ctypes.c_char_p, [ctypes.c_void_p])(device)
    return (name or b"").decode("utf-8", "replace")
