"""The devices that llama.cpp can use, and their memory."""

from __future__ import annotations

import ctypes
import os
import re
import socket
from typing import Final

import psutil

from fireside.core.status import Device, DeviceKind
from fireside.runner.native import LIBRARY_FOLDER, symbol

RPC_SERVERS_VARIABLE: Final = "FIRESIDE_RPC_SERVERS"
"""For tests and development: ``host:port,host:port`` of llama.cpp RPC servers on this machine, used as GPUs.

The program passes it on to runners only under ``engine.environment.DEVELOPMENT_VARIABLE``.
"""

_LOOPBACK: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\]):([0-9]{1,5})")
_CONNECT_TIMEOUT_S: Final = 2.0
_KINDS: Final = (DeviceKind.CPU, DeviceKind.GPU, DeviceKind.IGPU, DeviceKind.ACCELERATOR)
_CPU: Final = 0


class _Capabilities(ctypes.Structure):
    _fields_ = (
        ("runs_async", ctypes.c_bool),
        ("host_buffer", ctypes.c_bool),
        ("buffer_from_host_ptr", ctypes.c_bool),
        ("events", ctypes.c_bool),
        ("mmap_support", ctypes.c_bool),
    )


class _Properties(ctypes.Structure):
    """``struct ggml_backend_dev_props`` of ggml 0.25."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("description", ctypes.c_char_p),
        ("memory_free", ctypes.c_size_t),
        ("memory_total", ctypes.c_size_t),
        ("type", ctypes.c_int),
        ("device_id", ctypes.c_char_p),
        ("capabilities", _Capabilities),
    )


def load_backends() -> None:
    """Load backends that are separate modules in the library folder, unless they are linked in."""
    if symbol("ggml_backend_dev_count", ctypes.c_size_t, [])() == 0:
        symbol("ggml_backend_load_all_from_path", None, [ctypes.c_char_p])(os.fsencode(LIBRARY_FOLDER))


def device_handles() -> list[int]:
    """Return the handles of all devices, the CPU included."""
    count = symbol("ggml_backend_dev_count", ctypes.c_size_t, [])
    get = symbol("ggml_backend_dev_get", ctypes.c_void_p, [ctypes.c_size_t])
    return [get(index) for index in range(count())]


def backend_name(device: int) -> str:
    """Return the name of the backend of ``device``, a handle."""
    registry_of = symbol("ggml_backend_dev_backend_reg", ctypes.c_void_p, [ctypes.c_void_p])
    name_of = symbol("ggml_backend_reg_name", ctypes.c_char_p, [ctypes.c_void_p])
    return _text(name_of(registry_of(device)))


def list_devices() -> tuple[Device, ...]:
    """Return every device, the CPU included, with its current free memory."""
    read = symbol("ggml_backend_dev_get_props", None, [ctypes.c_void_p, ctypes.POINTER(_Properties)])
    devices = []
    for handle in device_handles():
        properties = _Properties()
        read(handle, ctypes.byref(properties))
        free, total = properties.memory_free, properties.memory_total
        if properties.type == _CPU:
            # llama.cpp reports all of the machine's memory as free.
            memory = psutil.virtual_memory()
            free, total = memory.available, memory.total
        devices.append(
            Device(
                name=_text(properties.name),
                description=_text(properties.description),
                kind=_KINDS[properties.type] if properties.type < len(_KINDS) else DeviceKind.ACCELERATOR,
                free_bytes=free,
                total_bytes=total,
                backend=backend_name(handle),
                device_id=_text(properties.device_id),
            )
        )
    return tuple(devices)


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace").strip()


def add_rpc_servers(servers: str) -> list[str]:
    """Register RPC servers as devices and return a message for each entry of ``servers`` that was skipped.

    Only loopback addresses are accepted: the protocol has no authentication. A server that does not answer
    would abort the process, so the connection is tested first.
    """
    skipped = []
    for entry in filter(None, (part.strip() for part in servers.split(","))):
        match = _LOOPBACK.fullmatch(entry)
        if match is None:
            skipped.append(f"{RPC_SERVERS_VARIABLE}: “{entry}” is not an address on this machine.")
        elif not _answers(match[1].strip("[]"), int(match[2])):
            skipped.append(f"{RPC_SERVERS_VARIABLE}: nothing answers at “{entry}”.")
        elif not _register(entry):
            skipped.append(f"{RPC_SERVERS_VARIABLE}: this build of llama.cpp has no RPC.")
    return skipped


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=_CONNECT_TIMEOUT_S).close()
    except (OSError, OverflowError):
        return False
    return True


def _register(endpoint: str) -> bool:
    by_name = symbol("ggml_backend_reg_by_name", ctypes.c_void_p, [ctypes.c_char_p])
    procedure = symbol(
        "ggml_backend_reg_get_proc_address", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
    )
    register = symbol("ggml_backend_register", None, [ctypes.c_void_p])
    rpc = by_name(b"RPC")
    address = procedure(rpc, b"ggml_backend_rpc_add_server") if rpc else None
    if not address:
        return False
    add_server = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(address)
    register(add_server(endpoint.encode()))
    return True
